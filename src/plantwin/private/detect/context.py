"""What a path, the first bytes and the surroundings of a value say about how to read it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from typing import NamedTuple

from plantwin.private.detect.allow import Candidate
from plantwin.private.detect.names import Table, labels, reference, sequence, table
from plantwin.private.detect.validators import varied
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_LOCK = _LEXICON.pattern("lock")
_TEST = _LEXICON.pattern("test")
_CATALOG = _LEXICON.pattern("catalog")
"""Catalogs of messages for people in their languages."""
_CODE_SUFFIXES = (
    "py pyi js mjs cjs jsx ts tsx go java rb rs c h cc cpp cxx hpp cs php kt kts scala swift m mm pl pm lua r jl "
    "dart ex exs erl hs clj groovy vb fs ml sql css scss less vue svelte asm s v sv pas f90 proto graphql"
)
_CODE = frozenset(_CODE_SUFFIXES.split())
_DATA_SUFFIXES = (
    "json jsonl yaml yml toml ini cfg conf env properties xml lock csv tsv tf tfvars hcl tfstate plist svg html "
    "htm sh bash zsh fish ps1 bat cmd mk gradle cmake bin ipynb map log out err"
)
_DATA = frozenset(_DATA_SUFFIXES.split())
_PROSE = frozenset(["txt", "md", "rst", "adoc", "eml", "text", "markdown", "tex", "org", "msg"])
_MANUAL = frozenset(("rst", "adoc", "asciidoc", "mdx"))
"""Formats that manuals are written in, and notes are not."""
_FRONT = _LEXICON.bytes_pattern("front")
"""What a page of a published site begins with."""
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1b")) + b"\x7f"
_WORD = re.compile(rb"[A-Za-z\xc3-\xf4][a-z\x80-\xf4']{0,24}[ ,.;:?!\n]")


@private
class Context(NamedTuple):
    """How to read one input."""

    path: str = ""
    code: bool = False
    """Source code: an unquoted value is an expression."""
    prose: bool = False
    """Text for people: names and addresses may stand in sentences."""
    lock: bool = False
    """Made of content hashes."""
    test: bool = False
    """Marked as test, example or documentation: shape alone proves less."""
    wide: str = ""
    """The codec, when characters are two or four bytes wide."""

    table: Table | None = None
    """The sensitive columns, when it is a table with a header."""
    seen: dict[object, int] | None = None
    """When findings are only counted: how many sure ones each name had so far."""
    catalog: bool = False
    """Messages for people, in one of many languages: what is under a telling name there is a word for it."""
    binary: bool = False
    """Not text: what stands between control bytes is a string of a program more often than a value."""

    @classmethod
    def of(cls, path: str, head: bytes) -> Context:
        """Decide from the path and the head alone, so that any chunking decides the same."""
        return cls._of(path, head)._replace(catalog=is_catalog(path))

    @classmethod
    def _of(cls, path: str, head: bytes) -> Context:
        wide = codec(head)
        if not wide and controls(head[:4096]) * 20 > min(len(head), 4096):
            return cls(path, test=bool(path) and _TEST.search(path) is not None, binary=True)
        name = path.rpartition("/")[2].lower()
        suffix = name.rpartition(".")[2] if "." in name else ""
        if suffix in _CODE:
            return cls(path, True, False, False, _TEST.search(path) is not None, wide)
        if suffix in _PROSE or suffix in _MANUAL:
            prose = suffix != "txt" or _reads_as_prose(head)
            manual = suffix in _MANUAL or (suffix != "txt" and _FRONT.match(head) is not None)
            return cls(path, False, prose, False, manual or _TEST.search(path) is not None, wide)
        lock = bool(path) and _LOCK.search(path) is not None
        test = bool(path) and _TEST.search(path) is not None
        found = table(head) if suffix in ("csv", "tsv", "tab", "psv") or (not suffix and not wide) else None
        prose = not lock and suffix not in _DATA and not wide and found is None and _reads_as_prose(head)
        return cls(path, False, prose, lock, test, wide, found)


def is_catalog(path: str) -> bool:
    """Whether a file by its path holds messages for people, in one of many languages."""
    return bool(path) and _CATALOG.search(path) is not None


def controls(data: bytes) -> int:
    """How many bytes no text has."""
    return len(data) - len(data.translate(None, _CONTROLS))


def codec(head: bytes) -> str:
    """The wide encoding of a text, from its byte order mark or from where its zero bytes lie."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32-le" if head[0] == 0xFF else "utf-32-be"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if head[0] == 0xFF else "utf-16-be"
    sample = head[:1024]
    zeros = sample.count(0)
    size = len(sample)
    if size < 16 or zeros * 5 < size * 2:
        return ""
    places = [sample[place::4].count(0) for place in range(4)]
    quarter = size // 4
    many, few = quarter * 0.8, quarter * 0.1
    if places[0] <= few and min(places[1:]) >= many:
        return "utf-32-le"
    if places[3] <= few and min(places[:3]) >= many:
        return "utf-32-be"
    if max(places[0], places[2]) <= few and min(places[1], places[3]) >= many:
        return "utf-16-le"
    if max(places[1], places[3]) <= few and min(places[0], places[2]) >= many:
        return "utf-16-be"
    return ""


