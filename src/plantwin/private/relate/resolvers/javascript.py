"""JavaScript and TypeScript specifiers: relative files, index files, aliases, workspace packages."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below, enclosing, join
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables

_ORDER = (
    "ts",
    "tsx",
    "js",
    "jsx",
    "mjs",
    "cjs",
    "mts",
    "cts",
    "vue",
    "svelte",
    "json",
    "css",
    "scss",
    "less",
    "graphql",
)
_RANK = {extension: rank for rank, extension in enumerate(_ORDER)}
_WRITTEN = ("js", "jsx", "mjs", "cjs")
"""Extensions that a specifier names although the source is TypeScript."""
_ENTRIES = ("src/index", "index", "src/main", "lib/index", "main", "dist/index")
_INNER = ("", "src", "lib")
_ALIASES = ("@/", "~/", "~~/", "#/", "$lib/")
_ALIAS_FOLDERS = ("src", "", "app", "src/lib")


class JavaScript:
    """`./a`, `../b/c.js`, `@/store/cart`, `@acme/ui/button`, `components/Menu`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._aliases: dict[str, list[int]] = {}
        self._meant: dict[tuple[str, int], str] = {}
        for (how, name), holders in tables.provided.items():
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
        folder = self._tables.folders[at]
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
        tables = self._tables
        prefix = target
        for _ in range(8):
            holders = self._aliases.get(prefix)
            if holders:
                holder = tables.nearest(holders, at)
                path = join(tables.folders[holder], self._meant[prefix, holder] + target[len(prefix) :])
                return self._module(path) if path else NOTHING
            prefix, slash, _ = prefix.rstrip("/").rpartition("/")
            if not slash:
                break
            prefix += "/"
        return NOTHING

    def _module(self, path: str) -> Found:
        tables = self._tables
        exact = tables.at.get(path)
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
        tables = self._tables
        found = tables.bare.get(path)
        if found is None:
            return None
        if isinstance(found, int):
            return found if tables.extensions[found] in _RANK else None
        ranked = [(_RANK[tables.extensions[each]], each) for each in found if tables.extensions[each] in _RANK]
        return min(ranked)[1] if ranked else None

    def _climb(self, target: str, folder: str, inner: tuple[str, ...]) -> Found:
        """Look in the enclosing folders and their usual source folders, near to far."""
        last = target.rpartition("/")[2]
        stems = self._tables.stems
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
        holders = self._tables.provided.get(("package", "/".join(parts[:cut])))
        if not holders:
            return NOTHING
        tables = self._tables
        manifest = tables.nearest(holders, at)
        folder = tables.folders[manifest]
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
        tree = self._tables.tree
        for outer in enclosing(folder):
            for name in _INNER:
                base = below(outer, name) if name else outer
                if below(base, first) in tree:
                    path = join(base, target)
                    hit = self._module(path) if path else NOTHING
                    if hit:
                        return hit
        return NOTHING
