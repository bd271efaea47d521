"""Numbers of people: phones, cards, national ids, dates of birth. One reading of a run of digits decides among them."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.detect.allow import Candidate
from plantwin.private.detect.context import Context
from plantwin.private.detect.national_ids import NATIONAL, luhn, us_ssn
from plantwin.private.detect.rules import Rule
from plantwin.private.detect.validators import issuer, national_letters
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_FORWARD = re.compile(rb"[\d ().\-/]{0,26}")
_BODY = b"0123456789 ().-/"
_JOINED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.,:/#%@=&$\\-")
"""What stands before a number that is part of something else; a sentence only joins letters to it."""
_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.")
_DATE = _LEXICON.bytes_pattern("date")
_CARD = re.compile(rb"card|visa|master|amex|credit|debit|\bpan\b|\bcc|payment|carte|tarjeta|karte")
_PHONE = _LEXICON.bytes_pattern("phone")
_BIRTH = re.compile(rb"birth(?!_?time)|\bdob\b|born|geburt|naissance|nacimiento|bday")
_NATIONAL = _LEXICON.bytes_pattern("national")
_MEDICAL = re.compile(rb"\bmrn\b|medical.?rec|patient.?(?:id|no|num)")
_HINT = _LEXICON.bytes_pattern("hint")
"""A word of any of the above may be near."""
_KEYED = re.compile(
    rb"(?i)(?:phone|mobile|cell|tel|fax|card|ccn?|pan|ssn|sin|cpf|nhs|bsn|pesel|aadhaar|mrn|_no|number)[\"']?[:=,]\Z"
)
_LETTERED = re.compile(rb"(?:\d{8}-?[A-HJ-NP-TV-Z]|\d{6}[+\-A]\d{3}[0-9A-FHJ-NPR-Y]|\d{17}[\dXx])(?![\w\-])")
"""National ids that end in a letter."""
_WRITTEN = re.compile(rb"\d[\d ()\-/.]{5,24}")
_GROUPED = re.compile(rb"\d{4}([ \-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \-])\d{6}\2\d{4,5}")
_NORTH = re.compile(rb"(?:\+?1[ .\-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .\-])[2-9]\d\d[ .\-]\d{4}")
_DOTTED = re.compile(rb"[+(]{0,2}\d{1,4}\)?(?:\.\d{2,4}){2,5}")
_SSN = re.compile(rb"\d{3}([ \-])\d\d\1\d{4}")
_TEST_CARDS = frozenset(
    b"4242424242424242 4111111111111111 4012888888881881 4000056655665556 4000000000000002 4000000000009995"
    b" 4222222222222 5555555555554444 5105105105105100 5200828282828210 2223003122003222 5424000000000015"
    b" 378282246310005 371449635398431 6011111111111117 6011000990139424 3056930009020004 30569309025904 38520000023237"
    b" 3566002020360505 3530111333300000".split()
)
"""Numbers that payment providers publish for tests: nobody's card."""
_FRACTION = re.compile(rb"\d{1,3}\.\d{6,}")
_CPF = re.compile(rb"\d{3}\.\d{3}\.\d{3}-\d\d")


