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


def test_each_but_those_of_the_gatekeeper_has_a_function() -> None:
    for name in catalog():
        assert catalog()[name].name.value == name
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


@pytest.mark.parametrize(
    ("old", "new"),
    [("[lint]", "[lints]"), ("[lint]", "[split_]"), ('returns = "findings"', 'return = "findings"'),
     ('domain = "any"', 'domain = "any"\nown = "mine"')],
)  # fmt: skip
def test_a_row_that_does_not_fit_is_refused(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tmp_path / "catalog.toml"
    rows.write_text(capabilities.ROWS.read_text("utf-8").replace(old, new, 1), "utf-8")
    monkeypatch.setattr(capabilities, "ROWS", rows)
    with pytest.raises(VocabularyError):
        capabilities.declared.__wrapped__()


def test_the_catalog_loads_without_the_capabilities() -> None:
    program = (
        "import sys; from plantwin.private.capabilities import catalog; catalog();"
        "print([name for name in sys.modules if name.startswith('plantwin.private.capabilities.')])"
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


@pytest.mark.parametrize("name", sorted(catalog()))
def test_each_is_documented(name: str) -> None:
    found = re.search(rf"^## `{name}`\n(.*?)(?=^## |\Z)", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    section = found[1]
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
