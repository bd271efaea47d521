"""Go import paths: a module's prefix leads to a folder, and a folder is a package."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below
from plantwin.private.relate.resolvers.found import NOTHING, Everywhere, Found
from plantwin.private.relate.tables import Tables

_FACES = 3


class Go:
    """`example.com/shop/auth`, by the modules that `go.mod` files declare."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, target: str, at: int) -> Found:
        return Everywhere(self._package(target, at))

    def _package(self, target: str, at: int) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        tables = self._tables
        module = target
        for _ in range(16):
            holders = tables.provided.get(("go_module", module))
            if holders:
                root = tables.folders[tables.nearest(holders, at)]
                rest = target[len(module) + 1 :]
                return self._files(below(root, rest) if rest else root)
            module, slash, _ = module.rpartition("/")
            if not slash:
                break
        return self._files("vendor/" + target)

    def _files(self, folder: str) -> Found:
        """The files that stand for a package: the one named like it, then the largest."""
        tables = self._tables
        members = [
            each
            for each in tables.inside.get(folder, ())
            if tables.extensions[each] == "go" and not tables.names[each].endswith("_test.go")
        ]
        if not members:
            return NOTHING
        own = tables.at.get(below(folder, folder.rpartition("/")[2] + ".go"))
        if own is not None:
            return (own,)
        return tuple(tables.largest(members, _FACES))
