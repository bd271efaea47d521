"""What texts, settings and schemas demand: known sentences, known numbers, known disagreements."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier, given

from plantwin.private.capabilities.engine.job import Input, Result
from plantwin.private.capabilities.extract_constraints.quantities import days, quantities
from plantwin.private.capabilities.extract_constraints.statements import language_of
from tables import cases


def stated(run: Run, *inputs: Input | str) -> list[dict]:
    """The constraints; the outcome passes the boundary whole."""
    result = run("extract_constraints", *inputs)
    return result.facts["constraints"]  # type: ignore[return-value]


def one(run: Run, sentence: str, name: str = "requirements.md") -> dict:
    found = stated(run, given(name, f"# Terms\n\n{sentence}\n"))
    assert len(found) == 1, found
    return found[0]


@cases("sentence", "kind", "subject", "words")
def test_who_must_do_what(run: Run, sentence: str, kind: str, subject: str, words: str) -> None:
    found = one(run, sentence)
    assert (found["kind"], found["subject"]) == (kind, subject)
    assert words in ("", found["words"])
    assert found["line"] == 3


@cases("sentence")
def test_what_binds_nobody_is_left_out(run: Run, sentence: str) -> None:
    assert stated(run, given("notes.md", f"# Notes\n\n{sentence}\n")) == []


RFC = (
    'The key words "MUST", "MUST NOT", "SHOULD" and "MAY" are to be interpreted as described in RFC 2119.\n\n'
    "A sender MUST add a header.\n\nA sender MUST NOT repeat it.\n\nA receiver SHOULD check it.\n\n"
    "A sender SHOULD be quick. As a reader you must be patient, and a receiver may be slow.\n"
)
CONTRACT = (
    'between Alder Ltd ("the Supplier") and Birch GmbH ("the Buyer").\n\n'
    "1. The Supplier shall deliver within 14 days.\n2. The Buyer will pay the price within 30 days.\n"
    "3. Both parties shall keep these terms confidential.\n4. The Supplier may not subcontract.\n"
)
TABLE = (
    "CREATE TABLE users (\n  id INTEGER PRIMARY KEY,\n  name VARCHAR(80) NOT NULL,\n  org INT REFERENCES orgs(id)\n);\n"
)
SCHEMA = (
    '{"type":"object","required":["email"],"properties":{"email":{"type":"string","maxLength":254,"format":"email"}}}'
)
CODE = "# The token must be renewed every hour.\nMAX_LOGIN_ATTEMPTS = 5\nSESSION_TIMEOUT_SECONDS = 15 * 60\nNAME = 3\n"
LATE = "If the invoice is late, the customer must pay interest.\n\nThe supplier must replace the goods unless we agree to wait.\n"
TEXTS = {
    "only capitals bind where the text says so": ("protocol.txt", RFC, "kind line", {("duty", 3), ("prohibition", 5), ("advice", 7), ("advice", 9)}),
    "items inherit what stands above them": ("policy.md", "# Rules\n\nEvery employee must:\n\n- lock the screen\n- wear a badge\n", "subject what line", {("Every employee", ":", 3), ("Every employee", "lock the screen", 5), ("Every employee", "wear a badge", 6)}),
    "sentences over several lines keep their line": ("terms.md", "# Terms\n\nThe supplier ships the goods. The\nsupplier must insure\nthem.\n\nA short line.\n", "line subject", {(3, "The supplier")}),
    "code blocks are no text": ("rules.md", "# Rules\n\n```\nYou must not read this.\n```\n\n    You must not read that.\n", "line", set()),
    "parties of a contract": ("contract.md", CONTRACT, "party kind line", {("Supplier", "duty", 3), ("Buyer", "duty", 4), ("both", "duty", 5), ("Supplier", "prohibition", 6)}),
    "conditions stand apart": ("terms.md", LATE, "condition subject what", {("If the invoice is late", "the customer", "pay interest"), ("unless we agree to wait", "The supplier", "replace the goods")}),
    "schemas": ("user.schema.json", SCHEMA, "subject words", {("the record", "required"), ("email", "maxLength"), ("email", "format")}),
    "tables": ("schema.sql", TABLE, "line words", {(2, "not null"), (2, "unique"), (3, "varchar"), (3, "not null"), (4, "references")}),
    "constants": ("limits.py", CODE, "line kind", {(1, "duty"), (2, "limit"), (3, "limit")}),
    "a comment is read whole": ("a.c", "/* You must not claim that you wrote the original software. */\nint x;\n", "what", {("claim that you wrote the original software",)}),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_what_texts_state(run: Run, case: str) -> None:
    name, text, fields, expected = TEXTS[case]
    found = stated(run, given(name, text))
    assert {tuple(each[field] for field in fields.split()) for each in found} == expected
    assert len(found) == len(expected)
    if name == "limits.py":
        assert next(each for each in found if each["line"] == 3)["numbers"][0]["value"] == 900


@pytest.mark.parametrize(
    ("text", "value", "dimension", "bound"),
    [
        ("within 30 days", 30 * 86400, "time", "at most"),
        ("no later than thirty (30) days", 30 * 86400, "time", "at most"),
        ("at least 12 characters", 12, "number of characters", "at least"),
        ("up to 10 MB", 10**7, "data", "at most"),
        ("a maximum of 512 MiB", 512 << 20, "data", "at most"),
        ("not exceed 1,500 EUR", 1500, "eur", "at most"),
        ("at least €2.5 million", 2.5e6, "eur", "at least"),
        ("99.9 % availability", 0.999, "share", "exactly"),
        ("höchstens 14 Tage", 14 * 86400, "time", "at most"),
        ("au moins deux heures", 7200, "time", "at least"),
        ("250 ms or less", 0.25, "time", "at most"),
        ("five business days", 5 * 86400, "time", "exactly"),
    ],
)
def test_numbers_have_one_unit(text: str, value: float, dimension: str, bound: str) -> None:
    (found,) = quantities(f"It takes {text} to do it.")
    assert (found.value, found.dimension, found.bound) == (pytest.approx(value), dimension, bound)


@cases("text")
def test_dates_are_written_one_way(text: str) -> None:
    assert [day.iso for day in days(text)] == ["2025-03-01"]
    assert quantities(text) == []
    assert days("31 February 2025 and 2025-13-40") == []


def test_deadlines(run: Run) -> None:
    assert one(run, "The report must be filed by 31 March 2026.")["deadline"] is True
    assert one(run, "The provider shall answer within two business days.")["deadline"] is True
    assert "deadline" not in one(run, "The provider shall answer in writing.")


def test_settings_that_do_not_keep_to_the_requirements(run: Run) -> None:
    result = run("extract_constraints", "docs/requirements.md", "config/production.yaml")
    assert {(each.name, each.line, each.severity) for each in result.findings} == {
        ("config/production.yaml", 11, "medium"),
        ("config/production.yaml", 12, "medium"),
    }
    assert all("docs/requirements.md:1" in each.message for each in result.findings)
    assert "sessions.ttl\\_minutes = 60" in result.text.split("keep to what is stated")[1].split("###")[0]
    assert result.outcome == {
        "status": "done",
        "severity": "medium",
        "count": "many",
        "tags": ["out_of_step", "obligations", "prohibitions", "deadlines"],
    }


def test_one_demands_what_the_other_forbids(run: Run) -> None:
    first = given("policy.md", "Employees must forward customer mail to private accounts.\n")
    second = given("rules.md", "Employees must not forward customer mail to private accounts.\n")
    (found,) = run("extract_constraints", first, second).findings
    assert "duty" in found.message and "prohibition" in found.message


def test_licences_are_named(run: Run) -> None:
    mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
    texts = {
        "about.md": f"Copyright 2024 Alder\n\n{mit}",
        "LICENSE": "Apache License\nVersion 2.0, January 2004\nTERMS AND CONDITIONS",
        "notes.md": "We like the GNU General Public License.",
    }
    result = run("extract_constraints", *(given(name, text) for name, text in texts.items()))
    assert result.facts["licences"] == {"about.md": "MIT", "LICENSE": "Apache-2.0"}


@cases("language", "text")
def test_languages(language: str, text: str) -> None:
    assert language_of(text) == language


def test_rows_results_and_binaries(run: Run) -> None:
    assert run("extract_constraints", "data/orders.csv").outcome["status"] == "partial"
    assert run("extract_constraints", given("a.bin", b"\0\1\2" * 999)).outcome["status"] == "partial"
    empty: Result = run("extract_constraints", given("a.md", ""))
    assert (empty.outcome["count"], empty.outcome["status"]) == ("none", "done")
    assert run("extract_constraints", earlier("s1", "compare", empty)).outcome["status"] == "failed"


@cases("sentence", "bound")
def test_a_negated_comparison_is_turned_around(sentence: str, bound: str) -> None:
    (quantity,) = quantities(sentence)
    assert quantity.bound == bound
