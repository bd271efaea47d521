"""A conversation that was recorded, played again; and the recorder.

Ids are random in every session, so a recorded answer is put into the ids of this one: objects, sets and the
person's own capabilities are matched by what was told of them. The file holds what was sent and answered, nothing
else; it is the person's own and readable by them alone.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from plantwin.boundary.release import Released
from plantwin.cloud.planner import Planner, Witness, Witnessed, outbound, sends
from plantwin.errors import InputError, PlannerError

FORMAT: Final = 2
EARLIER: Final = (
    "the recording is of wire format 1, whose groups and `expand` are gone: "
    "run the same goal again with --record FILE to record it anew"
)
LIMIT: Final = 64 << 20
_id = re.compile(r"(?<![a-z_])(?:artifact|set|custom)_[a-z2-7]{8}")
_old_words = re.compile(r'"group_[a-z2-7]{8}"|"capability"\s*:\s*"expand"')
_NAMES: Final = ("object_id", "set_id", "component", "within")


class Recorded:
    """Plays a recording: the answer of each turn, in the ids of this session."""

    locality = "local"
    sends = False

    def __init__(self, turns: Sequence[dict[str, Any]], *, audience: str = "recorded") -> None:
        self.name = "recorded"
        self.audience = audience
        self._turns = list(turns)
        self._then = _Seen()
        self._now = _Seen()

    @classmethod
    def from_file(cls, path: Path) -> Recorded:
        """The recording that a file holds. It is played for the audience that it was recorded with."""
        try:
            with path.open("rb") as file:
                tree = json.loads(file.read(LIMIT))
        except OSError as error:
            raise InputError(f"the recording cannot be read ({error.strerror}): name an existing file") from None
        except (ValueError, RecursionError):
            raise InputError("the recording is not JSON: record it again with --record") from None
        if isinstance(tree, dict) and tree.get("format") == 1:
            raise InputError(EARLIER)
        turns = tree.get("turns") if isinstance(tree, dict) and tree.get("format") == FORMAT else None
        if not isinstance(turns, list) or not all(map(_sound, turns)) or not isinstance(tree.get("audience"), str):
            raise InputError("the recording is not of this version: record it again with --record")
        if any(map(_earlier, turns)):
            raise InputError(EARLIER)
        return cls(turns, audience=tree["audience"])

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The next recorded answer; done after the last."""
        for envelope in envelopes:
            self._now.add(json.loads(outbound(envelope)))
        if not self._turns:
            return b'{"steps":[]}'
        turn = self._turns.pop(0)
        for text in turn["envelopes"]:
            try:
                self._then.add(json.loads(text))
            except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
                raise PlannerError("the recording is damaged: record it again with --record") from None
        ids = self._then.matched(self._now)
        return _id.sub(lambda found: ids.get(found[0], found[0]), str(turn["answer"])).encode()


class Recording(Witnessed):
    """Another planner, whose conversation is kept in a file."""

    def __init__(self, planner: Planner, path: Path) -> None:
        self._planner = planner
        super().__init__()
        self.name, self.audience, self.locality = planner.name, planner.audience, planner.locality
        self.sends, self.trusted = sends(planner), getattr(planner, "trusted", False)
        self._path = path
        self._turns: list[dict[str, Any]] = []
        self._write()  # before anything is sent: a file that cannot be written is known now

    @property
    def witness(self) -> Witness:
        """That of the planner behind it."""
        return self._witness

    @witness.setter
    def witness(self, witness: Witness) -> None:
        self._witness = witness
        if isinstance(self._planner, Witnessed):
            self._planner.witness = witness

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Its answer, recorded."""
        answer = self._planner.plan(envelopes)
        sent = [outbound(envelope).decode() for envelope in envelopes]
        self._turns.append({"envelopes": sent, "answer": answer.decode("utf-8", "replace")})
        self._write()
        return answer

    def _write(self) -> None:
        tree = {"format": FORMAT, "planner": self.name, "audience": self.audience, "turns": self._turns}
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "w") as file:
                if stat.S_ISREG(os.fstat(handle).st_mode):
                    os.fchmod(handle, 0o600)  # also a file that was there before
                json.dump(tree, file, indent=1)
        except OSError as error:
            raise InputError(f"the recording cannot be written ({error.strerror}): name another file") from None


class _Seen:
    """What was told of each id of one session."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str, Any]] = {}

    def add(self, message: dict[str, Any]) -> None:
        """Take in one envelope."""
        for rows, name in (("objects", "object_id"), ("sets", "set_id"), ("offers", "capability")):
            for row in message.get(rows, ()):
                self._told.setdefault(row[name], {}).update(row)

    def matched(self, other: _Seen) -> dict[str, str]:
        """This session's ids to the other's: those of which the same was told, in the order of their appearance."""
        places: defaultdict[str, list[str]] = defaultdict(list)
        for id_, told in other._told.items():
            places[_words(id_, told)].append(id_)
        found: dict[str, str] = {}
        for id_, told in self._told.items():
            if same := places[_words(id_, told)]:
                found[id_] = same.pop(0)
        return found


def _words(id_: str, told: dict[str, Any]) -> str:
    """All that was told of an id, but for ids."""
    words = {name: value for name, value in told.items() if value != id_ and name not in _NAMES}
    return json.dumps([id_.partition("_")[0], words], sort_keys=True)


def _earlier(turn: dict[str, Any]) -> bool:
    """Whether a turn speaks wire format 1: by the version of an envelope, or by words that are gone from plans."""
    return any(map(_version_1, turn["envelopes"])) or bool(_old_words.search(turn["answer"]))


def _version_1(envelope: str) -> bool:
    try:
        message = json.loads(envelope)
    except (ValueError, RecursionError):
        return False  # damaged: said when its turn comes
    return isinstance(message, dict) and message.get("version") == 1 and message.get("message") != "verbatim"


def _sound(turn: Any) -> bool:
    if not isinstance(turn, dict) or not isinstance(turn.get("answer"), str):
        return False
    envelopes = turn.get("envelopes")
    return isinstance(envelopes, list) and all(isinstance(envelope, str) for envelope in envelopes)
