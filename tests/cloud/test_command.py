"""A program as a planner: what it gets, and that it can neither hang nor flood nor outlive its turn."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import servers
from servers import PLAN, Answer, receiver
from told import CATALOG, FIRST, SECOND, witnessed

from plantwin.cloud.command import Command
from plantwin.cloud.local import Local
from plantwin.cloud.recorded import Recording
from plantwin.cloud.registry import Registry
from plantwin.config.planners import PlannerChoice, PlannerEntry
from plantwin.config.settings import Limiting, Settings
from plantwin.errors import InputError, LedgerError, PlannerError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.verification import verify
from plantwin.run import Ending
from plantwin.session import Session, run
from plantwin.workspace import Workspace
from tables import cases, value_of


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


DETACHED = value_of(__file__, "detached")


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


ASKING = value_of(__file__, "asking")


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


@cases("text", "name")
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


# A receiver compares the bytes that reach it with the ledger's: equal, for every planner that sends any

ANSWERS = {
    "openai": servers.openai,
    "anthropic": servers.anthropic,
    "gemini": servers.gemini,
    "ollama": servers.ollama,
}
CANARY = "zanzibarquokka"
NONSENSE = "{'steps': nonsense}"
DONE = '{"steps":[]}'


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    root = tmp_path_factory.mktemp("witness") / CANARY
    root.mkdir()
    (root / f"{CANARY}_auth.py").write_text(f"import jwt\n\n\ndef login(user):\n    return '{CANARY}'\n")
    (root / "notes.md").write_text(f"# Notes\n\nThe system must not call {CANARY}.\n")
    return root


def turns(number, text):
    """The answers of one session: nonsense, then a plan over what was shown, then the end."""
    ids = re.findall(r"artifact_[a-z2-7]{8}", text)
    plan = {"steps": [{"id": "s1", "capability": "summarize", "inputs": ids[-1:]}]}
    return [NONSENSE, json.dumps(plan), DONE][min(number, 2)]


def shop(place, tmp_path, **settings):
    return Workspace(place, state=tmp_path / "state", settings=Settings(**settings))


def trail(workspace, kind):
    return [json.loads(each.body) for each in read_lines(workspace.ledger) if each.kind == kind]


def agrees(workspace, bodies, origin):
    """Digest and length of every body stand in the trail, in order, and envelopes inside are the trail's."""
    rows = trail(workspace, "payload")
    assert [row["sha256"] for row in rows] == [hashlib.sha256(each).hexdigest() for each in bodies]
    assert [row["bytes"] for row in rows] == [len(each) for each in bodies]
    assert {row["origin"] for row in rows} == {origin}
    assert {row["skill"] for row in rows} == {rows[0]["skill"]}
    assert verify(workspace.ledger).problem == ""
    return [row["data"] for row in trail(workspace, "envelope")]


