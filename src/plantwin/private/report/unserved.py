"""What a person is told when no step was planned: what was understood, what cannot be done, and what can."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from plantwin.lexicon import act
from plantwin.private.selection.intents import intents
from plantwin.private.selection.words import POLITE, STOP
from plantwin.vocabulary import CapabilityName as Can

if TYPE_CHECKING:
    from plantwin.run import Run
    from plantwin.types.capability import Catalog

MOST: Final = 3
USUAL: Final = (
    Can.EXPLAIN_PROJECT,
    Can.LIST_INVENTORY,
    Can.FIND_CODE,
    Can.SECRET_SCAN,
    Can.SECURITY_AUDIT,
    Can.FIND_TESTS,
)
"""What is offered where a request is like nothing."""

_greeting = re.compile(
    r"(?i)\W*(?:(?:hi|hello|hey|hallo|hola|bonjour|ciao|thanks?|thank you|thx|danke|merci|gracias|ok|okay|cool|bye"
    r"|help|hilfe|good (?:morning|day|afternoon|evening)|guten tag|there|you|so much|a lot|plantwin)\W*){1,4}"
    r"|\W*(?:so )?(?:what|how) (?:can|do|could|should) (?:you|i|we|this|it)(?: tool)? (?:do|ask|help|know|use|work)"
    r"(?: (?:you|me|here|with|it|this|for me))*\W*|\W*(?:who|what) are you\W*"
)
"""What is no question about a folder."""

PAIRING: Final = frozenset([Can.COMPARE, Can.COMPARE_ENVIRONMENTS])
"""What needs two files that belong together."""


def unserved(run: Run, catalog: Catalog) -> list[str]:
    """A short honest reply, with the nearest capabilities and an example."""
    tokens = _crossed(run)
    goal = run.read_as or run.goal
    if _greeting.fullmatch(run.goal):
        return [
            "Ask about this folder in your own words: what it is, what it has, where something is done, what is wrong.",
            "For example:",
            *(f"  {each.example}" for name in USUAL for each in catalog.values() if each.name == name and not each.own),
            "`plantwin capabilities` lists all that can be asked. Files are read, checked and compared, never changed.",
        ]
    deed = act(goal)
    words = [token for token in tokens if token.isalpha() and token not in STOP and token not in POLITE]
    quoted = ", ".join(f'"{word}"' for word in dict.fromkeys(words[:4]))
    near = list(intents(goal, frozenset(each.name for each in catalog.values()))) if words else []
    if deed:
        first = f'No capability can "{deed}": PlanTwin reads, checks and compares files; it changes and sends nothing.'
    elif near and not any(run.applicable.values()):
        first = "Nothing here to do that with: no file in this folder is of a kind that it works on."
    elif PAIRING.intersection(near):
        first = f"Nothing here to do that with: no two files are such a pair. Understood of it: {quoted}."
    elif words:
        first = f"No capability answers this. Understood of it: {quoted}."
    else:
        first = "Not understood: there is no word in it that says what to look for in this folder."
    names = [*dict.fromkeys([*near, *USUAL])]
    known = [each for name in names for each in catalog.values() if each.name == name and not each.own][:MOST]
    lines = [first, "Nearest:" if near else "What can be asked, for example:"]
    lines += [f"  {each.name.value:<22}{each.example}" for each in known]
    return [*lines, "`plantwin capabilities` lists all of them."]


def _crossed(run: Run) -> Sequence[str]:
    """The words of the goal that the planner was told."""
    for envelope in run.outbound:
        message = json.loads(envelope.data)
        if message.get("message") == "request":
            return [str(token) for token in message["goal"].get("text", ())]
    return []
