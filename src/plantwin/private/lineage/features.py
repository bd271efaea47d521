"""What of a content shows that another descends from it: samples of its lines, pieces and values, as keyed digests.

    lines    of any text, without their blanks
    pieces   of text in very long lines (minified) and of JSON, however it is laid out: what stands between its marks
    values   of small text: runs of six characters of what is no key and no common word, in whatever format it stands
    whole    of small text: all its lines, in any order, without their blanks

A sample holds the smallest hashes (bottom-k), in their order: so one that is part of another can be told.
"""

from __future__ import annotations

import os
import re
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from plantwin.lexicon import words
from plantwin.private.observe.git import Command, CommandError
from plantwin.private.observe.ignore import repository

RENAMES = 2000
"""Renames that git is asked for at most."""


def former_paths(path: str, renames: Mapping[str, set[str]]) -> set[str]:
    """Every name that a path had before, over any number of renames."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        for old in renames.get(waiting.pop(), ()):
            if old not in found:
                found.add(old)
                waiting.append(old)
    return found


def renames_in(root: Path) -> dict[str, set[str]]:
    """New name to old names, as git knows them: committed and staged. Comparing the work tree could run filters."""
    real = Path(os.path.realpath(root))
    if repository(real) is None:
        return {}
    found: dict[str, set[str]] = {}
    shared = ("-z", "--name-status", "--diff-filter=R", "-M30%", "--relative", "--no-ext-diff", "--no-textconv")
    quiet = ("--ignore-submodules=all", "-O/dev/null")
    for arguments in (
        ("log", f"--max-count={RENAMES}", "--format=", *shared, *quiet, "HEAD", "--"),
        ("diff-index", "--cached", *shared, *quiet, "HEAD", "--"),
    ):
        try:
            fields = iter(list(Command(real, time.monotonic() + 20).fields(arguments, 16 << 20)))
        except CommandError:
            continue
        for field in fields:
            if field.lstrip(b"\n").startswith(b"R"):
                old, new = next(fields, b""), next(fields, b"")
                found.setdefault(os.fsdecode(new), set()).add(os.fsdecode(old))
    return found


SMALL: Final = 8 << 10
"""Text up to so many bytes is compared by its values too; code up to half of it."""
SKETCHED: Final = 24 << 10
"""Of text up to so many bytes the index keeps a sketch of all lines."""
SHARE: Final = 0.5
"""Share of a sample that makes one content a descendant of another."""
_LEAST: Final = 3
"""Common hashes below this are chance."""
_SHORTEST: Final = 8
"""Braces, `else:`, `return` and the like are in every file and say nothing."""
_FEWEST: Final = 5
"""Lines or pieces below this are too few to compare."""
_LONG: Final = 200
"""Bytes of a mean line from which a text counts as one in very long lines."""
_MARKED: Final = 100
"""Bytes to a semicolon below which pieces are compared as well as lines."""
_RUN: Final = 6
_TINY: Final = (3, 8)
"""Settings of which all but one make a content another's descendant; of two, one and the other's name."""
_CREDENTIAL: Final = re.compile(rb"""(?i)["']?[\w.-]*(?:pass|pwd|secret|token|key|pin|auth|cred)[\w.-]*["']?[=:]""")
_NAME: Final = re.compile(rb"[=:]")
_COMMENTS: Final = (b"#", b";")
_SIZES: Final = (32, 32, 64)
"""Hashes in a full sample of lines, pieces and values."""
_LINES, _PIECES, _VALUES, _WHOLE = range(4)
_MARKS: Final = bytes.maketrans(b";{}[],<>&", b"\n" * 9)
_QUOTED = re.compile(rb"""["']([^"'\s]{8,200})["']""")
_KEY = re.compile(rb"""(?<![\w.-])[\w.-]++["']?[ \t]*+(?::(?!//)|=(?=[ \t]*["']?[^\s"',}\])=])|[=~<>!]=(?=\d))""")
_TOKEN = re.compile(rb"[A-Za-z0-9\x80-\xff]{6,}")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


class Features(NamedTuple):
    """Keyed digests, each list in the order of the hashes that they stand for."""

    lines: tuple[int, ...] = ()
    pieces: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    """Of small text all lines together, and of few settings all but each one."""


class Likeness(NamedTuple):
    """How two contents stand to each other."""

    related: bool
    """One is, or holds, much of the other."""
    near: bool
    """Each holds most of the other's values."""


def features(data: bytes, sketch: bytes, key: bytes, *, code: bool) -> Features:
    """Features of a content; none for what is no text.

    `sketch`: of its lines, as the index keeps it. `code`: whether its values stand in quotes.
    """
    # Needed for new content alone, and slow to load.
    from plantwin.private.formats.text import narrow, wide

    codec = wide(data)
    if codec:
        data = narrow(data, codec)
    if b"\0" in data[:1024]:
        return Features()
    lines = line_features(sketch, key) if sketch and len(data) <= SKETCHED else None
    small = len(data) <= (SMALL // 2 if code else SMALL)
    long = len(data) > _LONG * (data.count(b"\n") + 1) or data[:64].lstrip()[:1] in (b"{", b"[")
    long = long or data.count(b";") * _MARKED > len(data)  # what may be a bundle that was laid out in lines again
    if lines and not small and not long:
        return Features(lines)
    bare = data.removeprefix(b"\xef\xbb\xbf").translate(None, b" \t\r")
    split = bare.split(b"\n")
    whole = _wholes(split, key, code=code) if small and len(bare) >= _SHORTEST else ()
    return Features(
        lines or _sampled(_LINES, _hashes(split), key),
        _sampled(_PIECES, _hashes(bare.translate(_MARKS).split(b"\n")), key) if long else (),
        _sampled(_VALUES, _values(data, code=code), key) if small else (),
        whole,
    )


def line_features(sketch: bytes, key: bytes) -> tuple[int, ...]:
    """Features from a sketch of lines."""
    return _sampled(_LINES, set(struct.unpack(f">{len(sketch) // 4}I", sketch[: len(sketch) // 4 * 4])), key)


def pack(features: Features) -> bytes:
    """Features as they are kept."""
    return bytes(map(len, features)) + struct.pack(f"<{sum(map(len, features))}q", *chain(*features))


def unpack(kept: bytes) -> Features:
    """Features that were kept."""
    first, second, third, _ = kept[:4]
    numbers = struct.unpack_from(f"<{len(kept) // 8}q", kept, 4)
    second += first
    third += second
    return Features(numbers[:first], numbers[first:second], numbers[second:third], numbers[third:])


def likeness(one: Features, other: Features) -> Likeness:
    """Compare two contents."""
    related = near = not set(one.whole).isdisjoint(other.whole)
    for sample, size in enumerate(_SIZES):
        mine, theirs = one[sample], other[sample]
        shared = set(mine).intersection(theirs)
        if len(shared) >= _LEAST + (sample == _VALUES):
            within = _within(mine, theirs, shared, size)
            around = _within(theirs, mine, shared, size)
            related |= within or around
            near |= sample == _VALUES and within and around
    return Likeness(related, near)


def _within(part: Sequence[int], whole: Sequence[int], shared: set[int], size: int) -> bool:
    """Whether much of the first is in the second."""
    compared = len(part)
    if len(whole) == size and len(shared) > _LEAST and len(shared) < SHARE * compared:
        # A full sample says nothing beyond its last hash: compare up to the last that both hold.
        compared = max(place for place, piece in enumerate(part) if piece in shared) + 1
    return len(shared) >= SHARE * compared


def _hashes(lines: Iterable[bytes]) -> set[int]:
    return set(map(crc32, [line for line in lines if len(line) >= _SHORTEST]))


def _sampled(sample: int, hashes: set[int], key: bytes) -> tuple[int, ...]:
    if len(hashes) < _FEWEST - (sample == _VALUES):
        return ()
    size = _SIZES[sample]
    low: Iterable[int] = hashes
    if len(hashes) > 4 * size:
        # Hashes spread evenly: those below twice the expected last nearly always suffice, and sorting few is cheap.
        bound = (2 * size << 32) // len(hashes)
        few = [value for value in hashes if value < bound]
        low = few if len(few) >= size else hashes
    made = [
        blake2b(value.to_bytes(4, "big"), key=key, digest_size=8, person=b"feature").digest()
        for value in sorted(low)[:size]
    ]
    return tuple([number & ~3 | sample for number in struct.unpack(f">{len(made)}q", b"".join(made))])


def _wholes(lines: Iterable[bytes], key: bytes, *, code: bool) -> tuple[int, ...]:
    """All lines in one; of few settings with a credential also but one value: short ones say nothing by themselves."""
    kept = sorted(filter(None, lines))
    if not code:
        kept = [line for line in kept if line[:1] not in _COMMENTS] or kept
    texts = [kept]
    if not code and len(kept) <= _TINY[1] and any(map(_CREDENTIAL.match, kept)):
        if len(kept) >= _TINY[0]:
            texts += [kept[:place] + kept[place + 1 :] for place in range(len(kept))]
        elif len(kept) == 2:  # either of them may be anywhere
            one, other = kept
            texts += [[_NAME.split(one)[0], other], [one, _NAME.split(other)[0]]]
    made = (blake2b(b"\n".join(text), key=key, digest_size=8, person=b"whole").digest() for text in texts)
    return tuple(dict.fromkeys(int.from_bytes(number, "big", signed=True) & ~3 | _WHOLE for number in made))


def _values(data: bytes, *, code: bool) -> set[int]:
    if code:
        # Words in the quotes of code are names of things more often than values.
        tokens = [token for token in set(_TOKEN.findall(b" ".join(_QUOTED.findall(data)))) if not token.isalpha()]
    else:
        tokens = [token for token in set(_TOKEN.findall(_KEY.sub(b" ", data))) if _tells(token)]
    return {crc32(token[start : start + _RUN]) for token in tokens for start in range(len(token) - _RUN + 1)}


def _tells(token: bytes) -> bool:
    """Whether it is more than common words."""
    if not token.isalpha():
        return True
    text = token.decode("ascii")
    common = words()
    return text.lower() not in common and any(
        word.lower() not in common for word in _WORD.findall(text) if len(word) > 3
    )
