"""Resolvers of references by path or by a name that another object provides, and the table of all resolvers.

A resolver is built once over the lookup tables, on the first reference that needs it, and then maps (target,
position) to positions without changing anything. What leads nowhere is dropped.
"""

from __future__ import annotations

from urllib.parse import unquote

from plantwin.private.facts import Reference
from plantwin.private.relate.import_resolvers import (
    NOTHING,
    Found,
    Include,
    JavaScript,
    Python,
    Resolver,
    Ruby,
    RubyRelative,
    SystemInclude,
)
from plantwin.private.relate.lookup import LONGEST, Lookup, below, enclosing, join, positions
from plantwin.private.relate.package_resolvers import CSharp, Go, Jvm, Php, Rust

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


class Paths(Resolver):
    """Relative to the file's folder first, then to the folders around it."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._words: set[str] | None = None

    def __call__(self, target: str, at: int) -> Found:
        target = clean(target)
        if not target or not self.possible(target):
            return NOTHING
        folder = self._lookup.folders[at]
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
        tree = self._lookup.tree
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
        lookup = self._lookup
        if name in lookup.named or name in lookup.stems or name in ("", ".", ".."):
            return True
        if self._words is None:
            self._words = {folder.rpartition("/")[2] for folder in lookup.tree}
        return name in self._words

    def entry(self, path: str) -> Found:
        """A file, a file named without its extension, a style partial, or what stands for a folder."""
        lookup = self._lookup
        hit = lookup.at.get(path)
        if hit is not None:
            return (hit,)
        if path in lookup.tree:
            return lookup.faces(path)
        found = positions(lookup.bare.get(path))
        if not found:
            folder, _, name = path.rpartition("/")
            found = positions(lookup.bare.get(below(folder, "_" + name)))
        return next(((candidate,) for candidate in found if lookup.extensions[candidate] in _EXTENSIONLESS), NOTHING)


class RootPaths(Paths):
    """Relative to the project's root: the top first, then the folders around the file."""

    def __call__(self, target: str, at: int) -> Found:
        target = clean(target).lstrip("/")
        if not target or not self.possible(target):
            return NOTHING
        path = join("", target)
        found = NOTHING if not path else self.entry(path)
        return found or self.around(target, self._lookup.folders[at])


class Scripts(Paths):
    """A script that is called: by its path, or by its bare name wherever the nearest of that name is."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        name = clean(target)
        if found or "/" in name or "." not in name:
            return found
        named = positions(self._lookup.named.get(name))
        return (self._lookup.nearest(named, at),) if named else NOTHING


class Modules(Paths):
    """A Terraform module's source: a local folder, whose files stand for it."""

    def __call__(self, target: str, at: int) -> Found:
        target = target.strip()
        if target[:1] != "." or len(target) > LONGEST:
            return NOTHING
        path = join(self._lookup.folders[at], target.partition("?")[0].replace("//", "/"))
        if path is None or path not in self._lookup.tree:
            return NOTHING
        lookup = self._lookup
        main = lookup.at.get(below(path, "main.tf"))
        if main is not None:
            return (main,)
        members = [
            candidate for candidate in lookup.inside.get(path, ()) if lookup.extensions[candidate] in ("tf", "hcl")
        ]
        return tuple(lookup.largest(members, 3))


MANIFESTS = ("package.json", "Cargo.toml", "pyproject.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts")
_MEMBERS = 24


class Provided(Resolver):
    """Any name that another object declares in the same way; the nearest one is meant."""

    def __call__(self, target: str, at: int) -> Found:
        holders = self._lookup.provided.get((self._how, target))
        return (self._lookup.nearest(holders, at),) if holders else NOTHING


