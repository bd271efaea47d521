"""C and C++ includes: beside the file, below the usual include folders, or by the end of the path."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below, enclosing, join
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables, positions

_FOLDERS = ("", "include", "src", "inc", "lib")


class Include:
    """`"net/socket.h"`: the nearest file that the name can mean."""

    system = False

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, target: str, at: int) -> Found:
        tables = self._tables
        name = target.rpartition("/")[2]
        if len(target) > LONGEST or name not in tables.named:
            return NOTHING
        folder = tables.folders[at]
        path = None if self.system else join(folder, target)
        hit = None if path is None else tables.at.get(path)
        if hit is not None:
            return (hit,)
        if target[:1] == ".":
            return NOTHING
        for outer in enclosing(folder):
            for inner in _FOLDERS[1:] if self.system else _FOLDERS:
                hit = tables.at.get(below(below(outer, inner) if inner else outer, target))
                if hit is not None:
                    return (hit,)
        if "/" in target:
            found = tables.ending(target)
        else:
            found = [] if self.system else list(positions(tables.named[name])[:64])
        return (tables.nearest(found, at),) if found else NOTHING


class SystemInclude(Include):
    """`<acme/net.h>`: a header of this project only where an include folder or a longer path says so."""

    system = True
