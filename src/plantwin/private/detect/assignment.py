"""Secrets assigned to a name, in any language and quoting: decided by name, value shape and entropy together."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from plantwin.private.detect.allow import Candidate
from plantwin.private.detect.context import Context
from plantwin.private.detect.names import (
    Naming,
    entropy,
    naming,
    patterned,
    placeholder,
    published,
    reference,
    sequence,
    word,
)
from plantwin.private.detect.rules import Rule
from plantwin.private.detect.tokens import LOWER
from plantwin.private.detect.validators import dense

_CORE = re.compile(
    rb"pass|pwd|pw|secret|token|cred|key|auth|access|private|pat|login|api|jwt|sid|session|cookie|signature|salt|seed"
    rb"|otp|pin"
    rb"|dsn|bearer|contrase|kennwort|senha|motdepasse"
)
"""Where a telling name may be, in lower case; `names.py` decides on the whole name."""
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
    (?:(?P<prefix>[@rbufL]{1,2})(?=["'`]))?(?P<quote>\\{0,3}["'`]|&quot;|%22)?"""
)
_NAME = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$@"
_BARE = re.compile(rb"[^\s\"'`,;<>|]{1,1024}")
_PLAIN = re.compile(rb"[^\s\"'`<>]{1,1024}")
_LINE = re.compile(
    rb"(?=[^\s\"'`<>]{0,64}[^\s\"'`<>A-Za-z0-9.,;|\[{(=&:/\-_])[^\s\"'`<>=]{6,64}(?<![,;])(?=[ \t]{0,8}(?:\r?\n|\Z))"
)
_MARKED = (b",", b";", b"|")
_SENT = re.compile(rb"[^</:]\w{1,80}>{1,2}[ \t]?[./\\&]")
"""A word that is printed into a file."""
_TALK = re.compile(
    rb"(?i)^[^A-Za-z0-9]{1,200}$|^\\?'?\$[A-Z_]{2}|^\\?\$_|^arn:|^#[a-z][a-z\-]{2,40}$|^[a-z\-]{0,60}/[^\s]{0,200}"
    rb"(?:passw|token|secret|login|auth)|^https?://[^@\s]{1,200}$"
    rb"|^(?=[a-z]{0,40}[_\-#/.: ])[a-z_\-#/.: ]{0,40}(?:password|passwd|token|secret|credential)s?[a-z_\-#/.: ]{0,40}$"
)
"""Routes, selectors, variables and sentences about secrets."""
_GRAMMAR = re.compile(rb"\[[^\]\s]{2,60}\](?:\{\d|[*+])|\\[dwsSWD][*+{]|[a-z]\\\.[a-z]|\(\?[:=!<P]")
"""A regular expression: it describes secrets."""
_DIGIT = re.compile(rb"\d")
_LETTER = re.compile(rb"[A-Za-z]")
_PART = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[A-Z]")
_SPECIAL = re.compile(rb"[^A-Za-z0-9_\-. ]")
_TOKEN = re.compile(rb"[A-Za-z0-9_\-+/=.~%:!@#$^&*]{16,1024}")
_HEX = re.compile(rb"(?i)[0-9a-f]{16,128}")
_UUID = re.compile(rb"(?i)[0-9a-z]{8}-(?:[0-9a-z]{4}-){3}[0-9a-z]{12}")
_CALL = re.compile(rb"^[\w$.>:\-]{1,80}\(|\)\.|->|::|^[\w$.]{1,60}\[|^[\w$]{1,40}\.[A-Za-z_][\w.]{2,60}$|^\(|^[{\[&*!]")
_TYPED = re.compile(rb"::\Z|arn:[a-z\-]{2,12}:[\w\-:]{0,80}\Z|[a-z]:arn:[\w\-:]{0,80}\Z")
"""A name inside a type's or a resource's name."""
_PRINTED = re.compile(
    rb"(?i)\.(?:print(?:ln|f)?|write(?:ln)?|append|format|starts_?with|ends_?with|index_?of|includes|contains|split)\Z"
)
"""The end of a call that puts text out, or asks for a part of one, whatever the name before it."""
_FILE = re.compile(rb"\.(?:[cm]?[jt]sx?|vue|p8|p12|pem|key)\Z")
_LOOKUP = re.compile(rb"\b(?:lookup|query)\(\s{0,3}[\"']\Z")
"""What stands before the name of a plugin that fetches a secret by the id behind it."""
_WORD = re.compile(rb"[\"']?[ \t]{0,2}[=:][ \t]{0,2}(?:\"[a-z]{1,19}\"|'[a-z]{1,19}'|[a-z]{1,19}[\s,;&])")
_NAMED = re.compile(rb"[ \t]{0,4}[=:][ \t]{0,4}[A-Za-z_.]{1,80}[^A-Za-z_.0-9\"']")
_LOWER = re.compile(rb"[a-z]{1,20}")
_AHEAD = 24
"""How many bytes of a value a hit needs at most."""
_LONG = 64
"""A value longer than this costs: names in one unbroken run have what is left of it for a value, each in turn."""
_SHARE = 2
"""So many bytes of long values are judged for each byte of text."""
_BREAK = re.compile(rb"[\s\"'`,;<>|]")
ENOUGH = 200
"""So many sure values of one name are many."""
_INTERPOLATION = re.compile(rb"[$#]\{ ?[A-Za-z_$][\w$.]{0,80}(?:\([^{}\n]{0,120})? ?\}")
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
    effort = [0, 0, 0, 0]
    """Where a stretch of text began, bytes of long values judged in it, where the last name read ends, which text."""

    def weighed(data: bytes, first: int, name_end: int, end: int, context: Context) -> Candidate | None:
        """The candidate that a name, its separator and its value make."""
        folder = data[first:name_end] == b"$PWD" or data[first : name_end + 1] == b"pwd)"
        if folder or data[first - 2 : first] == b"$(":
            return None  # The current folder, and what a command prints.
        name = naming(data[first:name_end])
        if data[first - 1 : first] == b":" and _TYPED.search(data, max(0, first - 96), first):
            return None
        if not (name.kind or name.told) or (context.seen is not None and context.seen.get(name, 0) >= ENOUGH):
            return None
        # Most of what is assigned is a word or, in code, another name.
        if (not name.passwordish and _WORD.match(data, name_end)) or (context.code and _NAMED.match(data, name_end)):
            return None
        separator = _SEPARATOR.match(data, name_end, name_end + 140)
        # Every other assignment has a hit of its own.
        if separator is None or separator.end() < end - _AHEAD:
            return None
        if data[first - 1 : first + 1] == b",$" and data[name_end : name_end + 1] == b'"':
            return None  # Two variables in one string, which is compared.
        if separator["op"] == b">" and (data[first] == 36 or _SENT.match(data, first - 1, separator.end() + 1)):
            return None  # A variable or a word that is printed, and where a command's output goes.
        called = data[first:name_end]
        if (separator["op"] == b"(" and _PRINTED.search(called)) or (
            separator["op"] in (b",", None) and (_FILE.search(called) or _LOOKUP.search(data, first - 12, first))
        ):
            return None
        span = _value(data, separator, context)
        if span is None:
            return None
        start, stop = span
        quoted = separator["quote"] is not None
        if stop - start > _LONG:
            effort[1] += stop - start
        judged = judge(name, data[start:stop], separator["op"] or b" ", quoted, context, data[first] == 45)
        if judged is None:
            return None
        if context.seen is not None and judged == ("medium" if name.kind == "weak" else "high"):
            # As sure as this name can be: more of the same would change nothing but a count.
            context.seen[name] = context.seen.get(name, 0) + 1
        return Candidate(start, stop, "password" if name.kind == "password" else type_, "secret", judged, True)

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        if not after or effort[3] != id(data):  # A reading inside this one comes in between.
            effort[:] = end, 0, 0, id(data)
        elif end - effort[0] > 65_536:
            effort[:2] = end, 0
        if effort[1] > _SHARE * (end - effort[0]) + 16_384:
            # Go on where the run ends: what is assigned there is short, and is judged whatever stood before.
            broken = _BREAK.search(data, end, end + 4096)
            rest = (broken.start() if broken else min(len(data), end + 4096)) - _LONG
            if rest > end:
                return [], rest
        near = _near(data, max(after, end - 72), end)
        if near is not None:
            one = weighed(data, *near, end, context)
            return ([one], max(one.end, end)) if one else ([], end)
        base = max(after, end - 120)
        found: list[Candidate] = []
        stop = end
        # What was read for an earlier hit need not be read again.
        place = max(0, effort[2] - base)
        low = data[base:end].lower()
        while match := _CORE.search(low, place):
            first, core_end = base + match.start(), base + match.end()
            name_end = _REST.match(data, core_end).end()  # type: ignore[union-attr]
            place = name_end - base
            effort[2] = name_end
            if not context.code and not context.lock:
                joined = _JOINED.search(data, core_end, name_end)
                if joined is not None and shape(joined[1]).random:
                    found.append(Candidate(*joined.span(1), type_, "secret", "low", True))
                    stop = max(stop, name_end)
                    continue
            head = data[max(0, first - 40) : first]
            one = weighed(data, first - len(head) + len(head.rstrip(_NAME)), name_end, end, context)
            if one is not None:
                found.append(one)
                place = one.end - base
                stop = max(stop, one.end)
        return found, stop

    return confirm


