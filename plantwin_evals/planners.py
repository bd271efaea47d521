"""Who plans: rules and models behind one interface, by the names that the command line takes.

A mode that sends files changes one thing alone: the first message of the conversation also holds the goal as it was
typed and the files. Instructions, turns and the one repair are those of every session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.boundary.release import Released
from plantwin.cloud.conversation import Conversation, Said, Talk
from plantwin.cloud.grammar import Menu
from plantwin.cloud.local import Local, _first
from plantwin.cloud.loopback import Endpoint
from plantwin.cloud.planner import Planner, Uses
from plantwin.cloud.registry import Registry
from plantwin.cloud.serving import Served
from plantwin.config.planners import PlannerEntry
from plantwin.config.settings import Settings, load_settings
from plantwin.errors import InputError
from plantwin.private.capabilities import UNSAFE
from plantwin.types.capability import Catalog

RULES: Final = ("offline", "heuristic")
"""Planners that read envelopes and no prose."""
PLANNING_SECONDS: Final = 600.0
"""How long a model may take for a turn unless told otherwise: a task of the paper's took up to 377 seconds."""


class Files(NamedTuple):
    """What a mode that sends files shows beside the envelopes."""

    goal: str
    history: str
    texts: Mapping[str, str]
    places: Callable[[], Mapping[str, tuple[str, str]]]
    """Paths and parts by id, as the current session calls them."""

    def text(self) -> str:
        """Return everything in one text: the goal, the history, and every file under its ids and its name."""
        ids: dict[str, list[str]] = {}
        for object_id, (path, _) in self.places().items():
            ids.setdefault(path, []).append(object_id)
        parts = [f"# Goal\n{self.goal}"]
        if self.history:
            parts.append(f"# History\n{self.history}")
        parts.append("# Files")
        for path, text in self.texts.items():
            parts.append(f"## {path} (id {', '.join(sorted(ids.get(path, ()))) or 'none'})\n{text}")
        return "\n\n".join(parts) + "\n"


@dataclass
class OpenConversation(Conversation):
    """A conversation whose first message also holds files."""

    files: Files | None = None

    def hear(self, envelopes: Sequence[Released]) -> Talk:
        """Add the envelopes of a turn, to the first of them the files, and give all that is to be sent."""
        talk = super().hear(envelopes)
        if len(self.said) == 1 and self.files is not None:
            self.said[0] = Said("user", f"{self.said[0].text}\n\n{self.files.text()}")
        return replace(talk, said=tuple(self.said))


def send_files(planner: Planner, catalog: Catalog, files: Files) -> None:
    """Have a model's conversation begin with files. Only the tasks' own synthetic files go this way."""
    if isinstance(planner, Small):
        planner.files = files
    elif isinstance(getattr(planner, "_conversation", None), Conversation):
        planner._conversation = OpenConversation(catalog, files=files)  # type: ignore[attr-defined]
    elif planner.name not in RULES:
        raise InputError("this planner takes envelopes alone: the modes raw, redacted and local need a model")


class Subject(NamedTuple):
    """A planner that is put to the test. A new one is made for each attempt."""

    name: str
    planner: Callable[[Catalog], Planner]
    blind: Callable[[Catalog], Planner] | None = None
    """One that plans without objects, where that has to be asked for."""
    uses: TokenCount | None = None


class TokenCount(Uses):
    """Counts the tokens of remote planners, and keeps nothing in a file."""

    def __init__(self) -> None:
        super().__init__(None)
        self.tokens = (0, 0)
        self._forms: dict[str, str] = {}

    def add(self, name: str, model: str, read: int, written: int) -> None:
        """Count a request that was answered."""
        self.tokens = (self.tokens[0] + read, self.tokens[1] + written)

    def taken(self) -> tuple[int, int]:
        """Return what was counted since the last time, and begin anew."""
        counted, self.tokens = self.tokens, (0, 0)
        return counted

    def form(self, endpoint: str) -> str | None:
        """Return the form that worked at an endpoint."""
        return self._forms.get(endpoint)

    def remember(self, endpoint: str, form: str) -> None:
        """Remember the form that works at an endpoint, for this run."""
        self._forms[endpoint] = form


