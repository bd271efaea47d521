"""From frames and loggers to the objects of the folder, and which of them to look at first."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from plantwin.private.capabilities.incident.traces import Frame
from plantwin.private.capabilities.job import Surroundings

_GENERIC = frozenset(
    (
        "__init__.py", "__main__.py", "index.js", "index.ts", "index.tsx", "main.py", "main.go", "main.rs", "mod.rs",
        "lib.rs", "utils.py", "util.go", "app.py", "app.js", "index.php", "server.js", "views.py", "models.py",
        "types.go", "errors.go", "handler.go", "config.py", "settings.py", "base.py", "common.py",
    )
)  # fmt: skip
"""Names that are in every folder: alone they tell nothing."""
_FRESH = ("today", "recent")


class Suspect:
    """One object with what speaks against it."""

    def __init__(self, name: str, position: int) -> None:
        self.name = name
        self.position = position
        """In the surroundings; -1 where it is only an input."""
        self.score = 0.0
        self.places: dict[tuple[int, str], int] = {}
        """Lines and functions with how many traces pass through them."""
        self.groups: set[str] = set()
        self.tests: list[str] = []
        self.recent = False

    def __repr__(self) -> str:
        return "<Suspect private>"


class Folder:
    """The names of the folder's objects, to resolve frames against."""

    def __init__(self, surroundings: Surroundings, inputs: Iterable[str] = ()) -> None:
        self._surroundings = surroundings
        self.names: dict[str, int] = {}
        for position, each in enumerate(surroundings.objects):
            if not each.part and each.kind not in ("log_stream",):
                self.names.setdefault(each.name, position)
        for name in inputs:
            self.names.setdefault(name, -1)
        self._bases: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        for name in self.names:
            base = name.rpartition("/")[2]
            self._bases.setdefault(base, []).append(name)
            self._stems.setdefault(base.rpartition(".")[0] or base, []).append(name)

    def __repr__(self) -> str:
        return "<Folder private>"

    def path(self, path: str) -> str:
        """The object that a path of a trace names; empty where none or several could be meant."""
        wanted = path.strip("/").split("/")
        names = self._bases.get(wanted[-1], ())
        scored = sorted(((_common(wanted, name.split("/")), name) for name in names), reverse=True)
        if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
            return ""
        shared, best = scored[0]
        whole = shared == len(best.split("/")) or shared == len(wanted)
        # A name alone decides only where it is a rare one, or where the whole of one path agrees.
        return best if shared >= 2 or whole or wanted[-1] not in _GENERIC else ""

    def logger(self, dotted: str) -> str:
        """The object that a logger's name stands for."""
        wanted = dotted.replace("::", ".").replace("/", ".").split(".")
        for length in (len(wanted), len(wanted) - 1):
            if length < 2:
                break
            parts = wanted[:length]
            found = [
                name
                for name in self._stems.get(parts[-1], ())
                if _common(parts, name.rpartition(".")[0].split("/")) >= min(2, length)
            ]
            if len(found) == 1:
                return found[0]
        return ""

    def tests(self, name: str) -> list[str]:
        """Tests that exercise an object."""
        position = self.names.get(name, -1)
        objects = self._surroundings.objects
        return sorted(
            {
                objects[link.source].name
                for link in self._surroundings.links
                if link.reason == "tests" and link.target == position >= 0
            }
        )

    def recent(self, name: str) -> bool:
        """Whether it changed lately, where most others did not."""
        position = self.names.get(name, -1)
        objects = self._surroundings.objects
        if position < 0 or objects[position].freshness not in _FRESH:
            return False
        return sum(each.freshness in _FRESH for each in objects) * 3 <= len(objects)

    @property
    def known(self) -> bool:
        """Whether the surroundings are told."""
        return bool(self._surroundings.objects)


def _common(one: list[str], two: list[str]) -> int:
    """How many parts at the end of two paths agree."""
    count = 0
    for mine, other in zip(reversed(one), reversed(two), strict=False):
        if mine != other:
            break
        count += 1
    return count


class Ranking:
    """Suspects by what passes through them."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._found: dict[str, Suspect] = {}

    def __repr__(self) -> str:
        return "<Ranking private>"

    def trace(self, group: str, frames: list[Frame], count: int) -> list[str]:
        """Count one group of traces; the names that its frames resolve to."""
        weight = log2(1 + count)
        named: list[str] = []
        for frame in frames:
            name = self._folder.path(frame.path)
            if not name:
                continue
            each = self._of(name)
            if name not in named:
                # Where it was raised counts most, its callers less and less.
                each.score += weight * 0.6 ** len(named)
                named.append(name)
            each.groups.add(group)
            place = frame.line, frame.function
            each.places[place] = each.places.get(place, 0) + count
        return named

    def mention(self, name: str, group: str, count: int, line: int = 0) -> None:
        """Count errors that an object wrote without a trace."""
        each = self._of(name)
        each.score += 0.3 * log2(1 + count)
        each.groups.add(group)
        if line:
            each.places[line, ""] = each.places.get((line, ""), 0) + count

    def _of(self, name: str) -> Suspect:
        if name not in self._found:
            made = Suspect(name, self._folder.names.get(name, -1))
            made.tests = self._folder.tests(name)
            made.recent = self._folder.recent(name)
            self._found[name] = made
        return self._found[name]

    def ranked(self) -> list[Suspect]:
        """The likeliest first; a recent change weighs."""
        return sorted(self._found.values(), key=lambda each: (-each.score * (1.3 if each.recent else 1.0), each.name))
