"""What each capability says of some files: one row of `cases/<capability>.toml` is one test.

A row names the files (`files`, or `shop` for those of the example shop) and what must hold. `exact`, `has` and `lacks`
speak of sets: `found` (`LINE RULE`), `rules`, `places` (`NAME LINE SEVERITY TAG`), with `_high` and the like for
findings that are at least so bad. A text `<name>` stands for a row of the table `texts`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from capability_inputs import Run, found, given, places, rules, said, shop

from plantwin.private.capabilities.engine.job import Result, Surroundings

Sets = dict[str, list[str]]
SETS = {"found": found, "rules": rules, "places": places}


class Listed(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Fields of the findings, in order unless said otherwise; of some only where `where` says so."""

    of: list[str]
    where: dict[str, str | int] = {}
    are: list[str] | None = None
    has: list[str] = []
    unordered: bool = False


class Case(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One row."""

    test: str
    files: dict[str, str] = {}
    shop: list[str] = []
    options: dict[str, object] = {}
    around: Surroundings = Surroundings()
    exact: Sets = {}
    has: Sets = {}
    lacks: Sets = {}
    outcome: dict[str, object] = {}
    one_of: dict[str, list[str]] = {}
    tags: list[str] = []
    facts: dict[str, object] = {}
    findings: list[Listed] = []
    number: int = -1
    """Of all findings."""
    says: list[str] = []
    unsaid: list[str] = []
    text: list[str] = []
    untold: list[str] = []


def cases() -> list[object]:
    """Every row of every file."""
    rows = []
    for file in sorted((Path(__file__).parent / "cases").glob("*.toml")):
        tables = tomllib.loads(file.read_text("utf-8"))
        texts = {f"<{name}>": text for name, text in tables.get("texts", {}).items()}
        for number, row in enumerate(tables["case"]):
            row["files"] = {name: texts.get(text, text) for name, text in row.get("files", {}).items()}
            case = msgspec.convert(row, Case)
            assert row.keys() - {"test", "files", "shop", "options", "around"}, (
                f"{file.stem}: {case.test} expects nothing"
            )
            rows.append(pytest.param(file.stem, case, id=f"{file.stem}-{number}-{case.test}"))
    return rows


def of(result: Result, name: str) -> set[str]:
    """A set of findings by its name, as rows write them."""
    sort, _, least = name.partition("_")
    listed = SETS[sort](result, least=least) if least else SETS[sort](result)
    return {each if isinstance(each, str) else " ".join(map(str, each)) for each in listed}


@pytest.mark.parametrize(("capability", "case"), cases())
def test_a_case(run: Run, capability: str, case: Case) -> None:
    inputs = [shop(*name.split("#")) for name in case.shop] + [given(name, text) for name, text in case.files.items()]
    result = run(capability, *inputs, surroundings=case.around, **case.options)
    assert {name: of(result, name) for name in case.exact} == {name: set(rows) for name, rows in case.exact.items()}
    assert {name: set(rows) - of(result, name) for name, rows in case.has.items() if set(rows) - of(result, name)} == {}
    assert {
        name: set(rows) & of(result, name) for name, rows in case.lacks.items() if set(rows) & of(result, name)
    } == {}
    plain = msgspec.json.decode(msgspec.json.encode(result))
    assert {name: plain["outcome"].get(name) for name in case.outcome} == case.outcome
    assert [name for name, words in case.one_of.items() if plain["outcome"][name] not in words] == []
    assert set(case.tags) <= set(plain["outcome"].get("tags", ()))
    assert {name: plain["facts"].get(name) for name in case.facts} == case.facts
    for listed in case.findings:
        kept = [each for each in plain["findings"] if listed.where.items() <= each.items()]
        rows = [" ".join(str(each[name]) for name in listed.of) for each in kept]
        assert listed.are is None or (sorted(set(rows)) if listed.unordered else rows) == listed.are
        assert set(listed.has) <= set(rows)
    assert case.number in (-1, len(result.findings))
    assert [words for words in case.says if not said(result, words)] == []
    assert [words for words in case.unsaid if said(result, words)] == []
    assert [words for words in case.text if words not in result.text] == []
    assert [words for words in case.untold if words in result.text] == []
