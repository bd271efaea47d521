"""An index that keeps nothing on disk: for a folder that is projected once, and for embedding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plantwin.private.facts import Facts, Private, Related, Unchanged
from plantwin.private.index import Row, Signature, unpack


class Memory(Private):
    """What `Index` does, in this process alone."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[int, Row]] = {}
        self._next = 1
        self._generation = 0
        self._related_generation = -1
        self._related: dict[int, Related] = {}
        self._summary = b""
        self._past = b""
        self._corrections: dict[tuple[str, str], str] = {}

    def renew(self) -> None:
        """Forget all but what the person said."""
        corrections = self._corrections
        self.close()
        self._corrections = corrections

    def restart(self, _version: str) -> None:
        """Forget all but what the person said: facts are made in another way from now on."""
        self.renew()

    def close(self) -> None:
        """Forget everything."""
        self.__init__()  # type: ignore[misc]

    def signatures(self) -> dict[str, tuple[int, Signature]]:
        """Number and signature of every known file, by path."""
        return {path: (number, row.signature) for path, (number, row) in self._rows.items()}

    def keep(self, rows: Iterable[Row], unchanged: Unchanged | None = None) -> None:
        """Remember files' rows; a file keeps its number as long as it keeps its path."""
        for row in rows:
            known = self._rows.get(row.path)
            if known is None:
                known = (self._next, row)
                self._next += 1
            self._rows[row.path] = (known[0], row)
        self._generation += 1
        if unchanged is not None and unchanged.generation == self._generation - 1:
            self._related |= {each.number: each for each in unchanged.related}
            self._related_generation = self._generation
            self._summary = unchanged.summary

    def facts_of(self, path: str) -> tuple[int, tuple[Facts, ...]] | None:
        """Number and facts of one file."""
        known = self._rows.get(path)
        return None if known is None else (known[0], unpack(known[1].facts))

    def bands(self) -> list[tuple[str, bytes]]:
        """Path and bands of every file that has a sketch, in the order of paths."""
        return sorted((path, row.bands) for path, (_, row) in self._rows.items() if row.bands)

    def related(self, number: int) -> Related | None:
        """What relations say of one object."""
        return self._related.get(number)

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files that are gone."""
        for path in paths:
            self._rows.pop(path, None)
        self._generation += 1

    def files(self) -> Iterator[tuple[int, str, int, bytes]]:
        """Number, path, modification time and packed facts of every file."""
        for path in sorted(self._rows):
            number, row = self._rows[path]
            yield number, path, row.modified, row.facts

    def words(self) -> Iterator[tuple[int, bytes]]:
        """Number of every file and those of its most telling words."""
        yield from ((number, row.words) for number, row in self._rows.values())

    def generation(self) -> int:
        """Counts every change."""
        return self._generation

    def related_generation(self) -> int:
        """The generation that the relations were made from."""
        return self._related_generation

    def relate(self, generation: int, related: Iterable[Related], summary: bytes) -> None:
        """Replace all relations, with the summary that goes with them."""
        self._related = {each.number: each for each in related}
        self._related_generation = generation
        self._summary = summary

    def relations(self) -> Iterator[Related]:
        """All relations, by object."""
        yield from self._related.values()

    def summary(self) -> bytes:
        """The summary that goes with the relations."""
        return self._summary

    def past(self) -> bytes:
        """What was kept of git's history."""
        return self._past

    def keep_past(self, past: bytes) -> None:
        """Keep what git's history said."""
        self._past = past

    def correct(self, path: str, part: str, semantic_class: str) -> None:
        """Remember a person's word on an object's class."""
        self._corrections[path, part] = semantic_class
        self._generation += 1

    def forget(self, path: str, part: str) -> bool:
        """Take a correction back; whether there was one."""
        self._generation += 1
        return self._corrections.pop((path, part), None) is not None

    def corrections(self) -> dict[tuple[str, str], str]:
        """Corrected classes by path and part."""
        return dict(self._corrections)
