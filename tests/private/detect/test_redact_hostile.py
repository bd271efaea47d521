"""Hostile input: nothing crashes or hangs, time grows with size, repetition costs no more than honest text."""

from __future__ import annotations

import itertools
import os
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.private.detect import Detector, detector
from plantwin.private.detect.context import codec
from plantwin.private.detect.rules import load, text_of
from tables import rows_of

SIZE = 128 << 10
PIECES = [
    b"a",
    b"1234567890",
    b"12 34 ",
    b"password=",
    b'password = "',
    b"a@b.",
    b"eyJ",
    b"-----BEGIN RSA PRIVATE KEY-----",
    b"QUtJQ",
    b"://a:b@",
    b'abcd" + "abcd',
    b"\\u0041\\u0042\\u0043",
    b"Aaa Bbb ",
    b"address is 12 ",
    b"name is John Smith ",
    b"key-",
    b"token ",
    b'"first_name": "A", ',
    b"\xd0\xb0b",
    b"\x00",
    b"github ",
    b"%3D%22",
    b"Author: A B <",
    b"mnemonic abc def ",
    b"aws_secret ",
    b"\xff",
    b"((((",
    b"[[[[",
    b"1.1.",
    b"::",
    b"AKIA",
    b"AAAA-",
    b"\n",
    b"$2b$12$",
    b"\\\\\\\\Users\\\\",
    b"\xe2\x80\x8b",
]


def seconds(found: Detector, data: bytes, path: str) -> float:
    begin = time.process_time()
    findings = found.scan(data, path=path)
    spent = time.process_time() - begin
    assert all(0 <= each.start < each.end <= len(data) for each in findings)
    return spent


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: repr(piece)[2:14])
@pytest.mark.parametrize("path", ["", "letter.md"])
def test_time_is_linear_in_size(found: Detector, piece: bytes, path: str) -> None:
    data = piece * (SIZE // len(piece))
    # Measured again where it looks bad: another process may have taken the caches.
    for attempt in range(3):
        quarter, whole = seconds(found, data[: SIZE // 4], path), seconds(found, data, path)
        if whole < min(2.0, 8 * quarter + 0.1):
            break
        assert attempt < 2, (quarter, whole)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600), st.sampled_from(["", "a.py", "a.csv", "a.md", "x.log", "package-lock.json"]))
def test_any_bytes(data: bytes, path: str) -> None:
    for each in detector().scan(data, path=path):
        assert 0 <= each.start < each.end <= len(data)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map(b"".join))
def test_any_mixture_of_bait(data: bytes) -> None:
    for path in ("", "a.md"):
        findings = detector().scan(data, path=path)
        assert all(left.end <= right.start for left, right in itertools.pairwise(findings))


def test_one_long_line_and_noise_stay_linear(found: Detector) -> None:
    line = b'{"k": "v", "n": 12}, ' * (200 << 10)
    noise = os.urandom(2 << 20)
    for data in (line[: 4 << 20], noise):
        assert seconds(found, data, "a.json") < 6.0


def test_codec_of_anything() -> None:
    chosen = random.Random(5)
    for size in (0, 1, 2, 3, 15, 16, 17, 64):
        assert codec(bytes(chosen.randrange(256) for _ in range(size))) in {"", "utf-16-le", "utf-16-be"}
    assert codec(b"\0" * 64) == ""


NAMES = (
    b"pass pwd pw secret token cred key auth access private pat login api jwt sid session cookie salt seed otp pin dsn"
)
SHAPES = [row.encode() for row in rows_of(__file__, "shapes")]
SCREEN = 1_500
MUCH = 80_000
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
    most = FACTOR * honest(found, MUCH)
    for piece in dear:
        small = cost(found, piece, MUCH, path, tries=2)
        if small > most:
            small = cost(found, piece, MUCH, path, tries=4)
        assert small < most, (piece, small)
        assert cost(found, piece, 2 * MUCH, path) < 3 * small + 0.1, piece


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
