"""Check digits of cards, accounts and national identity numbers.

Most are checked by python-stdnum, imported when a number of the right form first needs it. What is
asked about any long run of digits stays here, because it must be quick: Luhn and the social security
number of the United States. So do the few numbers that stdnum does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

Check = Callable[[bytes], bool]

_SEPARATORS = b" .-/\xc2\xa0"
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_ADVERTISED = (b"078051120", b"219099999", b"123456789", b"987654321")


def luhn(digits: bytes) -> bool:
    """Check the last digit of a card, an IMEI or one of several national numbers."""
    if not digits.isdigit():
        return False
    total = 0
    for place, byte in enumerate(reversed(digits)):
        total += _DOUBLED[byte - 48] if place & 1 else byte - 48
    return total % 10 == 0 and len(set(digits)) > 1


def iban(value: bytes) -> bool:
    """Check an account number by ISO 13616: 97 leaves one, and it has the form of its country."""
    turned = (value[4:] + value[:4]).decode("ascii", "replace")
    try:
        if int("".join(str(int(character, 36)) for character in turned)) % 97 != 1:
            return False
    except ValueError:
        return False
    # Banks' own check digits are not asked: numbers in tests and documents seldom have them.
    return bool(_module("iban").is_valid(value.decode("ascii"), check_country=False))


def us_ssn(digits: bytes) -> bool:
    """Check a US social security number: no area 000, 666 or 9xx, no group 00, no serial 0000, none advertised."""
    area = digits[:3]
    return (
        len(digits) == 9
        and digits.isdigit()
        and area not in (b"000", b"666")
        and area < b"900"
        and digits[3:5] != b"00"
        and digits[5:] != b"0000"
        and digits not in _ADVERTISED
        and len(set(digits)) > 2
    )


@cache
def _module(name: str) -> Any:
    return import_module(f"stdnum.{name}")


def stdnum(name: str, form: bytes = rb".*") -> Check:
    """Return the check of a module of stdnum, which is imported at the first number of this form."""
    fits = re.compile(form).fullmatch

    def check(number: bytes) -> bool:
        number = number.upper()
        if fits(number) is None or len(set(number)) < 3:
            return False
        try:
            return bool(_module(name).is_valid(number.decode("ascii")))
        except (ValueError, LookupError):  # Its tables of places raise KeyError for some that they lack.
            return False

    check.__name__ = name
    return check


def formed(form: bytes, *rules: Check) -> Check:
    """Return a check of the form and then by rules in turn, the quick one first."""
    fits = re.compile(form).fullmatch
    return lambda number: fits(number) is not None and all(rule(number) for rule in rules)


def _weighted(digits: bytes, weights: tuple[int, ...]) -> int:
    return sum((byte - 48) * weight for byte, weight in zip(digits, weights, strict=False))


def brazil_cpf(digits: bytes) -> bool:
    """Check a Brazilian tax number: two modulus 11 digits. Asked of any 11 digits, it must be quick."""
    if len(digits) != 11 or not digits.isdigit() or len(set(digits)) < 3:
        return False
    first = _weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) * 10 % 11 % 10
    second = _weighted(digits, (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) * 10 % 11 % 10
    return (first, second) == (digits[9] - 48, digits[10] - 48)


def _one_digit_repeats(digits: bytes) -> bool:
    """Tell whether a digit of the first ten repeats, as in every German tax number."""
    return len(set(digits[:10])) in (8, 9)


def _last_is_sum(digits: bytes) -> bool:
    """Tell whether the last digit is the sum of the ten before it, as in every Turkish number."""
    return (sum(digits[:10]) - digits[10] + 48) % 10 == 0


def australia_medicare(digits: bytes) -> bool:
    """Check an Australian health card: first digit 2 to 6, ninth a weighted sum."""
    return (
        len(digits) in (10, 11)
        and digits.isdigit()
        and b"2" <= digits[:1] <= b"6"
        and _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8] - 48
    )


def russia_snils(digits: bytes) -> bool:
    """Check a Russian insurance number: a weighted sum modulo 101."""
    return (
        len(digits) == 11
        and digits.isdigit()
        and _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100 == int(digits[9:])
    )


def singapore_nric(value: bytes) -> bool:
    """Check a number of Singapore: a letter of the table of its first one."""
    if re.fullmatch(rb"[STFGM]\d{7}[A-Z]", value) is None:
        return False
    total = _weighted(value[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if value[:1] in b"TG" else 3 if value[:1] == b"M" else 0)
    table = b"JZIHGFEDCBA" if value[:1] in b"ST" else b"XWUTRQPNMLK" if value[:1] in b"FG" else b"XWUTRQPNJLK"
    return table[total % 11] == value[8] or value[:1] == b"M"


def germany_pension(value: bytes) -> bool:
    """Check a German pension number: the letter as two digits, products summed by their digits."""
    if re.fullmatch(rb"[0-8]\d{7}[A-Z]\d{3}", value) is None:
        return False
    digits = value[:8] + b"%02d" % (value[8] - 64) + value[9:11]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = [(byte - 48) * weight for byte, weight in zip(digits, weights, strict=True)]
    return sum(product // 10 + product % 10 for product in products) % 10 == value[11] - 48


def _always(_value: bytes) -> bool:
    """Accept: no check is known, so that the form and the name beside it tell."""
    return True


_MONTH = rb"(?:0[1-9]|1[0-2])"
_DAY = rb"(?:0[1-9]|[12]\d|3[01])"

spain_dni = stdnum("es.nif")
finland_hetu = stdnum("fi.hetu", rb"\d{6}[+\-A-FU-Y]\d{3}[0-9A-Y]")
italy_cf = stdnum("it.codicefiscale", rb"[A-Z0-9]{16}")
# Not `cn.ric`, which refuses places that its table lacks.
china_id = stdnum("iso7064.mod_11_2", rb"\d{6}(?:18|19|20)\d\d" + _MONTH + _DAY + rb"\d{3}[\dX]")
uk_nhs = stdnum("gb.nhs", rb"\d{10}")
# Sweden adds 60 to the day of a coordination number, and South Africa knows refugees as 2: stdnum takes neither.
sweden_pn = formed(
    rb"(?:18|19|20)?\d\d" + _MONTH + rb"(?:[06][1-9]|[1278]\d|[39][01])\d{4}", lambda digits: luhn(digits[-10:])
)
south_africa_id = formed(rb"\d\d" + _MONTH + _DAY + rb"\d{4}[012]\d\d", luhn)

NATIONAL: dict[int, tuple[Check, ...]] = {
    9: (us_ssn, formed(rb"[1-79]\d{8}", luhn), stdnum("nl.bsn"), stdnum("au.tfn"), formed(rb"\d{9}", luhn)),
    10: (uk_nhs, sweden_pn, australia_medicare),
    11: (
        formed(rb"[1-9]\d{10}", _one_digit_repeats, stdnum("de.idnr")),
        stdnum("be.ssn", rb"\d\d[0-5]\d[0-3]\d{6}"),
        stdnum("pl.pesel", rb"\d\d(?:[02468][1-9]|[13579][0-2])" + _DAY + rb"\d{5}"),
        brazil_cpf,
        stdnum("no.fodselsnummer", rb"[0-7]\d[0145]\d{8}"),
        formed(rb"[1-9]\d{9}[02468]", _last_is_sum, stdnum("tr.tckimlik")),
    ),
    12: (stdnum("in_.aadhaar", rb"[2-9]\d{11}"), sweden_pn),
    13: (south_africa_id, stdnum("kr.rrn", rb"\d\d" + _MONTH + _DAY + rb"\d{7}")),
    15: (stdnum("fr.nir", rb"[12]\d\d(?:0[1-9]|1[0-2]|[23]\d|4[0-2])\d{10}"),),
    18: (china_id,),
}
"""Numbers of digits alone, by length, that a word nearby or a whole column of them can tell."""
NAMED: dict[int, tuple[Check, ...]] = {
    9: (stdnum("pt.nif"),),
    10: (stdnum("dk.cpr"), stdnum("cz.rc"), stdnum("bg.egn")),
    11: (stdnum("ar.cuit"), russia_snils, stdnum("gr.amka")),
    12: (stdnum("jp.in_"), stdnum("ru.inn")),
    13: (stdnum("ch.ssn"), stdnum("ro.cnp")),
    14: (stdnum("br.cnpj"),),
}
"""Further ones, for a number right behind the name of a national id."""
LETTERED: tuple[tuple[re.Pattern[bytes], Check], ...] = tuple(
    (re.compile(form), check)
    for form, check in (
        (rb"\d{7}[A-W][A-IW]?", stdnum("ie.pps")),
        (rb"\d{7,8}[\dK]", stdnum("cl.rut")),
        (rb"[STFGM]\d{7}[A-Z]", singapore_nric),
        (rb"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", stdnum("mx.curp")),
        (rb"[0-8]\d{7}[A-Z]\d{3}", germany_pension),
        (rb"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]", stdnum("in_.pan")),
        (rb"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", _always),  # United Kingdom, insurance
        (rb"[XYZ\d]\d{7}[A-Z]", spain_dni),
        (rb"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", italy_cf),
        (rb"\d{17}X", china_id),
        (rb"[12]\d{4}2[AB]\d{8}", stdnum("fr.nir")),  # Corsica
    )
)


def national(value: bytes) -> bool:
    """Tell whether a number beside the name of a national id satisfies the check of any country."""
    upper = value.upper()
    if finland_hetu(upper):
        return True
    bare = upper.translate(None, _SEPARATORS)
    if bare.isdigit():
        if len(set(bare)) < 3:
            return False
        checks = (*NATIONAL.get(len(bare), ()), *NAMED.get(len(bare), ()))
        if any(check(bare) for check in checks):
            return True
    return any(form.fullmatch(bare) is not None and check(bare) for form, check in LETTERED)
