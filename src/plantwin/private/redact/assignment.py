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

_CORE = re.compile(
    rb"pass|pwd|pw|secret|token|cred|key|auth|access|private|pat|login|api|jwt|sid|session|cookie|signature|salt|seed"
    rb"|otp|pin"
    rb"|dsn|bearer|contrase|kennwort|senha|motdepasse"
)
"""Where a telling name may be, in lower case; `_KIND` decides on the whole name."""
_KIND = re.compile(
    rb"(?P<password>pass(?:wor[dt]|wd|phrase|code|w)|(?:(?<![a-z])|db|user|my|root|admin|smtp|mail|ftp|sql)pass"
    rb"(?![a-z])|p?wd(?![a-z])|(?<![a-z])pw(?![a-z])"
    rb"|contrase(?:n|\xc3\xb1)a|kennwort|motdepasse|senha)"
    rb"|(?P<secret>secret|token(?!i)|credentials?|creds?(?![a-z])|apikey|bearer|(?<![a-z])dsn(?![a-z])|(?:api|access"
    rb"|private|priv|auth|client|account|encrypt(?:ion)?|sign(?:ing)?"
    rb"|master|shared|session|licen[sc]e|storage|app|user|service|admin|deploy|write|read|consumer|server|security"
    rb"|ssh|ssl|rsa|aes|hmac"
    rb"|subscription|primary|secondary|integration|webhook|host|instrumentation|insert|query|root|unseal|recovery"
    rb"|ingest|project|developer)[ _\-.]{0,2}key)"
    rb"|(?P<weak>key(?!word|board|stroke)|auth(?:orization)?(?![a-z])|access(?![a-z])|private(?![a-z])|(?<![a-z])pat"
    rb"(?![a-z])|login(?![a-z])|(?<![a-z])api(?![a-z])"
    rb"|jwt|(?<![a-z])sid(?![a-z])|session(?:id)?(?![a-z])|cookie(?![a-z])|signature(?![a-z])|(?<![a-z])salt(?![a-z])"
    rb"|seed(?![a-z])|otp(?![a-z])|(?<![a-z])pin(?![a-z]))"
)
_PASSWORDISH = re.compile(rb"pass|wd|pw|contrase|kennwort|senha")
_REST = re.compile(rb"[\w.\-]{0,120}")
_JOINED = re.compile(rb"[\-.]([A-Za-z0-9](?=[A-Za-z0-9_\-=]{0,12}\d)[A-Za-z0-9_\-=]{15,200})\Z")
"""A value that follows its name after a mere dash: `service-key-9f2c…`."""
_SEPARATOR = re.compile(
    rb"""(?x)(?:\[\w{0,12}\])?[\]\["'`\\)}>]{0,4}[ \t]{0,16}
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
    rb"(?i)(?:^|[_\-.a-z])(?:types?|names?|ids?|url|uri|link|files?|filename|paths?|dir|fields?|labels?|len(?:gth)?"
    rb"|size|count|num|max|min|expir\w*"
    rb"|ttl|time\w*|age|date|polic\w*|regex\w*|pattern|prompt|hint|placeholder|inputs?|forms?|headers?|formats?"
    rb"|errors?|messages?|msg|valid\w*"
    rb"|strength|reset|change\w*|forgot\w*|endpoint|class|model|enabled?|required|params?|index|prefix|suffix|column"
    rb"|attr\w*|set|list|map|dict|usage|text|title"
    rb"|help|desc\w*|doc\w*|button|page|view|route|callback|handler|func\w*|method|provider|manager|factory|helper"
    rb"|util\w*|store|cache|table|region|version|alg\w*|hash(?:ed|es)?|digest"
    rb"|template|example|test|mode|scope|state|status|code|event|ref|reference|arn|selector|domain|issuer|audience"
    rb"|rules?|info|kind|position|start|end|line|offset|spec|option|flags?|requirements?|limit|quota|rate|rotation"
    rb"|bits|bytes)s?\d{0,2}$"
)
_PUBLIC = re.compile(
    rb"(?i)public|pub[_\-]?key|hash|sha\d|md5|digest|checksum|commit|revision|etag|fingerprint"
    rb"|integrity|guid|uuid|cache[_\-]?key|primary[_\-]?key$|foreign|sort[_\-]?key|partition|idempoten|csrf|i18n"
    rb"|translat|lookup|csrf|tokeni[zs]e|nonce|next[_\-]?token|page[_\-]?token|continuation"
)
_TALK = re.compile(
    rb"(?i)^[^A-Za-z0-9]{1,200}$|^\\?'?\$[A-Z_]{2}|^\\?\$_|^arn:|^#[a-z][a-z\-]{2,40}$|^[a-z\-]{0,60}/[^\s]{0,200}"
    rb"(?:passw|token|secret|login|auth)|^https?://[^@\s]{1,200}$"
    rb"|^(?=[a-z]{0,40}[_\-#/.: ])[a-z_\-#/.: ]{0,40}(?:password|passwd|token|secret|credential)s?[a-z_\-#/.: ]{0,40}$"
)
"""Routes, selectors, variables and sentences about secrets."""
_PLACE = re.compile(rb"(?i)(?:id|hash|url|path|file|name|arn|digest)s?$")
_DIGIT = re.compile(rb"\d")
_LETTER = re.compile(rb"[A-Za-z]")
_LETTERS = re.compile(rb"[A-Za-z]{4,}")
_PART = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[A-Z]")
_SPECIAL = re.compile(rb"[^A-Za-z0-9_\-. ]")
_TOKEN = re.compile(rb"[A-Za-z0-9_\-+/=.~%:!@#$^&*]{16,512}")
_HEX = re.compile(rb"(?i)[0-9a-f]{16,128}")
_UUID = re.compile(rb"(?i)[0-9a-z]{8}-(?:[0-9a-z]{4}-){3}[0-9a-z]{12}")
_CALL = re.compile(rb"^[\w$.>:\-]{1,80}\(|\)\.|->|::|^[\w$.]{1,60}\[|^[\w$]{1,40}\.[A-Za-z_][\w.]{2,60}$|^\(|^[{\[&*!]")
_IDENTIFIER = re.compile(rb"[A-Za-z_$][A-Za-z_]{0,60}\d{0,2}")


class Shape(NamedTuple):
    """What a value looks like."""

    random: bool
    """Long, of token characters, with letters and digits well mixed."""
    mixed: bool
    """Letters and digits that alternate."""
    solid: bool
    """One unbroken run, longer than words are."""
    digits: bool
    special: bool
    spaced: bool
    bits: float


def shape(value: bytes) -> Shape:
    """Measure a value."""
    digits = _DIGIT.search(value) is not None
    letters = _LETTER.search(value) is not None
    bits = entropy(value[:256])
    token = _TOKEN.fullmatch(value) is not None
    hexadecimal = _HEX.fullmatch(value) is not None
    parts = _PART.findall(value)
    solid = len(value) >= 20 and value.isalnum()
    random = token and ((digits and letters) or len(value) >= 20) and bits >= (2.6 if hexadecimal else 3.0)
    if random and not hexadecimal and not _UUID.fullmatch(value):
        # Words are longer than the runs of one case or of digits in random text.
        count = sum(len(part) for part in parts if part.isdigit())
        random = len(parts) >= 4 and (len(value) <= 3.4 * len(parts) or count * 4 >= len(value))
    special = _SPECIAL.search(value) is not None
    # Camel-cased words are unbroken too; a run of one case that long is no word.
    solid = solid and (digits or value.islower() or value.isupper() or len(value) <= 4.2 * len(parts))
    mixed = digits and letters and (len(parts) >= 4 or (value.isalnum() and len(_DIGIT.findall(value)) >= 4))
    return Shape(random, mixed, solid, digits, special, b" " in value or b"\t" in value, bits)


def assignments(
    rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads name, separator and value around the end of a hit."""
    type_ = rule.type

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        base = max(after, end - 120)
        low = data[base:end].lower()
        found: list[Candidate] = []
        place = 0
        while match := _CORE.search(low, place):
            name_end = _REST.match(data, base + match.end()).end()  # type: ignore[union-attr]
            place = name_end - base
            joined = _JOINED.search(data, base + match.end(), name_end)
            if joined is not None and shape(joined[1]).random and not context.code and not context.lock:
                found.append(Candidate(*joined.span(1), type_, "secret", "low", True))
                continue
            separator = _SEPARATOR.match(data, name_end, name_end + 140)
            if separator is None:
                continue
            span = _value(data, separator, context)
            if span is None:
                continue
            start, stop = span
            before = _BEFORE.search(data, max(0, base + match.start() - 40), base + match.start())
            name = data[before.start() if before else base + match.start() : name_end]
            quoted = separator["quote"] is not None
            judged = judge(name, data[start:stop], separator["op"] or b" ", quoted, context)
            if judged is not None:
                confidence, password = judged
                found.append(Candidate(start, stop, "password" if password else type_, "secret", confidence, True))
                place = stop - base
        return found, max(base + place, end) if found else end

    return confirm


def _value(data: bytes, separator: re.Match[bytes], context: Context) -> tuple[int, int] | None:
    """The span of the value after a separator."""
    start = separator.end()
    op, quote = separator["op"], separator["quote"]
    if op == b"," and separator.group(0)[0] not in b"\"'`\\":
        return None  # Arguments side by side; only a quoted name is the key of what follows.
    if quote:
        stop = _closing(data, start, quote)
        return (start, stop) if stop > start + 2 else None
    if op in (b",", b"(", b"|") or (op == b"->" and context.code):
        return None
    bare = (_PLAIN if op == b">" else _BARE).match(data, start, start + 1024)
    if bare is None:
        return None
    stop = bare.end()
    if data.find(b"{", start, stop) < 0 and data.find(b"(", start, stop) < 0:
        while stop > start and data[stop - 1] in b").}]:\\":
            stop -= 1
    return (start, stop) if stop > start + 2 else None


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


def judge(name: bytes, value: bytes, op: bytes, quoted: bool, context: Context) -> tuple[str, bool] | None:
    """How sure it is that this value is a secret and whether it is a password, or None if it is neither."""
    size = len(value)
    if size > 1024 or context.lock:
        return None
    # Most of what code assigns is an expression: leave before anything is measured.
    bare = not quoted and (context.code or op == b" ") and not name.startswith(b"-")
    if bare and (size < 16 or (context.code and (b"." in value or not _DIGIT.search(value)))):
        return None
    low = name.lower()
    if quoted and size < 20 and _IDENTIFIER.fullmatch(value) and not _PASSWORDISH.search(low):
        return None
    kinds = list(_KIND.finditer(low))
    if word(value):
        # A default that everybody knows is still what opens the door, where it is set and not declared.
        named = any(each.lastgroup == "password" for each in kinds)
        return (
            ("low", True)
            if named and value.lower() in _DEFAULTS and not context.code and (quoted or op == b"=")
            else None
        )
    if not kinds or reference(value) or placeholder(value) or _PUBLIC.search(name) or _TALK.search(value):
        return None
    kind = next((each for each in kinds if each.lastgroup == "password"), None) or next(
        (each for each in kinds if each.lastgroup == "secret"), kinds[-1]
    )
    look = shape(value)
    if kind.lastgroup == "weak" and size < 16 and (size < 12 or not look.mixed or context.code):
        return None
    rest = name[kinds[-1].end() :]
    if rest and _OTHER.search(rest) and not (look.random and look.bits > 3.2 and not _PLACE.search(rest)):
        return None
    if (
        op == b" "
        and not look.random
        and not name.startswith(b"-")
        and (context.code or not (look.solid or (quoted and (look.digits or look.special))))
    ):
        return None
    if value.lower().replace(b"_", b"") == low.replace(b"_", b""):
        return None
    if not quoted and not look.random and _CALL.search(value):
        return None
    confidence = _weigh(kind.lastgroup or "", value, look, op, quoted, context)
    if confidence is None:
        return None
    return (LOWER[confidence] if context.test else confidence), kind.lastgroup == "password"


def _weigh(kind: str, value: bytes, look: Shape, op: bytes, quoted: bool, context: Context) -> str | None:
    size = len(value)
    uuid = _UUID.fullmatch(value) is not None
    if look.random:
        if kind == "weak":
            return "low" if uuid or op == b" " or look.bits < 3.3 or context.code else "medium"
        if (
            size >= 20
            and look.digits
            and look.bits >= 3.5
            and op in _SETS
            and not uuid
            and (quoted or not context.code)
        ):
            return "high"
        return "medium" if op != b" " or look.bits >= 3.3 else "low"
    if kind == "weak":
        return "low" if look.mixed or (look.solid and not context.code) else None
    if look.spaced and (size > 40 or value.count(b" ") > 4 or context.code or not quoted):
        return None
    if context.code and not quoted:
        return None
    plain = _IDENTIFIER.fullmatch(value) is not None
    if op == b"," and context.code and not (look.digits and look.special):
        return None  # Neighbours in a list.
    if kind == "password":
        if plain or look.spaced:
            return None if not quoted and size > 24 else "low"
        return "medium" if size >= 5 and (look.digits or look.special) else "low"
    if size >= 8 and (look.digits or look.special) and not plain and not value.startswith((b"/", b"http", b".", b"#")):
        return "medium" if size >= 12 and look.digits and not look.spaced else "low"
    if plain and size < 20:
        return None
    if not context.code and (look.solid or (size >= 24 and value.isalnum())):
        return "low"
    return "low" if size >= 6 and quoted and op in _SETS and not context.code else None


_DEFAULTS = frozenset((b"password", b"passwd", b"secret", b"test"))
_SETS = frozenset((b"=", b":", b":=", b"=>", b"==", b"===", b"!=", b"!==", b"("))
