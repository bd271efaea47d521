"""Bytes in, findings out: what is found, what is not, and how sure."""

from __future__ import annotations

import base64
import itertools

import pytest

from plantwin.private.detect import Detector, summarize
from plantwin.private.facts import Finding
from tables import cases

TOKEN = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
RANDOM = "q8ZtX2eM5wCj" + "UgRyLf0O7aKb3SdH"


def values(found: Detector, text: str, path: str = "") -> dict[str, str]:
    data = text.encode()
    return {each.type: data[each.start : each.end].decode() for each in found.scan(data, path=path)}


def secrets(found: Detector, text: str, path: str = "") -> list[Finding]:
    return [each for each in found.scan(text.encode(), path=path) if each.group == "secret"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('password = "Gr4nite#Hill"', "Gr4nite#Hill"),
        ("DB_PASSWORD=Gr4niteHill-77", "Gr4niteHill-77"),
        (f"export API_TOKEN='{RANDOM}'", RANDOM),
        (f"const apiKey = `{RANDOM}`;", RANDOM),
        (f'"client_secret": "{RANDOM}",', RANDOM),
        (f"client_secret: {RANDOM}", RANDOM),
        ("<password>Gr4nite#Hill</password>", "Gr4nite#Hill"),
        ('String password: str = "Gr4nite#Hill"', "Gr4nite#Hill"),
        ("spring.datasource.password=Gr4nite#Hill7", "Gr4nite#Hill7"),
        (f'secret_key   = "{RANDOM}"', RANDOM),
        ("$config['db_password'] = 'Gr4nite#Hill';", "Gr4nite#Hill"),
        ("define('DB_PASSWORD', 'Gr4nite#Hill');", "Gr4nite#Hill"),
        ("mysql --password Gr4nite#Hill7 shop", "Gr4nite#Hill7"),
        ('{\\"password\\": \\"Gr4niteHill77\\"}', "Gr4niteHill77"),
        (f'@Value("x") String token = "{RANDOM}";', RANDOM),
        ("password:\n  Gr4nite#Hill7\n", "Gr4nite#Hill7"),
        ('if (password == "Gr4nite#Hill7") {', "Gr4nite#Hill7"),
        ('setPassword("Gr4nite#Hill7")', "Gr4nite#Hill7"),
        ("Server=db;User Id=shop;Password=Gr4nite#Hill7;Database=x", "Gr4nite#Hill7"),
        ("https://shop:Gr4niteHill7@registry.shop.lan/x", "Gr4niteHill7"),
        (f"Authorization: Bearer {RANDOM}", RANDOM),
        (f"X-Api-Key: {RANDOM}", RANDOM),
    ],
)
def test_generic_secrets_in_any_quoting(found: Detector, text: str, value: str) -> None:
    hits = secrets(found, text)
    assert value in [text.encode()[each.start : each.end].decode() for each in hits]
    assert all(each.confidence in {"medium", "high"} for each in hits)


@cases("text")
def test_placeholders_references_and_hashes_are_no_secrets(found: Detector, text: str) -> None:
    assert secrets(found, text) == []


def test_lock_files_hold_hashes(found: Detector) -> None:
    text = '"key": "9fQ2xLw7Tz5RmPv8YnC3bJd9fQ2xLw7T"'
    assert secrets(found, text, "package-lock.json") == []
    assert secrets(found, text, "settings.json") != []


def test_marked_test_vectors_are_lowered_not_dropped(found: Detector) -> None:
    (plain,) = secrets(found, f'client_secret = "{RANDOM}"', "src/app.cfg")
    (marked,) = secrets(found, f'client_secret = "{RANDOM}"', "tests/fixtures/app.cfg")
    assert (plain.confidence, marked.confidence) == ("high", "low")


def test_github_checksum_decides_confidence(found: Detector) -> None:
    (mangled,) = secrets(found, TOKEN)
    assert (mangled.type, mangled.confidence) == ("github_token", "medium")


@cases("text", "type_", "value")
def test_personal_and_infrastructure(found: Detector, text: str, type_: str, value: str) -> None:
    assert values(found, text)[type_] == value


@cases("text")
def test_not_infrastructure(found: Detector, text: str) -> None:
    assert found.scan(text.encode()) == []


def test_a_card_without_its_check_digit_is_none(found: Detector) -> None:
    assert "payment_card" not in values(found, "number 4539 1488 0343 6468")


