"""A stream finds what a scan finds, whatever the chunks, in bounded memory."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.private.detect import Detector, detector, stream

pytestmark = pytest.mark.usefixtures("small_segments")
TOKEN = b"ghp_" + b"Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
SMALL = 64 << 10
KEY = b"MIIEowIBAAKCAQEAx5n3VbqVdR0Hc8Kz1W2mQ9yPpLr7TfJ3uYxG4sDh6AoBvNki\n"
VALUES = (
    TOKEN,
    b'password = "Gr4nite#Hill"',
    b"mara.brandt@granite.org",
    b"84.22.107.9",
    b"-----BEGIN RSA PRIV" + b"ATE KEY-----\n" + KEY * 100 + b"-----END RSA PRIV" + b"ATE KEY-----",
)


def filler(size: int, seed: int) -> bytearray:
    words = [b"lorem", b"ipsum", b"dolor", b"sit;", b"amet,", b"x = 1\n", b"\n", b"--", b"{", b"}"]
    chosen = random.Random(seed)
    out = bytearray()
    while len(out) < size:
        out += chosen.choice(words) + b" "
    return out


def planted(size: int, places: list[int], seed: int) -> bytes:
    data = filler(size, seed)
    for number, place in enumerate(places):
        value = b" " + VALUES[number % len(VALUES)] + b" "
        data[place : place + len(value)] = value
    return bytes(data)


@settings(max_examples=20, deadline=None)
@given(
    places=st.lists(st.integers(0, 3 * SMALL - 8192), max_size=12),
    cuts=st.lists(st.integers(1, 3 * SMALL), max_size=8),
    seed=st.integers(0, 99),
)
def test_chunking_changes_nothing(places: list[int], cuts: list[int], seed: int) -> None:
    found = detector()
    data = planted(3 * SMALL, places, seed)
    expected = found.scan(data)
    following = found.stream()
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    for start, end in itertools.pairwise(edges):
        following.feed(data[start:end])
    assert following.finish() == expected
    assert sum(count for *_, count in following.summary()) == len(expected)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("shift", [0, 1, 7, 20, 4000])
def test_values_across_a_cut_are_found_whole(found: Detector, value: bytes, shift: int) -> None:
    place = SMALL - shift
    data = bytes(filler(3 * SMALL, 1))
    data = data[:place] + b"\n" + value + b"\n" + data[place:]
    findings = found.scan(data)
    (alone,) = found.scan(b"\n" + value + b"\n")
    assert [(each.type, each.start, each.end) for each in findings] == [
        (alone.type, place + alone.start, place + alone.end)
    ]


def test_byte_by_byte(found: Detector) -> None:
    data = bytes(filler(2000, 3)) + TOKEN + bytes(filler(2000, 4))
    following = found.stream()
    for byte in data:
        following.feed(bytes((byte,)))
    assert following.finish() == found.scan(data)


def test_memory_is_one_segment(found: Detector) -> None:
    following = found.stream()
    for _ in range(12):
        following.feed(b"a" * SMALL)
        assert len(following._buffer) <= SMALL + 2 * stream.MARGIN
    assert following.finish() == []


def test_the_limit_keeps_counting(found: Detector) -> None:
    following = found.stream(limit=3)
    following.feed(b"mara@granite.org\n" * 10)
    assert len(following.finish()) == 3
    assert following.summary() == (("email", "personal", "medium", 10),)


def test_a_saturated_summary_still_sees_every_secret(found: Detector) -> None:
    line = b"84.22.107.9 GET /index\n"
    block = line * (SMALL // len(line))
    following = found.stream("access.log", summary=True)
    for number in range(40):
        following.feed(block + (b"token " + TOKEN + b"\n" if number % 5 == 0 else b""))
    assert following.finish() == []
    counts = {type_: count for type_, _, _, count in following.summary()}
    assert counts["github_token"] == 8
    # Counting stopped far below the hundred thousand that are there, and far above "many".
    assert stream.SATURATED <= counts["ipv4"] < 20_000


def test_finish_is_final(found: Detector) -> None:
    following = found.stream()
    following.feed(TOKEN)
    assert following.finish() == following.finish() != []


def test_wide_text_over_cuts(found: Detector) -> None:
    text = "x" * SMALL + " token " + TOKEN.decode() + " " + "ü" * SMALL
    data = text.encode("utf-16")
    (finding,) = found.scan(data)
    assert data[finding.start : finding.end].decode("utf-16-le") == TOKEN.decode()


def test_dense_json_costs_few_looks(found: Detector) -> None:
    """What is assigned to `key` is a word nearly always: it must not be looked at, one by one."""
    data = b'{"key": "value", "list": [1,2,3]}' * 3_000
    assert found._hits(data, False) == []
    assert len(found._hits(b'{"time": "2024-03-17T10:20:30Z", "token_count": 12}\n' * 3_000, False)) < 100


def test_a_name_seen_often_hides_nothing_else(found: Detector) -> None:
    sessions = b"".join(
        b'{"session": "%032x"}\n' % (number * 0x9E3779B97F4A7C15F39CC0605CEDC835) for number in range(1, 2_000)
    )
    last = (
        b'{"api_key": "q8ZtX2eM5wCjUgRyLf0O7aKb3S"}\n{"session": "'
        + b"ghp_"
        + b"Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
        + b'"}\n'
    )
    counts = {
        (type_, confidence): count for type_, _, confidence, count in found.survey(sessions + last, path="a.jsonl")
    }
    assert counts["assigned_secret", "high"] == 1
    assert any(type_ == "github_token" for type_, _ in counts)
    assert counts["assigned_secret", "medium"] >= 100
