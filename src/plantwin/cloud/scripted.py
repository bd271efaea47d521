"""A planner that answers from a file: for tests and demonstrations.

The file is TOML or JSON: a list `answers`, one per turn. An answer is a table with `steps`, or a string, which is
sent back as it stands. Inputs of a step may be selectors instead of ids (`@kind=config`, `@object=2`,
`@semantic_class=payment_module`; of sets `@set=1`, `@set.family=logs`, `@set.classes=runbook`,
`@set.contains=credentials`, also in `{ set = "@set.kind=document", where = { … } }`), and its capability one of the
person's own (`@like=lint`).
After the last answer it says that it is done. Asked to correct an answer, it gives the same again. It sees only the
encoded envelopes.

It plays a planner of the provider that `audience` names, here or elsewhere (`locality = "remote"`): budgets and
policies then hold as they would for that one. Nothing leaves in either case.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plantwin.boundary.release import Released
from plantwin.cloud.planner import outbound
from plantwin.errors import InputError

LIMIT = 4 << 20
"""Bytes of a script at most."""
PLACES = (None, "local", "remote")


class Scripted:
    """Replays answers; `received` holds every envelope it was sent, byte by byte."""

    sends = False

    def __init__(
        self, answers: Sequence[Any], *, name: str = "scripted", audience: str = "scripted", locality: str = "local"
    ) -> None:
        self.name = name
        self.audience = audience
        self.locality = locality
        self.received: list[bytes] = []
        self._answers = list(answers)
        self._last = b""
        self._objects: dict[str, dict[str, Any]] = {}
        self._offers: dict[str, str] = {}
        self._sets: dict[str, dict[str, Any]] = {}

    @classmethod
    def from_file(cls, path: Path) -> Scripted:
        """The script that a file holds."""
        try:
            with path.open("rb") as file:
                data = file.read(LIMIT + 1)
            text = data.decode()
            tree = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except OSError as error:
            raise InputError(f"the script cannot be read ({error.strerror}): name an existing file") from None
        except (ValueError, RecursionError):
            raise InputError("the script is neither JSON (.json) nor TOML: correct it") from None
        answers = tree.get("answers") if isinstance(tree, dict) else tree
        if not isinstance(answers, list) or len(data) > LIMIT:
            raise InputError("the script has no list `answers`, or is too large")
        if any(map(earlier, answers)):
            raise InputError(
                "the script is of wire format 1, whose groups and `expand` are gone: name sets (`@set=1`, "
                "`@set.family=logs`), and split one with `split` and `by`"
            )
        played = {key: tree[key] for key in ("audience", "locality") if isinstance(tree, dict) and key in tree}
        if not all(isinstance(turn, str) for turn in played.values()) or played.get("locality") not in PLACES:
            raise InputError("the script's audience is a name, and its locality `local` or `remote`")
        return cls(answers, **played)

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The next answer, with selectors replaced by ids that it was told."""
        for envelope in envelopes:
            data = outbound(envelope)
            self.received.append(data)
            message = json.loads(data)
            self._offers |= {f"@like={offer['like']}": offer["capability"] for offer in message.get("offers", ())}
            for rows, name, known in (("objects", "object_id", self._objects), ("sets", "set_id", self._sets)):
                for row in message.get(rows, ()):
                    known.setdefault(row[name], {}).update(row)
            if message["message"] == "repair":
                return self._last
        self._last = self._next()
        return self._last

    def _next(self) -> bytes:
        if not self._answers:
            return b'{"done":true}'
        answer = self._answers.pop(0)
        if isinstance(answer, str):
            return answer.encode()
        return json.dumps(self._filled(answer)).encode()

    def _filled(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or not isinstance(answer.get("steps"), list):
            return answer
        return {**answer, "steps": [self._step(step) for step in answer["steps"]]}

    def _step(self, step: Any) -> Any:
        if not isinstance(step, dict) or not isinstance(step.get("inputs"), list):
            return step
        named = step.get("capability")
        capability = self._offers.get(named, named) if isinstance(named, str) else named
        return {
            **step,
            "capability": capability,
            "inputs": [chosen for one in step["inputs"] for chosen in self._selected(one)],
        }

    def _selected(self, text: Any) -> list[Any]:
        """An id for a selector: the first object or set that fits; `@object=N` and `@set=N` are the Nth shown."""
        if isinstance(text, dict) and isinstance(text.get("set"), str):
            return [{**text, "set": chosen} for chosen in self._selected(text["set"])]
        if not isinstance(text, str) or not text.startswith("@"):
            return [text]
        field, _, value = text[1:].partition("=")
        sort, _, rest = field.partition(".")
        known = self._sets if sort == "set" else self._objects
        field = rest if sort == "set" else field
        if field in ("", "object"):
            position = int(value) - 1 if value.isdecimal() else -1
            return list(known)[position : position + 1] if position >= 0 else []
        return [id_ for id_, told in known.items() if _holds(told, field, value)][:1]


def earlier(answer: Any) -> bool:
    """Whether an answer speaks of groups, which format 2 does not have."""
    steps = answer.get("steps") if isinstance(answer, dict) else None
    for step in steps if isinstance(steps, list) else ():
        inputs = step.get("inputs") if isinstance(step, dict) else None
        named = [given for given in inputs if isinstance(given, str)] if isinstance(inputs, list) else []
        if isinstance(step, dict) and (
            step.get("capability") == "expand" or any(text.startswith(("@group", "group_")) for text in named)
        ):
            return True
    return False


def _holds(told: dict[str, Any], field: str, value: str) -> bool:
    """Whether a field has this value, or of a set that shares it, some members have it."""
    found = told.get(field)
    if isinstance(found, list):
        return any(value in (word.values() if isinstance(word, dict) else (word,)) for word in found)
    return bool(found == value)
