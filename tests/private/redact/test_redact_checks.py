"""Checks take whatever a pattern hands them: anything but a valid number is refused, nothing raises."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.private.redact import checkdigits

CHECKS = {
    name: check
    for name, check in inspect.getmembers(checkdigits, inspect.isfunction)
    if not name.startswith("_") and check.__module__ == checkdigits.__name__
    and len(inspect.signature(check).parameters) == 1
}  # fmt: skip
TEXT = (
    st.binary(max_size=30)
    | st.text("0123456789", max_size=30).map(str.encode)
    | st.text("0123456789ABCXYZ -.", max_size=30).map(str.encode)
)


def test_there_are_checks():
    assert len(CHECKS) >= 15


@pytest.mark.parametrize("name", CHECKS)
@given(value=TEXT)
def test_no_check_raises(name, value):
    assert CHECKS[name](value) in (True, False)


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        ("luhn", b"4111111111111111", b"4111111111111112"),
        ("iban", b"GB82WEST12345698765432", b"GB82WEST12345698765431"),
        ("china_id", b"11010519491231002X", b"110105194912310021"),
        ("poland_pesel", b"44051401359", b"44051401358"),
    ],
)
def test_known_numbers(name, valid, invalid):
    assert CHECKS[name](valid)
    assert not CHECKS[name](invalid)
