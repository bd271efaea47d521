"""Secrets assigned to a name, in any language and quoting: decided by name, value shape and entropy together."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from plantwin.private.redact.context import Context
from plantwin.private.redact.placeholders import entropy, placeholder, reference, word
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.tokens import LOWER

_PASSWORD = rb"pass(?:wor[dt]|wd|phrase|code)?|passw|p?wd|pw|contrase(?:n|\xc3\xb1)a|kennwort|motdepasse|senha"
_SECRET = rb"secret|token|credentials?|creds?|(?:api|access|private|priv|auth|client|account|encrypt(?:ion)?|sign(?:ing)?|master|shared|session|licen[sc]e|storage|app|user|service|admin|deploy|write|read|consumer|server|security|ssh|ssl|rsa|aes|hmac|secret|subscription|primary|secondary|integration|webhook|host|master|instrumentation|insert|query|root|unseal|recovery|ingest|publishable|project|developer)[ _\-.]{0,2}key|apikey|bearer|dsn"
_WEAK = rb"key|auth(?:orization)?|access|private|pat|login|api|jwt|sid|session(?:id)?|cookie|signature|salt|seed|otp|pin"
_NAME = re.compile(
    rb"(?i)(?P<word>(?P<password>" + _PASSWORD + rb")|(?P<secret>" + _SECRET + rb")|(?P<weak>" + _WEAK + rb"))(?P<rest>[\w.\-]{0,40})"
)
_SEPARATOR = re.compile(
    rb"""(?x)[\]\["'`\\)}>]{0,4}[ \t]{0,16}
    (?:
      :[ \t]{0,4}[\w.\[\]|&*]{1,30}(?:[ ]\|[ ]None)?[ \t]{0,4}=[ \t]{0,8}(?!=)      # name: type =
      |(?P<op>:=|=>|={1,3}|!={1,2}|->|:|,|\(|>|%3[AaDd]|&\#61;|\|)[ \t]{0,16}>?[ \t]{0,4}(?P<line>\r?\n[ \t]{1,32})?
      |(?i:[ ]is[ ]|[ ]value=|[ \t]{1,3}-{2,8}[ \t]{1,3})
      |[ \t]{1,6}
    )
    (?P<prefix>[@rbufL]{0,2})(?P<quote>\\{0,3}["'`]|&quot;|%22)?"""
)
_BEFORE = re.compile(rb"[\w.\-$@]{1,48}\Z")
_BARE = re.compile(rb"[^\s\"'`,;<>|]{1,1024}")
_PLAIN = re.compile(rb"[^\s\"'`<>]{1,1024}")
_OTHER = re.compile(
    rb"(?i)(?:^|[_\-.a-z])(?:types?|names?|ids?|url|uri|link|files?|filename|paths?|dir|fields?|labels?|len(?:gth)?|size|count|num|max|min|expir\w*"
    rb"|ttl|time\w*|age|date|polic\w*|regex\w*|pattern|prompt|hint|placeholder|inputs?|forms?|headers?|formats?|errors?|messages?|msg|valid\w*"
    rb"|strength|reset|change\w*|forgot\w*|endpoint|class|model|enabled?|required|params?|index|prefix|suffix|column|attr\w*|set|list|map|dict|usage|text|title"
    rb"|help|desc\w*|doc\w*|button|page|view|route|callback|handler|func\w*|method|provider|manager|service|factory|helper|util\w*|store|cache|table|region|version|alg\w*|hash(?:ed|es)?|digest"
    rb"|template|example|test|mode|scope|state|status|code|event|ref|reference|arn|selector|domain|issuer|audience|rules?|info|kind|position|start|end|line|offset|spec|option|flags?|requirements?|limit|quota|rate|rotation|bits|bytes)s?\d{0,2}$"
)
_PUBLIC = re.compile(rb"(?i)public|pub[_\-]?key|hash|sha\d|md5|digest|checksum|commit|revision|etag|fingerprint|integrity|guid|uuid|cache[_\-]?key|primary[_\-]?key$|foreign|sort[_\-]?key|partition|idempoten|csrf|i18n|translat|lookup|csrf|tokeni[zs]e|nonce|next[_\-]?token|page[_\-]?token|continuation")
_TOKEN = re.compile(rb"[A-Za-z0-9_\-+/=.~%:!@#$^&*]{16,512}")
_HEX = re.compile(rb"(?i)[0-9a-f]{16,128}")
_UUID = re.compile(rb"(?i)[0-9a-z]{8}-(?:[0-9a-z]{4}-){3}[0-9a-z]{12}")
_CALL = re.compile(rb"[\w.>:\]]\(|\)\.|->|::|\[['\"\w]|^[\w$]{1,40}\.[A-Za-z_][\w.]{2,60}$|^\(|^[{\[&*!]")
_IDENTIFIER = re.compile(rb"[A-Za-z_$][A-Za-z_]{0,60}\d{0,2}")


class Shape(NamedTuple):
    """What a value looks like."""

    random: bool
    """Long, of token characters, with letters and digits well mixed."""
    digits: bool
    special: bool
    spaced: bool
    bits: float


def shape(value: bytes) -> Shape:
    """Measure a value."""
    digits = re.search(rb"\d", value) is not None
    letters = re.search(rb"[A-Za-z]", value) is not None
    bits = entropy(value[:256])
    token = _TOKEN.fullmatch(value) is not None
    # A third of the characters distinct, or half of the hexadecimal alphabet, is more than words have.
    random = token and ((digits and letters) or len(value) >= 32) and bits >= (2.6 if _HEX.fullmatch(value) else 3.0)
    if random and not _HEX.fullmatch(value) and not _UUID.fullmatch(value):
        random = not _wordy(value)
    special = re.search(rb"[^A-Za-z0-9_\-. ]", value) is not None
    return Shape(random, digits, special, b" " in value or b"\t" in value, bits)


def _wordy(value: bytes) -> bool:
    """Whether a value is made of words: few changes between letters, digits and cases."""
    changes = len(re.findall(rb"[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]", value))
    parts = re.findall(rb"[A-Za-z]{4,}", value)
    return changes < 3 and sum(map(len, parts)) * 10 > len(value) * 6


def assignments(rule: Rule, _pattern: re.Pattern[bytes]) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads name, separator and value around the end of a hit."""
    type_ = rule.type

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place = max(after, end - 160)
        found: list[Candidate] = []
        limit = end
        while match := _NAME.search(data, place, limit):
            place = match.end()
            judged = _read(data, match, context)
            if judged is None:
                # The rest of the name may hold the word that counts: `auth_token`.
                place = match.end("word")
                continue
            start, stop, confidence, kind = judged
            found.append(Candidate(start, stop, kind or type_, "secret", confidence, True))
            place = stop
        return found, max(place, end) if found else end

    return confirm


def _read(data: bytes, match: re.Match[bytes], context: Context) -> tuple[int, int, str, str] | None:
    """The value's span and confidence, or None."""
    separator = _SEPARATOR.match(data, match.end(), match.end() + 140)
    if separator is None:
        return None
    start = separator.end()
    op = separator["op"] or b" "
    quote = separator["quote"]
    if quote:
        stop = _closing(data, start, quote)
        if stop < 0:
            return None
    else:
        if op in (b",", b"(", b"|") or (op == b"->" and context.code):
            return None
        bare = (_PLAIN if op == b">" else _BARE).match(data, start, start + 1024)
        if bare is None:
            return None
        stop = bare.end()
        while stop > start and data[stop - 1] in b").}]:\\":
            stop -= 1
    value = data[start:stop]
    before = _BEFORE.search(data, max(0, match.start() - 48), match.start())
    name = (before[0] if before else b"") + match[0]
    confidence = judge(name, match, value, op, quote is not None, context)
    if confidence is None:
        return None
    return start, stop, confidence, "password" if match["password"] else ""


def _closing(data: bytes, start: int, quote: bytes) -> int:
    """Where a quoted value ends: on its line, within reason."""
    limit = min(len(data), start + 1100)
    place = data.find(quote, start, limit)
    while place > start and quote in (b'"', b"'", b"`") and data[place - 1] == 92 and data[place - 2] != 92:
        place = data.find(quote, place + 1, limit)
    newline = data.find(b"\n", start, limit)
    if place < 0 or (0 <= newline < place):
        return -1
    return place


def judge(
    name: bytes, match: re.Match[bytes], value: bytes, op: bytes, quoted: bool, context: Context
) -> str | None:
    """How sure it is that this value is a secret, or None if it is not."""
    size = len(value)
    if size < 3 or size > 1024 or reference(value) or placeholder(value) or word(value):
        return None
    look = shape(value)
    rest = match["rest"]
    if _PUBLIC.search(name) or (match["weak"] and size < 16):
        return None
    if rest and _OTHER.search(rest) and not (look.random and look.bits > 3.2 and not re.search(rb"(?i)(?:id|hash|url|path|file|name|arn|digest)s?$", rest)):
        return None
    if value.lower().replace(b"_", b"") == match[0].lower().replace(b"_", b"") or context.lock:
        return None
    if op == b" " and not look.random and not name.startswith((b"-", b"--")):
        return None
    if not quoted and _CALL.search(value) and not look.random:
        return None
    confidence = _weigh(match, value, look, op, quoted, context)
    if confidence is not None and context.test:
        return LOWER[confidence]
    return confidence


def _weigh(match: re.Match[bytes], value: bytes, look: Shape, op: bytes, quoted: bool, context: Context) -> str | None:
    size = len(value)
    if look.random:
        if match["weak"]:
            if _UUID.fullmatch(value) or op == b" ":
                return "low"
            return "medium" if look.bits >= 3.3 else "low"
        if size >= 20 and look.bits >= 3.5 and op != b" " and not _UUID.fullmatch(value) and (quoted or not context.code):
            return "high"
        return "medium" if op != b" " or look.bits >= 3.3 else "low"
    if match["weak"]:
        return None
    if look.spaced and (size > 40 or value.count(b" ") > 3 or not (look.digits or look.special)):
        return None
    plain = _IDENTIFIER.fullmatch(value) is not None
    if context.code and not quoted:
        return None
    if match["password"]:
        if plain:
            return None if not quoted and size > 24 else "low"
        return "medium" if size >= 5 and (look.digits or look.special) else "low"
    if size >= 8 and (look.digits or look.special) and not plain and not value.startswith((b"/", b"http", b".", b"#")):
        return "medium" if size >= 12 and look.digits else "low"
    return "low" if size >= 6 and quoted and op in (b"=", b":", b":=", b"=>") and not context.code else None
