"""Letters beyond ASCII, byte order marks, and inputs that are no text."""

from __future__ import annotations

import random

import pytest

from plantwin.private.detect import detector
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.stream import blocks
from tables import rows_of

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
ADDRESSES = rows_of(__file__, "addresses")


def values(data: bytes, path: str = "a.log", type_: str = "email") -> list[bytes]:
    return [data[each.start : each.end] for each in detector().scan(data, path=path) if each.type == type_]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("around", ["{}", "an {} bitte", "<{}>", "to={};", '"{}",', "“{}”", "({}).", "mailto:{}?x"])
def test_addresses_are_found_whole(address: str, around: str) -> None:
    assert values(around.format(address).encode()) == [address.encode()]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_redaction_leaves_nothing_of_them(address: str, encoding: str) -> None:
    data = f"write to {address}, as soon as you can\n".encode(encoding)
    left = b"".join(Redaction().run(blocks(detector(), [data], "a.log"))).decode(encoding)
    assert left == "write to <EMAIL_1>, as soon as you can\n"


def test_latin_1_letters_inside_an_address() -> None:
    data = "an j\xfcrgen.m\xfcller@granite-hill.org und anna@m\xfcller-hill.de\n".encode("latin-1")
    assert values(data) == [b"j\xfcrgen.m\xfcller@granite-hill.org", b"anna@m\xfcller-hill.de"]


def test_text_around_is_no_part_of_an_address() -> None:
    assert values("请联系mara@granite.org的邮箱".encode()) == [b"mara@granite.org"]
    assert values("—mara@granite.org— «mara@granite.org»".encode()) == [b"mara@granite.org"] * 2
    assert values("Café@bar naïve@ über@x @münchen.de".encode()) == []


@pytest.mark.parametrize("text", ["Summer holidays are near.\n", "Requirements of the tool\nfollow here.\n"])
def test_a_byte_order_mark_makes_no_name(text: str) -> None:
    assert detector().scan(text.encode("utf-8-sig")) == detector().scan(text.encode()) == []


def junk(size: int, seed: int = 7) -> bytes:
    return random.Random(seed).randbytes(size)


def test_in_binary_input_a_secret_proves_itself() -> None:
    strings = b"\0".join(
        [b"tok_trieIterNvMs8Xq2LpT5vB9kR3wZ", b'password = "Gr4nite#Hill7"', b"secret_key: 9f8b7c6d5e4f3a2b1c0d", b"x"]
    )
    plain = detector().scan(strings.replace(b"\0", b"\n"), path="a.conf")
    assert any(each.group == "secret" for each in plain)
    data = junk(8_000) + b"\0" + strings + b"\0" + TOKEN.encode() + b"\0" + junk(8_000, 8)
    found = [each for each in detector().scan(data, path="lib.so") if each.group == "secret"]
    assert [(each.type, data[each.start : each.end]) for each in found] == [("github_token", TOKEN.encode())]
    assert [row for row in detector().survey(data, path="lib.so") if row[1] == "secret"] == [
        ("github_token", "secret", "high", 1)
    ]


def test_a_private_key_in_binary_input() -> None:
    body = "MC4CAQAwBQYDK2VwBCIEIH" + "9sTqLxY2vNfQw8Rb3Jk6Zp1Dc5Ha7Ue4GmXoVyKt"
    key = f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n".encode()
    found = detector().scan(junk(8_000) + b"\0" + key + b"\0" + junk(500, 9), path="lib.so")
    assert "private_key" in {each.type for each in found}


def test_text_with_a_few_zeros_or_after_many_is_text() -> None:
    secret = b'password = "Gr4nite#Hill7"\n'
    line = b"nothing to see in this line of the settings\n"
    for data in (line * 9 + b"\0" + secret, b"\0" * 20_000 + line * 9 + secret + line * 9):
        found = detector().scan(data, path="app.conf")
        assert [each.type for each in found if each.group == "secret"] == ["password"]
