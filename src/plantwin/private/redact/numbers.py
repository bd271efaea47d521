"""Numbers of people: phones, cards, national ids, dates of birth. One reading of a run of digits decides among them."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.checkdigits import NATIONAL, luhn, us_ssn
from plantwin.private.redact.context import Context
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.validators import issuer

_RUN = re.compile(rb"(?<![\w.\-/:#%@=&$\\])[+(]{0,2}\d[\d ().\-/]{4,28}\d(?![\w%@]|[.\-/:]\w)")
_LOOSE = re.compile(rb"[+(]{0,2}(?<![\w.])\d[\d ().\-/]{4,28}\d(?!\w)")
_DATE = re.compile(rb"(?:(?:19|20)\d\d([\-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([\-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d)")
_CARD = re.compile(rb"(?i)card|visa|master|amex|credit|debit|\bpan\b|\bcc|payment|carte|tarjeta|karte")
_PHONE = re.compile(rb"(?i)phone|\btel|mobile|\bcell|\bfax|call|contact|whats.?app|\bsms|dial|number is|answer|reach|telefon|handy|m[o\xc3][v\xb3]il|registered|office|urgent")
_BIRTH = re.compile(rb"(?i)birth|\bdob\b|born|geburt|naissance|nacimiento|bday")
_NATIONAL = re.compile(
    rb"(?i)\bssn\b|social.?sec|national|\bnhs\b|\bsin\b|steuer|tax|\bnir\b|insee|\bbsn\b|burgerservice|pesel|\bcpf\b|aadhaa?r|\btfn\b|medicare|personnummer"
    rb"|person.?(?:nr|id|number)|f.dselsnummer|\bid.?(?:card|number|no\b)|identity|citizen|\btckn\b|kimlik|resident|rijksregister|passport|passeport|\bssn|patient|insur"
)
_MEDICAL = re.compile(rb"(?i)\bmrn\b|medical.?rec|patient.?(?:id|no|num)")
_GROUPED = re.compile(rb"\d{4}([ \-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \-])\d{6}\2\d{4,5}")
_NORTH = re.compile(rb"(?:\+?1[ .\-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .\-])[2-9]\d\d[ .\-]\d{4}")
_SSN = re.compile(rb"\d{3}([ \-])\d\d\1\d{4}")
_CPF = re.compile(rb"\d{3}\.\d{3}\.\d{3}-\d\d")


def numbers(_rule: Rule, _pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads the run of digits around a hit."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place = max(after, end - 40)
        found: list[Candidate] = []
        while match := (_LOOSE if context.prose else _RUN).search(data, place, end + 32):
            if match.start() >= end:
                break
            place = match.end()
            before = data[max(0, match.start() - 48) : match.start()]
            read = _name(match[0], before, context)
            if read is not None:
                type_, confidence, start, stop = read
                group = "personal"
                base = match.start()
                found.append(Candidate(base + start, base + stop, type_, group, confidence))
        return found, max(place, end)

    return confirm


def _name(run: bytes, before: bytes, context: Context) -> tuple[str, str, int, int] | None:
    """What a run of digits is, its confidence and its span inside the run."""
    stop = len(run.rstrip(b" .-/("))
    run = run[:stop]
    if date := _DATE.search(run):
        return _dated(date, before, context)
    digits = bytes(byte for byte in run if 48 <= byte <= 57)
    size = len(digits)
    if size > 19 or len(set(digits)) < 3:
        return None
    if size >= 12 and issuer(digits) and (run.isdigit() or _GROUPED.fullmatch(run)):
        told = _CARD.search(before) is not None
        if luhn(digits) and (size >= 13 or told):
            sure = "high" if told else "medium" if _GROUPED.fullmatch(run) or (size == 16 and context.prose) else "low"
            return "payment_card", sure, 0, stop
    if size in NATIONAL or size == 9:
        named = _national(run, digits, before)
        if named is not None:
            return (*named, 0, stop)
    if _MEDICAL.search(before) and 5 <= size <= 12:
        return "medical_record_number", "medium", 0, stop
    return _phone(run, size, before, context, stop)


def _dated(date: re.Match[bytes], before: bytes, context: Context) -> tuple[str, str, int, int] | None:
    if _BIRTH.search(before):
        return "date_of_birth", "high", date.start(), date.end()
    return ("date", "low", date.start(), date.end()) if context.prose else None


def _national(run: bytes, digits: bytes, before: bytes) -> tuple[str, str] | None:
    told = _NATIONAL.search(before) is not None
    if _SSN.fullmatch(run) and us_ssn(digits):
        return "us_ssn", "high" if told else "medium"
    if _CPF.fullmatch(run) and any(check(digits) for check in NATIONAL[11]):
        return "national_id", "high" if told else "medium"
    if told and any(check(digits) for check in NATIONAL.get(len(digits), ())):
        return "national_id", "high"
    return None


def _phone(run: bytes, size: int, before: bytes, context: Context, stop: int) -> tuple[str, str, int, int] | None:
    told = _PHONE.search(before[-32:]) is not None
    if run.startswith(b"+") and 8 <= size <= 15:
        return "phone", "high" if told else "medium", 0, stop
    if not 7 <= size <= 15 or run.count(b".") == 1 and b" " not in run and b"-" not in run:
        return None
    if _NORTH.fullmatch(run):
        return "phone", "high" if told else "medium", 0, stop
    grouped = not run.isdigit()
    if told and (grouped or size >= 9):
        return "phone", "medium", 0, stop
    # In a text for people, three groups of two to five digits are a phone more often than anything else.
    groups = re.findall(rb"\d+", run)
    if context.prose and grouped and 2 <= len(groups) <= 6 and all(len(each) <= 5 for each in groups) and b"/" not in run:
        return "phone", "low", 0, stop
    return None
