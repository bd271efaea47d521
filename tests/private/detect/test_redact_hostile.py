"""Hostile input: nothing crashes, nothing hangs, time grows with size."""

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


@pytest.fixture(scope="module")
def found() -> Detector:
    return detector()


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
    quarter = min(seconds(found, data[: SIZE // 4], path) for _ in range(2))
    whole = min(seconds(found, data, path) for _ in range(3))
    assert whole < 8 * quarter + 0.1
    assert whole < 2.0


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
