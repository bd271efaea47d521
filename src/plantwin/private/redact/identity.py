"""National ids of further countries, and the verdict on a number that stands beside the name of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from plantwin.private.redact.checkdigits import NATIONAL, china_id, finland_hetu, italy_cf, luhn, spain_dni

_SEPARATORS = b" .-/\xc2\xa0"


def _sum(digits: bytes, weights: tuple[int, ...]) -> int:
    return sum((byte - 48) * weight for byte, weight in zip(digits, weights, strict=False))


def _born(year: bytes, month: int, day: bytes) -> bool:
    """Whether this is a day, in a year of two digits of which the century is unknown."""
    try:
        date(2000 + int(year), month, int(day))
    except ValueError:
        return False
    return True


def brazil_cnpj(digits: bytes) -> bool:
    """Brazil, companies: two modulus 11 digits."""
    for size, weights in ((12, (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)), (13, (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))):
        rest = _sum(digits, weights) % 11
        if (0 if rest < 2 else 11 - rest) != digits[size] - 48:
            return False
    return True


def denmark_cpr(digits: bytes) -> bool:
    """Denmark: a birth date; its check digit was given up."""
    return _born(digits[4:6], int(digits[2:4]), digits[:2])


def switzerland_ahv(digits: bytes) -> bool:
    """Switzerland: 756 and the check of an article number."""
    return digits.startswith(b"756") and _sum(digits, (1, 3) * 6 + (1,)) % 10 == 0


def portugal_nif(digits: bytes) -> bool:
    """Portugal: modulus 11."""
    rest = _sum(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest < 2 else 11 - rest) == digits[8] - 48


def argentina_cuit(digits: bytes) -> bool:
    """Argentina: modulus 11 behind a kind of person."""
    kind = digits[:2] in (b"20", b"23", b"24", b"27", b"30", b"33", b"34")
    return kind and (11 - _sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11 == digits[10] - 48


def czech_number(digits: bytes) -> bool:
    """Czechia and Slovakia: a birth date, 50 or 20 more in some months, and divisible by 11."""
    month = int(digits[2:4]) % 50
    month -= 20 if month > 20 else 0
    return _born(digits[:2], month, digits[4:6]) and int(digits[:9]) % 11 % 10 == digits[9] - 48


def bulgaria_egn(digits: bytes) -> bool:
    """Bulgaria: a birth date with the century in the month, and modulus 11."""
    month = int(digits[2:4]) % 20
    return (
        _born(digits[:2], month, digits[4:6]) and _sum(digits, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == digits[9] - 48
    )


def romania_cnp(digits: bytes) -> bool:
    """Romania: sex and century, a birth date, and modulus 11."""
    rest = _sum(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return _born(digits[1:3], int(digits[3:5]), digits[5:7]) and (1 if rest == 10 else rest) == digits[12] - 48


def japan_number(digits: bytes) -> bool:
    """Japan: modulus 11 from the right."""
    rest = _sum(digits, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest < 2 else 11 - rest) == digits[11] - 48


def russia_snils(digits: bytes) -> bool:
    """Russia, insurance: a weighted sum modulo 101."""
    return _sum(digits, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101 % 100 == int(digits[9:])


def russia_inn(digits: bytes) -> bool:
    """Russia, taxes: two modulus 11 digits."""
    first = _sum(digits, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    second = _sum(digits, (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return (first, second) == (digits[10] - 48, digits[11] - 48)


def greece_amka(digits: bytes) -> bool:
    """Greece: a birth date and Luhn."""
    return _born(digits[4:6], int(digits[2:4]), digits[:2]) and luhn(digits)


def ireland_pps(value: bytes) -> bool:
    """Ireland: a letter for the sum modulo 23, perhaps one more that counts nine times."""
    total = _sum(value, (8, 7, 6, 5, 4, 3, 2)) + (9 * (value[8] - 64) if len(value) == 9 and value[8] != 87 else 0)
    return b"WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == value[7]


def chile_rut(value: bytes) -> bool:
    """Chile: modulus 11 from the right, K for ten."""
    total = sum((byte - 48) * (2 + place % 6) for place, byte in enumerate(reversed(value[:-1])))
    return b"0K987654321"[total % 11] == value[-1]


def singapore_nric(value: bytes) -> bool:
    """Singapore: a letter of the table of its first one."""
    total = _sum(value[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if value[:1] in b"TG" else 3 if value[:1] == b"M" else 0)
    table = b"JZIHGFEDCBA" if value[:1] in b"ST" else b"XWUTRQPNMLK" if value[:1] in b"FG" else b"XWUTRQPNJLK"
    return table[total % 11] == value[8] or value[:1] == b"M"


def mexico_curp(value: bytes) -> bool:
    """Mexico: a birth date inside, and modulus 10 over places in the alphabet."""
    order = b"0123456789ABCDEFGHIJKLMN\xd1OPQRSTUVWXYZ"
    total = sum(order.index(byte) * (18 - place) for place, byte in enumerate(value[:17]))
    return _born(value[4:6], int(value[6:8]), value[8:10]) and (10 - total % 10) % 10 == value[17] - 48


def germany_pension(value: bytes) -> bool:
    """Germany, pensions: the letter as two digits, products summed by their digits."""
    digits = value[:8] + b"%02d" % (value[8] - 64) + value[9:11]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = [(byte - 48) * weight for byte, weight in zip(digits, weights, strict=True)]
    return sum(each // 10 + each % 10 for each in products) % 10 == value[11] - 48


def _always(_value: bytes) -> bool:
    """No check is known: the form and the name beside it tell."""
    return True


DIGITS: dict[int, tuple[Callable[[bytes], bool], ...]] = {
    9: (portugal_nif,),
    10: (denmark_cpr, czech_number, bulgaria_egn),
    11: (argentina_cuit, russia_snils, greece_amka),
    12: (japan_number, russia_inn),
    13: (switzerland_ahv, romania_cnp),
    14: (brazil_cnpj,),
}
"""By length, beside those of `checkdigits.NATIONAL`."""
LETTERED: tuple[tuple[re.Pattern[bytes], Callable[[bytes], bool]], ...] = tuple(
    (re.compile(form), check)
    for form, check in (
        (rb"\d{7}[A-W][A-IW]?", ireland_pps),
        (rb"\d{7,8}[\dK]", chile_rut),
        (rb"[STFGM]\d{7}[A-Z]", singapore_nric),
        (rb"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", mexico_curp),
        (rb"[0-8]\d{7}[A-Z]\d{3}", germany_pension),
        (rb"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]", _always),  # India, taxes
        (rb"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]", _always),  # United Kingdom, insurance
        (rb"[XYZ\d]\d{7}[A-Z]", spain_dni),
        (rb"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", italy_cf),
        (rb"\d{17}X", china_id),
    )
)


def national(value: bytes) -> bool:
    """Whether a number beside the name of a national id satisfies the check of any country."""
    upper = value.upper()
    if finland_hetu(upper):
        return True
    bare = upper.translate(None, _SEPARATORS)
    if bare.isdigit():
        if len(set(bare)) < 3:
            return False
        checks = (*NATIONAL.get(len(bare), ()), *DIGITS.get(len(bare), ()))
        if any(check(bare) for check in checks):
            return True
    return any(form.fullmatch(bare) is not None and check(bare) for form, check in LETTERED)
