"""Time by phase, where phases call each other: each second counts once, for the innermost."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from plantwin.types.ledger import Audience, Decision, Ledger, Standing


class Stopwatch:
    """One phase runs at a time. A planner answers in a thread of its own, but whoever asked waits for it."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        """Seconds by phase, without those of phases inside it."""
        self.entered: Counter[str] = Counter()
        self._stack: list[str] = []
        self._since = 0.0

    @contextmanager
    def phase(self, name: str, *, again: bool = False) -> Iterator[None]:
        """Count what happens here as this phase. `again`: it goes on, and is not entered once more."""
        self._lap()
        self._stack.append(name)
        self.entered[name] += not again
        try:
            yield
        finally:
            self._lap()
            self._stack.pop()

    def over(self, held: Any, name: str, *methods: str) -> None:
        """Count these methods of an object as a phase."""
        for each in methods:
            setattr(held, each, self._counted(getattr(held, each), name))

    def over_ledger(self, ledger: Ledger) -> None:
        """Looking into the ledger and writing to it. What is decided inside a transaction counts for who decides."""
        held: Any = ledger
        transact = held.transact

        def transacted(audience: Audience, keys: Sequence[bytes], decide: Callable[[Standing], Decision[Any]]) -> Any:
            outer = self._stack[-1] if self._stack else "ledger"

            def decided(standing: Standing) -> Decision[Any]:
                with self.phase(outer, again=True):
                    return decide(standing)

            with self.phase("ledger"):
                return transact(audience, keys, decided)

        held.transact = transacted
        self.over(held, "ledger", "note")
        self.over(held, "ledger, looking", "known", "standing", "inherit")

    def _counted(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            with self.phase(name):
                return call(*arguments, **options)

        return counted

    def _lap(self) -> None:
        now = time.perf_counter()
        if self._stack:
            self.spent[self._stack[-1]] += now - self._since
        self._since = now
