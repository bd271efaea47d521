"""The small local model in all modes: one server for many attempts, and files in its prompt where a mode shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.cloud.grammar import Menu
from plantwin.cloud.local import Local, _first
from plantwin.cloud.loopback import Endpoint
from plantwin.cloud.serving import Served
from plantwin.types.capability import Catalog

if TYPE_CHECKING:
    from plantwin_evals.subjects import Open


class Small(Local):
    """`local`, on a server that others use too. With `seen` it is shown names and beginnings of files, not the twin."""

    def __init__(self, catalog: Catalog, served: Served, seen: Open | None = None) -> None:
        super().__init__(catalog)
        self._endpoint = Endpoint(served.url, key=served.key, seconds=self._seconds)
        self._seen = seen
        self.text = ""
        """What it was shown of files."""

    def close(self) -> None:
        """The server goes on."""

    def _question(self, menu: Menu, room: int) -> str:
        if self._seen is None:
            return super()._question(menu, room)
        lines = [f"{each.capability.word}: {_first(each.capability.doc)}" for each in menu.choices.values()]
        head, tail = f"Goal: {self._seen.goal[:600]}\nFiles:\n", "\nCapabilities:\n" + "\n".join(lines)
        # What there is room for of each file: the context of a small model holds no folder.
        share = max(40, (room - len(head) - len(tail)) // max(1, len(menu.ids)))
        files = []
        for name, id_ in menu.ids.items():
            path = self._seen.names[id_]
            files.append(f"{name}: {path} {' '.join(self._seen.texts.get(path, '').split())}"[:share])
        self.text = (head + "\n".join(files) + tail)[: max(room, 0)]
        return self.text
