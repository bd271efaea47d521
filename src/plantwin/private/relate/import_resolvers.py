"""Imports that are paths: Python, JavaScript, Ruby, C and C++."""

from __future__ import annotations

import sys
from bisect import bisect_left

from plantwin.private.relate.lookup import LONGEST, Lookup, below, enclosing, join, positions, shared_depth, words

Found = tuple[int, ...]
"""Positions that a reference leads to: all of them, already chosen; empty when unresolved."""


class Everywhere(tuple[int, ...]):
    """An answer that is the same wherever the reference is written: it need not be asked again."""

    __slots__ = ()


NOTHING: Found = ()
NOWHERE: Found = Everywhere()


class Resolver:
    """Maps a target as written, and the position it is written at, to the positions that it leads to."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        self._lookup = lookup
        self._how = how

    def __call__(self, target: str, at: int) -> Found:
        raise NotImplementedError


_EXTENSIONS = frozenset({"py", "pyi", "pyx"})
_WINDOW = 6
"""How many neighbouring roots are tried on each side where several hold the same top-level name."""


class Python(Resolver):
    """`a.b`, `a:b` (`from a import b`), `.b` and `..a:b`."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._tops = _top_level(lookup)

    def __call__(self, target: str, at: int) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        if target[:1] == ".":
            return self._relative(target, at)
        dot = target.find(".")
        top = target.partition(":")[0] if dot < 0 else target[:dot].partition(":")[0]
        roots = self._tops.get(top)
        if roots is None:
            return NOWHERE
        if len(roots) == 1 and top not in sys.stdlib_module_names:
            return Everywhere(self._first(roots, target))
        return self._first(self._near(top, roots, self._lookup.folders[at]), target)

    def _near(self, top: str, roots: list[str], folder: str) -> list[str]:
        """Roots to try, the nearest first: those on the way up, and those beside."""
        near = []
        for outer in enclosing(folder):
            place = bisect_left(roots, outer)
            if place < len(roots) and roots[place] == outer:
                near.append(outer)
        if top in sys.stdlib_module_names:
            # A module of the standard library is meant unless a folder on the way up shadows it.
            return near
        middle = bisect_left(roots, folder)
        near.extend(roots[max(0, middle - _WINDOW) : middle + _WINDOW])
        return sorted(dict.fromkeys(near), key=lambda root: (-shared_depth(folder, root), root.count("/"), root))

    def _first(self, roots: list[str], target: str) -> Found:
        for root in roots:
            hit = self._module(root, target)
            if hit is not None:
                return (hit,)
        return NOTHING

    def _relative(self, target: str, at: int) -> Found:
        rest = target.lstrip(".")
        folder = self._lookup.folders[at]
        for _ in range(len(target) - len(rest) - 1):
            if not folder:
                return NOTHING
            folder = folder.rpartition("/")[0]
        return self._first([folder], rest)

    def _module(self, root: str, target: str) -> int | None:
        """The file of a module below a folder: the imported name as a submodule first, then its package."""
        module, _, name = target.partition(":")
        base = below(root, module.replace(".", "/")) if module else root
        lookup = self._lookup
        at = lookup.at
        if base not in lookup.tree:
            hit = at.get(base + ".py")
        elif name and name != "*":
            inner = below(base, name.replace(".", "/"))
            hit = at.get(inner + ".py")
            if hit is None:
                hit = at.get(inner + "/__init__.py")
        else:
            hit = at.get(below(base, "__init__.py"))
        if hit is None:
            rest = (base + ".py", below(base, "__init__.py"), base + ".pyi", below(base, "__init__.pyi"), base + ".pyx")
            hit = next((at[path] for path in rest if path in at), None)
        return hit


