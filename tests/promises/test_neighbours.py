"""What a policy keeps from a capability cannot be counted through its neighbours."""

from __future__ import annotations

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
