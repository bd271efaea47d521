"""Check digits: a valid number of each country passes, the same with one digit changed does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plantwin.private.redact import checkdigits as check

VALID: list[tuple[Callable[[bytes], bool], bytes]] = [
    (check.luhn, b"4539148803436467"),
    (check.iban, b"DE89370400440532013000"),
    (check.iban, b"GB82WEST12345698765432"),
    (check.uk_nhs, b"9434765919"),
    (check.canada_sin, b"130692544"),
    (check.germany_tax, b"86095742719"),
    (check.france_nir, b"255081416802538"),
    (check.netherlands_bsn, b"111222333"),
    (check.belgium_nrn, b"85073003328"),
    (check.poland_pesel, b"44051401359"),
    (check.brazil_cpf, b"52998224725"),
    (check.india_aadhaar, b"234123412346"),
    (check.australia_tfn, b"876543210"),
    (check.sweden_pn, b"8112189876"),
    (check.china_id, b"11010519491231002X"),
    (check.south_africa_id, b"8001015009087"),
    (check.turkey_tc, b"10000000146"),
    (check.spain_dni, b"12345678Z"),
    (check.finland_hetu, b"131052-308T"),
    (check.italy_cf, b"RSSMRA85T10A562S"),
]


@pytest.mark.parametrize(("function", "number"), VALID, ids=lambda value: getattr(value, "__name__", ""))
def test_valid(function: Callable[[bytes], bool], number: bytes) -> None:
    assert function(number)


@pytest.mark.parametrize(("function", "number"), VALID, ids=lambda value: getattr(value, "__name__", ""))
def test_a_changed_digit_fails(function: Callable[[bytes], bool], number: bytes) -> None:
    place = next(place for place in range(len(number) - 2, -1, -1) if number[place : place + 1].isdigit())
    digit = (number[place] - 48 + 1) % 10
    assert not function(number[:place] + b"%d" % digit + number[place + 1 :])


@pytest.mark.parametrize(
    "number", [b"000121234", b"666121234", b"900121234", b"219001234", b"219120000", b"123456789", b"21945123"]
)
def test_impossible_social_security_numbers(number: bytes) -> None:
    assert not check.us_ssn(number)
    assert check.us_ssn(b"219451234")


@pytest.mark.parametrize(
    "function",
    sorted({function for each in check.NATIONAL.values() for function in each}, key=lambda f: f.__name__),
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("number", [b"", b"1", b"0" * 11, b"9" * 40])
def test_odd_lengths_never_raise(function: Callable[[bytes], bool], number: bytes) -> None:
    if len(number) >= 11:
        assert function(number) in (True, False)


def test_at_least_twelve_countries() -> None:
    names = {function.__name__.split("_")[0] for each in check.NATIONAL.values() for function in each}
    assert len(names | {"spain", "finland", "italy"}) >= 12
