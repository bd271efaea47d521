"""What a worker sees in addition when its capability starts programs, or runs the folder's own code."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from workers import executor, record

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.installed import find as found
from plantwin.private.execution import sandbox
from plantwin.private.execution.protocol import MB, Limits
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, ResultType, Risk

TOOL = sandbox.Bubblewrap("bwrap", True, True)


def capability(**more: bool) -> Capability:
    """A capability that declares these."""
    return Capability(
        name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY, risk=Risk.HIGH, **more
    )


def test_our_own_tools_are_shown_to_what_starts_programs_alone() -> None:
    shown = sandbox.command(TOOL, (), MB, programs=True)
    programs = installed.programs()
    assert programs.keys() >= {"ruff", "oxlint", "shellcheck", "hadolint", "zizmor"}
    for name, path in programs.items():
        assert shown[shown.index(f"{sandbox.TOOLS}/{name}") - 1] == path
    assert sysconfig.get_path("scripts") not in shown
    assert f"{sandbox.TOOLS}/ruff" not in sandbox.command(TOOL, (), MB)


def test_a_tool_that_is_not_installed_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "scripts", lambda: str(tmp_path))
    monkeypatch.setattr(installed, "PLACES", ())
    found.cache_clear()
    monkeypatch.setattr(installed, "find", found)
    assert installed.programs() == {}
    found.cache_clear()


def test_shared_memory_is_for_tests_alone_and_small(tmp_path: Path) -> None:
    words = sandbox.command(TOOL, (), 8 * MB, programs=True, project=tmp_path)
    at = words.index(sandbox.SHARED)
    assert words[at - 5 : at] == ["--size", str(8 * MB), "--perms", "1777", "--tmpfs"]
    assert sandbox.SHARED not in sandbox.command(TOOL, (), MB, programs=True)


@pytest.mark.parametrize(("more", "seen"), [({}, False), ({"programs": True}, True), ({"project": True}, True)])
def test_programs_run_where_they_are_declared(tree: Path, more: dict[str, bool], seen: bool) -> None:
    worker = executor(tree, "starts", objects={"o": record("a/b.txt")}, limits=Limits(seconds=20))
    worker.execute("s1", capability(**more), ["o"])
    facts = worker.results["s1"].facts
    assert facts["started"] is seen
    assert facts["shared"] is ("project" in more)
    assert facts["folder"] == (["a"] if "project" in more else [])
    assert facts["written"] is False
    assert (facts["network"], facts["files"], facts["raw"]) == (False, False, False)
    assert facts["loopback"] is ("project" in more)  # a private one: see the tests of run_tests
    assert facts["ruff"] is seen
