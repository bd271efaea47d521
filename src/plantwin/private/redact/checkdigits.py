"""Check digits of cards, accounts and national identity numbers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import wraps

_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_VERHOEFF_D = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_P = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip
_IBAN_LENGTHS = {
    b"AD": 24, b"AE": 23, b"AL": 28, b"AT": 20, b"AZ": 28, b"BA": 20, b"BE": 16, b"BG": 22, b"BH": 22, b"BR": 29,
    b"BY": 28, b"CH": 21, b"CR": 22, b"CY": 28, b"CZ": 24, b"DE": 22, b"DK": 18, b"DO": 28, b"EE": 20, b"EG": 29,
    b"ES": 24, b"FI": 18, b"FO": 18, b"FR": 27, b"GB": 22, b"GE": 22, b"GI": 23, b"GL": 18, b"GR": 27, b"GT": 28,
    b"HR": 21, b"HU": 28, b"IE": 22, b"IL": 23, b"IQ": 23, b"IS": 26, b"IT": 27, b"JO": 30, b"KW": 30, b"KZ": 20,
    b"LB": 28, b"LC": 32, b"LI": 21, b"LT": 20, b"LU": 20, b"LV": 21, b"LY": 25, b"MC": 27, b"MD": 24, b"ME": 22,
    b"MK": 19, b"MR": 27, b"MT": 31, b"MU": 30, b"NL": 18, b"NO": 15, b"PK": 24, b"PL": 28, b"PS": 29, b"PT": 25,
    b"QA": 29, b"RO": 24, b"RS": 22, b"SA": 24, b"SC": 31, b"SE": 24, b"SI": 19, b"SK": 24, b"SM": 27, b"ST": 25,
    b"SV": 28, b"TL": 23, b"TN": 24, b"TR": 26, b"UA": 29, b"VA": 22, b"VG": 24, b"XK": 20,
}  # fmt: skip


def _of_digits(check: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    """Anything but ASCII digits fails a check of digits, instead of failing the checker."""

    @wraps(check)
    def checked(digits: bytes) -> bool:
        return digits.isdigit() and check(digits)

    return checked


@_of_digits
def luhn(digits: bytes) -> bool:
    """The check of cards, IMEIs and several national numbers."""
    total = 0
    for place, byte in enumerate(reversed(digits)):
        total += _DOUBLED[byte - 48] if place & 1 else byte - 48
    return total % 10 == 0 and len(set(digits)) > 1


def iban(value: bytes) -> bool:
    """ISO 13616: the country's length, and 97 leaves one."""
    value = value.upper()
    if _IBAN_LENGTHS.get(value[:2]) != len(value):
        return False
    turned = (value[4:] + value[:4]).decode("ascii", "replace")
    try:
        return int("".join(str(int(each, 36)) for each in turned)) % 97 == 1
    except ValueError:
        return False


def _weighted(digits: bytes, weights: tuple[int, ...]) -> int:
    return sum((byte - 48) * weight for byte, weight in zip(digits, weights, strict=False))


def _day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _short_day(digits: bytes) -> bool:
    """Whether six digits are a day as YYMMDD."""
    return _day(2000 + int(digits[:2]), int(digits[2:4]), int(digits[4:6]))


@_of_digits
def us_ssn(digits: bytes) -> bool:
    """United States: no area 000, 666 or 9xx, no group 00, no serial 0000, none of the advertised ones."""
    area = digits[:3]
    known = digits in (b"078051120", b"219099999", b"123456789", b"987654321")
    return (
        len(digits) == 9
        and area not in (b"000", b"666")
        and area < b"900"
        and digits[3:5] != b"00"
        and digits[5:] != b"0000"
        and not known
        and len(set(digits)) > 2
    )


@_of_digits
def uk_nhs(digits: bytes) -> bool:
    """United Kingdom, health service: modulus 11."""
    check = 11 - _weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return len(digits) == 10 and check % 11 == digits[9] - 48 and len(set(digits)) > 2


@_of_digits
def canada_sin(digits: bytes) -> bool:
    """Canada: Luhn, no leading 0 or 8."""
    return len(digits) == 9 and digits[:1] not in (b"0", b"8") and luhn(digits)


