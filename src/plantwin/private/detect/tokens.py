"""Values that a pattern describes: tokens of known form, and random values beside the name of a service."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.detect.allow import Candidate
from plantwin.private.detect.context import Context
from plantwin.private.detect.names import entropy, patterned, placeholder, published
from plantwin.private.detect.rules import Rule
from plantwin.private.detect.validators import dense, restless, service, validator

_ASSIGNED = re.compile(
    rb"(?i)(?:key|token|secret|pass(?:word)?|pat|auth)[\w\-]{0,16}[\"'\])]{0,3}[ \t]{0,8}(?:=>?|:=?)[ \t]{0,8}[\"'`]?\Z"
)
"""The end of what stands before a value that is assigned to a telling name."""
LOWER = {"high": "medium", "medium": "low", "low": "low"}
STRIDE = 4096
"""How far one search goes where hits crowd."""
LEAST_BITS = 3.0
"""Bits per byte of a value that is random."""
CROWDED = 2
"""So many bytes searched for each byte of text: the windows of the hits overlap too much."""


def tokens(rule: Rule, pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that looks for the rule's pattern around the end of a hit."""
    reach, tail = rule.reach, rule.tail
    group = "v" if "v" in pattern.groupindex else 0
    validate = validator(rule.validator)
    least = rule.entropy
    secret = rule.group == "secret"
    files = re.compile(rule.files, re.I) if rule.files else None
    # A provider's name alone leaves a doubt; with a telling name and a value of its very shape none is left.
    beside = secret and bool(rule.keywords) and rule.confidence == "medium" and not rule.generic
    anchor = rule.anchor.encode()

    def anchored(data: bytes, place: int, limit: int) -> re.Match[bytes] | None:
        start = data.rfind(anchor, place, limit - tail)
        return pattern.match(data, start, limit) if start >= 0 else None

    find = anchored if anchor else pattern.search
    effort = [0, 0]
    """Where a stretch of text began, and how many bytes were searched for its hits."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        # Beside a provider's name in a lock file stands the digest of its package.
        if (files is not None and not files.search(context.path)) or (beside and context.lock):
            return [], len(data)
        place = max(after, end - reach)
        last = end
        if not after or end - effort[0] > 4 * STRIDE:
            effort[:] = place, 0
        elif effort[1] > CROWDED * (end - effort[0]) + 2 * STRIDE and not anchor:
            # One search over all that the next hits would look at, one by one.
            last = end + STRIDE
        limit = last + tail
        effort[1] += end + tail - place
        found: list[Candidate] = []
        while match := find(data, place, limit):
            if match.start() > last:
                break
            start, stop = match.span(group)
            if start < 0:  # Another alternative than the one that marks its value.
                start, stop = match.span()
            place = max(stop, match.start() + 1)
            value = data[start:stop]
            if (least and entropy(value) < least) or (secret and placeholder(value, shape=rule.generic)):
                continue
            confidence: str = rule.confidence
            if validate is not None:
                verdict = validate(value)
                if not verdict:
                    continue
                if verdict is not True:
                    confidence = verdict
            if beside and confidence == "medium" and _settled(data, match.start(), start, value):
                confidence = "high"
            if secret and (context.test or (context.lock and rule.generic)):
                confidence = LOWER[confidence]
            if secret and confidence != "low" and published(value):
                confidence = "low"
            found.append(Candidate(start, stop, rule.type, rule.group, confidence, rule.generic))
        return found, max(place, last) if found else last

    return confirm


_ENTRY = re.compile(
    rb"[ ]{1,32}[\"']?[\w.\-]{1,60}[\"']?:[ \t]{1,4}[\"']?(?P<v>[A-Za-z0-9_\-+/=]{16,400})[\"']?[ \t]{0,8}\r?$",
    re.MULTILINE,
)
_HEXADECIMAL = re.compile(rb"[0-9a-f]{16,400}|[0-9A-F]{16,400}")
ENTRIES = 200
"""Lines of one mapping that are read."""


def mapped(rule: Rule, pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads the values of a mapping whose name tells of secrets, whatever each is called."""
    files = re.compile(rule.files, re.I)

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        if not files.search(context.path):
            return [], len(data)
        head = next(
            (match for match in pattern.finditer(data, max(after, end - rule.reach)) if match.end() >= end), None
        )
        if head is None:
            return [], end
        found: list[Candidate] = []
        place = head.end()
        for _ in range(ENTRIES):
            stop = data.find(b"\n", place)
            line = data[place : stop if stop >= 0 else len(data)]
            if line.strip() and len(line) - len(line.lstrip(b" ")) <= len(head["indent"]):
                break
            entry = _ENTRY.match(line[:600])
            value = entry["v"] if entry is not None else b""
            if entry is not None and _random(value):
                confidence = LOWER[rule.confidence] if context.test or published(value) else rule.confidence
                start, last = entry.span("v")
                found.append(Candidate(place + start, place + last, rule.type, rule.group, confidence, rule.generic))
            if stop < 0:
                break
            place = stop + 1
        return found, end

    return confirm


