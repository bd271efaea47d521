"""Paths as written in configs, documents, scripts, pages and code."""

from __future__ import annotations

from urllib.parse import unquote

from plantwin.private.relate.places import LONGEST, below, enclosing, join
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables, positions

_SERVED = ("templates", "public", "static", "views", "app/views", "assets", "src", "resources", "docs", "data")
"""Folders whose content is named without them."""
_EXTENSIONLESS = ("html", "md", "rst", "scss", "sh", "py", "ts", "js", "jinja", "j2", "erb", "php", "hbs", "ejs", "pug")


def clean(target: str) -> str:
    """The path in a link: no anchor, query, scheme, quotes or leading variable; empty when it is none."""
    target = target.strip().strip("\"'<>")
    if not target or len(target) > LONGEST or "://" in target or target[0] == "#" or "\0" in target:
        return ""
    if target.startswith(("mailto:", "data:", "tel:", "javascript:", "//")):
        return ""
    if target[0] == "$" and "/" in target:
        # `$DIR/x.sh` and `${ROOT}/x.sh`: what the variable holds is usually this folder or a parent.
        target = target.partition("/")[2]
    target = target.partition("#")[0].partition("?")[0]
    if "%" in target:
        target = unquote(target, errors="surrogateescape")
    if "\\" in target:
        target = target.replace("\\", "/")
    return "" if any(mark in target for mark in "*{$`|") else target


class Paths:
    """Relative to the file's folder first, then to the folders around it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._words: set[str] | None = None

    def __call__(self, target: str, at: int) -> Found:
        target = clean(target)
        if not target or not self.possible(target):
            return NOTHING
        folder = self._tables.folders[at]
        if target[0] != "/":
            path = join(folder, target)
            found = NOTHING if not path else self.entry(path)
            if found:
                return found
        if target.startswith("../"):
            return NOTHING
        return self.around(target.lstrip("/"), folder)

    def around(self, target: str, folder: str) -> Found:
        """Look from the enclosing folders, then from the folders that are left out of names."""
        for outer in enclosing(folder):
            path = join(outer, target)
            found = NOTHING if not path else self.entry(path)
            if found:
                return found
        tree = self._tables.tree
        for outer in enclosing(folder):
            for inner in _SERVED:
                base = below(outer, inner)
                path = join(base, target) if base in tree else None
                found = NOTHING if not path else self.entry(path)
                if found:
                    return found
        return NOTHING

    def possible(self, target: str) -> bool:
        """Whether anything at all has such a last name: most targets that lead nowhere end here."""
        name = target.rstrip("/").rpartition("/")[2]
        tables = self._tables
        if name in tables.named or name in tables.stems or name in ("", ".", ".."):
            return True
        if self._words is None:
            self._words = {folder.rpartition("/")[2] for folder in tables.tree}
        return name in self._words

    def entry(self, path: str) -> Found:
        """A file, a file named without its extension, a style partial, or what stands for a folder."""
        tables = self._tables
        hit = tables.at.get(path)
        if hit is not None:
            return (hit,)
        if path in tables.tree:
            return tables.faces(path)
        found = positions(tables.bare.get(path))
        if not found:
            folder, _, name = path.rpartition("/")
            found = positions(tables.bare.get(below(folder, "_" + name)))
        return next(((each,) for each in found if tables.extensions[each] in _EXTENSIONLESS), NOTHING)


class RootPaths(Paths):
    """Relative to the project's root: the top first, then the folders around the file."""

    def __call__(self, target: str, at: int) -> Found:
        target = clean(target).lstrip("/")
        if not target or not self.possible(target):
            return NOTHING
        path = join("", target)
        found = NOTHING if not path else self.entry(path)
        return found or self.around(target, self._tables.folders[at])


class Scripts(Paths):
    """A script that is called: by its path, or by its bare name wherever the nearest of that name is."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        name = clean(target)
        if found or "/" in name or "." not in name:
            return found
        named = positions(self._tables.named.get(name))
        return (self._tables.nearest(named, at),) if named else NOTHING


class Modules(Paths):
    """A Terraform module's source: a local folder, whose files stand for it."""

    def __call__(self, target: str, at: int) -> Found:
        target = target.strip()
        if target[:1] != "." or len(target) > LONGEST:
            return NOTHING
        path = join(self._tables.folders[at], target.partition("?")[0].replace("//", "/"))
        if path is None or path not in self._tables.tree:
            return NOTHING
        tables = self._tables
        main = tables.at.get(below(path, "main.tf"))
        if main is not None:
            return (main,)
        members = [each for each in tables.inside.get(path, ()) if tables.extensions[each] in ("tf", "hcl")]
        return tuple(tables.largest(members, 3))
