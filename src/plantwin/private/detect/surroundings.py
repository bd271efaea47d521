"""Secrets judged again by what they are made of and where they stand: text, addresses, hashes and names are none."""

from __future__ import annotations

import re
import unicodedata

from plantwin.private.detect.context import Context
from plantwin.private.detect.names import labels, reference, sequence
from plantwin.private.detect.resolve import Candidate
from plantwin.private.detect.validators import varied
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

MANY = 8
"""A page of documentation that prints more tokens than this is about them."""
_KEYS = re.compile(r"private_key|pgp|certificate|encrypted")
"""Types that are what they are wherever they stand."""
ASSIGNED = frozenset(("assigned_secret", "password"))
"""Types that rest on the name that a value is assigned to."""
_NAMED = frozenset(("service_token", "github_legacy_token", "prefixed_token"))
"""Types that rest on a name near a random value."""
_LOOSE = frozenset(("auth0_secret", "cloudflare_token"))
"""Types of providers whose values are any long run near their name."""
_ODD = frozenset("#$%^&*+=~|\\@_<>{}[]`")
_WORD = re.compile(rb"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_VOWEL = re.compile(rb"[aeiouyAEIOUY]")
_HEAP = re.compile(rb"(?i)[bcdfghjklmnpqrstvwxz]{5}")
_SLUG = re.compile(rb"[a-z0-9]{1,24}(?:[-_./][a-z0-9]{1,24}){2,16}")
_IDENTIFIER = re.compile(rb"[A-Za-z_$][\w$]{0,80}")
_MIXED = re.compile(rb"[a-z]\d[a-z]|\d[a-z]\d")
_CALL = re.compile(rb"@{1,2}[a-z_]\w{0,40}(?:\.\w{1,40})?|@?[\w$.]{2,80}\([\w$.,: '\"\[\]!]{0,80}\);?")
_SETS = _LEXICON.bytes_pattern("sets")
"""A setting, option, rule of a form, template, version, date, address, or the name of an index, cipher, package or
node; or the code behind a string that ended."""
_PATH = _LEXICON.bytes_pattern("path")
_ESCAPED = re.compile(rb"\\u[0-9a-fA-F]{4}")
_EXAMPLES = re.compile(
    r"passw(?:or)?d_hash|jwt|basic_auth|authorization|dsn|xml_password|command|sql_|cookie|session|keystore|spoken"
)
"""Types that prove a format and no provider: in tests they are made up."""
_PASSWORDS = re.compile(r"password|basic_auth|dsn|^defaulted_secret$")
_SHA = re.compile(rb"(?i)sha-?(?:1|224|256|384|512)[-:=]")
_HEX = re.compile(rb"[0-9a-fA-F]{20,128}")
_UUID = re.compile(rb"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_REVISION = _LEXICON.bytes_pattern("revision")
"""What stands right before a content hash or the id of a revision."""
_PINNED = re.compile(rb"uses:|git\+|\.git\b|github\.com/|gitlab\.com/|/commit/|/blob/|/tree/")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{24}|[A-Za-z0-9+/]{60}(?:\r?\n|\\n?)[ \t]{0,8}[A-Za-z0-9+/]{0,60})[+/]?\Z")
_BASE64_ON = re.compile(rb"[+/](?:[A-Za-z0-9+/]{24}|[A-Za-z0-9+/]{0,60}(?:\r?\n|\\n)[ \t]{0,8}[A-Za-z0-9+/]{60})")
_RUN = re.compile(rb"[A-Za-z0-9_\-]{24}\Z")
_ADDRESS = re.compile(rb"https?:(?:\\?/){2}[^\s\"'<>()/@]{1,100}/[^\s\"'<>()]{0,400}\Z")
_LABEL = re.compile(rb"([A-Za-z][\w\-]{1,60})[\"'\])]{0,3}[ \t]{0,8}[=:][ \t]{0,8}[\"'`]?\Z")
"""The name that a value is assigned to."""
_TELLING = re.compile(rb"(?i)secret|key|token|access|private|auth|pass|cred|hook|sig(?:nature)?=|sas|session")
_COMMENT = re.compile(rb"[ \t]{0,80}(?:#|//|\*|--|<!--|;)")
_EXAMPLE = re.compile(rb"(?i)(?<![a-z])(?:examples?|e\.g\.|samples?)(?![a-z])")
_PUBLISHABLE = re.compile(rb"pk_(?:live|test)_|pk-lf-|phc_|sandbox_")
"""Keys that providers call publishable: every visitor of a page gets them."""
_CAMEL = re.compile(rb"[a-z]{2,20}(?:[A-Z0-9]{1,2}[a-z]{1,20}){0,5}(?:Token|Secret|Password|Key|Id|Name)")
_MADE_UP = re.compile(
    rb"(?i)test|passw|p@ssw|example|sample|demo|admin|root|qwerty|letmein|hunter2|12345|abcdef|secret"
)


def reconsidered(data: bytes, found: list[Candidate], context: Context) -> list[Candidate]:
    """Return the candidates that remain, each as sure as its surroundings allow."""
    kept = []
    for candidate in found:
        if candidate.group != "secret" or _KEYS.search(candidate.type):
            kept.append(candidate)
            continue
        confidence = _confidence(data, candidate, context)
        if confidence:
            kept.append(candidate._replace(confidence=confidence) if confidence != candidate.confidence else candidate)
    if context.test and context.prose:
        sure = [one for one in kept if one.group == "secret" and one.confidence != "low"]
        if len({data[one.start : one.end] for one in sure if not _KEYS.search(one.type)}) > MANY:
            return [one._replace(confidence="low") if one.group == "secret" else one for one in kept]
    return kept


def _confidence(data: bytes, found: Candidate, context: Context) -> str:
    """Return how sure a secret is here; empty where it is none."""
    value = data[found.start : found.end]
    weak = found.generic or found.confidence != "high"
    assigned = found.generic or "password" in found.type
    if assigned and (
        natural(value) or reference(value) or any(form.fullmatch(value) for form in (_CALL, _SETS, _PATH))
    ):
        return ""
    if weak and (
        context.path.endswith(".svg") or (context.code and _IDENTIFIER.fullmatch(value) and _bare(data, found))
    ):
        return ""
    most = max(map(value.count, set(value)))
    if (context.test or _EXAMPLES.search(found.type)) and 2 * most > len(value) > 8:
        return ""
    if len(value) > 60 and 10 * most > 9 * len(value):
        return ""
    if _hash(data, found, value, context) or _inside_base64(data, found, value):
        return ""
    if context.catalog and found.generic and not _random(value):
        return ""
    if found.generic and _PUBLISHABLE.match(value):
        return "low"
    if context.test and (found.generic or _EXAMPLES.search(found.type)):
        return "low"
    if found.confidence != "low" and (found.generic or _EXAMPLES.search(found.type)) and _shown(data, found, context):
        return "low"
    if weak and found.confidence != "low" and _doubtful(data, found, value, context.code):
        return "low"
    return found.confidence


def _shown(data: bytes, found: Candidate, context: Context) -> bool:
    """Whether a value is announced as an example on its line, in source or in a comment."""
    line = data[max(data.rfind(b"\n", 0, found.start), found.start - 240) + 1 : found.start]
    return (context.code or _COMMENT.match(line) is not None) and _EXAMPLE.search(line) is not None


def _doubtful(data: bytes, found: Candidate, value: bytes, code: bool) -> bool:
    """Whether a value of at least medium confidence is a name, part of a public page's address, or made up."""
    if found.generic or found.type in _LOOSE:
        address = _ADDRESS.search(data, max(0, found.start - 400), found.start)
        if value.startswith(b"--") or (address is not None and not _TELLING.search(address[0])):
            return True
    named = _LABEL.search(data, max(0, found.start - 80), found.start)
    if named is not None and found.type not in ASSIGNED and labels(named[1]):
        return True
    if _PASSWORDS.search(found.type):  # people make them of words
        return (
            (code and _MADE_UP.search(value) is not None)
            or _CAMEL.fullmatch(value) is not None
            or (_SLUG.fullmatch(value) is not None and wordy(value))
        )
    return wordy(value)


def _bare(data: bytes, found: Candidate) -> bool:
    """Whether a value stands without quotes."""
    return found.generic and data[found.start - 1 : found.start] not in (b'"', b"'", b"`")


def natural(value: bytes) -> bool:
    """Whether a value is text in a script that is not plain Latin, or bytes that are no text at all."""
    if value.isascii():
        return len(_ESCAPED.findall(value)) >= 2
    text = value.decode("utf-8", "replace")
    if text.count("\ufffd") > 2:
        return True
    letters = sum(unicodedata.category(mark)[0] in "LM" for mark in text)
    digits = sum(mark.isdigit() for mark in text)
    return 2 * letters > len(text) and digits * 4 <= len(text) and digits <= 2 + len(text) // 8 and not _ODD & set(text)


def wordy(value: bytes) -> bool:
    """Whether most of a value is made of words: an identifier, a flag, a class, a file name."""
    words = [word for word in _WORD.findall(value) if 3 <= len(word) <= 14 and _spelled(word)]
    if len(words) < 2 or _UUID.fullmatch(value):
        return False
    if _SLUG.fullmatch(value) and not any(_MIXED.search(part) for part in re.split(rb"[-_./]", value)):
        return True
    return 10 * sum(map(len, words)) >= 7 * len(value.strip(b"-_./= "))


def _spelled(word: bytes) -> bool:
    """Whether letters could be a word: with vowels, without a heap of consonants, and not the alphabet."""
    return _VOWEL.search(word) is not None and _HEAP.search(word) is None and not sequence(word)


def _random(value: bytes) -> bool:
    """Whether digits and letters mix in one unbroken run, as no word of a language does."""
    return (
        value.isascii()
        and len(value) >= 16
        and b" " not in value
        and sum(48 <= byte <= 57 for byte in value) >= 3
        and not wordy(value)
    )


def _hash(data: bytes, found: Candidate, value: bytes, context: Context) -> bool:
    """Whether a value is a content hash: of a lock file, a pinned revision, a document."""
    before = data[max(0, found.start - 96) : found.start]
    if _SHA.match(value) or _SHA.search(before[-8:]):
        return True
    if not (_HEX.fullmatch(value) or _UUID.fullmatch(value)):
        return context.lock and found.generic
    if context.lock or _REVISION.search(before[-32:]):
        return context.lock or found.type in _NAMED or not found.generic
    line = before[before.rfind(b"\n") + 1 :]
    return found.type in _NAMED and (not line.strip(b"\"', \t[-") or _PINNED.search(line) is not None)


def _inside_base64(data: bytes, found: Candidate, value: bytes) -> bool:
    """Whether a value is a stretch of a longer encoded text: an image, an attachment, a public key."""
    if found.type in ASSIGNED:
        return False
    if found.type == "prefixed_token" and (
        len(value) > 100 or _RUN.search(data, max(0, found.start - 24), found.start)
    ):
        return True
    head, tail = data[max(0, found.start - 140) : found.start], data[found.end : found.end + 140]
    broken = head[-1:] in (b"+", b"/", b"\n", b"\\") or head.endswith(b"\\n")
    runs = (_BASE64.search(head) if broken else None, _BASE64_ON.match(tail))
    return any(run is not None and varied(run[0]) is True for run in runs)
