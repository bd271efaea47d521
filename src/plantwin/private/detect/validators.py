"""Checks that a pattern cannot make: check digits, checksums, decodable parts."""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from zlib import crc32

from plantwin.private.detect.names import placeholder, reference, word
from plantwin.private.detect.national_ids import (
    china_id,
    finland_hetu,
    iban,
    italy_cf,
    luhn,
    national,
    spain_dni,
    stdnum,
)
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

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
    return (
        header is not None
        and header.lstrip()[:1] == b"{"
        and re.search(rb'"(?:alg|typ|enc|kid)"\s*:', header) is not None
    )


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
            return (2221 <= four <= 2720 and size == 16) or (four in (2014, 2131, 2149) and size == 15)
        case b"3":
            return (
                (two in (34, 37) and size == 15)
                or (two in (36, 38, 39, 30) and 14 <= size <= 19)
                or (3528 <= four <= 3589 and 16 <= size <= 19)
            )
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
    """Letters and digits, or letters of both cases in turn, as random tokens have."""
    if re.search(rb"[A-Za-z]", value) is None:
        return False
    return re.search(rb"\d", value) is not None or restless(value)


def restless(value: bytes) -> bool:
    """Whether case and digits change as often as in random text: at six places in ten, where words have three."""
    changes = len(re.findall(rb"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])", value))
    return changes * 20 >= len(value) * 9


def varied(value: bytes) -> Verdict:
    """Upper case, lower case and digits."""
    return all(re.search(pattern, value) is not None for pattern in (rb"\d", rb"[a-z]", rb"[A-Z]"))


def scattered(value: bytes) -> Verdict:
    """Letters and digits that alternate at least three times, as words with a number do not."""
    return len(re.findall(rb"[A-Za-z][0-9]|[0-9][A-Za-z]", value)) >= 3 or (len(value) >= 24 and varied(value) is True)


