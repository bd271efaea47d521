"""From frames and loggers to the objects of the folder, and which of them to look at first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import log2

from plantwin.private.capabilities.engine.job import Surroundings
from plantwin.private.capabilities.trace_errors.traces import Frame
from plantwin.private.facts import Private
from plantwin.private.formats.values import words

_GENERIC = words(
    "__init__.py __main__.py index.js index.ts index.tsx main.py main.go main.rs mod.rs lib.rs utils.py util.go "
    "app.py app.js index.php server.js views.py models.py types.go errors.go handler.go config.py settings.py "
    "base.py common.py"
)
"""Names that are in every folder: alone they tell nothing."""
_FRESH = ("today", "recent")


class Suspect(Private):
    """One object with what speaks against it."""

    def __init__(self, name: str, tests: list[str], recent: bool) -> None:
        self.name = name
        self.score = 0.0
        self.places: Counter[tuple[int, str]] = Counter()
        """Lines and functions with how many traces pass through them."""
        self.groups: set[str] = set()
        self.tests = tests
        self.recent = recent


class Folder(Private):
    """The names of the folder's objects, to resolve frames against."""

    def __init__(self, surroundings: Surroundings, inputs: Iterable[str] = ()) -> None:
        self._surroundings = surroundings
        self._positions: dict[str, int] = {}
        for position, neighbour in enumerate(surroundings.objects):
            if not neighbour.part and neighbour.kind != "log_stream":
                self._positions.setdefault(neighbour.name, position)
        for name in inputs:
            self._positions.setdefault(name, -1)
        self._by_name: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for name in self._positions:
            last = name.rpartition("/")[2]
            self._by_name.setdefault(last, []).append(name)
            self._by_stem.setdefault(last.rpartition(".")[0] or last, []).append(name)

    def path(self, path: str) -> str:
        """Return the object that a path of a trace names; empty where none or several could be meant."""
        wanted = path.strip("/").split("/")
        names = self._by_name.get(wanted[-1], ())
        scored = sorted(((_common_end(wanted, name.split("/")), name) for name in names), reverse=True)
        if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
            return ""
        shared, best = scored[0]
        whole = shared == len(best.split("/")) or shared == len(wanted)
        # A name alone decides only where it is a rare one, or where the whole of one path agrees.
        return best if shared >= 2 or whole or wanted[-1] not in _GENERIC else ""

    def logger(self, dotted: str) -> str:
        """Return the object that a logger's name stands for."""
        wanted = dotted.replace("::", ".").replace("/", ".").split(".")
        for parts in (wanted, wanted[:-1]):
            if len(parts) < 2:
                break
            names = self._by_stem.get(parts[-1], ())
            found = [name for name in names if _common_end(parts, name.rpartition(".")[0].split("/")) >= 2]
            if len(found) == 1:
                return found[0]
        return ""

    def tests(self, name: str) -> list[str]:
        """Return the tests that exercise an object."""
        position = self._positions.get(name, -1)
        links = [link for link in self._surroundings.links if link.reason == "tests" and link.target == position >= 0]
        return sorted({self._surroundings.objects[link.source].name for link in links})

    def recent(self, name: str) -> bool:
        """Return whether it changed lately, where most others did not."""
        position = self._positions.get(name, -1)
        objects = self._surroundings.objects
        if position < 0 or objects[position].freshness not in _FRESH:
            return False
        return sum(neighbour.freshness in _FRESH for neighbour in objects) * 3 <= len(objects)

    @property
    def known(self) -> bool:
        """Whether the surroundings are told."""
        return bool(self._surroundings.objects)


def _common_end(one: list[str], two: list[str]) -> int:
    """Count the parts at the end of two paths that agree."""
    pairs = zip(reversed(one), reversed(two), strict=False)
    return next((count for count, (mine, other) in enumerate(pairs) if mine != other), min(len(one), len(two)))


class Ranking(Private):
    """Suspects by what passes through them."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._found: dict[str, Suspect] = {}

    def trace(self, group: str, frames: list[Frame], count: int) -> list[str]:
        """Count one group of traces; return the names that its frames resolve to."""
        named: list[str] = []
        for frame in frames:
            name = self._folder.path(frame.path)
            if not name:
                continue
            suspect = self._suspect(name)
            if name not in named:
                # Where it was raised counts most, its callers less and less.
                suspect.score += log2(1 + count) * 0.6 ** len(named)
                named.append(name)
            suspect.groups.add(group)
            suspect.places[frame.line, frame.function] += count
        return named

    def mention(self, name: str, group: str, count: int, line: int = 0) -> None:
        """Count errors that an object wrote without a trace."""
        suspect = self._suspect(name)
        suspect.score += 0.3 * log2(1 + count)
        suspect.groups.add(group)
        if line:
            suspect.places[line, ""] += count

    def _suspect(self, name: str) -> Suspect:
        if name not in self._found:
            self._found[name] = Suspect(name, self._folder.tests(name), self._folder.recent(name))
        return self._found[name]

    def ranked(self) -> list[Suspect]:
        """Return the likeliest first; a recent change weighs."""
        return sorted(self._found.values(), key=lambda each: (-each.score * (1.3 if each.recent else 1.0), each.name))
