"""Java, Kotlin and Scala: fully qualified names and package wildcards."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST
from plantwin.private.relate.resolvers.found import NOTHING, Everywhere, Found
from plantwin.private.relate.tables import Tables

_EXTENSIONS = ("java", "kt", "scala", "groovy")
_FACES = 3
_WILDCARDS = ("*", "_")


class Jvm:
    """`com.acme.auth.Token`, `com.acme.auth.Token.Kind` (nested), `com.acme.auth.*`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[str, Found] = {}

    def __call__(self, target: str, at: int) -> Found:
        found = self._known.get(target)
        if found is None:
            found = self._known[target] = self._named(target)
        if len(found) < 2 or target.endswith(_WILDCARDS):
            return Everywhere(found)
        return (self._tables.nearest(found, at),)

    def _named(self, target: str) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        parts = target.split(".")
        if parts[-1] in _WILDCARDS:
            package = ".".join(parts[:-1])
            return self._package(package) or self._named(package)
        for drop in range(3):
            kept = parts[: len(parts) - drop]
            if len(kept) < 2:
                break
            found = self._file(kept)
            if found:
                return found
        # A top-level function or a class in a file of another name: only where there is no choice.
        members = self._tables.provided.get(("jvm", ".".join(parts[:-1])), ())
        return (members[0],) if len(members) == 1 else NOTHING

    def _file(self, parts: list[str]) -> Found:
        tables = self._tables
        folder = "/".join(parts)
        hits = [each for extension in _EXTENSIONS for each in tables.ending(f"{folder}.{extension}")]
        if not hits:
            hits = tables.declared("jvm", ".".join(parts[:-1])).get(parts[-1], [])
        return tuple(sorted(hits))

    def _package(self, package: str) -> Found:
        """The files that stand for a package, tests left out."""
        tables = self._tables
        holders = tables.provided.get(("jvm", package), ())
        members = [each for each in holders[:512] if tables.facts[each].role != "test"]
        return tuple(tables.largest(members, _FACES))