def _random(value: bytes) -> bool:
    """Whether a value has digits, and no words: runs of one case or of digits are short in it."""
    if not any(48 <= byte <= 57 for byte in value) or entropy(value) < LEAST_BITS:
        return False
    short = _HEXADECIMAL.fullmatch(value) is not None or len(value) <= 3.4 * len(_PART.findall(value))
    return short and not placeholder(value) and not patterned(value)


def _settled(data: bytes, first: int, start: int, value: bytes) -> bool:
    """Whether a value beside its provider's name is assigned to a telling name, and random beyond doubt."""
    return (
        (len(value) >= 20 or (len(value) >= 16 and dense(value) is True))
        and _ASSIGNED.search(data, max(first, start - 48), start) is not None
        and any(48 <= byte <= 57 for byte in value)
        and entropy(value) >= 3.2
        and not patterned(value)
    )


_VALUE = re.compile(rb"(?<![A-Za-z0-9_.\-+/=%])[A-Za-z0-9_.\-+/=%]{16,512}")
_OPENING = re.compile(rb"(?<![A-Za-z0-9_.\-+/=%])[A-Za-z0-9_.\-+/=%]{16}")
"""The first bytes of a value: a longer search for them would go far beyond the name."""
_PREFIX = re.compile(rb"[A-Za-z_.\-]{2,24}=")
_BETWEEN = re.compile(rb"[\w\s.\-=:\"'>(,|/\[\]+%]{0,96}")
"""What may stand between the name and the end of the value's beginning."""
_RUN = re.compile(rb"[A-Za-z0-9_.\-+/=%]{16}")
_SHORT = re.compile(rb"[\w.\- ]{0,24}[\"']?[ \t]{0,2}[=:][ \t]{0,2}[\"']?(?P<v>[A-Za-z0-9]{10,15})(?![A-Za-z0-9_.\-/])")
_TOLD = re.compile(rb"(?i)secret|key|token|access|private|auth|pass")
_DIRECT = re.compile(
    rb"(?i)[a-z]{0,6}[\W_]{0,12}(?:(?:id|is|value|app|user|account|client|sid|x)[\W_]{0,8}){0,2}"
    rb"|[\W_]{0,3}(?:com|io|net)/(?:web)?hooks?/"
)
"""What may stand between a service's name and its key where no word tells of a key."""
_SET = re.compile(
    rb"(?i)(?:key|token|secret|pass(?:word)?|auth|access|private)[\w\-]{0,12}[\"'\])]{0,3}"
    rb"(?:[ \t]{0,8}(?P<op>=>?|:=?)[ \t]{0,8}|[ \t]{1,3})[\"'`]?\Z"
)
"""The end of an assignment to a telling name."""
_REVISION = re.compile(rb"(?:[/@#]|%40|\.git)[0-9a-f]{40}(?![0-9a-f])")
"""A commit in an address."""
_PART = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[A-Z]")
_WORD = re.compile(rb"[A-Z][a-z]{2,}")
_HASH = re.compile(rb"(?:[0-9a-f]+|[0-9A-F]+|[0-9a-fA-F-]{36})")
_DIGIT = re.compile(rb"\d")
_DATE = re.compile(rb"(?:19|20)\d\d[_\-.][01]\d")
_LONGEST = 24
"""No name is longer."""


