"""What planners have been used for, kept on this machine: requests, tokens, costs, and what each endpoint can do.

One small JSON file in the state folder, written whole under a lock. It holds names of planners and numbers, never a
goal, an answer or a key. Losing it costs nothing but the counts, so a damaged one is begun anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from plantwin.config.planners import Price
from plantwin.statefiles import open_own

REMEMBERED: Final = 7 * 86400.0
"""Seconds for which it is remembered that an endpoint cannot do a form: servers are updated."""
MILLION: Final = 1_000_000
LIMIT: Final = 1 << 20


class Use(NamedTuple):
    """What one planner has been used for so far."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """By the person's own prices; what had no price when it was used is not in it."""

    def plus(self, read: int, written: int, price: Price | None) -> Use:
        """One more request."""
        cost = (read * price.input + written * price.output) / MILLION if price else 0.0
        return Use(self.requests + 1, self.input_tokens + read, self.output_tokens + written, self.cost + cost)


class Uses:
    """The file; without a folder it remembers nothing."""

    def __init__(self, folder: Path | None, prices: Mapping[str, Price] | None = None) -> None:
        self._path = folder / "use.json" if folder is not None else None
        self._prices = prices or {}

    def price(self, name: str, model: str) -> Price | None:
        """The person's price for a planner, by its name or its model's."""
        return self._prices.get(name) or self._prices.get(model)

    def add(self, name: str, model: str, read: int, written: int) -> None:
        """Count a request that was answered."""

        def change(tree: dict[str, Any]) -> None:
            planners = tree.setdefault("planners", {})
            planners[name] = _use(planners.get(name)).plus(read, written, self.price(name, model))

        self._change(change)

    def all(self) -> dict[str, Use]:
        """By the planner's name."""
        planners = self._read().get("planners", {})
        return {str(name): _use(planner) for name, planner in planners.items()} if isinstance(planners, dict) else {}

    def form(self, endpoint: str) -> str | None:
        """The form that was last found to work at an endpoint."""
        row = _table(self._read().get("forms")).get(endpoint)
        fresh = isinstance(row, list) and len(row) == 2 and isinstance(row[1], (int, float))
        return str(row[0]) if isinstance(row, list) and fresh and time.time() - row[1] < REMEMBERED else None

    def remember(self, endpoint: str, form: str) -> None:
        """Remember the form that works at an endpoint."""

        def change(tree: dict[str, Any]) -> None:
            tree["forms"] = {**_table(tree.get("forms")), endpoint: [form, time.time()]}

        self._change(change)

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            with os.fdopen(open_own(self._path, os.O_RDONLY), "rb") as file:
                tree = json.loads(file.read(LIMIT))
        except (OSError, ValueError, RecursionError):
            return {}
        return tree if isinstance(tree, dict) else {}

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Read, change and write under a lock. That a count cannot be kept never stops a session."""
        if self._path is None:
            return
        with suppress(OSError):
            handle = open_own(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                tree = self._read()
                tree["planners"] = {name: list(_use(value)) for name, value in _table(tree.get("planners")).items()}
                change(tree)
                draft = self._path.with_suffix(".new")
                with os.fdopen(open_own(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w") as file:
                    json.dump(tree, file)
                draft.replace(self._path)
            finally:
                os.close(handle)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _use(row: Any) -> Use:
    """A row of the file, as far as it is one."""
    sound = isinstance(row, (list, tuple)) and len(row) == 4
    if not sound or not all(type(cell) in (int, float) and 0 <= cell < 1 << 62 for cell in row):
        return Use()
    return Use(int(row[0]), int(row[1]), int(row[2]), float(row[3]))