def texts(tree):
    """Every string of a request."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for each in tree.values() if isinstance(tree, dict) else tree:
            yield from texts(each)


@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("kind", sorted(ANSWERS))
def test_what_reaches_the_socket_is_what_the_ledger_holds(place, tmp_path, kind, record):
    def answer(got, number):
        return ANSWERS[kind](turns(number, got.body.decode()))

    with receiver(answer) as server:
        entry = PlannerEntry(kind=kind, url=server.url, model="tiny")
        made = shop(place, tmp_path, planners={"p": entry})
        planner = Registry(made.settings, made.catalog).planner("p")
        done = run(
            f"Summarize {CANARY}_auth.py for {CANARY}", made, Recording(planner, tmp_path / "r") if record else planner
        )
    assert (done.ending, done.error) == (Ending.DONE, "")
    assert len(done.turns) == 1
    bodies = [each.body for each in server.received]
    sent = agrees(made, bodies, server.url)
    assert [each.data.decode() for each in done.outbound] == sent
    assert len(bodies) == 3
    assert [json.loads(each)["message"] for each in sent] == ["registration", "request", "repair", "results"]
    # The last request holds the whole conversation; every envelope stands in it as the trail has it.
    lines = [line for text in texts(json.loads(bodies[-1])) for line in text.splitlines()]
    assert [line for line in lines if line in sent] == sent
    assert json.loads(sent[2]) == {"message": "repair", "version": 2, "code": "not_json"}
    for body in bodies:
        assert CANARY.encode() not in body
    made.close()


def test_what_a_program_reads_is_what_the_ledger_holds(place, tmp_path):
    kept = tmp_path / "kept"
    program = tmp_path / "planner.py"
    program.write_text(
        f"import sys\ndata = sys.stdin.buffer.read()\nopen({str(kept)!r}, 'ab').write(data + bytes(1))\n"
        f"print({NONSENSE!r} if data.count(b'repair\"') < 1 else {DONE!r})\n"
    )
    entry = PlannerEntry(kind="command", command=(sys.executable, str(program)))
    made = shop(place, tmp_path, planners={"p": entry})
    done = run("Summarize the notes", made, Registry(made.settings, made.catalog).planner("p"))
    assert (done.ending, done.error) == (Ending.DONE, "")
    bodies = kept.read_bytes().split(b"\0")[:-1]
    sent = agrees(made, bodies, "p")
    assert [line for line in bodies[-1].decode().splitlines() if line in sent] == sent
    assert CANARY.encode() not in b"".join(bodies)
    made.close()


def test_what_reaches_the_local_model_is_what_the_ledger_holds(place, tmp_path):
    with receiver(lambda got, number: Answer(status=503)) as server:
        made = shop(place, tmp_path)
        done = run("Summarize the notes", made, Local(made.catalog, endpoint=server.url))
    assert done.ending is Ending.PLANNER
    agrees(made, [each.body for each in server.received], server.url)
    assert CANARY.encode() not in server.received[0].body
    made.close()


@pytest.mark.parametrize("name", ["offline", "scripted"])
def test_planners_that_send_nothing_have_no_payload(place, tmp_path, name):
    script = tmp_path / "script.toml"
    script.write_text("answers = []\n")
    made = shop(place, tmp_path)
    run("Summarize the notes", made, Registry(made.settings, made.catalog).planner(
        name if name == "offline" else f"scripted:{script}"))  # fmt: skip
    assert trail(made, "payload") == []
    made.close()


def test_what_cannot_be_recorded_is_not_sent(place, tmp_path, monkeypatch):
    with receiver(lambda got, number: servers.openai(DONE)) as server:
        made = shop(place, tmp_path)
        note = made.ledger.note

        def full(audience, event, entries=()):
            if event == "payload":
                raise LedgerError("the ledger cannot be written: no space is left")
            note(audience, event, entries)

        monkeypatch.setattr(made.ledger, "note", full)
        done = run("Summarize the notes", made, Registry(made.settings, made.catalog).planner(f"{server.url}#m"))
        assert (done.ending, server.received) == (Ending.GATE, [])
        made.close()


def test_a_planner_that_took_too_long_sends_nothing_after_its_turn(place, tmp_path):
    """It waits for its next try while the session gives up."""
    with receiver(lambda got, number: Answer(status=429, headers={"Retry-After": "2"})) as server:
        made = shop(place, tmp_path, limits=Limiting(planner_seconds=1.0))
        planner = Registry(made.settings, made.catalog).planner(f"{server.url}#m")
        done = run("Summarize the notes", made, planner)
        assert done.error == "the planner did not answer within 1 seconds"
        import time

        time.sleep(1.6)
        assert len(server.received) == len(trail(made, "payload")) == 1
        made.close()


def test_a_second_answer_that_is_no_plan_ends_the_session(place, tmp_path):
    with receiver(lambda got, number: servers.openai("I would rather talk about the weather")) as server:
        made = shop(place, tmp_path)
        done = run("Summarize the notes", made, Registry(made.settings, made.catalog).planner(f"{server.url}#m"))
        assert done.ending is Ending.PLANNER
        assert done.error == "the planner's answer is refused, twice: answer: no plan in it"
        assert len(server.received) == 2
        assert [json.loads(each.data)["message"] for each in done.outbound] == ["registration", "request", "repair"]
        assert "weather" not in done.error
        made.close()


def test_correcting_counts_as_a_turn(place, tmp_path):
    with receiver(lambda got, number: servers.openai(NONSENSE)) as server:
        made = shop(place, tmp_path, limits=Limiting(turns_per_hour=1))
        done = run("Summarize the notes", made, Registry(made.settings, made.catalog).planner(f"{server.url}#m"))
        assert done.ending is Ending.GATE
        assert "turns_per_hour" in done.error
        assert len(server.received) == 1
        made.close()


def test_a_session_names_its_planner_or_takes_the_persons_own(place, tmp_path):
    with receiver(lambda got, number: servers.openai(DONE)) as server:
        settings = Settings(planner=PlannerChoice(default=f"{server.url}#usual"))
        for chosen, model in ((None, "usual"), (f"{server.url}#other", "other")):
            with Session(place, chosen, settings=settings, state=tmp_path / "state") as session:
                assert session.run("Summarize the notes").ending is Ending.DONE
            assert server.received[-1].tree["model"] == model


@pytest.mark.parametrize("name", ["openai:m", "anthropic:m"])
def test_a_rehearsal_needs_no_key_and_sends_nothing(place, tmp_path, name):
    made = Workspace(place, state=tmp_path / "state", settings=Settings(), rehearse=True)
    planner = Registry(made.settings, made.catalog, keyless=True).planner(name)
    assert planner.locality == "remote"
    assert run("Summarize the notes", made, planner).ending is Ending.STOPPED
    made.close()
