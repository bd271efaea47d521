"""Classes of findings that do not depend on one format: forms of declaring, labels of numbers, disguises."""

from __future__ import annotations

import pytest

from plantwin.private.detect import Detector
from plantwin.private.detect.names import names_secret
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


@cases("name", "secret")
def test_names_of_secrets(name: str, secret: bool) -> None:
    assert names_secret(name) is secret


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


# How sure a finding is where several signs speak for it, and where something speaks against it

MIXED = "q8ZtX2eM5wCjUgRy" + "Lf0O7aKb3SdHn1Pi"
HEX = "5b1e9d27c0f84a63" + "e1d7b0f29a6b4c83"


def surest(found: Detector, text: str, path: str = "") -> str:
    levels = [each.confidence for each in found.scan(text.encode(), path=path) if each.group == "secret"]
    return next((level for level in ("high", "medium", "low") if level in levels), "")


@pytest.mark.parametrize(
    ("text", "level"),
    [
        (f"kickbox_key = {MIXED}", "high"),  # service, telling name, assignment, randomness
        (f'clearbit_token: "{MIXED}"', "high"),
        (f"pandadoc ACCESS {MIXED}", "high"),
        (f"pandadoc ACCESS {HEX}", "medium"),  # could be a hash
        (f"pandadoc {MIXED}", "medium"),
        (f"CODECLIMATE_REPO_TOKEN={HEX}{HEX[::-1]}", "high"),  # the format leaves a doubt that the name removes
        (f"warehouse_key = {MIXED}", "high"),
        (f"key = {MIXED}", "medium"),
        (f"api_secret = {HEX}", "high"),
        ("kickbox_key = abcdefghijklmnopqrstuvwxyz123456", "low"),  # spells the alphabet
        ("ipinfo_key = abcdef12345", "low"),
        ("ADMIN_SECRET=Gr4,n:i;te!H", "medium"),
        ('app_secret = "gr{n]i$t(e>h#ll"', "medium"),
        ('if ("gr4niteHill77" == db_password) {', "medium"),
        ('if ("granite" == db_password) {', "low"),
    ],
)
def test_signs_that_agree_are_surer(found: Detector, text: str, level: str) -> None:
    assert surest(found, text) == level


def test_a_value_without_a_format_of_its_own_is_unsure_in_tests(found: Detector) -> None:
    text = f'kickbox_key = "{MIXED}"'
    assert surest(found, text, "settings.ini") == "high"
    assert surest(found, text, "tests/fixtures/settings.ini") == "low"


@pytest.mark.parametrize(
    "text",
    [
        '"access_token":"2YotnFZFEjr1zCsicMWpAA"',
        "Authorization: Bearer mF_9.B5f-4.1JqM",
        "Authorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW",
    ],
)
def test_vectors_of_standards_are_kept_as_unsure(found: Detector, text: str) -> None:
    assert surest(found, text) == "low"


@pytest.mark.parametrize(
    "text",
    [
        "class GoogleCloudAssetV1p4alpha1AccessControlList:",
        "dependencies=[google_dot_api_dot_annotations__pb2.DESCRIPTOR]",
        f"https://github.com/shop/auth-tokens/commit/{HEX}0f29a6b4",
        "secret = r'([a-z0-9]{64})'",
        "slack.GetResponseHeadersPolicyConfig2020_05_31",
    ],
)
def test_names_revisions_and_patterns_are_no_secrets(found: Detector, text: str) -> None:
    assert surest(found, text, "client.py") == ""


def test_a_password_ends_where_a_connection_string_goes_on(found: Detector) -> None:
    text = b"Server=db;Password=Gr4nite#Hill7;Database=x"
    assert b"Gr4nite#Hill7" in [text[each.start : each.end] for each in found.scan(text)]


@pytest.mark.parametrize("text", ["Welcome2024!", "p@ssw0rd99", "letmein42"])
def test_the_most_common_passwords_are_seen_alone(found: Detector, text: str) -> None:
    assert surest(found, f"log in with {text} please") == "low"


@pytest.mark.parametrize("text", ["password1", "welcome2", "the welcome page", "qwerty keyboard"])
def test_words_that_resemble_them_are_not(found: Detector, text: str) -> None:
    assert surest(found, f"log in with {text} please") == ""
