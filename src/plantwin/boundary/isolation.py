"""Which few objects are told apart by asking about several sets: a set, and the same set without one of its members.

A step tells of the objects behind its inputs. Objects that a capability, and those that may say a word which it says
too, were always asked about together cannot be told apart by the answers: they are an atom of all that these were asked
about. Of an atom of fewer than `k` something is told by subtraction, so its members pay for the step by themselves: one
capability asked about a set, and another about the set without one. What was asked about is remembered in the accounts
of cells, for each audience and for ever, so that it does not help to ask in another session, or in two at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from plantwin.types.capability import Capability, Catalog
from plantwin.types.execution import Executor
from plantwin.types.ledger import SUBSET, Charge, Known
from plantwin.vocabulary import OutcomeTag

WHOLE: Final = "*"
"""Stands for all members of a cell."""
MARKS: Final = 20
"""Members that one unit names."""
MARK: Final = 6
"""Characters of the name that a member has in the ledger: a keyed digest."""


ABOUT_READING: Final = {OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE}
"""What nearly all capabilities may say, of how a file was read and not of what was found."""


class Asked(NamedTuple):
    """What one step asks about."""

    about: frozenset[str] = frozenset()
    """Marks of the objects that it tells of."""
    before: frozenset[str] = frozenset()
    """Units of what its capability and those like it were asked about before."""
    few: tuple[frozenset[str], ...] = ()
    """Atoms of fewer than `k`."""


class Isolation:
    """What capabilities were asked about, as the accounts of cells remember it."""

    def __init__(self, executor: Executor, k: int, catalog: Catalog) -> None:
        self._executor, self._k, self._catalog = executor, k, catalog
        self._starts: dict[str, tuple[str, ...]] = {}
        """How units of a capability and its like begin, by its name for units."""

    def keys(self) -> list[bytes]:
        """The accounts that remember."""
        return list(self._executor.cells())

    def before(self, capability: Capability, known: Mapping[bytes, Known]) -> frozenset[str]:
        """Units of what it and its like were asked about, with the cell that each is of."""
        if capability.unit not in self._starts:
            words = capability.tags - ABOUT_READING
            like = [other for other in self._catalog.values() if words & other.tags]
            self._starts[capability.unit] = tuple(map(_start, (capability, *like)))
        start = self._starts[capability.unit]
        return frozenset(
            f"{key.hex()}:{unit}" for key in self.keys() for unit in known[key].units if unit.startswith(start)
        )

    def asked(self, capability: Capability, about: frozenset[str], known: Mapping[bytes, Known]) -> Asked:
        """A question about these members, beside all that were asked before."""
        before, own, cells = self.before(capability, known), _start(capability), self._executor.cells()
        sets = _sets((unit for unit in before if unit.partition(":")[2].startswith(own)), cells)
        # Few that another was asked about paid then: a set with them in it tells no more of them than of the others.
        sets += [each for each in _sets(before, cells) if len(each) >= self._k or len(about) < self._k]
        return Asked(about, before, tuple(atom for atom in atoms(sets, about) if len(atom) < self._k))

    def charges(self, capability: Capability, about: frozenset[str], known: Mapping[bytes, Known]) -> list[Charge]:
        """Remember what is asked about: it costs nothing by itself."""
        touched = {key: marks & about for key, marks in self._executor.cells().items() if marks & about}
        cells = self._executor.cells()
        cut = any(marks != cells[key] for key, marks in touched.items())
        # Of whole cells the cells are named, so that a file that comes or goes makes no other set of them.
        named = sorted(about) if cut else sorted(key.hex() for key in touched)
        start = f"{_start(capability)}{hashlib.sha256(','.join(named).encode()).hexdigest()[:12]}."
        return [
            Charge(key, f"{start}{piece}", 0)
            for key, marks in touched.items()
            for piece in ([WHOLE] if marks == cells[key] else _pieces(marks))
            if f"{start}{piece}" not in known[key].units
        ]


def atoms(sets: Iterable[frozenset[str]], about: frozenset[str]) -> list[frozenset[str]]:
    """What these sets tell apart, of everything that was asked about together with some of `about`."""
    near = [about, *(each for each in sets if each & about)]
    found: dict[tuple[bool, ...], set[str]] = {}
    for mark in about.union(*near):
        found.setdefault(tuple(mark in each for each in near), set()).add(mark)
    return [frozenset(atom) for atom in found.values()]


def _start(capability: Capability) -> str:
    return f"{SUBSET}{capability.unit}@"


def _pieces(marks: frozenset[str]) -> list[str]:
    """Marks in a row, as many as one unit holds."""
    ordered = sorted(marks)
    return ["".join(ordered[place : place + MARKS]) for place in range(0, len(ordered), MARKS)]


def _sets(units: Iterable[str], cells: Mapping[bytes, frozenset[str]]) -> list[frozenset[str]]:
    """The sets that units name, put together over all cells."""
    found: dict[str, set[str]] = {}
    for unit in units:
        key, _, rest = unit.partition(":")
        number, _, piece = rest.partition("@")[2].partition(".")
        if piece == WHOLE:
            marks = cells[bytes.fromhex(key)]
        else:
            marks = frozenset(piece[place : place + MARK] for place in range(0, len(piece), MARK))
        found.setdefault(number, set()).update(marks)
    return [frozenset(each) for each in found.values()]