def _near(data: bytes, base: int, end: int) -> tuple[int, int] | None:
    """The span of the name before the last `=` or `:`, if it alone can be meant and tells of a secret."""
    part = data[base:end]
    place = max(part.rfind(b"="), part.rfind(b":"))
    if place < 3:
        return None
    head = part[:place].rstrip(b" \t\"'`\\)]}")
    stem = head.rstrip(_NAME)
    # A name cut off by the window, or one that is itself a value, is read with more care.
    if not stem or len(stem) == len(head) or stem[-1] in b"=:" or not naming(head[len(stem) :]).kind:
        return None
    return base + len(stem), base + len(head)


def _value(data: bytes, separator: re.Match[bytes], context: Context) -> tuple[int, int] | None:
    """The span of the value after a separator."""
    start = separator.end()
    op, quote = separator["op"], separator["quote"]
    if op == b"," and separator.group(0)[0] not in b"\"'\\":
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
    if (
        op in (b"=", b":")
        and not context.code
        and data[stop : stop + 1] in _MARKED
        and (rest := _LINE.match(data, start))
    ):
        return rest.span()  # Alone on its line to the end of it: the marks are the password's.
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


def judge(name: Naming, value: bytes, op: bytes, quoted: bool, context: Context, flag: bool = False) -> str | None:
    """How sure it is that this value is a secret, or None if it is none."""
    size = len(value)
    if size > 1024 or context.lock:
        return None
    # Most of what is assigned is an expression or a word: leave before anything is measured.
    bare = not quoted and (context.code or op == b" ") and not flag
    if bare and (size < 16 or (context.code and (b"." in value or not _DIGIT.search(value)))):
        return None
    if size < 20 and not name.passwordish and (_IDENTIFIER if quoted else _LOWER).fullmatch(value):
        return None
    if word(value):
        # A default that everybody knows is still what opens the door, where it is set and not declared.
        set_ = name.told and value.lower() in _DEFAULTS and not context.code and (quoted or op == b"=")
        # In YAML nothing is quoted; `password: password` is a label there, or a type.
        return "low" if set_ or (name.told and op == b":" and value in _SET_PLAINLY and not context.code) else None
    if sequence(value):
        # Keys of tests and manuals: not dropped, since a few are in use.
        weak = name.kind == "password" and size >= 4 and (quoted or op == b"=")
        return "low" if (weak or (name.kind == "secret" and size >= 12)) and not context.code else None
    if b"{" in value and len(fixed := _INTERPOLATION.sub(b"", value)) < size and not shape(fixed).random:
        return None  # What is secret of it is put in when the program runs.
    if not name.kind or reference(value) or placeholder(value) or _TALK.search(value) or _GRAMMAR.search(value):
        return None
    look = shape(value)
    if name.kind == "weak" and size < 16 and (size < 12 or not look.mixed or context.code):
        return None
    if name.other and not (look.random and look.bits > 3.2 and not name.place):
        return None
    if (
        op == b" "
        and not look.random
        and not flag
        and (context.code or not (look.solid or (quoted and (look.digits or look.special))))
    ):
        return None
    joined = re.sub(rb"[_\-]", b"", value.lower())
    if joined == name.bare or (size >= 12 and name.bare.endswith(joined)):
        return None
    if not quoted and not look.random and _CALL.search(value):
        return None
    confidence = _weigh(name.kind, value, look, op, quoted, context)
    if confidence == "medium" and name.kind == "weak" and _keyed(name, value, look, op, context):
        confidence = "high"
    if confidence in ("medium", "high") and published(value):
        return "low"
    return LOWER[confidence] if confidence and context.test else confidence