def _reads_as_prose(head: bytes) -> bool:
    """Whether most of the first bytes are plain words and there is little punctuation of code."""
    sample = head[:2048]
    if len(sample) < 8 or 0 in sample:
        return False
    words = sum(len(word) for word in _WORD.findall(sample))
    marks = sum(sample.count(mark) for mark in b"{}=;<[]()\\_")
    return words * 3 > len(sample) and marks * 25 < len(sample)


MANY = 8
"""A page of documentation that prints more tokens than this is about them."""
_KEYS = re.compile(r"private_key|pgp|certificate|encrypted")
"""Types that are what they are wherever they stand."""
ASSIGNED = frozenset(("assigned_secret", "password"))
"""Types that rest on the name that a value is assigned to."""
_NAMED = frozenset(("service_token", "github_legacy_token", "prefixed_token"))
"""Types that rest on a name near a random value."""
LABELLED = frozenset(("person_name", "postal_address", "location", "person_attribute", "username_field"))
"""Types that rest on a label, which a catalog of messages translates."""
_DRAWN = re.compile(rb"(?i)(?=[^\-]*-[^\-]*-)[\d.\-]+(?:[achlmqstvz]{1,2}[\d.\-]+){1,80}[a-z]?")
"""Part of the path of a drawing."""
_AROUND = re.compile(rb"[\d.,\- achlmqstvzACHLMQSTVZ%]{16,24}\Z")
_DECIMAL = re.compile(rb"(?<![\d.])-?\d*\.\d+(?![\d.])|\d[achlmqstvzACHLMQSTVZ]-?[\d.]")
"""A coordinate, and no part of an address."""
_ODD = frozenset("#$%^&*+=~|\\@_<>{}[]`")
_NAME_WORD = re.compile(rb"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
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
    r"passw(?:or)?d_hash|jwt|basic_auth|authorization|dsn|xml_password|command|curl_user|sql_|cookie|session|keystore"
    r"|spoken"
)
"""Types that prove a format and no provider: in tests they are made up."""
_PASSWORDS = re.compile(r"password|basic_auth|dsn|^defaulted_secret$")
_SHA = re.compile(rb"(?i)(?:sha-?(?:1|224|256|384|512)[-:=]|\bh1:)")
_HEX = re.compile(rb"[0-9a-fA-F]{20,128}")
_UUID = re.compile(rb"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_REVISION = _LEXICON.bytes_pattern("revision")
"""What stands right before a content hash or the id of a revision."""
_PINNED = re.compile(
    rb"uses:|git\+|\.git\b|github\.com/|gitlab\.com/|/commit/|/blob/|/tree/|(?i:apt|gpg|pgp|rpm|yum)[_-]?key"
)
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{24}|[A-Za-z0-9+/]{60}(?:\r?\n|\\n?)[ \t]{0,8}[A-Za-z0-9+/]{0,60})[+/]?\Z")
_BASE64_ON = re.compile(rb"[+/](?:[A-Za-z0-9+/]{24}|[A-Za-z0-9+/]{0,60}(?:\r?\n|\\n)[ \t]{0,8}[A-Za-z0-9+/]{60})")
_RUN = re.compile(rb"[A-Za-z0-9_\-]{24}\Z")
_ADDRESS = re.compile(rb"https?:(?:\\?/){2}[^\s\"'<>()/@]{1,100}/[^\s\"'<>()]{0,400}\Z")
_LABEL = re.compile(rb"([A-Za-z][\w\-]{1,60})[\"'\])]{0,3}[ \t]{0,8}[=:][ \t]{0,8}[\"'`]?\Z")
"""The name that a value is assigned to."""
_TELLING = re.compile(rb"(?i)secret|key|token|access|private|auth|pass|cred|hook|sig(?:nature)?=|sas|session")
_COMMENT = re.compile(rb"[ \t]{0,80}(?:#|//|\*|--|<!--|;)")
_EXAMPLE = re.compile(rb"(?i)(?<![a-z])(?:examples?|e\.g\.|samples?|something like)(?![a-z])")
_ELIDED = re.compile(rb"\.{3}|\xe2\x80\xa6")
"""What stands behind the beginning of a value whose rest is left out."""
_ASSET = re.compile(rb"(?i)\.(?:ttf|otf|eot|woff2?|png|jpe?g|gif|svg|ico|webp|avif|mp[34]|css|m?js|map)\b")
"""The suffix of a file that pages load."""
_ELEMENT = re.compile(rb"<(?:label|option|th|legend|button|a)\b[^<>]{0,160}>[^<>]{0,40}\Z")
"""The beginning of an element whose text tells people of a field."""
_TRIPLE = re.compile(
    rb"(?m)(?P<manual>^[ \t]{0,80}(?:(?:DOCUMENTATION|EXAMPLES|RETURN)[ \t]?=[ \t]?)?[rRuU]?)?"
    rb"(?P<quote>\"{3}|'{3})(?s:.*?)(?P=quote)"
)
"""A string in triple quotes; a manual where it stands alone, or under the names that Ansible reads."""
_PUBLISHABLE = re.compile(rb"pk_(?:live|test)_|pk-lf-|phc_|sandbox_")
"""Keys that providers call publishable: every visitor of a page gets them."""
_SYNTHETIC = re.compile(rb"[\w$]\$\Z")
"""The part of a name that a compiler makes up: `$lambda$`."""
_CAMEL = re.compile(rb"[a-z]{2,20}(?:[A-Z0-9]{1,2}[a-z]{1,20}){0,5}(?:Token|Secret|Password|Key|Id|Name)")
_ARGUMENT = re.compile(rb"[a-z]\w{0,60}=(?:True|False|None|true|false|null|nil|-?\d{1,9})")
"""An argument by its name, in prose about code: `pass expand=False`."""
_MADE_UP = re.compile(
    rb"(?i)test|passw|p@ssw|example|sample|demo|admin|root|qwerty|letmein|hunter2|12345|abcdef|secret"
)


