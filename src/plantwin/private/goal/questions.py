"""The questions that stand in one request, each by itself. Local."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from plantwin.private.goal.words import FUNCTION

MOST: Final = 3
"""Questions of one request that are answered one by one; a longer list is one task."""
LEAST: Final = 3
"""Words of a question."""
_ASKS: Final = r"(?:where|how|what(?:'s)?|which|who|when|why|in which|on which)\b"
_WHETHER: Final = (
    r"(?:is|are|was|were|do|does|did|can|could|should|has|have) (?:there|any|the|this|these|we|i|you|it|our|my|an?)\b"
)
_question = re.compile(
    rf"(?i)\W*(?:(?:and|but|also|please|hi|hello|hey)\W+)*(?:{_ASKS}|{_WHETHER}|(?:is|are|do|does) \w)"
)
_between = re.compile(
    rf"(?i)(?<![?;])[?;]{{1,9}}\s{{0,9}}(?:(?:and|but|also|or)\s{{1,9}}){{0,3}}(?=\w)"
    rf"|,?\s{{1,9}}(?:and|but|or)\s{{1,9}}(?:also\s{{1,9}})?(?={_ASKS}|{_WHETHER})|,\s{{1,9}}(?={_ASKS})"
)
_quoted = re.compile(r"[`\"'][^`\"'\n]*[`\"']")
_chunk = re.compile(r"\S+")
_back = re.compile(r"(?i)\b(?:they|them|those|these|ones?|its|their|so)\b")
_it = re.compile(r"(?i)(?<!\bdoes )(?<!\bdo )\b(?:it|this|that)\b|\bhow does (?:it|this|that)\b")
"""What may stand for something before it; in `which port does it use` it is the project."""
_word = re.compile(r"[A-Za-z][\w.+#-]*")
_GENERAL_WORDS: Final = """
version versions language languages format formats option options type types kind kinds value values limit limits
required require requires needed need needs supported support supports available allowed used use uses using done
default minimum maximum configured
"""
_GENERAL: Final = frozenset(_GENERAL_WORDS.split())
"""Words that need another one to be about something: `which versions are supported`."""


def questions(request: str) -> tuple[str, ...]:
    """Return the questions of a request, each to be understood without the others; a request that is one, whole.

    Where the second speaks of what the first names, both are one; where it says nothing of what it is about, it is
    about what the first one is about.
    """
    quoted = [match.span() for match in _quoted.finditer(request)]
    # The question mark of an address ends no question.
    quoted += [chunk.span() for chunk in _chunk.finditer(request) if "/" in chunk[0] and "?" in chunk[0][:-1]]
    parts, start = [], 0
    for match in _between.finditer(request):
        if not any(begin < match.end() and match.start() < end for begin, end in quoted):
            parts.append(request[start : match.start()])
            start = match.end()
    parts = [part.strip(" \t\n,;") for part in (*parts, request[start:])]
    whole = (request,)
    # `php version needed? and which database?`: a mark makes a question of a few words.
    marked = request.count("?") >= len(parts)
    asked = [(len(part.split()) >= LEAST and _question.match(part)) or (marked and " " in part) for part in parts]
    if not 1 < len(parts) <= MOST or not all(asked):
        return whole
    for before, part in pairwise(parts):
        if _back.search(part) or (_it.search(part) and not _it.search(before)):
            return whole
    about = " ".join(_telling(parts[0]))
    return (
        parts[0],
        *(part if _telling(part) or not about else f"{part.rstrip('?. ')} for {about}" for part in parts[1:]),
    )


def _telling(question: str) -> list[str]:
    return [word for word in _word.findall(question) if word.lower() not in FUNCTION | _GENERAL]
