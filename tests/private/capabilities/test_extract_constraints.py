"""What texts, settings and schemas demand: known sentences, known numbers, known disagreements."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import time

import pytest
from capability_inputs import Run, earlier, given, shop

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.job import Input, Result
from plantwin.private.capabilities.terms.licences import licence_of
from plantwin.private.capabilities.terms.phrases import language_of
from plantwin.private.capabilities.terms.quantities import days, quantities


def stated(run: Run, *inputs: Input | str) -> list[dict]:
    """The constraints; the outcome passes the boundary whole."""
    result = run("extract_constraints", *inputs)
    assert sanitize(result.outcome, catalog()["extract_constraints"]).dropped == ()
    return result.facts["constraints"]  # type: ignore[return-value]


def one(run: Run, sentence: str, name: str = "requirements.md") -> dict:
    found = stated(run, given(name, f"# Terms\n\n{sentence}\n"))
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("sentence", "kind", "subject", "words"),
    [
        ("The server MUST answer every request.", "duty", "The server", "MUST"),
        ("Backups shall be encrypted.", "duty", "Backups", "shall"),
        ("The supplier is required to keep records.", "duty", "The supplier", "is required to"),
        ("Passwords must not be logged.", "prohibition", "Passwords", "must not"),
        ("Visitors may not enter the server room.", "prohibition", "Visitors", "may not"),
        ("Smoking in the office is strictly prohibited.", "prohibition", "Smoking in the office", "is strictly prohibited"),
        ("No employee may share a badge.", "prohibition", "No employee", "may"),
        ("Clients should retry with a delay.", "advice", "Clients", "should"),
        ("Clients should not cache errors.", "advice against", "Clients", "should not"),
        ("The client may cancel the order.", "permission", "The client", "may"),
        ("Users are entitled to a refund.", "permission", "Users", "are entitled to"),
        ("The tenant need not repaint the flat.", "permission", "The tenant", "need not"),
        ("Written approval is required.", "requirement", "Written approval", "is required"),
        ("“Personal Data” means any information about a person.", "definition", "Personal Data", "means"),
        ("Der Auftragnehmer muss die Daten löschen und die Löschung bestätigen.", "duty", "Der Auftragnehmer", "muss"),
        ("Die Daten dürfen ohne Zustimmung des Kunden nicht weitergegeben werden.", "prohibition", "Die Daten", ""),
        ("Le prestataire doit informer le client de la panne dans les délais.", "duty", "Le prestataire", "doit"),
        ("Il est interdit de fumer dans les locaux de la société.", "prohibition", "", "Il est interdit"),
        ("El proveedor debe avisar a los clientes en el plazo que se indica.", "duty", "El proveedor", "debe"),
    ],
)  # fmt: skip
def test_who_must_do_what(run: Run, sentence: str, kind: str, subject: str, words: str) -> None:
    found = one(run, sentence)
    assert (found["kind"], found["subject"]) == (kind, subject)
    assert words in ("", found["words"])
    assert found["line"] == 3


@pytest.mark.parametrize(
    "sentence",
    [
        "It must have been a long day for everyone.",
        "You may find this useful when debugging.",
        "This may cause problems on older systems.",
        "You should now see the login page.",
        "Should I use the old interface?",
        "We released the tool in May 2024 with new colours.",
        "The answer that most people gave was simple.",
        "If you must know the reason, ask around.",
    ],
)
def test_what_binds_nobody_is_left_out(run: Run, sentence: str) -> None:
    assert stated(run, given("notes.md", f"# Notes\n\n{sentence}\n")) == []


def test_only_capitals_bind_where_the_text_says_so(run: Run) -> None:
    text = (
        'The key words "MUST", "MUST NOT", "SHOULD" and "MAY" are to be interpreted as described in RFC 2119.\n\n'
        "A sender MUST add a header.\n\nA sender MUST NOT repeat it.\n\nA receiver SHOULD check it.\n\n"
        "A sender SHOULD be quick. As a reader you must be patient, and a receiver may be slow.\n"
    )
    found = stated(run, given("protocol.txt", text))
    assert [(each["kind"], each["line"]) for each in found] == [
        ("duty", 3),
        ("prohibition", 5),
        ("advice", 7),
        ("advice", 9),
    ]


def test_conditions_stand_apart(run: Run) -> None:
    found = one(run, "If the invoice is late, the customer must pay interest.")
    assert (found["condition"], found["subject"]) == ("If the invoice is late", "the customer")
    found = one(run, "The supplier must replace the goods unless the customer agrees to wait.")
    assert found["condition"].startswith("unless the customer")
    assert found["what"] == "replace the goods"


def test_items_inherit_what_stands_above_them(run: Run) -> None:
    found = stated(run, given("policy.md", "# Rules\n\nEvery employee must:\n\n- lock the screen\n- wear a badge\n"))
    assert [(each["subject"], each["what"], each["line"]) for each in found[1:]] == [
        ("Every employee", "lock the screen", 5),
        ("Every employee", "wear a badge", 6),
    ]


def test_sentences_over_several_lines_keep_their_line(run: Run) -> None:
    text = "# Terms\n\nThe supplier ships the goods. The\nsupplier must insure\nthem.\n\nA short line.\n"
    assert [(each["line"], each["subject"]) for each in stated(run, given("terms.md", text))] == [(3, "The supplier")]


def test_code_blocks_are_no_text(run: Run) -> None:
    text = "# Rules\n\n```\nYou must not read this.\n```\n\n    You must not read that.\n"
    assert stated(run, given("rules.md", text)) == []


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


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("by 2025-03-01", "2025-03-01"),
        ("on 1 March 2025", "2025-03-01"),
        ("March 1st, 2025", "2025-03-01"),
        ("am 1. März 2025", "2025-03-01"),
        ("bis 01.03.2025", "2025-03-01"),
        ("le 1er mars 2025", "2025-03-01"),
        ("el 1 de marzo de 2025", "2025-03-01"),
    ],
)
def test_dates_are_written_one_way(text: str, iso: str) -> None:
    assert [each.iso for each in days(text)] == [iso]
    assert quantities(text) == []


def test_impossible_dates_are_none() -> None:
    assert days("31 February 2025 and 2025-13-40") == []


def test_deadlines(run: Run) -> None:
    assert one(run, "The report must be filed by 31 March 2026.")["deadline"] is True
    assert one(run, "The provider shall answer within two business days.")["deadline"] is True
    assert "deadline" not in one(run, "The provider shall answer in writing.")


def test_parties_of_a_contract(run: Run) -> None:
    text = (
        'between Alder Ltd ("the Supplier") and Birch GmbH ("the Buyer").\n\n'
        "1. The Supplier shall deliver within 14 days.\n2. The Buyer will pay the price within 30 days.\n"
        "3. Both parties shall keep these terms confidential.\n4. The Supplier may not subcontract.\n"
    )
    found = stated(run, given("contract.md", text))
    assert [(each["party"], each["kind"]) for each in found] == [
        ("Supplier", "duty"),
        ("Buyer", "duty"),
        ("both", "duty"),
        ("Supplier", "prohibition"),
    ]


def test_settings_that_do_not_keep_to_the_requirements(run: Run) -> None:
    result = run("extract_constraints", "docs/requirements.md", "config/production.yaml")
    assert {(each.name, each.line, each.severity) for each in result.findings} == {
        ("config/production.yaml", 11, "high"),
        ("config/production.yaml", 12, "high"),
    }
    assert all("docs/requirements.md:1" in each.message for each in result.findings)
    assert "sessions.ttl\\_minutes = 60" in result.text.split("keep to what is stated")[1].split("###")[0]
    assert result.outcome == {
        "status": "done",
        "severity": "high",
        "count": "many",
        "tags": ["out_of_step", "obligations", "prohibitions", "deadlines"],
    }


def test_two_documents_that_disagree(run: Run) -> None:
    first = given("policy.md", "# Access\n\nAccess logs must be kept for 90 days.\n\nStaff must not share accounts.\n")
    second = given("handbook.md", "# Access\n\nAccess logs must be kept for 30 days.\n\nStaff must wear badges.\n")
    result = run("extract_constraints", first, second)
    assert [(each.name, each.line, each.severity, each.tag) for each in result.findings] == [
        ("handbook.md", 3, "medium", "out_of_step")
    ]
    same = given(
        "handbook.md", "# Access\n\nAccess logs must be kept for three months.\n".replace("three months", "90 days")
    )
    assert run("extract_constraints", first, same).findings == []


def test_one_demands_what_the_other_forbids(run: Run) -> None:
    first = given("policy.md", "Employees must forward customer mail to private accounts.\n")
    second = given("rules.md", "Employees must not forward customer mail to private accounts.\n")
    (found,) = run("extract_constraints", first, second).findings
    assert "duty" in found.message and "prohibition" in found.message


def test_schemas_tables_and_constants(run: Run) -> None:
    schema = '{"type":"object","required":["email"],"properties":{"email":{"type":"string","maxLength":254,"format":"email"}}}'
    found = stated(run, given("user.schema.json", schema))
    assert {(each["subject"], each["words"]) for each in found} == {
        ("the record", "required"),
        ("email", "maxLength"),
        ("email", "format"),
    }
    table = "CREATE TABLE users (\n  id INTEGER PRIMARY KEY,\n  name VARCHAR(80) NOT NULL,\n  org INT REFERENCES orgs(id)\n);\n"
    found = stated(run, given("schema.sql", table))
    assert {(each["line"], each["words"]) for each in found} == {
        (2, "not null"), (2, "unique"), (3, "varchar"), (3, "not null"), (4, "references"),
    }  # fmt: skip
    code = (
        "# The token must be renewed every hour.\nMAX_LOGIN_ATTEMPTS = 5\nSESSION_TIMEOUT_SECONDS = 15 * 60\nNAME = 3\n"
    )
    found = stated(run, given("limits.py", code))
    assert {(each["line"], each["kind"]) for each in found} == {(1, "duty"), (2, "limit"), (3, "limit")}
    assert next(each for each in found if each["line"] == 3)["numbers"][0]["value"] == 900


def test_licences_are_named() -> None:
    mit = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
    found = licence_of(f"Copyright 2024 Alder\n\n{mit}", declared=False)
    assert found is not None and found.name == "MIT"
    text = "Apache License\nVersion 2.0, January 2004\nTERMS AND CONDITIONS"
    apache = licence_of(text, declared=True)
    assert apache is not None and apache.name == "Apache 2.0"
    assert licence_of("We like the GNU General Public License.", declared=False) is None


def test_a_licence_in_the_report(run: Run) -> None:
    text = (
        "Redistribution and use in source and binary forms, with or without\nmodification, are permitted.\n\n"
        "1. Redistributions of source code must retain the above copyright notice.\n"
    )
    result = run("extract_constraints", given("LICENSE", text))
    assert result.facts["licences"] == {"LICENSE": "BSD-2-Clause"}
    assert "| permits | demands | excludes |" in result.text


def test_languages() -> None:
    assert language_of("The supplier must pay the price and the costs of the court.") == "English"
    assert language_of("Der Kunde hat die Ware zu prüfen und die Mängel sind dem Verkäufer zu melden.") == "German"
    assert language_of("Le client doit payer le prix et les frais dans un délai que la loi fixe.") == "French"
    assert language_of("El cliente debe pagar los gastos y el precio que se indica en la factura.") == "Spanish"


def test_open_points_are_low(run: Run) -> None:
    result = run("extract_constraints", given("spec.md", "# Spec\n\nThe retention period is TBD.\n"))
    assert [(each.severity, each.tag, each.line) for each in result.findings] == [("low", "open_points", 3)]
    assert result.outcome["severity"] == "none"


def test_secrets_are_masked(run: Run) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    result = run("extract_constraints", given("runbook.md", f"You must use the token {secret} to deploy.\n"))
    import msgspec

    assert secret not in msgspec.json.encode(result).decode()
    assert result.facts["constraints"]


def test_rows_results_and_binaries(run: Run) -> None:
    assert run("extract_constraints", "data/orders.csv").outcome["status"] == "done"
    assert run("extract_constraints", given("a.bin", b"\0\1\2" * 999)).outcome["status"] == "partial"
    empty: Result = run("extract_constraints", given("a.md", ""))
    assert (empty.outcome["count"], empty.outcome["status"]) == ("none", "done")
    assert run("extract_constraints", earlier("s1", "compare", empty)).outcome["status"] == "failed"


@pytest.mark.parametrize(
    "text",
    [
        "must " * 200_000,
        "The client must, " * 60_000,
        "a" * 2_000_000,
        "- a must b\n" * 100_000,
        "within 1,000,000,000 " * 50_000,
        '"""' * 200_000,
        "if " * 300_000,
        "(" * 500_000,
        "der darf " * 100_000,
        "<p>" * 300_000,
        "1. 1. 1. " * 100_000,
        "x\n" * 700_000,
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.py", "a.yaml"])
def test_hostile_texts_end_in_time(run: Run, text: str, name: str) -> None:
    started = time.process_time()
    assert run("extract_constraints", given(name, text), given("b.md", "A must b.")).outcome["status"] in (
        "done",
        "partial",
    )
    assert time.process_time() - started < 20


def test_tables_of_a_database_are_left_alone(run: Run) -> None:
    assert run("extract_constraints", shop("data/shop.db", "orders")).outcome["status"] in ("done", "partial")


def test_the_same_sentence_twice_is_no_disagreement(run: Run) -> None:
    text = "A title may be at most 5 words, and a subtitle may be at most 25 words.\n\nYou may copy it, but you may not change it.\n"
    result = run("extract_constraints", given("policy.md", text), given("rules.md", text))
    assert result.findings == []


def test_a_number_in_a_comment_is_read_whole(run: Run) -> None:
    code = "/* You must not claim that you wrote the original software. */\nint x;\n"
    (found,) = stated(run, given("a.c", code))
    assert found["what"] == "claim that you wrote the original software"