class Asking(NamedTuple):
    """How models are asked: their effort, where they take one, and the seconds of a turn."""

    effort: str | None = None
    seconds: float = PLANNING_SECONDS


class _Models(Registry):
    """Remote planners that are given more time and another effort than the person's own settings say."""

    def __init__(self, settings: Settings, catalog: Catalog, asking: Asking, uses: TokenCount) -> None:
        super().__init__(settings, catalog)
        object.__setattr__(self, "_asking", asking)
        object.__setattr__(self, "_uses", uses)

    @property
    def uses(self) -> Uses:
        """Return what counts tokens."""
        uses: Uses = self._uses  # type: ignore[attr-defined]
        return uses

    def _remote(self, name: str, entry: PlannerEntry, *more: Any) -> Any:
        asking: Asking = self._asking  # type: ignore[attr-defined]
        longer = max(entry.seconds, asking.seconds)
        changed = {"seconds": longer, "read_seconds": longer, "effort": asking.effort or entry.effort}
        return super()._remote(name, msgspec.structs.replace(entry, **changed), *more)


@contextmanager
def subjects(asking: Asking = Asking()) -> Iterator[Callable[[str], Subject]]:  # noqa: B008 - a constant
    """Planners by name. A model that has to be started is started once, and ended with the block."""
    made: dict[str, Subject] = {}
    with ExitStack() as stack:

        def named(name: str) -> Subject:
            if name not in made:
                made[name] = _subject(name, asking, stack)
            return made[name]

        yield named


def _subject(name: str, asking: Asking, stack: ExitStack) -> Subject:
    from plantwin.cloud.offline import Offline
    from plantwin_evals.greedy import Greedy
    from plantwin_evals.heuristic import Heuristic
    from plantwin_evals.probing import Probing

    if name == "offline":
        fine = UNSAFE[0].value
        return Subject(
            name,
            lambda catalog: Probing(catalog) if fine in catalog else Offline(catalog),
            blind=lambda catalog: Offline(catalog, blind=True),
        )
    if name == "greedy":
        return Subject(name, lambda _: Greedy())
    if name == "heuristic":
        return Subject(name, Heuristic)
    if name == "local":
        served = Served()
        stack.callback(served.close)
        return Subject(name, lambda catalog: Small(catalog, served))
    settings, uses = load_settings(), TokenCount()
    return Subject(name, lambda catalog: _Models(settings, catalog, asking, uses).planner(name), uses=uses)


class Small(Local):
    """`local`, on a server that others use too. With files it is shown their names and beginnings, not the twin."""

    def __init__(self, catalog: Catalog, served: Served) -> None:
        super().__init__(catalog)
        self._endpoint = Endpoint(served.url, key=served.key, seconds=self._seconds)
        self.files: Files | None = None
        self.text = ""
        """What it was shown of files."""

    def close(self) -> None:
        """The server goes on."""

    def _question(self, menu: Menu, room: int) -> str:
        if self.files is None:
            return super()._question(menu, room)
        lines = [f"{choice.capability.word}: {_first(choice.capability.doc)}" for choice in menu.choices.values()]
        head, tail = f"Goal: {self.files.goal[:600]}\nFiles:\n", "\nCapabilities:\n" + "\n".join(lines)
        # What there is room for of each file: the context of a small model holds no folder.
        share = max(40, (room - len(head) - len(tail)) // max(1, len(menu.items)))
        places = self.files.places()
        # By path: the order of a session's objects is random, and what does not fit is cut.
        items = sorted((places[item.told["object_id"]][0], name) for name, item in menu.items.items())
        shown = [f"{name}: {path} {' '.join(self.files.texts.get(path, '').split())}"[:share] for path, name in items]
        self.text = (head + "\n".join(shown) + tail)[: max(room, 0)]
        return self.text
