"""Every known weakness is found at its sort, and its safe twin is left in peace."""

from __future__ import annotations

import pytest
from audit_twins import TWINS, Twin
from capability_inputs import Run, given


def _ids(twin: Twin) -> str:
    return f"{twin.name.rpartition('.')[2]}-{twin.tag}-{TWINS.index(twin)}"


@pytest.mark.parametrize("twin", TWINS, ids=_ids)
def test_the_weak_twin_is_found(run: Run, twin: Twin) -> None:
    result = run("security_audit", given(twin.name, twin.weak))
    assert result.outcome["status"] == "done"
    assert twin.tag in {each.tag for each in result.findings}
    assert all(each.line >= 1 and each.message and each.hint for each in result.findings)


@pytest.mark.parametrize("twin", TWINS, ids=_ids)
def test_the_safe_twin_is_left_in_peace(run: Run, twin: Twin) -> None:
    result = run("security_audit", given(twin.name, twin.safe))
    assert [(each.tag, each.message) for each in result.findings] == []
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}


def test_there_are_enough_twins_over_enough_languages() -> None:
    assert len(TWINS) >= 25
    assert len({twin.name.rpartition(".")[2] for twin in TWINS}) >= 6
