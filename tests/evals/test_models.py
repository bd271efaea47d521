"""Models in every mode, against a server on this machine that answers in the shape of a provider's."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plantwin.config.planners import Price
from plantwin.session import run
from plantwin.surfaces.cli import main as cli
from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import Configuration, main, of_paper
from plantwin_evals.estimate import estimate_table
from plantwin_evals.exchange import Desk, Replaying
from plantwin_evals.greedy import Greedy
from plantwin_evals.modes import attempt
from plantwin_evals.planners import RULES, subjects
from plantwin_evals.reid import GOALS, library
from plantwin_evals.running import known, work
from plantwin_evals.suite import domain
from plantwin_evals.tables import main_table, paper_table
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.workspace import EvaluationWorkspace

MODES = ("twin", "objects", "goal-only", "redacted", "raw", "local")
TASK = domain("documents").tasks[0]


class Unfinished(NamedTuple):
    """An answer that is none: why the provider says that it ended."""

    reason: str


Answer = Callable[[dict[str, Any], int], str | int | Unfinished]
"""The model's text, an HTTP status or why there is no more, for a request and its number."""


class Provider:
    """Speaks OpenAI's dialect and Ollama's, records what it is sent, and answers as it is told."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                answered = answer(outer.requests[-1], len(outer.requests))
                self.send_response(answered if isinstance(answered, int) else 200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                why = answered.reason if isinstance(answered, Unfinished) else "stop"
                message = {"role": "assistant", "content": answered if isinstance(answered, str) else '{"steps": ['}
                if self.path == "/api/chat":
                    counts = {"prompt_eval_count": 1000, "eval_count": 50}
                    reply: dict[str, Any] = {"message": message, "done": True, "done_reason": why, **counts}
                else:
                    used = {"prompt_tokens": 1000, "completion_tokens": 50}
                    reply = {"choices": [{"index": 0, "message": message, "finish_reason": why}], "usage": used}
                self.wfile.write(json.dumps(reply).encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        self.name = f"http://{self.host}/v1#model"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def said(request: dict[str, Any], role: str) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] == role]


def planned(request: dict[str, Any], _: int = 1) -> str:
    """Summarizes the first object or set that it is told of, and then is done."""
    if any("summarize" in answer for answer in said(request, "assistant")):
        return '{"done": true}'
    found = re.findall(r"(?:artifact|set)_[a-z2-7]{4,8}", said(request, "user")[0])
    return json.dumps({"steps": [{"id": "s1", "capability": "summarize", "inputs": found[:1]}]})


@pytest.fixture
def provider() -> Iterator[Callable[..., Provider]]:
    made: list[Provider] = []

    def start(answer: Answer = planned) -> Provider:
        made.append(Provider(answer))
        return made[-1]

    yield start
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> TaskFolder:
    return TaskFolder(domain("documents"), tmp_path_factory.mktemp("documents"))


def tried(folder: TaskFolder, mode: str, name: str) -> Attempt:
    with subjects() as subject:
        settings = Configuration(mode, name, mode).settings()
        return attempt(TASK, folder, subject(name), mode, settings, direct=True)


@pytest.mark.parametrize("mode", MODES)
def test_a_model_plans_in_every_mode(mode: str, folder: TaskFolder, provider: Callable[..., Provider]) -> None:
    server = provider()
    made = tried(folder, mode, server.name)
    assert (made.error, made.failed, made.valid) == ("", False, True)
    assert made.proposed == ["summarize"]
    assert made.tokens == (1000 * len(server.requests), 50 * len(server.requests))
    assert made.sent >= sum(len(json.dumps(request)) for request in server.requests) * 0.9
    opened = mode in ("redacted", "raw", "local")
    assert ("# Files" in said(server.requests[0], "user")[0]) is opened
    assert (TASK.goal in said(server.requests[0], "user")[0]) is (mode in ("raw", "local"))
    assert bool(made.seen) is (mode in ("redacted", "raw"))


def test_one_command_runs_the_papers_nineteen_says_what_they_cost_and_goes_on(
    tmp_path: Path, provider: Callable[..., Provider], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    # The last call fails: its task is missing, and the same command asks for it again and for nothing else.
    server = provider(lambda request, number: 401 if request["model"] == "qwen3.5:9b" and lost else planned(request))
    monkeypatch.setenv("OPENROUTER_BASE_URL", f"http://{server.host}/v1")
    monkeypatch.setenv("OLLAMA_HOST", server.host)
    command = ["bench", "run", "--paper", "--domain", "documents", "--tasks", "1", "--out", str(tmp_path)]
    lost = [True]
    assert cli(command) == 0
    first = capsys.readouterr()
    assert "54 requests" in first.err and "12 configurations that have none" in first.err
    assert "1 attempt without an answer" in first.err and "  1 missing\n" in first.out
    assert [one.planner for one in Journal(tmp_path).read() if one.failed] == ["ollama:qwen3.5:9b"]
    lost.clear()
    server.requests.clear()
    assert cli(command) == 0
    assert {request["model"] for request in server.requests} == {"qwen3.5:9b"}
    made = Journal(tmp_path).read()
    assert [(one.error, one.failed, one.valid) for one in made] == [("", False, True)] * 19
    assert all(one.tokens[1] >= 50 and one.proposed == ["summarize"] for one in made if one.planner != "heuristic")
    assert {row[-1] for row in paper_table(made).rows} == {"1 tasks"}
    page = (tmp_path / "report.html").read_text()
    assert "Wilcoxon signed-rank, each against objects + openrouter:moonshotai/kimi-k2.5" in page


def test_every_mode_has_the_same_instructions_turns_and_repair(
    folder: TaskFolder, provider: Callable[..., Provider]
) -> None:
    told = {}
    for mode in ("objects", "raw", "goal-only"):
        # No plan at first: the repair asks again, and then results come back for another turn.
        server = provider(lambda request, number: "no plan" if number == 1 else planned(request))
        made = tried(folder, mode, server.name)
        told[mode] = said(server.requests[0], "system")
        assert made.valid and made.proposed == ["summarize"] and len(server.requests) >= 2
        assert "repair" in said(server.requests[1], "user")[-1]
    assert told["objects"] == told["raw"]
    assert told["goal-only"][0].partition("\n\n")[0] == told["raw"][0].partition("\n\n")[0]
    # Labels have two to five capabilities: no prompt says how many a plan has.
    assert not re.search(r"(?i)\b(one|two|three|four|[1-5]) (to|or) (two|three|four|five|[2-5])\b", told["raw"][0])


def test_a_call_that_failed_is_missing_and_tried_again(tmp_path: Path, provider: Callable[..., Provider]) -> None:
    server = provider(lambda request, number: 401 if number <= 2 else planned(request, number))
    configurations = main([server.name], ["objects"])
    # In this process, as `run` has it done in others.
    work("documents", configurations, frozenset(), str(tmp_path), 2, True)
    first = Journal(tmp_path).read()
    work("documents", configurations, frozenset(known(first)), str(tmp_path), 2, True)
    second = Journal(tmp_path).read()
    assert [made.failed for made in first] == [True, True]
    row = main_table(first).rows[0]
    columns = dict(zip(main_table(first).columns, row, strict=True))
    assert (columns["PQS"], columns["n"], columns["missing"]) == (None, 0, 2)
    assert [made.failed for made in second] == [False, False] and main_table(second).rows[0][-1] == 0
    assert all(row[2] is None for row in paper_table(first).rows)


@pytest.mark.parametrize("answer", ["prose", "", Unfinished("length"), Unfinished("content_filter")])
@pytest.mark.parametrize("mode", ["raw", "goal-only"])
def test_an_answer_that_is_no_plan_counts_against_the_model(
    mode: str, answer: str | Unfinished, folder: TaskFolder, provider: Callable[..., Provider]
) -> None:
    made = tried(folder, mode, provider(lambda *_: answer).name)
    assert (made.valid, made.failed, made.quality) == (False, False, 0.0)


def test_files_are_exported_in_the_conversation_of_a_session(folder: TaskFolder, tmp_path: Path) -> None:
    from plantwin_evals.exchange import subject

    desk = Desk(tmp_path / "prompts", None, tmp_path / "kept", "raw")
    settings = Configuration("files", "files", "raw").settings()
    attempt(TASK, folder, subject(TASK, desk, export=True), "raw", settings, direct=True)
    text = (tmp_path / "prompts" / f"{TASK.id}.1.txt").read_text()
    assert "# Files" in text and TASK.goal in text
    assert isinstance(subject(TASK, desk).planner({}), Replaying)  # type: ignore[arg-type]


def test_the_papers_nineteen_are_estimated_without_a_key() -> None:
    configurations = of_paper()
    table = estimate_table(configurations, ["documents"], 1, [], {})
    rows = {row[0]: row for row in table.rows}
    assert len(rows) == 19
    raw, twin = rows["raw + openrouter:z-ai/glm-5"], rows["objects + openrouter:z-ai/glm-5"]
    assert raw[1:3] == twin[1:3] == (1, 3) and raw[3] > twin[3] > 0
    # Without a price there is no cost, and a sum that leaves it out says so; models of this machine are free.
    assert raw[-1] is None and "without 12 configurations that have none" in table.note
    assert rows["local + ollama:gemma3:1b"][2] == 3 and rows["local + ollama:gemma3:1b"][-1] == 0.0
    assert rows["objects + heuristic"][2:5] == (0, 0, 0) and "heuristic" in RULES


def test_an_estimate_takes_the_tokens_of_the_tasks_that_were_tried() -> None:
    chosen = [one for one in of_paper() if one.name == "raw + openrouter:z-ai/glm-5"]
    tried = Attempt(
        configuration=chosen[0].name, planner=chosen[0].planner, mode="raw", domain="documents", task=TASK.id,
        group="stated", tokens=(2000, 400),
    )  # fmt: skip
    prices = {"z-ai/glm-5": Price(input=1.0, output=10.0)}
    (row,) = estimate_table(chosen, ["documents"], 3, [tried], prices).rows
    assert row[1:] == (2, 6, 4000, 800, "measured", pytest.approx(0.012))


# A planner that only asks: what it gets ends where budgets end


def folder_of(place: Path) -> Path:
    folder = place / "folder"
    for number in range(200):
        (folder / f"part{number % 20}").mkdir(parents=True, exist_ok=True)
        (folder / f"part{number % 20}" / f"code{number}.py").write_text(f"def work_{number}():\n    return {number}\n")
    return folder


def test_it_asks_about_every_object_and_is_told_within_budgets(tmp_path: Path) -> None:
    settings = Configuration("greedy", "offline", "objects").settings()
    with closing(EvaluationWorkspace(folder_of(tmp_path), settings, tmp_path / "state", {})) as room:
        done = run(GOALS[1], room, Greedy())
    words = {step.capability for turn in done.turns for step in turn.plan.steps}
    assert words == {"describe", "split"}
    assert len(done.turns) == settings.limits.max_turns
    assert all(each.spent <= each.threshold for each in done.spending)
    described = [each for each in done.outbound if json.loads(each.data)["message"] == "results"]
    shown = {each["object_id"] for sent in described for each in json.loads(sent.data).get("objects", ())}
    assert 0 < len(shown) < 200


def test_of_sets_it_is_told_within_the_budgets_of_cells(tmp_path: Path) -> None:
    settings = Configuration("greedy", "offline", "twin").settings()
    with closing(EvaluationWorkspace(folder_of(tmp_path), settings, tmp_path / "state", {})) as room:
        done = run(GOALS[1], room, Greedy())
    assert {step.capability for turn in done.turns for step in turn.plan.steps} == {"split"}
    assert done.set_spending and all(each.spent <= each.threshold for each in done.set_spending)
    assert done.spending == []


def test_the_standard_library_is_a_tree_without_packages(tmp_path: Path) -> None:
    tree = library(tmp_path / "tree")
    assert (tree / "json" / "decoder.py").is_file()
    assert not list(tree.glob("*-packages"))
