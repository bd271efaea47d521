"""Checks that a pattern cannot make: check digits, checksums, decodable parts."""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from zlib import crc32

from plantwin.private.redact.checkdigits import iban, luhn

Verdict = bool | str
"""Whether it is valid, or the confidence that the value deserves."""

_BASE62 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def github(value: bytes) -> Verdict:
    """The last six characters are the CRC32 of the rest; a token without them may be older or mangled."""
    body, tail = value.rpartition(b"_")[2][:-6], value[-6:]
    number, digits = crc32(body), b""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest : rest + 1] + digits
    return True if digits.rjust(6, b"0") == tail else "medium"


def jwt(value: bytes) -> Verdict:
    """The header decodes to a JSON object that names an algorithm or type."""
    header = decode64(value.partition(b".")[0])
    return header is not None and header.lstrip()[:1] == b"{" and re.search(rb'"(?:alg|typ|enc|kid)"\s*:', header) is not None


def card(value: bytes) -> Verdict:
    """A payment card: issuer prefix and length agree, and so does the Luhn digit."""
    digits = re.sub(rb"\D", b"", value)
    return issuer(digits) and luhn(digits)


def issuer(digits: bytes) -> bool:
    """Whether a number has the prefix and length of a card scheme."""
    size, two = len(digits), int(digits[:2] or b"0")
    four = int(digits[:4] or b"0")
    match digits[:1]:
        case b"4":
            return size in (13, 16, 19)
        case b"5":
            return (51 <= two <= 55 and size == 16) or (two in (50, 56, 57, 58) and 12 <= size <= 19)
        case b"2":
            return (2221 <= four <= 2720 and size == 16) or (four in (2014, 2149) and size == 15)
        case b"3":
            return (two in (34, 37) and size == 15) or (two in (36, 38, 39, 30) and 14 <= size <= 19) or (3528 <= four <= 3589 and 16 <= size <= 19)
        case b"6":
            return 12 <= size <= 19
        case b"1":
            return four == 1800 and size == 15
    return False


def account(value: bytes) -> Verdict:
    """An IBAN whose check digits hold."""
    return iban(re.sub(rb"[ \-]", b"", value))


def decode64(text: bytes) -> bytes | None:
    """Base64 of either alphabet, padded or not."""
    try:
        padded = text + b"=" * (-len(text) % 4)
        return urlsafe_b64decode(padded) if b"-" in text or b"_" in text else b64decode(padded, validate=True)
    except (Base64Error, ValueError):
        return None


def mixed(value: bytes) -> Verdict:
    """Letters and digits, as random tokens have."""
    return re.search(rb"\d", value) is not None and re.search(rb"[A-Za-z]", value) is not None


def varied(value: bytes) -> Verdict:
    """Upper case, lower case and digits."""
    return mixed(value) and re.search(rb"[a-z]", value) is not None and re.search(rb"[A-Z]", value) is not None


def scattered(value: bytes) -> Verdict:
    """Letters and digits that alternate at least three times, as words with a number do not."""
    return len(re.findall(rb"[A-Za-z][0-9]|[0-9][A-Za-z]", value)) >= 3 or (len(value) >= 24 and varied(value) is True)


def person_path(value: bytes) -> Verdict:
    """A folder of a person, not of a service or an example."""
    return value.lower() not in _SERVICES and not value.startswith((b"$", b"{", b"<", b"%"))


def slack(value: bytes) -> Verdict:
    """Slack's number blocks are long; short ones are documentation."""
    return len(value) >= 15 and re.search(rb"\d", value) is not None


_SERVICES = frozenset(
    b"user users username name me you your yourname youruser runner root admin administrator public shared default guest "
    b"vagrant ubuntu ec2-user app appuser node jenkins circleci travis build builder vsts vcap somebody someone person "
    b"foo bar example docker git www all test tester".split()
)

VALIDATORS: dict[str, Callable[[bytes], Verdict]] = {
    "github": github,
    "jwt": jwt,
    "card": card,
    "account": account,
    "mixed": mixed,
    "varied": varied,
    "scattered": scattered,
    "person_path": person_path,
    "slack": slack,
}
