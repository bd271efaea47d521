"""Kind and class from real parsers over small realistic files, and the rule tables themselves."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plantwin.private.classify.classify import FORMAT_KINDS, classify
from plantwin.private.classify.extraction import extract
from plantwin.private.classify.rules import (
    CAPS,
    FEATURES,
    PATH,
    PROSE,
    convention_of,
    conventions,
    plural,
    rules,
    segments,
    split_words,
)
from plantwin.private.environment import Environment
from plantwin.private.facts import Facts, Outline, Sample
from plantwin.vocabulary import Kind, SemanticClass
from tables import cases


class Snippet(NamedTuple):
    """A small realistic file and what it is."""

    path: str
    kind: str
    semantic_class: str
    text: str
    confidence: str = ""


def rows(name: str) -> list[dict[str, Any]]:
    """Rows of a file of snippets."""
    found: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))["snippet"]
    return found


SNIPPETS = [Snippet(**row) for row in rows("class_snippets.toml")]
TOLD_APART = [
    Snippet(path, row["kind"], row["semantic_class"], row["text"], row.get("confidence", ""))
    for row in rows("told_apart.toml")
    for path in row["paths"]
]


def facts(path: str, text: str) -> Facts:
    data = text.encode()
    found = extract(Sample(path, len(data), data), (), digest_value=hash)
    assert found is not None
    return found


@pytest.mark.parametrize("snippet", [*SNIPPETS, *TOLD_APART], ids=lambda snippet: snippet.path)
def test_realistic_files_are_named(snippet: Snippet) -> None:
    found = facts(snippet.path, snippet.text)
    assert (found.kind, found.ranking[0][0]) == (snippet.kind, snippet.semantic_class)
    assert found.confidence == (snippet.confidence or found.confidence)


@pytest.mark.parametrize(
    "snippet",
    [each for each in SNIPPETS if each.kind == "code_file" and each.path.endswith((".py", ".sql"))],
    ids=lambda snippet: snippet.path,
)
def test_structure_alone_finds_the_family(snippet: Snippet) -> None:
    """The same content under a name that says nothing."""
    ending = snippet.path.rpartition(".")[2]
    found = facts(f"x/file1.{ending}", snippet.text)
    expected = SemanticClass(snippet.semantic_class)
    layers = {"mart_transform", "intermediate_transform"}
    if expected in layers:
        assert found.ranking[0][0] in layers
    elif expected not in ("test_helper", "package_entrypoint", "app_entrypoint", "example_script"):
        assert found.ranking[0][0] == expected


def test_every_class_can_be_reached() -> None:
    table = rules()
    lookups = (
        table.feature,
        table.imported,
        table.name,
        table.file,
        table.stem,
        table.folder,
        table.path,
        table.heading,
    )
    targets = {rule.target for lookup in lookups for entries in lookup.values() for rule in entries}
    assert targets == {member.value for member in SemanticClass}


def test_every_feature_that_a_rule_names_exists() -> None:
    named = {word for word in rules().feature if not word.startswith("format.")}
    assert named <= FEATURES.keys()


def test_every_format_that_a_rule_names_has_a_kind() -> None:
    named = {word.removeprefix("format.") for word in rules().feature if word.startswith("format.")}
    assert named <= FORMAT_KINDS.keys()
    assert set(FORMAT_KINDS.values()) <= {member.value for member in Kind}


def test_no_row_of_path_or_prose_is_worth_more_than_its_cap() -> None:
    for lookup, cap in ((rules().path, CAPS[PATH]), (rules().heading, CAPS[PROSE])):
        assert all(rule.points <= cap for entries in lookup.values() for rule in entries)


def test_an_outline_without_evidence_has_a_class_of_low_confidence() -> None:
    for form, kind in FORMAT_KINDS.items():
        got, ranking, confidence, why = classify("zzz", Outline(form), ())
        assert got == kind
        assert SemanticClass(ranking[0][0])
        assert confidence in ("low", "medium", "high")
        assert len(why) <= 4


def test_conflict_lowers_confidence() -> None:
    outline = Outline("python", features={"auth_call": 4, "function": 4}, names=["login", "logout"], calls=["bcrypt"])
    assert classify("auth/login.py", outline, ())[2] == "high"
    assert classify("billing/payment/invoice.py", outline, ())[2] == "medium"


def test_what_did_not_parse_is_never_of_high_confidence() -> None:
    outline = Outline("python", parsed=False, features={"auth_call": 4}, names=["login", "logout"], calls=["bcrypt"])
    assert classify("auth/login.py", outline, ())[2] == "medium"


def test_why_names_the_deciding_evidence() -> None:
    outline = Outline("python", features={"auth_call": 2}, names=["login", "verify_password"], calls=["jwt", "bcrypt"])
    why = classify("auth/tokens.py", outline, ())[3]
    assert "imports: bcrypt, jwt" in why
    assert "structure: 2 auth call" in why
    assert "defines: login, password" in why
    assert "path: auth" in why


def test_ranking_is_the_same_every_time() -> None:
    outline = Outline("python", names=["login", "payment", "report", "sort"])
    assert len({classify("a/b.py", outline, ()) for _ in range(5)}) == 1


def test_words_are_split_as_people_read_them() -> None:
    assert split_words(["verifyPassword", "HTTPServer_v2", "user-id"]) == [
        "verify", "password", "\n", "http", "server", "v", "\n", "user", "id",
    ]  # fmt: skip
    assert [word for word in segments(["@nestjs/common", "stripe.Charge.create"]) if word.strip()] == [
        "nestjs", "common", "stripe", "charge", "create",
    ]  # fmt: skip
    assert [plural(word) for word in ("token", "entity", "batch", "key")] == ["tokens", "entities", "batches", "keys"]


# Files whose place says what they are for


@pytest.mark.parametrize(("row", "path"), [(row, path) for row in conventions() for path in row.examples])
def test_every_example_follows_its_own_convention(row, path):
    assert convention_of(path, next(iter(row.formats), "text")) == row


@pytest.mark.parametrize(
    ("path", "format_"),
    [("src/readme_parser.py", "python"), ("src/license.go", "go"), ("app/values.py", "python"),
     ("migrations/x.sql", "log"),
     ("compose/letter.md", "markdown"), ("docs/history.py", "python"), ("src/security.ts", "typescript")],
)  # fmt: skip
def test_what_only_sounds_like_a_convention_follows_none(path, format_):
    assert convention_of(path, format_) is None


@cases("path", "text", "kind", "semantic_class")
def test_a_convention_decides_class_and_kind(tmp_path: Path, path, text, kind, semantic_class):
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    (record,) = Environment(tmp_path, keep=False, ignore=False).scan(jobs=1).records()
    assert (str(record.kind), str(record.semantic_class)) == (kind, semantic_class)
