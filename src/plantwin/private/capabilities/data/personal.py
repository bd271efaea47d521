"""Which columns hold personal data or secrets, and how their values may be shown."""

from __future__ import annotations

from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.table import Table
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.masking import preview


def sensitive(detector: Detector, table: Table) -> dict[str, tuple[str, str]]:
    """Group and type of each sensitive column, by its name."""
    if not table.head:
        return {}
    found: dict[str, tuple[str, str]] = {}
    known = {name.lower(): name for name in table.columns}
    for each in detector.columns(table.head, table.head_name):
        name = known.get(each.column.strip().lower())
        if name is not None and each.group in ("personal", "secret"):
            found[name] = (each.group, each.type)
    return found


class Shown:
    """Values as the report may show them."""

    def __init__(self, detector: Detector, hidden: dict[str, tuple[str, str]]) -> None:
        self._detector = detector
        self.hidden = hidden

    def __repr__(self) -> str:
        return "<Shown private>"

    def value(self, column: str, cell: Cell, most: int = 40) -> str:
        """A cell, masked where its column is sensitive or it holds a secret itself."""
        text = "" if cell is None else str(cell)
        if column in self.hidden:
            return preview(text.strip())
        if (
            isinstance(cell, str)
            and len(text) > 6
            and any(
                each.group in ("personal", "secret") and each.confidence != "low"
                for each in self._detector.scan(text[:2000].encode("utf-8", "replace"), path="cell.txt")
            )
        ):
            return preview(text.strip())
        return text if len(text) <= most else text[: most - 1] + "…"