def _top_level(lookup: Lookup) -> dict[str, list[str]]:
    """Top-level name to the folders that hold it: where no package encloses it, an import can start."""
    at = lookup.at
    tops: dict[str, list[str]] = {}
    seen: set[str] = set()
    for folder, members in lookup.inside.items():
        modules = [candidate for candidate in members if lookup.extensions[candidate] in _EXTENSIONS]
        if not modules:
            continue
        if below(folder, "__init__.py") not in at:
            for candidate in modules:
                tops.setdefault(lookup.stem(candidate), []).append(folder)
        while folder and folder not in seen:
            seen.add(folder)
            outer, _, name = folder.rpartition("/")
            if below(outer, "__init__.py") not in at:
                tops.setdefault(name, []).append(outer)
            folder = outer
    return {name: sorted(set(roots)) for name, roots in tops.items()}


_RANK = {extension: rank for rank, extension in enumerate(words("script_endings"))}
_WRITTEN = ("js", "jsx", "mjs", "cjs")
"""Extensions that a specifier names although the source is TypeScript."""
_ENTRIES = ("src/index", "index", "src/main", "lib/index", "main", "dist/index")
_INNER = ("", "src", "lib")
_ALIASES = ("@/", "~/", "~~/", "#/", "$lib/")
_ALIAS_FOLDERS = ("src", "", "app", "src/lib")