def services(
    rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that judges the values after the end of a name."""
    type_, group, least = rule.type, rule.group, rule.entropy
    names = frozenset(word.lower().encode() for word in rule.keywords)
    judged = [0, 0]
    """Up to where values were found not to be random, and in which text."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        limit = _BETWEEN.match(data, end).end()  # type: ignore[union-attr]
        if limit - end < 11 or context.lock:
            return [], end
        if not after or judged[1] != id(data):
            judged[:] = 0, id(data)
        begin = max(after, end - _LONGEST)
        if _RUN.search(data, begin, limit) is None:
            short = None if context.code else _SHORT.match(data, end, limit + 1)
            if short is None or not (dense(short["v"]) or _made_up(data, end, short)) or placeholder(short["v"]):
                return [], end
            return [Candidate(*short.span("v"), type_, group, "low", True)], short.end()
        for opening in _OPENING.finditer(data, begin, limit + 16):
            match = _VALUE.match(data, opening.start())
            if match is None or opening.start() >= limit:
                break
            if match.end() <= end:
                continue
            span = _judged(data, *match.span(), least) if match.end() > judged[0] else None
            if span is None:
                judged[0] = max(judged[0], match.end())
            if span is None and not context.code:
                span = _told(data, end, *match.span())
            if span is None:
                continue
            if not _named(data[max(0, end - _LONGEST - 1) : end].lower(), names):
                return [], end  # The end of a longer word.
            start, stop, verdict = span
            confidence = rule.confidence if verdict is True else str(verdict)
            if confidence == "medium" and _certain(data, end, start, stop):
                confidence = "high"
            elif not _meant(data, end, start, stop):
                confidence = "low"
            if published(data[start:stop]):
                confidence = "low"
            if context.test or context.code:
                confidence = LOWER[confidence]
            return [Candidate(start, stop, type_, group, confidence, True)], match.end()
        return [], end

    return confirm


def _meant(data: bytes, end: int, start: int, stop: int) -> bool:
    """Whether a value belongs to the service's name: right behind it, or with a word between that tells of a key."""
    if start < end:  # The name is part of the value.
        return data[start:end].isalpha() or _TOLD.search(data, start, stop) is not None
    return _DIRECT.fullmatch(data, end, start) is not None or _TOLD.search(data, end - _LONGEST, start) is not None


def _named(low: bytes, names: frozenset[bytes]) -> bool:
    """Whether a text ends in a name that does not continue a word."""
    size = len(low)
    return any(
        low[first:] in names and (first == 0 or not 97 <= low[first - 1] <= 122)
        for first in range(max(0, size - _LONGEST), size)
    )


def _told(data: bytes, end: int, start: int, stop: int) -> tuple[int, int, str] | None:
    """A value that is not random, where a telling word stands between it and the service."""
    # `name=value` is one run of these characters when nothing is quoted.
    prefix = _PREFIX.match(data, start, stop)
    if prefix is not None:
        start = prefix.end()
    return (start, stop, "low") if _solid(data[start:stop]) and _TOLD.search(data, end, start) else None


def _made_up(data: bytes, end: int, short: re.Match[bytes]) -> bool:
    """Whether a short value that counts or spells the alphabet stands behind a telling word."""
    value = short["v"]
    return not value.isdigit() and patterned(value) and _TOLD.search(data, end, short.start("v")) is not None


def _solid(value: bytes) -> bool:
    """One unbroken run, longer than words are, that is no filler; or one that merely runs along the alphabet."""
    if not value.isalnum() or value.isdigit() or len(set(value)) <= 8:
        return False
    return 20 <= len(value) <= 160 or (len(value) >= 12 and patterned(value))


def _certain(data: bytes, end: int, start: int, stop: int) -> bool:
    """Whether service, telling name, assignment and randomness all agree."""
    value = data[start:stop]
    told = _SET.search(data, max(end, start - 48), start)
    if told is None or patterned(value) or entropy(value) < 3.3:
        return False
    if told["op"] is None:
        return len(value) >= 28 and not _HASH.fullmatch(value)  # Beside each other only: a hash could be, too.
    return len(value) >= 24 or dense(value) is True


def _judged(data: bytes, start: int, stop: int, least: float) -> tuple[int, int, bool | str] | None:
    """The part of a run that is a key, if any, and how sure that is."""
    # `name=value` is one run of these characters when nothing is quoted.
    prefix = _PREFIX.match(data, start, stop)
    if prefix is not None and stop - prefix.end() >= 16:
        start = prefix.end()
    value = data[start:stop].rstrip(b".")
    if value.count(b"/") > 1:  # An address: the key is its longest part.
        value = max(value.split(b"/"), key=len)
        start = data.index(value, start)
    if not 16 <= len(value) <= 160 or entropy(value) < least or placeholder(value):
        return None
    if _REVISION.search(data, max(0, start - 8), start + len(value)) or _wordy(value):
        return None
    verdict = service(value) or (len(value) >= 24 and restless(value))
    return (start, start + len(value), verdict) if verdict else None


def _wordy(value: bytes) -> bool:
    """Words joined by marks or by capitals, with a number or two: the name of a thing in a program."""
    words = _WORD.findall(value)
    if len(words) >= 3 and 10 * sum(map(len, words)) >= 6 * len(value) and len(_DIGIT.findall(value)) * 7 < len(value):
        return True
    if value.isalnum() or len(value) <= 4 * len(_PART.findall(value)):
        return False
    return len(_DIGIT.findall(value)) < 4 or _DATE.search(value) is not None