def reconsidered(data: bytes, found: list[Candidate], context: Context) -> list[Candidate]:
    """Return the candidates that remain, each as sure as its surroundings allow."""
    kept = []
    manuals = _manuals(data, context) if any(one.group == "secret" for one in found) else []
    for candidate in found:
        if candidate.group == "secret" and _ELIDED.match(data, candidate.end):
            candidate = candidate._replace(confidence="low")
        if candidate.group != "secret" or _KEYS.search(candidate.type):
            doubtful = (context.catalog and candidate.type in LABELLED) or (
                candidate.type == "ipv4" and _coordinate(data, candidate)
            )
            kept.append(candidate._replace(confidence="low") if doubtful else candidate)
            continue
        place = bisect_right(manuals, (candidate.start, len(data)))
        manual = place > 0 and candidate.end <= manuals[place - 1][1]
        confidence = _confidence(data, candidate, context._replace(test=True) if manual else context)
        if confidence:
            kept.append(candidate._replace(confidence=confidence) if confidence != candidate.confidence else candidate)
    if context.test and context.prose:
        sure = [one for one in kept if one.group == "secret" and one.confidence != "low"]
        if len({data[one.start : one.end] for one in sure if not _KEYS.search(one.type)}) > MANY:
            return [one._replace(confidence="low") if one.group == "secret" else one for one in kept]
    return kept