class JavaScript(Resolver):
    """`./a`, `../b/c.js`, `@/store/cart`, `@acme/ui/button`, `components/Menu`."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._aliases: dict[str, list[int]] = {}
        self._meant: dict[tuple[str, int], str] = {}
        for (how, name), holders in lookup.provided.items():
            if how == "path_alias":
                # A compiler's settings: `@app/*=src/app/*`, relative to the file that says so.
                alias, _, meant = name.removesuffix("*").replace("*=", "=").partition("=")
                for holder in holders:
                    self._aliases.setdefault(alias, []).append(holder)
                    self._meant[alias, holder] = meant
        for known in self._aliases.values():
            known.sort()

    def __call__(self, target: str, at: int) -> Found:
        if len(target) > LONGEST or not target:
            return NOTHING
        target = target.partition("?")[0].rpartition("!")[2]
        folder = self._lookup.folders[at]
        if target[:1] == ".":
            path = join(folder, target)
            return NOTHING if path is None else self._module(path)
        if target[:1] == "/":
            return self._climb(target.lstrip("/"), folder, ("", "public", "src", "static"))
        if self._aliases:
            found = self._aliased(target, at)
            if found:
                return found
        for alias in _ALIASES:
            if target.startswith(alias):
                return self._climb(target[len(alias) :], folder, _ALIAS_FOLDERS)
        return self._package(target, at) or self._based(target, folder)

    def _aliased(self, target: str, at: int) -> Found:
        """By an alias that the nearest compiler settings declare, the longest first."""
        lookup = self._lookup
        prefix = target
        for _ in range(8):
            holders = self._aliases.get(prefix)
            if holders:
                holder = lookup.nearest(holders, at)
                path = join(lookup.folders[holder], self._meant[prefix, holder] + target[len(prefix) :])
                return self._module(path) if path else NOTHING
            prefix, slash, _ = prefix.rstrip("/").rpartition("/")
            if not slash:
                break
            prefix += "/"
        return NOTHING

    def _module(self, path: str) -> Found:
        lookup = self._lookup
        exact = lookup.at.get(path)
        if exact is not None:
            return (exact,)
        stem, _, extension = path.rpartition(".")
        hit = self._bare(path)
        if hit is None and extension in _WRITTEN:
            hit = self._bare(stem)
        if hit is None:
            hit = self._bare(path + ".d")
        if hit is None:
            hit = self._bare(below(path, "index"))
        return NOTHING if hit is None else (hit,)

    def _bare(self, path: str) -> int | None:
        """The file of that stem whose extension an importer would mean."""
        lookup = self._lookup
        found = lookup.bare.get(path)
        if found is None:
            return None
        if isinstance(found, int):
            return found if lookup.extensions[found] in _RANK else None
        ranked = [
            (_RANK[lookup.extensions[candidate]], candidate)
            for candidate in found
            if lookup.extensions[candidate] in _RANK
        ]
        return min(ranked)[1] if ranked else None

    def _climb(self, target: str, folder: str, inner: tuple[str, ...]) -> Found:
        """Look in the enclosing folders and their usual source folders, near to far."""
        last = target.rpartition("/")[2]
        stems = self._lookup.stems
        if last not in stems and last.rpartition(".")[0] not in stems and "index" not in stems:
            return NOTHING
        for outer in enclosing(folder):
            for name in inner:
                path = join(below(outer, name) if name else outer, target)
                hit = self._module(path) if path else NOTHING
                if hit:
                    return hit
        return NOTHING

    def _package(self, target: str, at: int) -> Found:
        """A package of this workspace, by the name in its manifest."""
        parts = target.split("/", 2)
        cut = 2 if target[:1] == "@" else 1
        holders = self._lookup.provided.get(("package", "/".join(parts[:cut])))
        if not holders:
            return NOTHING
        lookup = self._lookup
        manifest = lookup.nearest(holders, at)
        folder = lookup.folders[manifest]
        rest = "/".join(parts[cut:])
        for name in _INNER if rest else _ENTRIES:
            path = join(folder, f"{name}/{rest}" if rest and name else rest or name)
            hit = self._module(path) if path else NOTHING
            if hit:
                return hit
        return (manifest,)

    def _based(self, target: str, folder: str) -> Found:
        """A path from the source folder, as `baseUrl` allows: never a plain package name."""
        first, slash, _ = target.partition("/")
        if not slash or first[:1] == "@":
            return NOTHING
        tree = self._lookup.tree
        for outer in enclosing(folder):
            for name in _INNER:
                base = below(outer, name) if name else outer
                if below(base, first) in tree:
                    path = join(base, target)
                    hit = self._module(path) if path else NOTHING
                    if hit:
                        return hit
        return NOTHING


_LOAD_PATH = ("lib", "", "app", "spec", "test")


class Ruby(Resolver):
    """`acme/token`: below `lib` or the folder itself, from near to far."""

    def __call__(self, target: str, at: int) -> Found:
        if target[:1] == ".":
            return RubyRelative(self._lookup, "ruby_relative")(target, at)
        if len(target) > LONGEST:
            return NOTHING
        target = target.removesuffix(".rb")
        lookup = self._lookup
        if target.rpartition("/")[2] not in lookup.stems:
            return NOTHING
        for outer in enclosing(lookup.folders[at]):
            for name in _LOAD_PATH:
                hit = lookup.at.get(below(below(outer, name) if name else outer, target + ".rb"))
                if hit is not None:
                    return (hit,)
        return NOTHING


class RubyRelative(Resolver):
    """`../token`: from the file's own folder."""

    def __call__(self, target: str, at: int) -> Found:
        path = join(self._lookup.folders[at], target.removesuffix(".rb"))
        hit = None if path is None else self._lookup.at.get(path + ".rb")
        return NOTHING if hit is None else (hit,)


_FOLDERS = ("", "include", "src", "inc", "lib")


class Include(Resolver):
    """`"net/socket.h"`: the nearest file that the name can mean."""

    system = False

    def __call__(self, target: str, at: int) -> Found:
        lookup = self._lookup
        name = target.rpartition("/")[2]
        if len(target) > LONGEST or name not in lookup.named:
            return NOTHING
        folder = lookup.folders[at]
        path = None if self.system else join(folder, target)
        hit = None if path is None else lookup.at.get(path)
        if hit is not None:
            return (hit,)
        if target[:1] == ".":
            return NOTHING
        for outer in enclosing(folder):
            for inner in _FOLDERS[1:] if self.system else _FOLDERS:
                hit = lookup.at.get(below(below(outer, inner) if inner else outer, target))
                if hit is not None:
                    return (hit,)
        if "/" in target:
            found = lookup.ending(target)
        else:
            found = [] if self.system else list(positions(lookup.named[name])[:64])
        return (lookup.nearest(found, at),) if found else NOTHING


class SystemInclude(Include):
    """`<acme/net.h>`: a header of this project only where an include folder or a longer path says so."""

    system = True
