"""C# namespaces and PHP classes: names that provisions declare and paths resemble."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST
from plantwin.private.relate.resolvers.found import NOTHING, Everywhere, Found
from plantwin.private.relate.tables import Tables, positions

_FACES = 3


class CSharp:
    """`Acme.Shop.Payments`: the files that declare the namespace, those named like it first."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __call__(self, target: str, at: int) -> Found:
        return Everywhere(self._members(target))

    def _members(self, target: str) -> Found:
        tables = self._tables
        holders = tables.provided.get(("csharp", target))
        if not holders:
            outer, _, name = target.rpartition(".")
            return tuple(tables.declared("csharp", outer).get(name, ())[:1])
        members = [each for each in holders[:512] if tables.facts[each].role != "test"]
        word = target.rpartition(".")[2].lower().removesuffix("s")
        alike = [each for each in members if word in tables.stem(each).lower()]
        return tuple(tables.largest(alike or members, _FACES))


class Php:
    """`App\\Services\\Mailer`: by declared namespace and file name, or by the longest matching path."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[str, Found] = {}

    def __call__(self, target: str, at: int) -> Found:
        found = self._known.get(target)
        if found is None:
            found = self._known[target] = self._class(target)
        return Everywhere(found) if len(found) < 2 else (self._tables.nearest(found, at),)

    def _class(self, target: str) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        tables = self._tables
        parts = [part for part in target.split("\\") if part]
        if not parts:
            return NOTHING
        declared = tables.declared("php", "\\".join(parts[:-1])).get(parts[-1])
        if declared:
            return tuple(declared)
        for start in range(min(len(parts) - 1, 8)):
            # PSR-4 maps a leading part of the namespace to a folder of any name.
            found = tables.ending("/".join(parts[start:]) + ".php")
            if found:
                return tuple(found)
        named = positions(tables.named.get(parts[-1] + ".php"))
        return tuple(named) if len(named) == 1 and len(parts) > 1 else NOTHING
