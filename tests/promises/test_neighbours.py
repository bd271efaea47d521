"""What a policy keeps from a capability cannot be counted through its neighbours."""

from __future__ import annotations

import json
import os
import time
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
    # k-anonymity would refuse, in the larger folder, to say of one object that its label permits the step.
    text = f'[budget]\naccountant = "weighted"\n[policy]\nfile = "{base}/policy.cedar"\n'
    text += '[[labels]]\nglob = "hush/**"\nlabel = "hushed"\n'
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


KEPT = {
    "tests": {"hush/test_core.py": "from app import one\n\n\ndef test_it():\n    assert one.run(1)\n"},
    "documents": {"hush/README.md": "# The shop\n\nSee app/one.py for how it runs.\n"},
    "consumers": {"hush/use.py": "import pandas\n\npandas.read_csv('data/one.csv')\n"},
    "schema": {"hush/tables.sql": "CREATE TABLE one (id integer PRIMARY KEY, amount integer);\n"},
    "a component": {f"app/billing/hush_{name}": "{}\n" for name in ("package.json", "a.json", "b.json", "c.json")},
    "older files": {f"hush/old_{number}.py": CORE for number in range(40)},
    "a series": {f"data/hush_2020-0{month}.csv": "id,amount\n1,2\n" for month in range(1, 6)},
    "a copy": {"hush/one.py": CORE},
}


@pytest.mark.parametrize("kept", KEPT)
def test_nothing_that_is_told_of_others_follows_from_files_that_the_policy_denies(tmp_path: Path, kept: str) -> None:
    """What an object lacks, how old it is among others, its component and its relations."""
    assert _told(tmp_path / "with", KEPT[kept]) == _told(tmp_path / "without", {})


def _told(base: Path, kept: dict[str, str]) -> list[str]:
    """What a planner hears of a folder in which these files are denied, up to ids."""
    root = base / "folder"
    files = {f"app/{each}.py": CORE for each in ("one", "two")}
    files |= {f"app/billing/{each}.py": IMPORTER.format(n=each) for each in ("bill", "send")}
    files |= {f"data/{each}.csv": "id,amount\n1,2\n2,3\n" for each in ("one", "two", "2020-06", "2020-07")}
    for place, (path, text) in enumerate((files | kept).items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        days = 400 if path in kept else 20 * place
        os.utime(root / path, (time.time() - 86_400 * days,) * 2)
    (base / "policy.cedar").write_text(f"permit (principal, action, resource) when {{ !{HUSHED} }};\n")
    labels = [f'[[labels]]\nglob = "{glob}"\nlabel = "hushed"\n' for glob in ("hush/**", "**/hush_*")]
    text = f'[policy]\nfile = "{base}/policy.cedar"\n[budget]\nscale = 4.0\n{"".join(labels)}'
    goal = f"Summarize {', '.join(files)}"
    plan = {"steps": [step("describe", f"@object={number}", id_=f"s{number}") for number in range(1, len(files) + 1)]}
    _, planner = session(root, base / "state", [plan, plan], goal, settings=settings(base, text))
    messages = [json.loads(each) for each in planner.received]
    rows = [row for each in messages for key in ("sets", "objects", "edges", "relations") for row in each.get(key, ())]
    together: dict[str, list[str]] = {}
    for row in rows:
        together.setdefault(row.get("component", ""), []).append(_nameless(row))
    assert any("age" in row for row in rows) and any("component" in row for row in rows)
    return sorted(json.dumps(sorted(told)) for told in together.values())


def _nameless(row: dict[str, object]) -> str:
    ids = ("object_id", "set_id", "component", "source", "target", "within")
    return json.dumps({key: value for key, value in row.items() if key not in ids}, sort_keys=True)
