"""The catalog: lazy, closed, documented."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from plantwin.errors import VocabularyError
from plantwin.private import capabilities
from plantwin.private.capabilities import catalog, function
from plantwin.types.capability import TELLING, Catalog
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType

DOCS = Path(__file__).parents[3] / "docs" / "capabilities.md"
FIRST = ("security_audit", "secret_scan", "compare", "summarize", "describe", "expand")


def test_the_first_capabilities_are_there() -> None:
    assert set(FIRST) <= set(catalog())
    assert all(catalog()[name].name.value == name for name in catalog())


def test_each_but_those_of_the_gatekeeper_has_a_function() -> None:
    for name in catalog():
        if name in TELLING:
            with pytest.raises(VocabularyError):
                function(name)
        else:
            assert callable(function(name))


@pytest.mark.parametrize("name", ["job", "common", "audit", "__init__", "os", "../x", "", "Compare", "tests"])
def test_other_names_lead_nowhere(name: str) -> None:
    with pytest.raises(VocabularyError):
        function(name)


def test_nothing_can_take_the_place_of_a_built_in() -> None:
    assert not [name for name in vars(capabilities) if "register" in name]
    with pytest.raises(VocabularyError):
        Catalog([*catalog().values(), catalog()["compare"]])


def test_a_file_that_declares_another_capability_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from plantwin.private.capabilities import compare, summarize

    monkeypatch.setattr(compare, "CAPABILITY", summarize.CAPABILITY)
    with pytest.raises(VocabularyError):
        catalog.__wrapped__()


def test_declarations_load_without_the_tools() -> None:
    heavy = ("bandit", "hyperscan", "tree_sitter", "yaml", "rich", "sqlite3", "plantwin.private.detect.engine")
    program = (
        "import sys; from plantwin.private.capabilities import catalog, function; catalog();"
        "[function(name) for name in catalog() if name not in ('describe', 'expand')];"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_compare_takes_two_of_anything_but_fields() -> None:
    compare = catalog()["compare"]
    assert (compare.least, compare.most) == (2, 2)
    assert {ResultType.FINDINGS, ResultType.SUMMARY, ResultType.COMPARISON} <= compare.takes
    assert ResultType.FIELDS not in compare.takes


def test_tags_are_of_the_vocabulary() -> None:
    for each in catalog().values():
        assert all(type(tag) is OutcomeTag for tag in each.tags)


@pytest.mark.parametrize("name", sorted(FIRST))
def test_each_is_documented(name: str) -> None:
    section = _section(name)
    each = catalog()[name]
    for row in ("Accepts", "Returns", "Required fields", "Risk", "Price", "Example"):
        assert re.search(rf"^\| {row} \|", section, re.MULTILINE), row
    assert f"`{each.returns.value}`" in section
    assert f"{each.risk.value}" in section
    for field in each.required_fields:
        assert f"`{field}`" in section
    for tag in each.tags:
        assert f"`{tag.value}`" in section


def test_every_capability_of_the_catalog_is_documented() -> None:
    headings = set(re.findall(r"^## `(\w+)`", DOCS.read_text(), re.MULTILINE))
    assert set(catalog()) <= headings <= {each.value for each in CapabilityName}


def _section(name: str) -> str:
    found = re.search(rf"^## `{name}`\n(.*?)(?=^## |\Z)", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]
