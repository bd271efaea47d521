"""A receiver compares the bytes that reach it with the ledger's: equal, for every planner that sends any."""

from __future__ import annotations

import hashlib
import json
import re
import sys

import pytest
import servers
from servers import Answer, receiver

from plantwin.cloud.local import Local
from plantwin.cloud.recorded import Recording
from plantwin.cloud.registry import Registry
from plantwin.config.planners import PlannerChoice, PlannerEntry
from plantwin.config.settings import Limiting, Settings
from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.verification import verify
from plantwin.run import Ending
from plantwin.session import Session, run
from plantwin.workspace import Workspace

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
