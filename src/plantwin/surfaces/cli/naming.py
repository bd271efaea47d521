"""Names of objects as a person gives and sees them: a path, or `path#part` inside a database file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.render.text import printable

if TYPE_CHECKING:
    from plantwin.private.records import Record


def name(record: Record) -> str:
    """The object's exact local name."""
    return f"{record.path}#{record.part}" if record.part else record.path


class Names:
    """Finds objects by name: exactly as it is, or as it is printed."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._exact: dict[str, list[Record]] = {}
        self._shown: dict[str, list[Record]] = {}
        for record in records:
            full = name(record)
            self._exact.setdefault(full, []).append(record)
            self._shown.setdefault(printable(full), []).append(record)

    def __getitem__(self, text: str) -> Record:
        wanted = text.removeprefix("./")
        found = self._exact.get(wanted) or self._shown.get(wanted) or []
        if not found:
            raise InputError(f"no object is named '{text}': give its path as `plantwin objects` shows it")
        if len(found) > 1:
            raise InputError(f"'{text}' names {len(found)} objects: rename one of them")
        return found[0]
