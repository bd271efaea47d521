"""Git's wildcards as regular expressions over bytes, with git's own reading of their corners.

Wildcards become atomic groups that never revisit a choice (what follows a star may always take its
earliest place), so matching one pattern is linear in the path, whatever the pattern.
"""

from __future__ import annotations

import re

SPECIAL = re.compile(rb"[*?\[\\]")
_DIGITS, _LOWER, _UPPER = frozenset(range(48, 58)), frozenset(range(97, 123)), frozenset(range(65, 91))
_SPACE, _GRAPH = frozenset(b" \t\n\r"), frozenset(range(33, 127))
_CLASSES: dict[bytes, frozenset[int]] = {
    b"alnum": _DIGITS | _LOWER | _UPPER,
    b"alpha": _LOWER | _UPPER,
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset(range(32)) | {127},
    b"digit": _DIGITS,
    b"graph": _GRAPH,
    b"lower": _LOWER,
    b"print": _GRAPH | {32},
    b"punct": _GRAPH - _DIGITS - _LOWER - _UPPER,
    b"space": _SPACE,
    b"upper": _UPPER,
    b"xdigit": _DIGITS | frozenset(b"abcdefABCDEF"),
}
_EVERY = frozenset(range(1, 256))
_SLASH = 47

# A token: an int is a literal byte, a frozenset one byte of it, and these:
STAR = "star"
_FOLDERS = "folders"  # `**/`: any number of folders
_BELOW = "below"  # `**` before an escaped slash: at least one folder
_ANYTHING = "anything"  # `**` at the end
Token = int | str | frozenset[int]

ANY_DEPTH = -1


class BadPatternError(ValueError):
    """A pattern that can never match."""


def _set(text: bytes, at: int) -> tuple[frozenset[int], int]:
    """The bytes that a bracket expression matches, and the place of its closing bracket."""
    end = len(text)

    def byte(place: int) -> int:
        if place >= end:
            raise BadPatternError
        return text[place]

    at += 1
    negated = byte(at) in b"!^"
    at += negated
    found: set[int] = set()
    previous, current = 0, byte(at)
    while True:
        if current == 92:
            at += 1
            current = byte(at)
            found.add(current)
        elif current == 45 and previous and at + 1 < end and text[at + 1] != 93:
            at += 1
            current = byte(at)
            if current == 92:
                at += 1
                current = byte(at)
            found.update(range(previous, current + 1))
            current = 0
        elif current == 91 and text[at + 1 : at + 2] == b":":
            start = at + 2
            close = text.find(b"]", start)
            if close < 0:
                raise BadPatternError
            if close == start or text[close - 1] != 58:
                found.add(91)
            else:
                members = _CLASSES.get(text[start : close - 1])
                if members is None:
                    raise BadPatternError
                found |= members
                at, current = close, 0
        else:
            found.add(current)
        previous = current
        at += 1
        current = byte(at)
        if current == 93:
            return (_EVERY - found if negated else frozenset(found)), at


def tokens(text: bytes, whole_path: bool) -> list[Token]:
    """Take a pattern apart; where paths are matched whole, `**` may mean folders."""
    found: list[Token] = []
    end = len(text)
    special = SPECIAL.search(text)
    # Git compares the part before the first wildcard apart, so a `**` just there counts as a start.
    start = special.start() if special else end
    at = 0
    while at < end:
        byte = text[at]
        if byte == 42:
            first = at
            while at < end and text[at] == 42:
                at += 1
            rest = text[at : at + 2]
            opens = first == start or text[first - 1] == _SLASH
            if not whole_path or at - first == 1 or not opens or rest[:1] not in (b"", b"/", b"\\"):
                found.append(STAR)
            elif not rest:
                found.append(_ANYTHING)
            elif rest[:1] == b"/":
                found.append(_FOLDERS)
                at += 1
            elif rest == b"\\/":
                found.append(_BELOW)
                at += 2
            else:
                found.append(STAR)
            continue
        if byte == 63:
            found.append(_EVERY)
        elif byte == 91:
            members, at = _set(text, at)
            found.append(members)
        elif byte == 92:
            at += 1
            if at == end:
                raise BadPatternError
            found.append(text[at])
        else:
            found.append(byte)
        at += 1
    return found


def _class(members: frozenset[int]) -> bytes:
    """A character class, written as ranges: a negated set would otherwise name 255 bytes."""
    if not members:
        raise BadPatternError
    ranges: list[tuple[int, int]] = []
    for member in sorted(members):
        if ranges and ranges[-1][1] == member - 1:
            ranges[-1] = (ranges[-1][0], member)
        else:
            ranges.append((member, member))
    return b"[" + b"".join(b"\\x%02x-\\x%02x" % range_ for range_ in ranges) + b"]"


def _chunk(tokens: list[Token], slash: bool) -> bytes:
    """A run without stars. A wildcard for one byte never matches a slash where paths are matched whole."""
    parts = []
    for token in tokens:
        if isinstance(token, int):
            parts.append(re.escape(bytes((token,))))
        elif token is _EVERY:
            parts.append(b"[^/]" if slash else b".")
        elif isinstance(token, frozenset):
            parts.append(_class(token - {_SLASH} if slash else token))
    return b"".join(parts)


def _split(tokens: list[Token], at: str | int) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if type(token) is type(at) and token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _segment(tokens: list[Token], slash: bool) -> bytes:
    """One name: the run after each star takes its earliest place, the last one stands at the end."""
    first, *others = (_chunk(part, slash) for part in _split(tokens, STAR))
    if not others:
        return first
    any_byte = b"[^/]" if slash else b"."
    middle = b"".join(b"(?>%b*?%b)" % (any_byte, other) for other in others[:-1] if other)
    return first + middle + any_byte + b"*" + others[-1]


def _section(tokens: list[Token]) -> bytes:
    return b"/".join(_segment(part, slash=True) for part in _split(tokens, _SLASH))


def regex(tokens: list[Token], whole_path: bool) -> bytes:
    """A regular expression without captures, to be matched against all of the name or path."""
    if not whole_path:
        return _segment(tokens, slash=False)
    out: list[bytes] = []
    lead, section = b"", list[Token]()
    for token in tokens:
        if token in (_FOLDERS, _BELOW):
            # Sections between two `**/` end in a slash; the earliest place leaves the most for the rest.
            out.append(b"(?>%b%b)" % (lead + b"?", _section(section)) if lead else _section(section))
            lead = b"(?:[^/]*/)" + (b"*" if token == _FOLDERS else b"+")
            section = []
        elif token == _ANYTHING:
            return b"".join(out) + lead + _section(section) + b".*"
        else:
            section.append(token)
    return b"".join(out) + lead + _section(section)


def depth(tokens: list[Token]) -> int:
    """How many folders deep the paths lie that a whole-path pattern can match, or `ANY_DEPTH`."""
    if any(token in (_FOLDERS, _BELOW, _ANYTHING) for token in tokens):
        return ANY_DEPTH
    return tokens.count(_SLASH)
