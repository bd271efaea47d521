"""`plantwin planners`, and naming a planner on the command line: end to end against a server of the test's own."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from command_line import Cli

SECRET = "sk-canary-5772156649015328"
GOAL = "Summarize the readme"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.bodies.append(body)  # type: ignore[attr-defined]
        ids = re.findall(r"artifact_[a-z2-7]{8}", json.dumps(json.loads(body)["messages"][1:]))
        steps = [{"id": "s1", "capability": "summarize", "inputs": ids[-1:]}]
        text = json.dumps({"steps": [] if '"results' in body or "results\\\\" in body else steps})
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        tree = {"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(tree).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.bodies = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join(5)


@pytest.fixture
def place(tmp_path: Path, server, monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("WORK_KEY", SECRET)
    monkeypatch.setattr("plantwin.cloud.endpoint._kept", lambda entry: "")
    root = tmp_path / "folder"
    root.mkdir()
    (root / "README.md").write_text("# Readme\n\nHow to start it.\n")
    config = tmp_path / "config.toml"
    config.write_text(
        f'[planner]\ndefault = "work"\n[planner.prices.tiny]\ninput = 2\noutput = 5\n'
        f'[planners.work]\nurl = "http://127.0.0.1:{server.server_address[1]}/v1"\nmodel = "tiny"\n'
        'key_env = "WORK_KEY"\ntrusted = true\n'
    )
    return root, ["--config", str(config), "--state", str(tmp_path / "state")]


def test_the_configured_planner_is_asked_and_its_use_is_shown(cli: Cli, place, server) -> None:
    root, where = place
    ran = cli("run", GOAL, "--per-object", "--root", root, *where, "--json")
    assert ran.code == 0, ran.err
    tree = json.loads(ran.out)
    assert tree["planner"] == {"name": "work", "audience": "trusted-work", "locality": "local"}
    assert len(server.bodies) == 2
    ran = cli("planners", *where, "--json")
    tree = json.loads(ran.out)
    assert tree["default"] == "work"
    rows = {each["name"]: each for each in tree["planners"]}
    assert rows["work"] == {
        "name": "work", "audience": "trusted-work", "locality": "local", "sends": True, "reachable": True,
        "problem": None, "requests": 2, "input_tokens": 2000, "output_tokens": 20, "cost": pytest.approx(0.0041),
    }  # fmt: skip
    assert rows["anthropic:MODEL"]["reachable"] is None
    assert "ANTHROPIC_API_KEY" in rows["anthropic:MODEL"]["problem"]
    text = cli("planners", *where).out
    for part in ("trusted-work", "answers", "2,000", "0.0041", "openrouter", "cannot be reached"):
        assert part in " ".join(text.split())
    assert SECRET not in text + ran.out


def test_the_trail_shows_what_was_sent_around_the_envelopes(cli: Cli, place) -> None:
    root, where = place
    cli("run", GOAL, "--per-object", "--root", root, *where)
    ran = cli("audit", "show", "--state", where[3])
    assert "bytes around them to http://127.0.0.1:" in ran.out
    assert SECRET not in ran.out


def test_a_conversation_is_recorded_and_played(cli: Cli, place, tmp_path: Path, server) -> None:
    root, where = place
    kept = tmp_path / "talk.json"
    assert cli("run", GOAL, "--per-object", "--root", root, *where, "--record", kept).code == 0
    asked = len(server.bodies)
    assert SECRET not in kept.read_text()
    ran = cli("run", GOAL, "--per-object", "--root", root, *where, "--planner", f"recorded:{kept}", "--json")
    tree = json.loads(ran.out)
    assert (ran.code, tree["ending"], len(tree["results"])) == (0, "done", 1)
    assert len(server.bodies) == asked


def test_a_planner_that_does_not_exist_is_a_clear_error(cli: Cli, place) -> None:
    root, where = place
    ran = cli("run", GOAL, "--per-object", "--root", root, *where, "--planner", "nobody")
    assert ran.code == 2
    assert "openai:MODEL" in ran.err
    ran = cli("plan", GOAL, "--per-object", "--root", root, *where, "--planner", "openai:m")
    assert ran.code == 2
    assert "OPENAI_API_KEY" in ran.err


def test_an_unreachable_planner_ends_with_its_own_code(cli: Cli, place, monkeypatch) -> None:
    root, where = place
    monkeypatch.setattr("plantwin.cloud.transport.FIRST", 0.01)
    ran = cli("run", GOAL, "--per-object", "--root", root, *where, "--planner", "ollama:tiny", "--send")
    assert ran.code == 3
    assert "nothing listens" in ran.err