def test_a_card_number_published_for_tests_is_of_low_confidence(found: Detector) -> None:
    (card,) = found.scan(b"Card number: 4242 4242 4242 4242\n", path="guide.md")
    assert (card.type, card.confidence) == ("payment_card", "low")


def test_findings_are_sorted_and_apart(found: Detector) -> None:
    text = f'a@b.org password="{TOKEN}" https://u:{RANDOM}@h.corp 84.22.107.9 mara@granite.org ' * 20
    findings = found.scan(text.encode())
    assert len(findings) > 60
    for left, right in itertools.pairwise(findings):
        assert left.end <= right.start


def test_a_known_format_wins_over_its_assignment(found: Detector) -> None:
    (finding,) = secrets(found, f'api_token = "{TOKEN}"')
    assert finding.type == "github_token"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_wide_text(found: Detector, codec: str) -> None:
    data = f"my token, müde: {TOKEN} end".encode(codec)
    (finding,) = [each for each in found.scan(data) if each.group == "secret"]
    plain = codec if codec[-1] in "e" else codec + "-le"
    assert data[finding.start : finding.end] == TOKEN.encode(plain)


@pytest.mark.parametrize(
    "text",
    [
        "x: " + base64.b64encode(f"user token {TOKEN} more".encode()).decode(),
        '"' + f"user token {TOKEN} more".encode().hex() + '"',
        f'a = "{TOKEN[:15]}" + "{TOKEN[15:]}"',
        f'a = ("{TOKEN[:15]}"\n     "{TOKEN[15:]}")',
        f'a = "{TOKEN[:15]}\\\n{TOKEN[15:]}"',
        TOKEN[:10] + "\u200b" + TOKEN[10:],
        TOKEN[:6] + TOKEN[6:].replace("a", "\u0430"),
        '"' + "".join(f"\\u{ord(each):04x}" for each in TOKEN) + '"',
        '"' + "".join(f"\\x{ord(each):02x}" for each in TOKEN) + '"',
        "".join(chr(ord(each) + 0xFEE0) if each.isalpha() else each for each in TOKEN[:8]) + TOKEN[8:],
    ],
    ids=[
        "base64",
        "hex",
        "concatenation",
        "adjacent",
        "continuation",
        "zero-width",
        "homoglyph",
        "u-escape",
        "x-escape",
        "wide",
    ],
)
def test_wrapped_split_and_disguised(found: Detector, text: str) -> None:
    hits = secrets(found, text)
    assert [each.type for each in hits] == ["github_token"]
    assert hits[0].end <= len(text.encode())


def test_url_encoded_assignment(found: Detector) -> None:
    (finding,) = secrets(found, "https://x.y/?q=password%3DGr4niteHill77")
    assert finding.type == "password"


def test_nothing_prints_its_content(found: Detector) -> None:
    for each in (found.scan(TOKEN.encode())[0], found.stream("secret-name"), found):
        assert "ghp_" not in repr(each) and "secret-name" not in repr(each)


def test_summary_counts(found: Detector) -> None:
    data = f"mara@granite.org jo@granite.org {TOKEN}".encode()
    expected = (("email", "personal", "medium", 2), ("github_token", "secret", "medium", 1))
    assert summarize(found.scan(data)) == expected == found.survey(data)


def test_tables_are_read_by_column(found: Detector) -> None:
    data = b"id,first_name,ssn,city\n1,Mara,219-45-1234,Bonn\n2,Jo,,Ulm\n"
    findings = [(each.type, data[each.start : each.end]) for each in found.scan(data, path="people.csv")]
    assert findings == [("person_name", b"Mara"), ("us_ssn", b"219-45-1234"), ("person_name", b"Jo")]


def test_quoted_cells_and_other_delimiters(found: Detector) -> None:
    data = b'"last_name";"email"\n"Brandt; Mara";"mara@granite.org"\n'
    assert [data[each.start : each.end] for each in found.scan(data, path="a.csv")] == [
        b"Brandt; Mara",
        b"mara@granite.org",
    ]


@cases("text", "type_", "value")
def test_prose(found: Detector, text: str, type_: str, value: str) -> None:
    hits = values(found, text, "letter.txt")
    assert hits.get(type_) == value


def test_prose_is_never_sure_and_never_code(found: Detector) -> None:
    text = "My name is Mara Brandt and I work at Granite Hill Consulting in Bonn."
    assert {each.confidence for each in found.scan(text.encode(), path="a.txt")} == {"low"}
    assert found.scan(text.encode(), path="a.py") == []
