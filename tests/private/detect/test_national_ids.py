"""Check digits: a valid number of each country passes, a changed or odd one does not, and nothing raises."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.errors import ConfigError
from plantwin.private.detect import national_ids as ids
from plantwin.private.detect.rules import load, parse, refused

CHECKS: dict[str, Callable[[bytes], bool]] = {
    **{name: getattr(ids, name) for name in ("luhn", "iban", "us_ssn", "national", "uk_nhs", "spain_dni", "italy_cf")},
    **{
        f"{size} digits {number}": check for size, checks in ids.NATIONAL.items() for number, check in enumerate(checks)
    },
    **{f"{size} named {number}": check for size, checks in ids.NAMED.items() for number, check in enumerate(checks)},
    **{f"lettered {form.pattern!r}": check for form, check in ids.LETTERED if check is not ids._always},
    **{rule.description: ids.stdnum(rule.validator[7:]) for rule in load() if rule.validator.startswith("stdnum:")},
}
TEXT = (
    st.binary(max_size=30)
    | st.text("0123456789", max_size=30).map(str.encode)
    | st.text("0123456789ABCXYZ -.", max_size=30).map(str.encode)
    # Close to valid: a place, a birth date and a rest.
    | st.from_regex(rb"[1-6][0-9]{5}(?:19[0-9]{2}1[0-2]2[0-9]|8[0-9]0[1-9]1[0-9])[0-9]{3,4}X?", fullmatch=True)
)
CANADA, NETHERLANDS, AUSTRALIA = ids.NATIONAL[9][1:4]
GERMANY, BELGIUM, POLAND, BRAZIL, NORWAY, TURKEY = ids.NATIONAL[11]
VALID = [
    (ids.luhn, b"4539148803436467"),
    (ids.luhn, b"4111111111111111"),
    (ids.iban, b"DE89370400440532013000"),
    (ids.iban, b"GB82WEST12345698765432"),
    (ids.uk_nhs, b"9434765919"),
    (CANADA, b"130692544"),
    (NETHERLANDS, b"111222333"),
    (AUSTRALIA, b"876543210"),
    (GERMANY, b"86095742719"),
    (BELGIUM, b"85073003328"),
    (POLAND, b"44051401359"),
    (BRAZIL, b"52998224725"),
    (TURKEY, b"10000000146"),
    (ids.NATIONAL[12][0], b"234123412346"),
    (ids.NATIONAL[15][0], b"255081416802538"),
    (ids.sweden_pn, b"8112189876"),
    (ids.sweden_pn, b"198112189876"),
    (ids.sweden_pn, b"8112789873"),  # A coordination number
    (ids.south_africa_id, b"8001015009087"),
    (ids.south_africa_id, b"8001015009285"),  # A refugee
    (ids.china_id, b"11010519491231002X"),
    (ids.spain_dni, b"12345678Z"),
    (ids.finland_hetu, b"131052-308T"),
    (ids.italy_cf, b"RSSMRA85T10A562S"),
]


@pytest.mark.parametrize("name", CHECKS)
@given(value=TEXT)
def test_no_check_raises(name: str, value: bytes) -> None:
    assert CHECKS[name](value) in (True, False)


@pytest.mark.parametrize(("check", "number"), VALID)
def test_a_valid_number_passes_and_a_changed_one_does_not(check: Callable[[bytes], bool], number: bytes) -> None:
    assert check(number)
    assert check in (ids.luhn, ids.iban) or ids.national(number)
    place = next(place for place in range(len(number) - 2, -1, -1) if number[place : place + 1].isdigit())
    assert not check(number[:place] + b"%d" % ((number[place] - 47) % 10) + number[place + 1 :])


@pytest.mark.parametrize(
    "number", [b"000121234", b"666121234", b"900121234", b"219001234", b"219120000", b"123456789", b"21945123"]
)
def test_impossible_social_security_numbers(number: bytes) -> None:
    assert not ids.us_ssn(number)
    assert ids.us_ssn(b"219451234")


def test_at_least_sixty_kinds_of_numbers() -> None:
    assert len(CHECKS) >= 60


def test_a_rule_of_a_folder_names_no_module() -> None:
    text = "[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='a{4}'\n"
    with pytest.raises(ConfigError):
        parse(text + "module='os'\n")
    assert "validator" in refused(parse(text + "validator='stdnum:util'\n"))
