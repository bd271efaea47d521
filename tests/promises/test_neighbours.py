"""What a policy keeps from a capability cannot be counted through its neighbours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from scenes import outcomes, session, settings, step

CORE = "def run(value):\n    return value\n"
IMPORTER = "import app.core\n\n\ndef use_{n}(value):\n    return app.core.run(value)\n"
HUSHED = 'resource.labels.contains("hushed")'
CASES = {
    "denied to every capability": f"!{HUSHED}",
    "denied to the one that counts": f'!{HUSHED} || action == Action::"summarize"',
}


def _heard(base: Path, condition: str, hushed: int) -> list:
    """What a planner hears of the impact of a change, with so many importers that it may not be told of."""
    root = base / "folder"
    files = {"app/core.py": CORE, "app/one.py": IMPORTER.format(n="one")}
    files |= {f"hush/use_{n}.py": IMPORTER.format(n=n) for n in range(hushed)}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (base / "policy.cedar").write_text(f"permit (principal, action, resource) when {{ {condition} }};\n")
    text = f'[policy]\nfile = "{base}/policy.cedar"\n[[labels]]\nglob = "hush/**"\nlabel = "hushed"\n'
    plan = {"steps": [step("find_impact", "@object=1"), step("map_dependencies", "@object=1", id_="s2")]}
    goal = "What breaks if app/core.py changes?"
    _, planner = session(root, base / "state", [plan], goal, settings=settings(base, text))
    return outcomes(planner)


@pytest.mark.parametrize("condition", CASES.values(), ids=CASES)
def test_importers_that_the_policy_denies_are_not_counted(tmp_path: Path, condition: str) -> None:
    several, none = tmp_path / "several", tmp_path / "none"
    several.mkdir()
    none.mkdir()
    heard = _heard(several, condition, 14)
    assert heard == _heard(none, condition, 0)
    assert heard[0][0]["status"] == "done"


HOLDERS = {
    "tests": {"hush/test_core.py": "from app import {name}\n\n\ndef test_it():\n    assert {name}.run(1)\n"},
    "consumers": {"hush/use.py": "import pandas\n\npandas.read_csv('data/{name}.csv')\n"},
    "schema": {"hush/tables.sql": "CREATE TABLE {name} (id integer PRIMARY KEY, amount integer);\n"},
}


@pytest.mark.parametrize("word", HOLDERS)
def test_what_objects_lack_does_not_tell_of_files_that_the_policy_denies(tmp_path: Path, word: str) -> None:
    told = {name: _lacking(tmp_path / name, word, name) for name in ("one", "two", "other")}
    assert told["one"] == told["two"] == told["other"]


def _lacking(base: Path, word: str, name: str) -> list[str]:
    """What the request says that objects lack, where one that is kept tests, reads or defines `name`."""
    root = base / "folder"
    files = {f"app/{each}.py": CORE for each in ("one", "two")}
    files |= {f"data/{each}.csv": "id,amount\n1,2\n2,3\n" for each in ("one", "two")}
    files |= {path: text.format(name=name) for path, text in HOLDERS[word].items()}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (base / "policy.cedar").write_text(f"permit (principal, action, resource) when {{ !{HUSHED} }};\n")
    text = f'[policy]\nfile = "{base}/policy.cedar"\n[[labels]]\nglob = "hush/**"\nlabel = "hushed"\n'
    goal = "Summarize app/one.py, app/two.py, data/one.csv and data/two.csv"
    plan = {"steps": [step("describe", f"@object={number}", id_=f"s{number}") for number in range(1, 5)]}
    _, planner = session(root, base / "state", [plan, plan], goal, settings=settings(base, text))
    told = [json.loads(each) for each in planner.received]
    return sorted(line for message in told for line in _lacks(message))


def _lacks(value: object) -> Iterator[str]:
    """All that a message says under `lacks`."""
    if isinstance(value, dict):
        if "lacks" in value:
            yield json.dumps([value.get("kind"), value["lacks"]])
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _lacks(each)
