"""Classes of findings that do not depend on one format: forms of declaring, labels of numbers, disguises."""

from __future__ import annotations

import pytest

from plantwin.private.detect import Detector
from plantwin.private.detect.national_ids import national
from tables import cases

TOKEN = "q8ZtX2eM5wCjUgRyLf0O7aKb3S"
GITHUB = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"


def values(found: Detector, text: str, path: str, group: str) -> list[str]:
    data = text.encode()
    return [data[each.start : each.end].decode() for each in found.scan(data, path=path) if each.group == group]


@cases("path", "form")
def test_a_secret_is_found_in_any_form_of_declaring(found: Detector, path: str, form: str) -> None:
    assert TOKEN in values(found, form.format(TOKEN), path, "secret")


@pytest.mark.parametrize("label", ["mot_de_passe", "contraseña", "密码", "пароль", "wachtwoord"])
def test_a_password_is_named_in_other_languages(found: Detector, label: str) -> None:
    assert "Gr4nite#Hill7" in values(found, f"{label}: Gr4nite#Hill7\n", "a.yml", "secret")


@cases("text", "value")
def test_a_number_beside_its_name_is_found_whole(found: Detector, text: str, value: str) -> None:
    assert value in values(found, text + "\n", "notes.txt", "personal")


@pytest.mark.parametrize(
    "value", [b"756.1234.5678.98", b"GOML850312HDFNRS02", b"112-233-445 96", b"1111111111111", b""]
)
def test_a_wrong_check_digit_is_no_national_id(value: bytes) -> None:
    assert not national(value)


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{GITHUB[:14]}" .. "{GITHUB[14:]}"',
        f"x = '{GITHUB[:14]}' || '{GITHUB[14:]}'",
        f'x = "{GITHUB[:14]}" & _\n  "{GITHUB[14:]}"',
        "q=" + "".join(f"%{byte:02X}" for byte in GITHUB.encode()),
        "x=" + "".join(f"&#{byte};" for byte in GITHUB.encode()),
        'x="' + "".join(f"\\{byte:03o}" for byte in GITHUB.encode()) + '"',
        "".join(chr(ord(each) + 0xFEE0) for each in GITHUB),
        f"p\u0430ssword = {TOKEN}",
    ],
)
def test_a_disguise_is_read_through(found: Detector, text: str) -> None:
    assert values(found, text + "\n", "a.txt", "secret")


def test_a_disguised_secret_is_covered_to_its_last_byte(found: Detector) -> None:
    text = "".join(f"%{byte:02X}" for byte in GITHUB.encode())
    assert values(found, f"q={text}\n", "a.txt", "secret") == [text]
