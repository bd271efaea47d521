"""Classes of findings that do not depend on one format: forms of declaring, labels of numbers, disguises."""

from __future__ import annotations

import pytest

from plantwin.private.detect import Detector
from plantwin.private.detect.national_ids import national

TOKEN = "q8ZtX2eM5wCjUgRyLf0O7aKb3S"
GITHUB = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"


def values(found: Detector, text: str, path: str, group: str) -> list[str]:
    data = text.encode()
    return [data[each.start : each.end].decode() for each in found.scan(data, path=path) if each.group == group]


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("a.ts", "private readonly accessToken: string = '{}';"),
        ("a.rs", 'const API_KEY: &str = "{}";'),
        ("a.kt", 'val apiSecret: String = "{}"'),
        ("a.R", 'api_key <- "{}"'),
        ("a.cpp", 'std::string auth_token{{"{}"}};'),
        ("a.config", '{{auth_token, <<"{}">>}}.'),
        ("Makefile", "API_TOKEN ?= {}"),
        ("a.xml", '<entry key="api.token">{}</entry>'),
        ("a.plist", "<key>ApiKey</key>\n<string>{}</string>"),
        ("a.json", '{{"name": "API_TOKEN", "value": "{}"}}'),
        ("a.yml", "- name: API_KEY\n  value: {}\n"),
        ("b.yml", "client_secret: |\n  {}\n"),
        ("a.tf", 'variable "api_token" {{\n  default = "{}"\n}}'),
        ("a.properties", "app.api.key=\\\n  {}\n"),
    ],
)
def test_a_secret_is_found_in_any_form_of_declaring(found: Detector, path: str, form: str) -> None:
    assert TOKEN in values(found, form.format(TOKEN), path, "secret")


@pytest.mark.parametrize("label", ["mot_de_passe", "contraseña", "密码", "пароль", "wachtwoord"])
def test_a_password_is_named_in_other_languages(found: Detector, label: str) -> None:
    assert "Gr4nite#Hill7" in values(found, f"{label}: Gr4nite#Hill7\n", "a.yml", "secret")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("AHV-Nr. 756.1234.5678.97", "756.1234.5678.97"),
        ("CURP GOML850312HDFNRS01", "GOML850312HDFNRS01"),
        ("СНИЛС 112-233-445 95", "112-233-445 95"),
        ("Kennzeichen: B-KX 4821", "B-KX 4821"),
        ("Patient ID: P-448210", "P-448210"),
        ("account number 44871203", "44871203"),
    ],
)
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
