"""Python modules: packages, src layouts, namespace packages, scripts beside each other, relative imports."""

from __future__ import annotations

import sys
from bisect import bisect_left

from plantwin.private.relate.places import LONGEST, below, enclosing, shared_depth
from plantwin.private.relate.resolvers.found import NOTHING, NOWHERE, Everywhere, Found
from plantwin.private.relate.tables import Tables

_EXTENSIONS = frozenset({"py", "pyi", "pyx"})
_WINDOW = 6
"""How many neighbouring roots are tried on each side where several hold the same top-level name."""


class Python:
    """`a.b`, `a:b` (`from a import b`), `.b` and `..a:b`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._tops = _top_level(tables)

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
        return self._first(self._near(top, roots, self._tables.folders[at]), target)

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
        folder = self._tables.folders[at]
        for _ in range(len(target) - len(rest) - 1):
            if not folder:
                return NOTHING
            folder = folder.rpartition("/")[0]
        return self._first([folder], rest)

    def _module(self, root: str, target: str) -> int | None:
        """The file of a module below a folder: the imported name as a submodule first, then its package."""
        module, _, name = target.partition(":")
        base = below(root, module.replace(".", "/")) if module else root
        tables = self._tables
        at = tables.at
        if base not in tables.tree:
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


def _top_level(tables: Tables) -> dict[str, list[str]]:
    """Top-level name to the folders that hold it: where no package encloses it, an import can start."""
    at = tables.at
    tops: dict[str, list[str]] = {}
    seen: set[str] = set()
    for folder, members in tables.inside.items():
        modules = [each for each in members if tables.extensions[each] in _EXTENSIONS]
        if not modules:
            continue
        if below(folder, "__init__.py") not in at:
            for each in modules:
                tops.setdefault(tables.stem(each), []).append(folder)
        while folder and folder not in seen:
            seen.add(folder)
            outer, _, name = folder.rpartition("/")
            if below(outer, "__init__.py") not in at:
                tops.setdefault(name, []).append(outer)
            folder = outer
    return {name: sorted(set(roots)) for name, roots in tops.items()}