@_of_digits
def germany_tax(digits: bytes) -> bool:
    """Germany, tax number: ISO 7064 over ten digits of which exactly one repeats."""
    if len(digits) != 11 or digits[0] == 48 or len(set(digits[:10])) not in (8, 9):
        return False
    product = 10
    for byte in digits[:10]:
        total = (byte - 48 + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == digits[10] - 48


@_of_digits
def france_nir(digits: bytes) -> bool:
    """France: sex, year, month, place, and 97 minus the rest."""
    return (
        len(digits) == 15
        and digits[:1] in (b"1", b"2")
        and (1 <= int(digits[3:5]) <= 12 or 20 <= int(digits[3:5]) <= 42)
        and 97 - int(digits[:13]) % 97 == int(digits[13:])
    )


@_of_digits
def netherlands_bsn(digits: bytes) -> bool:
    """Netherlands: the eleven test."""
    return len(digits) == 9 and _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0 and len(set(digits)) > 2


@_of_digits
def belgium_nrn(digits: bytes) -> bool:
    """Belgium: a birth date and modulus 97, with a 2 before it since 2000."""
    if len(digits) != 11 or int(digits[2:4]) > 12 or int(digits[4:6]) > 31:
        return False
    check = int(digits[9:])
    return check in (97 - int(digits[:9]) % 97, 97 - int(b"2" + digits[:9]) % 97)


@_of_digits
def poland_pesel(digits: bytes) -> bool:
    """Poland: birth date with the century in the month, weights 1 3 7 9."""
    if len(digits) != 11 or not 1 <= int(digits[2:4]) % 20 <= 12 or not 1 <= int(digits[4:6]) <= 31:
        return False
    return (10 - _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == digits[10] - 48


@_of_digits
def brazil_cpf(digits: bytes) -> bool:
    """Brazil: two modulus 11 digits."""
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    first = _weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) * 10 % 11 % 10
    second = _weighted(digits, (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) * 10 % 11 % 10
    return (first, second) == (digits[9] - 48, digits[10] - 48)


@_of_digits
def india_aadhaar(digits: bytes) -> bool:
    """India: twelve digits, Verhoeff."""
    if len(digits) != 12 or digits[:1] in (b"0", b"1") or len(set(digits)) < 3:
        return False
    check = 0
    for place, byte in enumerate(reversed(digits)):
        check = int(_VERHOEFF_D[check][int(_VERHOEFF_P[place % 8][byte - 48])])
    return check == 0


@_of_digits
def australia_tfn(digits: bytes) -> bool:
    """Australia: nine weighted digits divisible by 11."""
    return len(digits) == 9 and _weighted(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0 and len(set(digits)) > 2


@_of_digits
def australia_medicare(digits: bytes) -> bool:
    """Australia, health card: first digit 2 to 6 and a weighted check."""
    return (
        len(digits) in (10, 11)
        and b"2" <= digits[:1] <= b"6"
        and _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8] - 48
    )


@_of_digits
def sweden_pn(digits: bytes) -> bool:
    """Sweden: a birth date and Luhn."""
    digits = digits[-10:]
    return len(digits) == 10 and _short_day(digits[:4] + b"%02d" % (int(digits[4:6]) % 60)) and luhn(digits)


@_of_digits
def norway_fnr(digits: bytes) -> bool:
    """Norway: a birth date and two modulus 11 digits."""
    if len(digits) != 11 or not _short_day(digits[4:6] + digits[2:4] + b"%02d" % (int(digits[:2]) % 40)):
        return False
    return (
        _weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11 == 0
        and _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0
    )


def china_id(value: bytes) -> bool:
    """China: region, birth date, and ISO 7064 with X for ten."""
    if len(value) != 18 or not value[:17].isdigit() or not _day(int(value[6:10]), int(value[10:12]), int(value[12:14])):
        return False
    total = _weighted(value, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    return b"10X98765432"[total % 11] == value.upper()[17]


@_of_digits
def south_africa_id(digits: bytes) -> bool:
    """South Africa: a birth date, citizenship 0 to 2, and Luhn."""
    return len(digits) == 13 and _short_day(digits[:6]) and digits[10:11] in b"012" and luhn(digits)


@_of_digits
def turkey_tc(digits: bytes) -> bool:
    """Turkey: two sums over eleven digits."""
    if len(digits) != 11 or digits[:1] == b"0":
        return False
    n = [byte - 48 for byte in digits]
    return (sum(n[0:9:2]) * 7 - sum(n[1:8:2])) % 10 == n[9] and sum(n[:10]) % 10 == n[10]


@_of_digits
def korea_rrn(digits: bytes) -> bool:
    """Korea: a birth date and a weighted check."""
    if len(digits) != 13 or not _short_day(digits[:6]) or digits[6:7] not in b"12345678":
        return False
    return (11 - _weighted(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == digits[12] - 48


@_of_digits
def israel_id(digits: bytes) -> bool:
    """Israel: nine digits, Luhn from the left."""
    return len(digits) == 9 and luhn(digits)


def spain_dni(value: bytes) -> bool:
    """Spain: the letter is the number modulo 23; X, Y, Z stand for 0, 1, 2 in front."""
    value = value.upper()
    number = value[:-1].translate(bytes.maketrans(b"XYZ", b"012"))
    return len(value) == 9 and number.isdigit() and b"TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == value[8]


def finland_hetu(value: bytes) -> bool:
    """Finland: the last character is the number modulo 31."""
    value = value.upper()
    number = value[:6] + value[7:10]
    return len(value) == 11 and number.isdigit() and b"0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number) % 31] == value[10]


_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23), strict=True))  # fmt: skip # noqa: E501


def italy_cf(value: bytes) -> bool:
    """Italy: the last letter sums odd and even places by table."""
    text = value.upper().decode("ascii", "replace")
    if len(text) != 16 or any(each not in _ODD for each in text):
        return False
    odd = sum(_ODD[each] for each in text[0:15:2])
    even = sum(int(each) if each.isdigit() else ord(each) - 65 for each in text[1:15:2])
    return chr((odd + even) % 26 + 65) == text[15]


NATIONAL: dict[int, tuple[Callable[[bytes], bool], ...]] = {
    9: (us_ssn, canada_sin, netherlands_bsn, australia_tfn, israel_id),
    10: (uk_nhs, sweden_pn, australia_medicare),
    11: (germany_tax, belgium_nrn, poland_pesel, brazil_cpf, norway_fnr, turkey_tc),
    12: (india_aadhaar, sweden_pn),
    13: (south_africa_id, korea_rrn),
    15: (france_nir,),
    18: (china_id,),
}
"""Numbers of digits alone, by length."""