class TableNames(Provided):
    """A table, with or without its schema, in any case of letters."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._known: dict[str, list[int]] = {}

    def __call__(self, target: str, at: int) -> Found:
        holders = self._known.get(target)
        if holders is None:
            holders = self._known[target] = self._definitions(target)
        return (self._lookup.nearest(holders, at),) if holders else NOTHING

    def _definitions(self, target: str) -> list[int]:
        """Who defines it: schemas before migrations and dumps that create the same table again."""
        if len(target) > LONGEST:
            return []
        name = target.lower().replace('"', "").replace("`", "").replace("[", "").replace("]", "")
        short = name.rpartition(".")[2]
        lookup = self._lookup
        for key in (("table", name), ("table", short), ("dbt", short)):
            holders = lookup.provided.get(key)
            if holders:
                schemas = [
                    candidate for candidate in holders[:256] if lookup.semantic_class(candidate) == "table_schema"
                ]
                return schemas or holders
        return []


class Models(Provided):
    """`ref('stg_orders')`: a declared model, a `.sql` or `.py` model, or a seed of that name."""

    def __call__(self, target: str, at: int) -> Found:
        lookup = self._lookup
        files = [
            candidate
            for extension in ("sql", "csv", "py")
            for candidate in positions(lookup.named.get(f"{target}.{extension}"))[:64]
        ]
        if files:
            return (lookup.nearest(sorted(files), at),)
        return super().__call__(target, at)


class Sources(Provided):
    """`source('shop', 'orders')`, written `shop.orders`: where it is declared, else the table itself."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._names = TableNames(lookup, "table")

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        return found or self._names(target, at)


class Units(Provided):
    """A system unit: the file of that name."""

    def __call__(self, target: str, at: int) -> Found:
        named = positions(self._lookup.named.get(target))
        return (self._lookup.nearest(named, at),) if named else NOTHING


class Images(Provided):
    """An image built here: declared by name, or the Dockerfile of a folder or suffix of that name."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        if found or len(target) > LONGEST:
            return found
        name = target.rpartition("/")[2].partition("@")[0].partition(":")[0]
        if not name:
            return NOTHING
        lookup = self._lookup
        files = lookup.ending(f"{name}/Dockerfile") or list(positions(lookup.named.get(f"Dockerfile.{name}"))[:64])
        return (lookup.nearest(files, at),) if files else NOTHING


class Packages(Provided):
    """A member of a workspace: by name, by folder, or by a pattern such as `packages/*`."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        if found:
            return found
        lookup = self._lookup
        path = join(lookup.folders[at], target.removesuffix("/*").removesuffix("/**"))
        if path is None or path not in lookup.tree:
            return NOTHING
        folders = [path] if "*" not in target else lookup.children.get(path, [])[:_MEMBERS]
        return tuple(candidate for folder in folders if (candidate := self._manifest(folder)) is not None)

    def _manifest(self, folder: str) -> int | None:
        at = self._lookup.at
        return next((at[path] for name in MANIFESTS if (path := below(folder, name)) in at), None)


class Variables(Provided):
    """An environment variable: the nearest file that sets it, filled-in files before templates."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._setters: dict[str, list[int]] = {}
        for position, facts in enumerate(lookup.facts):
            if facts.format == "env":
                for key, _ in facts.settings:
                    self._setters.setdefault(key, []).append(position)

    def __call__(self, target: str, at: int) -> Found:
        holders = self._setters.get(target)
        if not holders:
            return super().__call__(target, at)
        lookup = self._lookup
        filled = [candidate for candidate in holders[:64] if lookup.facts[candidate].role != "template"]
        return (lookup.nearest(filled or holders, at),)


RESOLVERS: dict[str, type[Resolver]] = {
    "python": Python,
    "javascript": JavaScript,
    "go": Go,
    "jvm": Jvm,
    "csharp": CSharp,
    "php": Php,
    "php_path": Paths,
    "ruby": Ruby,
    "ruby_relative": RubyRelative,
    "rust": Rust,
    "c": Include,
    "c_system": SystemInclude,
    "shell": Scripts,
    "path": Paths,
    "html": Paths,
    "css": Paths,
    "root_path": RootPaths,
    "terraform": Modules,
    "table": TableNames,
    "dbt": Models,
    "dbt_source": Sources,
    "container": Images,
    "package": Packages,
    "systemd": Units,
    "env_key": Variables,
}

PER_FILE = frozenset({"rust"})
"""Ways of referring whose meaning depends on the file's own name, not on its folder alone."""


class Resolution:
    """All resolvers over one set of objects."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._built: dict[str, Resolver] = {}

    def __call__(self, reference: Reference, at: int) -> Found:
        how = reference[0]
        resolve = self._built.get(how)
        if resolve is None:
            resolve = self._built[how] = RESOLVERS.get(how, Provided)(self._lookup, how)
        return resolve(reference[1], at)
