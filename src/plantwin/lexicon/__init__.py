"""The planning lexicon: the public words that a goal may cross in. Built by `scripts/lexicon`, shipped as data.

A word of it is lower-case ASCII. Personal names, places, companies and codenames are left out; the data beside
the script says which, and which words of technology stay although somebody bears them as a name. Of SCOWL, from
which most words come, NOTICE tells.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

SHAPE: Final = "[a-z][a-z0-9]{0,23}"
"""What a word looks like: a letter, then letters and digits."""


@cache
def words() -> frozenset[str]:
    """Every word, read once."""
    return _listed("words.txt")


@cache
def terms() -> frozenset[str]:
    """Names and abbreviations of technology among them: these pass with capitals anywhere in a sentence."""
    return _listed("terms.txt")


@cache
def homonyms() -> frozenset[str]:
    """Words among them that are names as well: with a capital these never pass, wherever they stand."""
    return _listed("homonyms.txt")


@cache
def lookalikes() -> frozenset[str]:
    """Names that look like a form of a word among them, as Waters does: these never cross as that word."""
    return _listed("lookalikes.txt")


@cache
def subjects() -> dict[str, str]:
    """Words of sensitive subjects, with the subject that a blank tells in their place."""
    return {word: subject for word, _, subject in (line.partition(" ") for line in _listed("subjects.txt"))}


@cache
def acts() -> dict[str, bool]:
    """Verbs that ask for a change or a deed, and whether what is made may be one of the results that there are."""
    return {line.rstrip("*"): line.endswith("*") for line in _listed("acts.txt")}


_POLITE: Final = re.compile(
    r"(?i)(?:\s|,|(?:please|kindly|just|now|hey|hi|help me|let'?s|(?:can|could|would|will) you|to)\b)*"
)
"""What may stand before the verb of a request."""


def act(text: str) -> str | None:
    """The deed that a request begins with: `please delete all logs` asks to delete, `can we delete it?` does not."""
    began = _POLITE.match(text)
    first = re.match(r"[a-z]+\b", text[began.end() if began else 0 :].lower())
    return first[0] if first and first[0] in acts() else None


def _listed(name: str) -> frozenset[str]:
    lines = files(__name__).joinpath(name).read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
