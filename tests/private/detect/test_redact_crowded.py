"""What the rules look for, repeated without a break: it costs no more than honest text full of findings."""

from __future__ import annotations

import random
import time

import pytest

from plantwin.private.detect import Detector, detector
from plantwin.private.detect.rules import load, text_of

NAMES = (
    b"pass pwd pw secret token cred key auth access private pat login api jwt sid session cookie salt seed otp pin dsn"
)
SHAPES = (
    b"%s",
    b"%s=",
    b"%s:",
    b"%s-",
    b"%s ",
    b'%s="',
    b"%s_",
    b"%s=a&",
    b"%s.",
    b"%s\\",
    b"--%s ",
    b"<%s>",
    b"%s => ",
)
SCREEN = 4_000
FACTOR = 6
"""How much dearer than honest text a byte may be; before hits were gathered it was a hundred and more."""


def pieces() -> list[bytes]:
    """Beginnings of every example, every plain keyword, every shape of assignment, and pairs of them."""
    found: set[bytes] = set()
    for rule in load():
        found.update(text_of(example).encode()[:12] for example in rule.examples)
        found.update(word.encode() + b"=" for word in rule.keywords[:4] if word.isalnum())
    found.update(shape % name for shape in SHAPES for name in NAMES.split())
    single = sorted(each for each in found if each)
    choose = random.Random(7)
    return single + [choose.choice(single) + choose.choice(single) for _ in range(200)]


def cost(found: Detector, piece: bytes, size: int, path: str = "", tries: int = 1) -> float:
    """Processor seconds for so many bytes of a piece, the best of some tries."""
    data = (piece * (size // len(piece) + 1))[:size]
    spent = []
    for _ in range(tries):
        begin = time.process_time()
        found.scan(data, path=path)
        spent.append(time.process_time() - begin)
    return min(spent)


def honest(found: Detector, size: int) -> float:
    """The same for a log with a secret, an address and a number in every line."""
    line = b"10:24:31 worker-7 from 10.0.4.17 user=jane@shop.example token=aB3dE5fG7hJ9kL1mN2pQ4r status=200\n"
    return cost(found, line, size, "service.log", tries=3)


@pytest.mark.parametrize("path", ["", "notes.md"])
def test_nothing_repeated_is_dearer_than_honest_text(path: str) -> None:
    found = detector()
    found.scan(b"warm")
    dear = sorted(pieces(), key=lambda piece: cost(found, piece, SCREEN, path), reverse=True)[:4]
    unit = honest(found, 200_000) / 200_000
    for piece in dear:
        small = cost(found, piece, 200_000, path, tries=2)
        if small > FACTOR * unit * 200_000:
            small = cost(found, piece, 200_000, path, tries=4)
        assert small < FACTOR * unit * 200_000, (piece, small)
        assert cost(found, piece, 400_000, path) < 3 * small + 0.1, piece


def test_a_secret_behind_a_crowd_is_found() -> None:
    crowd = b"key=" * 20_000
    value = b"aB3dE5fG7hJ9kL1mN2pQ4r"
    data = crowd + b"\npassword=" + value + b"\n" + crowd + b" password=" + value
    places = [(each.start, each.end) for each in detector().scan(data) if each.group == "secret"]
    for start in (len(crowd) + 10, len(data) - len(value)):
        assert any(first <= start and last == start + len(value) for first, last in places)


def test_a_token_among_hits_in_vain_is_found() -> None:
    token = b"ghp_" + b"Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
    crowd = b"googlesecret" * 4_000 + b"ghp_" * 4_000
    for data in (crowd + b" " + token + b" " + crowd, crowd + b'"' + token + b'"'):
        assert data.index(token) in {each.start for each in detector().scan(data) if each.type.startswith("github")}