def _manuals(data: bytes, context: Context) -> list[tuple[int, int]]:
    """Where strings of a Python file document it."""
    if not context.path.endswith((".py", ".pyi")):
        return []
    return [match.span() for match in _TRIPLE.finditer(data) if match["manual"] is not None]


def _confidence(data: bytes, found: Candidate, context: Context) -> str:
    """Return how sure a secret is here; empty where it is none."""
    value = data[found.start : found.end]
    weak = found.generic or found.confidence != "high"
    assigned = found.generic or "password" in found.type
    if assigned and (
        natural(value)
        or reference(value)
        or _ELEMENT.search(data, max(0, found.start - 200), found.start)
        or any(form.fullmatch(value) for form in (_CALL, _SETS, _PATH))
    ):
        return ""
    if weak and (
        context.path.endswith(".svg")
        or _DRAWN.fullmatch(value)
        or (context.code and _IDENTIFIER.fullmatch(value) and _bare(data, found))
    ):
        return ""
    if _asset(data, found) or ((found.generic or _EXAMPLES.search(found.type)) and _braced(data, found)):
        return ""
    if found.type in _NAMED and _SYNTHETIC.search(data, max(0, found.start - 2), found.start):
        return ""
    most = max(map(value.count, set(value)))
    if (context.test or _EXAMPLES.search(found.type)) and 2 * most > len(value) > 8:
        return ""
    if len(value) > 60 and 10 * most > 9 * len(value):
        return ""
    if _hash(data, found, value, context) or _inside_base64(data, found, value):
        return ""
    if context.catalog and found.generic and (_ESCAPED.search(value) or not _random(value)):
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
            or _ARGUMENT.fullmatch(value) is not None
            or (_SLUG.fullmatch(value) is not None and wordy(value))
        )
    return wordy(value)


def _asset(data: bytes, found: Candidate) -> bool:
    """Whether a value is the name of a font, picture, style or script in an address."""
    return (
        _ASSET.search(data, max(found.start, found.end - 6), found.end + 8) is not None
        and _ADDRESS.search(data, max(0, found.start - 400), found.start) is not None
    )


def _braced(data: bytes, found: Candidate) -> bool:
    """Whether a value without quotes stands between double braces, where a template or reader puts something else."""
    if data[found.start - 1 : found.start] in (b'"', b"'", b"`"):
        return False
    before = data[max(0, found.start - 120) : found.start].rpartition(b"\n")[2]
    after = data[found.start : found.end + 120].partition(b"\n")[0]
    return before.rfind(b"{{") > before.rfind(b"}}") and b"}}" in after


def _coordinate(data: bytes, found: Candidate) -> bool:
    """Whether numbers of a drawing stand on both sides."""
    before, after = data[max(0, found.start - 24) : found.start], data[found.end : found.end + 24]
    sides = (before, after[::-1])
    return all(_AROUND.search(side) for side in sides) and any(_DECIMAL.search(side) for side in (before, after))


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
    words = [word for word in _NAME_WORD.findall(value) if 3 <= len(word) <= 14 and _spelled(word)]
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
