"""Ruby: `require` searches the load path, `require_relative` the file's own folder."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below, enclosing, join
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables

_LOAD_PATH = ("lib", "", "app", "spec", "test")


class Ruby:
    """`acme/token`: below `lib` or the folder itself, from near to far."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, target: str, at: int) -> Found:
        if target[:1] == ".":
            return RubyRelative(self._tables)(target, at)
        if len(target) > LONGEST:
            return NOTHING
        target = target.removesuffix(".rb")
        tables = self._tables
        if target.rpartition("/")[2] not in tables.stems:
            return NOTHING
        for outer in enclosing(tables.folders[at]):
            for name in _LOAD_PATH:
                hit = tables.at.get(below(below(outer, name) if name else outer, target + ".rb"))
                if hit is not None:
                    return (hit,)
        return NOTHING


class RubyRelative:
    """`../token`: from the file's own folder."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, target: str, at: int) -> Found:
        path = join(self._tables.folders[at], target.removesuffix(".rb"))
        hit = None if path is None else self._tables.at.get(path + ".rb")
        return NOTHING if hit is None else (hit,)
