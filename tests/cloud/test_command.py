"""A program as a planner: what it gets, and that it can neither hang nor flood nor outlive its turn."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from servers import PLAN
from told import CATALOG, FIRST, SECOND, witnessed

from plantwin.cloud.command import Command
from plantwin.errors import InputError, PlannerError, WireError
from tables import cases


def program(tmp_path, text):
    path = tmp_path / "planner.py"
    path.write_text("import json, os, sys, time\nprompt = sys.stdin.read()\n" + text)
    return [sys.executable, str(path)]


def made(arguments, **options):
    return witnessed(Command(arguments, CATALOG, **options))


def test_it_reads_the_conversation_and_prints_the_plan(tmp_path):
    kept = tmp_path / "kept"
    text = f"open({str(kept)!r}, 'a').write(prompt + chr(0))\nprint('Here it is:', {json.dumps(PLAN)!r})\n"
    planner = made(program(tmp_path, text))
    assert json.loads(planner.plan(FIRST).partition(b": ")[2]) == PLAN
    planner.plan(SECOND)
    first, second, _ = kept.read_text().split("\0")
    assert [first.encode(), second.encode()] == [seen[0] for seen in planner.witnessed]
    for envelope in (*FIRST, *SECOND):
        assert envelope.data.decode() in second.splitlines()
    assert second.startswith(first.partition("# Your answer")[0])
    assert "# Your earlier answer\n\nHere it is:" in second


def test_its_surroundings_are_few_and_its_folder_is_empty(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "x")
    monkeypatch.setenv("WANTED", "y")
    text = "print(json.dumps([sorted(os.environ), os.listdir('.'), os.getcwd()]))\n"
    names, files, folder = json.loads(made(program(tmp_path, text), environment=("WANTED",)).plan(FIRST))
    assert "WANTED" in names
    assert "PATH" in names
    assert "SOME_SECRET" not in names
    assert files == []
    assert Path(folder) != Path.cwd()
    assert not Path(folder).exists()


@cases("text", "error")
def test_one_that_misbehaves_is_ended(tmp_path, text, error):
    before = time.monotonic()
    with pytest.raises(PlannerError, match=error) as refused:
        made(program(tmp_path, text), seconds=0.7).plan(FIRST)
    assert time.monotonic() - before < 5
    assert "secret" not in str(refused.value)


def test_what_it_started_ends_with_it(tmp_path):
    text = "import subprocess\nchild = subprocess.Popen(['sleep', '60'], stdout=subprocess.DEVNULL)\nprint(child.pid)\n"
    child = int(made(program(tmp_path, text)).plan(FIRST))
    for _ in range(100):
        try:
            if Path(f"/proc/{child}/stat").read_text().split()[2] == "Z":
                return
        except OSError:
            return
        time.sleep(0.02)
    raise AssertionError("a child outlives its turn")


DETACHED = """
import subprocess
plain = subprocess.Popen(['sleep', '60'])
apart = subprocess.Popen(['sleep', '60'], start_new_session=True)
twice = subprocess.Popen(['setsid', '-f', 'sh', '-c', 'echo $$ > twice.pid; mv twice.pid TWICE; exec sleep 60'])
while not os.path.exists('TWICE'): time.sleep(0.01)
pids = [os.getpid(), plain.pid, apart.pid, int(open('TWICE').read())]
"""


def gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def ended(pids):
    until = time.monotonic() + 10
    while not all(map(gone, pids)):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def test_what_detached_itself_ends_with_the_turn_too(tmp_path):
    pids = json.loads(made(program(tmp_path, DETACHED + "print(pids, flush=True)\n")).plan(FIRST))
    assert len(pids) == 4 and ended(pids)


ASKING = """
import sys
sys.path[:0] = [{folder!r}]
from told import CATALOG, FIRST, witnessed
from plantwin.cloud.command import Command
witnessed(Command({arguments!r}, CATALOG)).plan(FIRST)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_killing_plantwin_ends_its_planner_and_all_below_it(tmp_path, number):
    told = tmp_path / "pids"
    text = f"{DETACHED}open({str(told) + '.new'!r}, 'w').write(json.dumps(pids)); os.rename({str(told) + '.new'!r}, {str(told)!r})\ntime.sleep(60)\n"  # noqa: E501
    asking = ASKING.format(folder=str(Path(__file__).parent), arguments=program(tmp_path, text))
    parent = subprocess.Popen([sys.executable, "-c", asking], start_new_session=True)
    try:
        until = time.monotonic() + 20
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.02)
        pids = json.loads(told.read_text())
        assert not any(map(gone, pids))
    finally:
        parent.send_signal(number)
        parent.wait()
    assert len(pids) == 4 and ended(pids)


@pytest.mark.parametrize(
    "arguments", [["sh", "-c", "kill -9 $PPID; exec sleep 60"], ["sh", "-c", "kill -15 $PPID; sleep 60"]]
)
def test_a_program_that_kills_its_supervisor_ends_with_it(arguments):
    before = time.monotonic()
    with pytest.raises(PlannerError):
        made(arguments, seconds=20).plan(FIRST)
    assert time.monotonic() - before < 10


def test_a_missing_program_is_said():
    with pytest.raises(PlannerError, match="is installed"):
        made(["/nonexistent/planner"]).plan(FIRST)
    with pytest.raises(InputError, match="empty"):
        made([])
    with pytest.raises(InputError, match="quote"):
        Command.from_text("claude 'x", CATALOG)


def test_without_a_witness_nothing_is_started(tmp_path):
    marked = tmp_path / "started"
    planner = Command(program(tmp_path, f"open({str(marked)!r}, 'w')"), CATALOG)
    with pytest.raises(WireError, match="witness"):
        planner.plan(FIRST)
    assert not marked.exists()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("claude -p --key sk-secret", "command:claude"),
        ("/usr/bin/codex exec", "command:codex"),
        ("'/opt/My Tool' x", "command:My-Tool"),
    ],
)
def test_only_the_program_is_named(text, name):
    planner = Command.from_text(text, CATALOG)
    assert (planner.name, planner.locality, planner.sends) == (name, "remote", True)
    assert "secret" not in repr(planner)


@cases("text")
def test_no_wrapper_around_a_program_gets_a_fresh_audience(text):
    assert Command.from_text(text, CATALOG).audience == "command"
    assert Command([text], CATALOG, shell=True, name="mine").audience == "command"


def test_only_the_person_gives_a_program_an_audience_of_its_own():
    assert Command(["claude"], CATALOG, audience="anthropic").audience == "anthropic"


def test_a_shell_only_when_asked_for(tmp_path):
    assert made(["echo", "$HOME", ";", "echo", "x"]).plan(FIRST) == b"$HOME ; echo x\n"
    assert made(["cat >/dev/null; echo", "$((1 + 2))"], shell=True).plan(FIRST) == b"3\n"
    assert made(["cat >/dev/null; echo 1"], shell=True).name == "command:cat"