def dense(value: bytes) -> Verdict:
    """Upper case, lower case and digits in runs too short for words."""
    parts = re.findall(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[A-Z]", value)
    return varied(value) is True and len(value) <= 3.0 * len(parts)


def person_path(value: bytes) -> Verdict:
    """A folder of a person, not of a service or an example."""
    return value.lower() not in SERVICES and not value.startswith((b"$", b"{", b"<", b"%"))


def slack(value: bytes) -> Verdict:
    """Slack's number blocks are long; short ones are documentation."""
    return len(value) >= 15 and re.search(rb"\d", value) is not None


def service(value: bytes) -> Verdict:
    """Random enough to be a key, and neither a version, a path, a host nor a word with a number."""
    if value.count(b"/") > 1 or value.count(b".") > 2 or reference(value):
        return False
    if scattered(value) is not True:
        # Letters, then digits: also how a test account or a product is called.
        return (
            "low"
            if len(value) >= 20 and value.isalnum() and len(re.findall(rb"\d", value)) >= 4 and mixed(value)
            else False
        )
    if re.search(rb"(?i)sha\d|\.(?:com|io|org|net|js|py|html?|json|tgz|zip|png)\b|\d\.\d\.\d|20\d\d-\d\d", value):
        return False
    return True if len(value) >= 20 else "low"


def url_password(value: bytes) -> Verdict:
    """A password as written in addresses and calls: any text that is no reference and no form field."""
    if reference(value) or word(value) or value.startswith((b"$", b"%", b"{", b"[", b"<", b"*", b":", b"//")):
        # A few plain words are real passwords in addresses, where nothing else would stand.
        return "low" if value.lower() in (b"password", b"secret", b"test", b"passwd", b"pass", b"user") else False
    if value.isdigit() and len(value) < 4:
        return False
    return "medium" if value.isalpha() or len(value) < 6 else True


def chosen(value: bytes) -> Verdict:
    """A password as people choose them: letters with digits or marks, and no reference."""
    value = value.rstrip(b".)*_")
    if reference(value) or word(value) or value.startswith((b"$", b"%", b"{", b"[", b"<", b"*", b"(")):
        return False
    marks = re.search(rb"[^\w.\-/:@\x80-\xff]", value[:-1]) is not None
    digits = re.search(rb"\d", value) is not None
    return len(value) >= 5 and re.search(rb"[A-Za-z]", value) is not None and (digits or marks)


def pair(value: bytes) -> Verdict:
    """User and password with a colon between them."""
    return url_password(value.partition(b":")[2]) is True


def community(value: bytes) -> Verdict:
    """A community or key of a device, not one that every device has."""
    return value.lower() not in (b"public", b"private", b"encrypted") and url_password(value)


def text64(value: bytes) -> Verdict:
    """Base64 of readable text."""
    text = decode64(value)
    return text is not None and len(text) >= 6 and text.isascii() and not placeholder(text)


def compared(value: bytes) -> Verdict:
    """What a program compares a secret with: surer where digits or many marks make it more than a word."""
    if not url_password(value):
        return False
    marks = set(re.findall(rb"[^\w\s.\-/]", value))
    letters = len(re.findall(rb"[A-Za-z]", value))
    strong = letters >= 4 and (len(marks) >= 4 or (len(value) >= 8 and re.search(rb"\d", value) is not None))
    return True if strong and b" " not in value else "low"


def issued(value: bytes) -> Verdict:
    """A prefix of words, then a random part in both cases or hexadecimal."""
    body = max(re.split(rb"[_\-.=]", value), key=len)
    if re.fullmatch(rb"[0-9a-f]{32,64}", body):
        return "low"
    return len(body) >= 20 and varied(body) is True and restless(body)


def header(value: bytes) -> Verdict:
    """The credentials of a header: random, or base64 of a pair."""
    return not (reference(value) or word(value)) and ((len(value) < 12 and "low") or mixed(value) is True or "low")


def basic64(value: bytes) -> Verdict:
    """Base64 of user and password."""
    text = decode64(value)
    return text is not None and b":" in text and text.isascii()


def ticket(value: bytes) -> Verdict:
    """A project's key, not a standard's name."""
    return value.partition(b"-")[0] not in _STANDARDS


def username(value: bytes) -> Verdict:
    """A name of an account, not of a variable."""
    return (
        not word(value)
        and value.lower() not in SERVICES
        and not reference(value)
        and re.search(rb"[.(]", value) is None
    )


def email(value: bytes) -> Verdict:
    """An address of somebody: roles and reserved domains count for less."""
    local, _, domain = value.lower().rpartition(b"@")
    if domain.rpartition(b".")[2] in _EXTENSIONS or b".." in value:
        return False
    if _RESERVED.search(domain) or local in _ROLES or b"noreply" in local or b"no-reply" in local:
        return "low"
    return True


def ipv4(value: bytes) -> Verdict:
    """An address of a machine: not loopback, not unset, not a mask; documentation counts for less."""
    a, b, c, d = (int(part) for part in value.split(b"."))
    if a in (0, 127, 255) or (b, c, d) == (0, 0, 0) or (a == 169 and b == 254) or (c, d) == (255, 255) or a >= 224:
        return False
    if (a, b, c) in ((192, 0, 2), (198, 51, 100), (203, 0, 113)):
        return "low"
    # Four small numbers are a version more often than a machine.
    return "low" if a < 10 and b < 20 and c < 20 and d < 20 else True


def ipv6(value: bytes) -> Verdict:
    """An address that parses and is neither loopback nor reserved for documents."""
    groups = [part for part in value.split(b":") if part]
    if len(value) < 8 or len(groups) < 3 or (b"::" not in value and len(groups) != 8) or value.count(b"::") > 1:
        return False
    return "low" if value.lower().startswith((b"2001:db8", b"fe80")) else re.search(rb"[0-9]", value) is not None


def mac(value: bytes) -> Verdict:
    """A hardware address that is neither empty nor broadcast nor a run."""
    if value.count(b".") == 2:  # As switches write it, where digits alone are something else.
        return re.search(rb"[A-Fa-f]", value) is not None and len(set(value)) >= 6
    parts = re.split(rb"[:\-]", value.lower())
    return len(set(parts)) >= 4 and parts != sorted(parts)


def server(value: bytes) -> Verdict:
    """A machine of its own name, which has a number, dash or domain; not an escape and not one of manuals."""
    return (
        re.search(rb"\d|-|\.[a-z]{2}", value) is not None and re.match(rb"(?i)x[0-9a-f]{2}|u[0-9a-f]{3}", value) is None
    )


def host(value: bytes) -> Verdict:
    """A host, not an attribute of an object."""
    first = value.partition(b".")[0]
    return value.count(b".") >= 2 or re.search(rb"[\d\-]", first) is not None


def national_letters(value: bytes) -> Verdict:
    """A national id with a check character."""
    return spain_dni(value) or finland_hetu(value) or italy_cf(value) or (len(value) == 18 and china_id(value))


def mixed_upper(value: bytes) -> Verdict:
    """An official number: upper case and digits."""
    return len(re.findall(rb"\d", value)) >= 3 and len(value) >= 6


def official(value: bytes) -> Verdict:
    """A number of a document, policy or patient: digits enough, and not all of one."""
    digits = re.findall(rb"\d", value)
    return len(digits) >= 4 and len(set(digits)) >= 2 and len(value) >= 5


def vehicle(value: bytes) -> Verdict:
    """A plate, or the number of a vehicle's frame: letters and digits together."""
    return re.search(rb"\d{2}", value) is not None and re.search(rb"[A-Z]", value) is not None


_STANDARDS = _LEXICON.byte_words("standards")
_EXTENSIONS = frozenset(
    b"png jpg jpeg gif svg js css py html json md txt map ts tsx scss less webp ico woff pdf".split()
)
_ROLES = _LEXICON.byte_words("roles")
_RESERVED = _LEXICON.bytes_pattern("reserved")
SERVICES = _LEXICON.byte_words("services")

VALIDATORS: dict[str, Callable[[bytes], Verdict]] = {
    "github": github,
    "jwt": jwt,
    "card": card,
    "account": account,
    "mixed": mixed,
    "varied": varied,
    "scattered": scattered,
    "dense": dense,
    "person_path": person_path,
    "slack": slack,
    "service": service,
    "url_password": url_password,
    "compared": compared,
    "issued": issued,
    "chosen": chosen,
    "community": community,
    "pair": pair,
    "text64": text64,
    "header": header,
    "basic64": basic64,
    "ticket": ticket,
    "username": username,
    "email": email,
    "ipv4": ipv4,
    "ipv6": ipv6,
    "mac": mac,
    "host": host,
    "server": server,
    "national_letters": national_letters,
    "mixed_upper": mixed_upper,
    "national": national,
    "official": official,
    "vehicle": vehicle,
}


def validator(name: str) -> Callable[[bytes], Verdict] | None:
    """Return the check that a shipped rule names: one of `VALIDATORS`, or `stdnum:` and a module of stdnum."""
    kind, _, module = name.partition(":")
    return stdnum(module) if kind == "stdnum" else VALIDATORS[name] if name else None