def numbers(
    _rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads the run of digits around a hit."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        stop = _FORWARD.match(data, end, end + 26).end()  # type: ignore[union-attr]
        window = data[max(0, end - 24) : stop]
        head = window.rstrip(_BODY)
        run = window[len(head) :].lstrip(b" .-/)").rstrip(b" .-/(")
        start = stop - len(window) + window.find(run, len(head))
        following = data[start + len(run) : start + len(run) + 1]
        if len(run) < 6 or following.isalnum() or following == b"_":
            lettered = _LETTERED.match(data, start, start + 20) if len(run) >= 6 else None
            if lettered is None or data[max(0, start - 1) : start].isalnum() or not national_letters(lettered[0]):
                return [], stop
            return [Candidate(start, lettered.end(), "national_id", "personal", "medium")], lettered.end()
        if head.endswith(b"+") and start + len(window) - stop == len(head):
            run, start = b"+" + run, start - 1
        before = data[max(0, start - 48) : start]
        joined = before and before[-1] in (_LETTERS if context.prose else _JOINED)
        # A number beside its name is a value of its own, however they are joined.
        if joined and (before[-1] not in b":=," or not _KEYED.search(before)):
            return [], stop
        read = _name(run, before, context)
        if read is None:
            return [], stop
        type_, confidence, first, last = read
        return [Candidate(start + first, start + last, type_, "personal", confidence)], stop

    return confirm


def written(data: bytes, context: Context) -> list[Candidate]:
    """The numbers of a text for people, where dates and whatever follows a mark of punctuation count as well."""
    confirm = numbers(NUMBER, _WRITTEN)
    found: list[Candidate] = []
    place = 0
    while match := _WRITTEN.search(data, place):
        new, stop = confirm(data, match.end(), place, context)
        found += new
        place = max(stop, match.end())
    return found


NUMBER = Rule(type="number", group="personal", confidence="low", description="", handler="number", prefilter=(r"\d",))


def _name(run: bytes, before: bytes, context: Context) -> tuple[str, str, int, int] | None:
    """What a run of digits is, its confidence and its span inside the run."""
    digits = run.translate(None, b" ().-/+")
    size = len(digits)
    if size > 19 or size < 6 or (size < 7 and not context.prose and b"-" not in run and b"/" not in run):
        return None
    stop = len(run)
    dots = run.count(b".")
    if dots == 3 and len(run) == size + 3:
        return None  # An address of a machine.
    low = before.lower()
    if len(run) > size and (date := _DATE.search(run)):
        return _dated(date, low, context)
    if dots == 1 and (not context.prose or _FRACTION.fullmatch(run)):
        return None
    told = _HINT.search(low if context.prose else low[-28:]) is not None
    if size < 7 or len(set(digits)) < (2 if size >= 13 else 3):
        return None
    card = told and size >= 12 and _CARD.search(low) is not None
    whole = size >= 12 and (len(run) == size or _GROUPED.fullmatch(run) is not None)
    if whole and (card or (size >= 13 and issuer(digits) and luhn(digits))):
        if digits in _TEST_CARDS:
            return "payment_card", "low", 0, stop
        grouped = len(run) > size or (size == 16 and context.prose)
        return "payment_card", "high" if card and luhn(digits) else "medium" if card or grouped else "low", 0, stop
    if told or not run.isdigit():
        # Each word that tells of a national id has a hint in it; in prose the hints were looked for as far back.
        named = _national(run, digits, low, told or not context.prose)
        if named is not None:
            return (*named, 0, stop)
    if told and 5 <= size <= 12 and _MEDICAL.search(low):
        return "medical_record_number", "medium", 0, stop
    return _phone(run, size, low, told, context)


def _dated(date: re.Match[bytes], low: bytes, context: Context) -> tuple[str, str, int, int] | None:
    if (b"bi" in low or b"bo" in low or b"dob" in low or b"na" in low or b"ge" in low) and _BIRTH.search(low):
        return "date_of_birth", "high", date.start(), date.end()
    return ("date", "low", date.start(), date.end()) if context.prose else None


def _national(run: bytes, digits: bytes, low: bytes, near: bool) -> tuple[str, str] | None:
    told = near and _NATIONAL.search(low) is not None
    if _SSN.fullmatch(run) and us_ssn(digits):
        return "us_ssn", "high" if told else "medium"
    if _CPF.fullmatch(run) and any(check(digits) for check in NATIONAL[11]):
        return "national_id", "high" if told else "medium"
    if told and any(check(digits) for check in NATIONAL.get(len(digits), ())):
        return "national_id", "high"
    return None


def _phone(run: bytes, size: int, low: bytes, told: bool, context: Context) -> tuple[str, str, int, int] | None:
    stop = len(run)
    if not 7 <= size <= 15 or run.startswith(b"0 0 ") or (b"." in run and not _DOTTED.fullmatch(run)) or b"/" in run:
        return None
    told = told and _PHONE.search(low[-32:]) is not None
    if run.startswith(b"+") and size >= 8 and run[1:2] != b"0":
        return "phone", "high" if told else "medium", 0, stop
    grouped = not run.isdigit()
    if _NORTH.fullmatch(run) and (told or b" " not in run or context.prose):
        return "phone", "high" if told else "medium", 0, stop
    if told and (grouped or size >= 9):
        return "phone", "low" if context.code else "medium", 0, stop
    if not context.prose or not grouped:
        return None
    # In a text for people, two to six groups of few digits are a phone more often than anything else.
    groups = re.findall(rb"\d+", run)
    return ("phone", "low", 0, stop) if 2 <= len(groups) <= 6 and all(len(group) <= 5 for group in groups) else None
