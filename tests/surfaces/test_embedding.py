"""The page about embedding tells the truth: its code runs, and it names everything that is public."""

from __future__ import annotations

import asyncio
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plantwin
from plantwin import Began, Decided, Ended, Ending, Environment, Ledger, Session, SqliteLedger, load_settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "embedding.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
GOAL = "Find secrets in .env"


def test_every_block_runs_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "shop", tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text("\n\n".join(BLOCKS))
    done = subprocess.run([sys.executable, "-W", "error", "page.py"], capture_output=True, text=True, timeout=240)
    assert len(BLOCKS) >= 12 and done.returncode == 0, done.stderr
    for said in ("ended: done", "secret_scan", "house_style", "acme ", '"message":"budget"'):
        assert said in done.stdout, said


def test_the_page_names_everything_public_and_all_of_it_is_there() -> None:
    table = PAGE.partition("## Everything public")[2]
    named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.partition(" | ")[0])}
    assert named == set(dir(plantwin)) - {"__version__"}
    for name in dir(plantwin):
        assert getattr(plantwin, name) is not None
    with pytest.raises(AttributeError):
        plantwin.nothing  # noqa: B018
    rows = re.findall(r"^\| (`[^|]*) \|", PAGE.partition("## Events")[0], re.MULTILINE)
    options = set(inspect.signature(plantwin.Workspace).parameters) - {"root"}
    assert options == set(re.findall(r"`(\w+)`", " ".join(rows)))


def test_paths_may_be_text_or_paths(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("")
    for kind in (str, Path):
        settings = load_settings(kind(tmp_path / "settings.toml"))
        with Session(kind(tree), state=kind(tmp_path / "own"), settings=settings) as session:
            made = session.run(GOAL)
            assert session.report(made, kind(tmp_path)).parent == tmp_path
        assert Environment(kind(tree), state=kind(tmp_path / "own")).scan().summary.files


def test_who_leaves_the_loop_stops_the_session(tree: Path) -> None:
    with Session(tree) as session:
        seen = []
        for event in session.events(GOAL):
            seen.append(type(event))
            if isinstance(event, Began):
                break
        assert seen == [Began]

        async def leaves() -> list[type]:
            found = []
            stream = plantwin.aevents(session, GOAL)
            async for event in stream:
                found.append(type(event))
                if isinstance(event, Decided):
                    await stream.aclose()  # type: ignore[attr-defined]
            return found

        assert asyncio.run(leaves())[-1] is Decided
        *_, last = session.events(GOAL)
        assert isinstance(last, Ended) and last.run.ending is Ending.DONE, "the session can be used again"


def test_what_fails_reaches_whoever_listens(tree: Path) -> None:
    class Broken:
        name = audience = "x"
        locality = "remote"

        def plan(self, envelopes: object) -> bytes:
            raise RuntimeError("no")

    with Session(tree, Broken()) as session:
        *_, last = session.events(GOAL)
        assert isinstance(last, Ended) and last.run.ending is Ending.PLANNER
        shutil.rmtree(tree)
        with pytest.raises(plantwin.PlanTwinError):
            list(session.events(GOAL))
        with pytest.raises(plantwin.PlanTwinError):
            asyncio.run(plantwin.arun(session, GOAL))


def test_a_ledger_of_ones_own_decides(tree: Path, tmp_path: Path) -> None:
    class Closed(SqliteLedger):
        def transact(self, *_: object) -> object:  # type: ignore[override]
            raise plantwin.PlanTwinError("closed")

    made: Ledger = Closed(tmp_path / "own.db", key=b"k" * 32)
    with Session(tree, ledger=made) as session:
        run = session.run(GOAL)
    assert run.ending is Ending.GATE and run.error == "closed" and not run.outbound
