"""Redacted copies: what must be gone, what must stay, the same placeholder for the same value."""

from __future__ import annotations

import base64
import re
import time

from capability_inputs import UNPARSABLE, Run, earlier, given, shop

from plantwin.private.capabilities.engine.job import Result
from tables import cases, value_of

LETTER = value_of(__file__, "letter")
REPLY = """From: philippa.marlowe@example.com
Token: Tangerine-Velvet-88

Marlowe agrees.
"""


def copies(result: Result) -> dict[str, str]:
    return {each["name"]: each["text"] for each in result.facts["documents"]}  # type: ignore[index, union-attr]


def test_values_go_and_words_stay(run: Run) -> None:
    result = run("redact_document", given("letters/offer.md", LETTER))
    (text,) = copies(result).values()
    assert list(copies(result)) == ["offer.redacted.md"]
    for gone in ("Philippa", "Marlowe", "example.com", "7946", "Tangerine", "Okonjo"):
        assert gone not in text
    for kept in (
        "# Offer",
        "please send the books to <EMAIL_1>",
        "Authentication is described below",
        "2019",
        "Regards",
    ):
        assert kept in text
    assert text.count("\n") == LETTER.count("\n")
    assert result.outcome == {"status": "done", "count": "few", "tags": ["hardcoded_secret", "personal_data"]}
    assert result.facts["left"] == 0


def test_one_value_one_placeholder_in_all_copies(run: Run) -> None:
    result = run("redact_document", given("offer.md", LETTER), given("reply.md", REPLY))
    first, second = copies(result).values()
    assert "From: <EMAIL_1>" in second and "<EMAIL_1>" in first
    assert "Tangerine" not in second  # found in the first, where its name gave it away
    assert "Marlowe" not in second
    placeholder = re.search(r"Dear (<\w+>)", first)
    assert placeholder is not None and f"{placeholder[1]} agrees." in second


def test_the_order_of_inputs_does_not_matter(run: Run) -> None:
    first, second = copies(run("redact_document", given("reply.md", REPLY), given("offer.md", LETTER))).values()
    assert "Tangerine" not in first and "Marlowe" not in first and "Tangerine" not in second


def test_what_looks_like_a_placeholder_stays_apart(run: Run) -> None:
    (text,) = copies(run("redact_document", given("a.txt", "<EMAIL_1> is not jo.doe@example.com\n"))).values()
    assert re.fullmatch(r"<EMAIL_1> is not <EMAIL_2>\n", text)


def test_the_shop(run: Run) -> None:
    result = run("redact_document", ".env", "logs/application.log", "data/customers.csv")
    env, log, table = copies(result).values()
    assert "SECRET_KEY=<" in env and "SHOP_ENV=production" in env
    assert "4111" not in log and "charging order 5120" in log
    assert table.startswith("id,full_name,email,phone,street,city") and "@" not in table
    assert "Only" not in result.text


def test_tables_of_a_database_become_csv(run: Run) -> None:
    text = copies(run("redact_document", shop("data/shop.db", "customers")))["customers.redacted.csv"]
    assert "full_name" in text and "@" not in text


def test_private_keys(run: Run) -> None:
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDZq8tX2eM5wCjUgRy\n" * 12
    result = run("redact_document", given("id.pem", f"-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----\n"))
    (text,) = copies(result).values()
    assert "MIIEvQ" not in text
    assert "private_key" in result.outcome["tags"]  # type: ignore[operator]


def test_bytes_that_are_no_text_come_back_as_they_are(run: Run) -> None:
    data = "Grüße von jo.doe@example.com\n".encode("latin-1")
    (made,) = run("redact_document", given("a.txt", data)).facts["documents"]  # type: ignore[misc]
    assert base64.b64decode(made["base64"]) == "Grüße von <EMAIL_1>\n".encode("latin-1")  # type: ignore[index]
    wide = b"\xff\xfe" + "mail jo.doe@example.com\n".encode("utf-16-le")
    (made,) = run("redact_document", given("a.txt", wide)).facts["documents"]  # type: ignore[misc]
    assert base64.b64decode(made["base64"])[2:].decode("utf-16-le") == "mail <EMAIL_1>\n"  # type: ignore[index]


def test_what_is_no_text_is_left_out(run: Run) -> None:
    binary = given("a.bin", b"\0\1\2" * 2000)
    assert run("redact_document", binary).outcome == UNPARSABLE
    both = run("redact_document", binary, given("a.txt", "jo.doe@example.com"))
    assert both.outcome["status"] == "partial" and len(copies(both)) == 1
    assert run("redact_document", earlier("s1", "report", Result(outcome={}))).outcome["status"] == "failed"


def test_long_texts_end_at_a_line(run: Run) -> None:
    started = time.process_time()
    result = run("redact_document", given("a.log", "mail from jo.doe@example.com to al.poe@example.com\n" * 200_000))
    assert time.process_time() - started < 30
    (text,) = copies(result).values()
    assert result.outcome["status"] == "partial" and "truncated" in result.outcome["tags"]  # type: ignore[operator]
    assert text.endswith("\n") and "example.com" not in text
    assert run("redact_document", given("a.log", "x" * 5_000_000)).outcome["status"] == "partial"
    assert run("redact_document", given("a.txt", "")).outcome["count"] == "none"


@cases("name", "text", "copy")
def test_accounts_that_every_system_has_stay_where_they_are_keys(run: Run, name: str, text: str, copy: str) -> None:
    assert list(copies(run("redact_document", given(name, text))).values()) == [copy]