def _keyed(name: Naming, value: bytes, look: Shape, op: bytes, context: Context) -> bool:
    """Whether a key of something has a value that cannot be anything but one: long and in three kinds of characters."""
    return (
        len(name.bare) > 5
        and name.bare.endswith(b"key")
        and len(value) >= 32
        and look.bits >= 4.2
        and op in _SETS
        and not context.code
        and dense(value) is True
        and not patterned(value)
    )


def _weigh(kind: str, value: bytes, look: Shape, op: bytes, quoted: bool, context: Context) -> str | None:
    size = len(value)
    uuid = _UUID.fullmatch(value) is not None
    if look.random:
        if kind == "weak":
            return "low" if uuid or op == b" " or look.bits < 3.3 or context.code else "medium"
        if (
            size >= 20
            and look.digits
            and look.bits >= (3.2 if size >= 32 and _HEX.fullmatch(value) else 3.5)
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
    if not context.code and size >= 12 and not look.spaced and len(set(_SPECIAL.findall(value))) >= 4:
        return "medium"  # Nothing but a password mixes so many marks.
    if size >= 8 and (look.digits or look.special) and not plain and not value.startswith((b"/", b"http", b".", b"#")):
        return "medium" if size >= 12 and look.digits and not look.spaced else "low"
    if plain and size < 20:
        return None
    if not context.code and (look.solid or (size >= 24 and value.isalnum())):
        return "low"
    return "low" if size >= 6 and quoted and op in _SETS and not context.code else None


_DEFAULTS = frozenset((b"password", b"passwd", b"secret", b"test", b"mypassword", b"mysecret", b"pass"))
_SET_PLAINLY = frozenset((b"secret", b"passwd", b"mypassword", b"mysecret"))
_SETS = frozenset((b"=", b":", b":=", b"=>", b"==", b"===", b"!=", b"!==", b"("))
