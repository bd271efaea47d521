"""`plantwin chat`: turns, follow-ups, questions and interruptions, at a terminal and through pipes."""

from __future__ import annotations

import codecs
import io
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command_line import HOSTILE, Cli, Ran

from plantwin.private.selection.phrases import Phrase
from plantwin.surfaces.cli import chat_input
from plantwin.surfaces.cli.chat_input import COMMANDS, HELP, is_command, of_findings
from plantwin.surfaces.cli.chat_memory import Memory
from scripts import plan, script, settings, step
from tables import cases

GOAL = "Summarize src/store.py"
WORK = plan(step("d", "describe", "@kind=config"))
SLOW = """
[capabilities.slow]
like = "lint"
kinds = ["code_file"]
command = ["sh", "-c", "sleep 40", "{input}"]
risk = "medium"
approval = false
"""


class Thing(NamedTuple):
    """As much of a record as is looked at."""

    path: str
    part: str
    number: int


THINGS = [Thing("a.py", "", 1), Thing("b.py", "", 2), Thing("shop.db", "users", 3), Thing("other.py", "", 4)]


def remembering(*paths: tuple[str, str], flagged: Sequence[tuple[str, str]] = ()) -> Memory:
    memory = Memory()
    memory.objects, memory.flagged = list(paths), list(flagged)
    return memory


def meant(memory: Memory, goal: str, named: Sequence[Phrase] = ()) -> list[tuple[str, tuple[int, ...], bool]]:
    records: Any = THINGS
    return [(goal[each.start : each.end], each.numbers, each.ambiguous) for each in memory.recall(goal, records, named)]


@cases("goal", "stretch", "numbers")
def test_words_for_what_was_spoken_of(goal: str, stretch: str, numbers: tuple[int, ...]) -> None:
    memory = remembering(("a.py", ""), ("b.py", ""), ("shop.db", "users"), flagged=[("b.py", "")])
    assert meant(memory, goal) == [(stretch, numbers, False)]


@pytest.mark.parametrize("word", ["it", "this file", "that one", "this"])
def test_one_of_several_is_for_the_person_to_say(word: str) -> None:
    goal = f"Summarize {word}"
    assert meant(remembering(("a.py", ""), ("b.py", "")), goal) == [(word, (1, 2), True)]
    assert meant(remembering(("a.py", "")), goal) == [(word, (1,), False)]


@cases("goal")
def test_words_that_mean_nothing_here(goal: str) -> None:
    assert meant(remembering(("a.py", ""), ("b.py", "")), goal) == []
    assert meant(Memory(), f"{goal} them it") == []


def test_a_sentence_speaks_of_its_own_names_first() -> None:
    goal = "Review other.py and compare it with a.py"
    named = [Phrase(7, 15, (4,)), Phrase(36, 40, (1,))]
    assert meant(remembering(("b.py", "")), goal, named) == []
    assert meant(remembering(("b.py", "")), "Compare it with other.py", [Phrase(16, 24, (4,))]) == [("it", (2,), False)]
    assert meant(remembering(("b.py", "")), "Compare other.py with the first one", [Phrase(8, 16, (4,))]) == [
        ("the first one", (2,), False)
    ]


def test_whose_names_an_object_without_taking_its_word() -> None:
    assert meant(remembering(("a.py", "")), "Run its tests") == [("", (1,), False)]


def test_what_is_gone_is_not_meant() -> None:
    memory = remembering(("gone.py", ""), ("b.py", ""))
    assert meant(memory, "Summarize them") == [("them", (2,), False)]
    assert meant(memory, "Summarize the first one") == []


@cases("entry", "goal")
def test_the_same_again(entry: str, goal: str) -> None:
    memory = Memory()
    assert memory.completed(entry) == entry, "there is nothing before it"
    memory.goal, memory._stretch = "Review the auth.py for issues", (11, 18)
    assert memory.completed(entry) == goal
    assert repr(memory) == "<Memory private>"


def test_what_goes_on_with_a_goal_goes_on_with_its_beginning() -> None:
    memory = Memory()
    memory.goal = "Are there secrets?"
    assert memory.completed("and in tests/?") == "Are there secrets, and in tests/?"
    memory.goal = "Are there secrets, and in tests/?"
    assert memory.completed("and in docs/?") == "Are there secrets, and in docs/?"


@cases("entry", "asked")
def test_what_asks_for_findings(entry: str, asked: str) -> None:
    assert of_findings(entry) == (None if asked == "-" else asked)


def test_the_same_where_nothing_was_named() -> None:
    memory = Memory()
    memory.goal = "Look for secrets."
    assert memory.completed("same for src") == "Look for secrets: src"
    assert memory.completed("what about a.py") == "what about a.py"


def test_long_hostile_goals_are_quick() -> None:
    memory = remembering(("a.py", ""))
    memory.goal = "x"
    started = time.process_time()
    for text in ("the " * 1000, "those " * 600, "same " * 800, "all of " * 570, " " * 4000, "it" * 2000, "#1" * 2000):
        memory.completed(text)
        meant(memory, text)
    assert time.process_time() - started < 2


class Chats(NamedTuple):
    """Runs a chat whose entries come through a pipe."""

    cli: Cli
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, root: Path, *entries: str, more: Sequence[object] = ()) -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(entries)))
        return self.cli("chat", root, *more)

    def lines(self, root: Path, *entries: str, more: Sequence[object] = ()) -> tuple[int, list[Any]]:
        ran = self(root, *entries, more=[*more, "--json"])
        return ran.code, [json.loads(line) for line in ran.out.splitlines()]


@pytest.fixture
def chats(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Chats:
    """Through a pipe."""
    return Chats(cli, monkeypatch)


def request(line: Any) -> Any:
    """The request that a turn sent."""
    return next(each for each in map(json.loads, line["outbound"]) if each["message"] == "request")


def test_a_follow_up_means_the_objects_before_it_and_only_ids_cross(chats: Chats, tree: Path) -> None:
    code, (first, second, third) = chats.lines(tree, GOAL, "Is it safe?", "same for src/auth.py")
    assert code == 0
    (id_,) = request(second)["goal"]["objects"]
    assert request(second)["goal"]["text"] == ["is", id_, "safe", "?"]
    assert [each["path"] for each in second["spent"] if each["object_id"] == id_] == ["src/store.py"]
    assert first["about"] == second["about"] == [{"path": "src/store.py"}]
    assert third["goal"] == "Is src/auth.py safe?" and third["entry"] == "same for src/auth.py"
    assert third["about"] == [{"path": "src/auth.py"}]
    assert "store.py" not in "".join(first["outbound"] + second["outbound"] + third["outbound"])
    assert request(first)["goal"]["objects"] != [id_], "ids are of one session"


def test_what_is_known_costs_nothing_again(chats: Chats, tree: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, "[budget]\nration_local = true\n")
    _, (first, second) = chats.lines(tree, GOAL, "again", more=["--config", config])
    assert first["budget"]["told"] > 0 and second["budget"]["told"] == 0
    assert second["budget"]["spent"] == first["budget"]["spent"] <= first["budget"]["threshold"]
    assert second["budget"]["turns_left"] < first["budget"]["turns_left"] < 60


def test_a_file_that_was_too_new_to_trust_is_no_news_once_it_is_trusted(
    chats: Chats, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ["--config", settings(tmp_path, "[budget]\nration_local = true\n")]
    monkeypatch.setattr("plantwin.private.reading.SETTLED_NS", 10**12)
    _, (first,) = chats.lines(tree, GOAL, more=more)
    monkeypatch.setattr("plantwin.private.reading.SETTLED_NS", 0)
    _, (second,) = chats.lines(tree, GOAL, more=more)
    assert first["budget"]["told"] > 0 and second["budget"]["told"] == 0


def test_a_turn_for_people(chats: Chats, tree: Path) -> None:
    brief = chats(tree, GOAL)
    assert not re.search(r"^(?:To offline|Back to|Plan |Steps)", brief.out, re.MULTILINE)
    assert brief.out.index("python, 5 lines: 1 function") < brief.out.index("Examined ")
    ran = chats(tree, GOAL, "Lint it", more=["-v"])
    assert ran.code == 0
    parts = [
        "Folder ",
        "Planner ",
        f"> {GOAL}",
        "To offline",
        "Plan ",
        "Steps",
        "python, 5 lines: 1 function",
        "Examined ",
        "Report ",
        "About ",
        "Budget ",
    ]
    places = [ran.out.index(part) for part in parts]
    assert places == sorted(places)
    assert re.search(r'To offline \(on this machine\): "summarize artifact_\w+"', ran.out)
    assert "   it = src/store.py\n" in ran.out and "About     1 src/store.py\n" in ran.out
    budget = r"Budget    offline: at most [\d.]+ of 90.0 points spent on one file; something new was told of \d+ files?"
    assert re.search(budget, ran.out)
    assert "left this hour" not in ran.out, "what cannot send is not rationed"
    assert "\x1b" not in ran.out
    report = re.search(r"Report    (.+)", ran.out)
    assert report is not None and stat.S_IMODE(Path(report[1]).stat().st_mode) == 0o600


def test_what_fails_does_not_end_the_chat(chats: Chats, tree: Path, tmp_path: Path) -> None:
    babble = script(tmp_path, "I would rather \x1b[31mnot", "no", name="babble.json")
    refused = script(tmp_path, plan(step("s", "open_the_door", "@object=1")), name="refused.json")
    entries = (GOAL, f"/planner {refused}", GOAL, "/planner nobody", "x" * 5000, "/dance", "/planner offline", GOAL)
    code, lines = chats.lines(tree, *entries, more=["--planner", babble])
    assert [each["exit"] for each in lines] == [3, 0, 1, 2, 2, 2, 0, 0]
    assert code == 3, "that of the worst turn"
    assert [each.get("ending") for each in lines] == ["planner", None, "done", None, None, None, None, "done"]
    ran = chats(tree, *entries, more=["--planner", babble])
    assert ran.code == 3 and "\x1b" not in ran.out + ran.err
    assert "no command '/dance': /help lists them" in ran.err and "over 4000 characters" in ran.err


def test_an_unforeseen_error_shows_no_content(chats: Chats, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("canary-content")

    monkeypatch.setattr("plantwin.surfaces.cli.chat.carried_out", fail)
    ran = chats(tree, GOAL, "/mode", more=["--json"])
    assert [json.loads(line)["exit"] for line in ran.out.splitlines()] == [1, 0]
    assert "canary" not in ran.out + ran.err


def test_a_folder_that_goes_away_is_a_failed_turn(chats: Chats, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Vanishing(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            if self.tell() and tree.exists():
                tree.rename(tree.with_name("moved"))
            return super().readline(-1 if size is None else size)

    monkeypatch.setattr(sys, "stdin", Vanishing(f"{GOAL}\n{GOAL}"))
    ran = chats.cli("chat", tree, "--json")
    first, second = map(json.loads, ran.out.splitlines())
    assert (first["exit"], second["exit"]) == (0, 2) and "Traceback" not in ran.err


def test_commands(chats: Chats, tree: Path) -> None:
    entries = (
        "/help", "/objects auth", "/mode intent", "/preview Look for secrets in .env", GOAL, "/report", "/report 2",
        "/budget", "/mode loud", "/PLANNER", "/preview", "/quit", GOAL,
    )  # fmt: skip
    code, lines = chats.lines(tree, *entries)
    assert code == 2 and len(lines) == 11, "what comes after /quit is not read"
    helped, objects, mode, preview, turn, report, missing, budget, loud, planner, empty = lines
    assert set(helped["commands"]) == set(HELP)
    assert [each["path"] for each in objects["objects"]] == ["src/auth.py", "tests/test_auth.py"]
    assert mode["goal_mode"] == "intent"
    assert (preview["sent"], preview["dry_run"], preview["exit"]) == (False, True, 0)
    assert "text" not in request(preview)["goal"] and "text" not in request(turn)["goal"]
    assert turn["turn"] == 1 and report["report"] == turn["report"]
    assert [each["exit"] for each in (missing, loud, empty)] == [2, 2, 2]
    assert [each["audience"] for each in budget["audiences"]] == ["offline"]
    assert planner["planner"] == {"name": "offline", "audience": "offline", "locality": "local"}


def test_a_preview_is_a_follow_up_too_and_changes_nothing(chats: Chats, cli: Cli, tree: Path) -> None:
    code, (_, preview) = chats.lines(tree, GOAL, "/preview Lint it")
    assert code == 0 and request(preview)["goal"]["intents"] == ["lint"]
    assert len(request(preview)["goal"]["objects"]) == 1
    before = cli("audit", "show", "--json").json["lines"]
    ran = chats(tree, "/preview Lint src/store.py")
    assert 'message":"request"' in ran.out and "Nothing was sent or charged." in ran.out
    assert cli("audit", "show", "--json").json["lines"] == before


def test_commands_for_people(chats: Chats, tree: Path) -> None:
    ran = chats(tree, "/help", "/objects evil", "/objects", GOAL, "/report", "/budget", "/mode", "/planner")
    assert ran.code == 0
    assert all(command in ran.out for command in HELP)
    assert "# PlanTwin report" in ran.out and "Audience offline" in ran.out and "Goal mode lexicon" in ran.out
    assert HOSTILE.splitlines()[0] + r"\n\x1b[31m" in ran.out
    assert "\x1b" not in ran.out and "\u202e" not in ran.out


def test_findings_of_the_last_turn_are_shown_and_nothing_is_sent(chats: Chats, tree: Path) -> None:
    code, lines = chats.lines(
        tree,
        "/findings",
        "Look for secrets in all files",
        "/findings",
        "show me the last one",
        "/findings 99",
        "/findings odd",
    )
    early, turn, every, last, beyond, odd = lines
    assert (code, early["exit"], beyond["exit"], odd["exit"]) == (2, 2, 2, 2) and turn["turn"] == 1
    assert [one["number"] for one in every["findings"]] == list(range(1, len(every["findings"]) + 1)) != []
    assert last["findings"] == every["findings"][-1:] and "outbound" not in last
    worst = every["findings"][0]
    ran = chats(tree, "hello", "Look for secrets in all files", "/findings 1", f"only the {worst['severity']} ones")
    assert worst["message"] in ran.out and "what to do" in ran.out and "Hello." in ran.out


def test_every_command_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "chat.md").read_text(encoding="utf-8")
    assert {each.partition(" ")[0] for each in HELP} == COMMANDS.keys() - {"/?", "/ok", "/hello", "/nothing"} | {
        "/quit"
    }
    for command in HELP:
        assert f"`{command}`" in page


@pytest.mark.parametrize(
    ("entry", "command"),
    [("/help", True), ("/x y", True), ("/etc/passwd is open", False), ("/srv. look", False), ("a /help", False)],
)
def test_what_is_a_command(entry: str, command: bool) -> None:
    assert is_command(entry) is command


def test_hostile_entries_do_not_reach_the_terminal(chats: Chats, tree: Path) -> None:
    ran = chats(tree, "Summarize \x1b[31m\u202e\x00 src/store.py \ufffd", "/\x1b[31m", "/objects \x1b", "\x9b31m")
    assert "\x1b" not in ran.out + ran.err and "\x9b" not in ran.out + ran.err and "\u202e" not in ran.out


def test_bytes_that_are_no_text(tree: Path) -> None:
    command = [sys.executable, "-m", "plantwin", "chat", str(tree), "--json"]
    given = b"Summarize \xff\xfe src/store.py\n" + b"y" * 200_000 + b"\n\n  \nagain"
    ran = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 2 and [each["exit"] for each in lines] == [0, 2, 0]
    assert lines[2]["goal"] == lines[0]["goal"]


def test_nothing_to_do(chats: Chats, tree: Path) -> None:
    ran = chats(tree)
    assert ran.code == 0 and "Planner " in ran.out
    assert chats(tree, more=["--planner", "nobody"]).code == 2
    assert chats(tree / "absent").code == 2


def test_steps_that_need_a_person_are_refused_without_one_and_approved_by_an_option(
    chats: Chats, tree: Path, tmp_path: Path
) -> None:
    secrets = plan(step("s1", "secret_scan", "@kind=secret_container"))
    planner = script(tmp_path, secrets, audience="acme", locality="remote")
    code, (line,) = chats.lines(tree, "Look around", more=["--per-object", "--planner", planner])
    assert code == 1 and line["verdicts"][0]["code"] == "no_approver"
    code, (line,) = chats.lines(tree, "Look around", more=["--per-object", "--planner", planner, "--yes"])
    assert code == 0 and line["verdicts"][0]["allowed"]


def test_an_interrupted_turn_ends_a_piped_chat(chats: Chats, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("plantwin.session.ask", interrupted)
    code, lines = chats.lines(tree, GOAL, GOAL)
    assert code == 130 and [each["ending"] for each in lines] == ["interrupted"]


def test_verbatim_needs_a_policy(chats: Chats, tree: Path, tmp_path: Path) -> None:
    remote = script(tmp_path, WORK, audience="acme", locality="remote")
    code, lines = chats.lines(
        tree, "/mode verbatim", GOAL, "/mode intent", GOAL, more=["--per-object", "--planner", remote]
    )
    assert code == 1 and [each["exit"] for each in lines] == [0, 1, 0, 0]
    assert not any("store" in each for line in lines for each in line.get("outbound", ()))


class Screen:
    """A chat on a pseudo-terminal, spoken to in turn."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self._controller, self._device = pty.openpty()
        command = [sys.executable, "-m", "plantwin", "chat", *map(str, arguments)]
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "160", "INPUTRC": os.devnull, **environment}
        self.child = subprocess.Popen(
            command, stdin=self._device, stdout=self._device, stderr=self._device, env=settings
        )
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._seen = 0

    def expect(self, text: str, then: str | None = None, *, seconds: float = 20) -> None:
        """Wait until this is shown after what was shown before, then type something."""
        until = time.monotonic() + seconds
        while text not in self.shown[self._seen :]:
            if time.monotonic() > until or (not self._read() and self.child.poll() is not None and not self._read()):
                raise AssertionError(f"{text!r} was not shown: {self.shown[self._seen :]!r}")
        self._seen += self.shown[self._seen :].index(text) + len(text)
        if then is not None:
            os.write(self._controller, then.encode())

    def interrupt(self) -> None:
        """Ctrl-C, as somebody presses it who has seen what is shown."""
        time.sleep(0.4)
        self.child.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Wait for the end."""
        until = time.monotonic() + 20
        while self.child.poll() is None and time.monotonic() < until:
            self._read()
        while self._read():
            pass
        assert "Traceback" not in self.shown
        return self.child.wait(1)

    def close(self) -> None:
        """Leave nothing behind."""
        self.child.kill()
        self.child.wait()
        os.close(self._device)
        os.close(self._controller)

    def _read(self) -> bool:
        if not select.select([self._controller], [], [], 0.05)[0]:
            return False
        self.shown += self._decoder.decode(os.read(self._controller, 65536))
        return True


Screens = Callable[..., Screen]


@pytest.fixture
def screens() -> Iterator[Screens]:
    """Chats on terminals, none of which outlives the test."""
    made: list[Screen] = []

    def start(*arguments: object, **environment: str) -> Screen:
        made.append(Screen(*arguments, **environment))
        return made[-1]

    yield start
    for each in made:
        each.close()


def test_a_conversation_with_a_remote_planner(screens: Screens, tree: Path, tmp_path: Path) -> None:
    screen = screens(tree, "--per-object", "--planner", script(tmp_path, WORK, audience="acme", locality="remote"))
    screen.expect("REMOTE), audience acme")
    screen.expect("plantwin> ", f"{GOAL}\n")
    screen.expect('(REMOTE): "summarize artifact_')
    screen.expect("Send this?", "d\n")
    screen.expect('"message":"request"')
    screen.expect("Send this?", "n\n")
    screen.expect("Not sent, and nothing was charged for it.")
    screen.expect("Budget    acme: at most 0.0 of ")
    screen.expect("plantwin> ", "Summarize it\n")
    screen.expect("it = src/store.py")
    screen.expect("; costs ")
    screen.expect("Send this?", "y\n")
    screen.expect("1 step carried out.")
    screen.expect("Budget    acme: ")
    screen.expect("plantwin> ", "Summarize it\n")
    screen.expect("costs 0.0")
    screen.expect("Send this?", "n\n")
    screen.expect("plantwin> ", "\x04")
    assert screen.end() == 0


def test_approvals_are_asked_inline(screens: Screens, tree: Path, tmp_path: Path) -> None:
    secrets = plan(step("s1", "secret_scan", "@kind=secret_container"), step("s2", "describe", "@kind=config"))
    remote = script(tmp_path, secrets, audience="acme", locality="remote")
    screen = screens(tree, "--send", "--per-object", "--planner", remote)
    screen.expect("plantwin> ", "Look around\n")
    screen.expect("1 step needs your approval")
    screen.expect("> ", "s\n")
    screen.expect("y: yes · n: no · d: details > ", "y\n")
    screen.expect(" in 1 file (2 medium)")
    screen.expect("plantwin> ", "again\n")
    screen.expect("Read as   Look around")
    screen.expect("1 step needs your approval")
    screen.expect("> ", "n\n")
    screen.expect("Not done: of 2 steps 1 was refused.")
    screen.expect("plantwin> ", "/quit\n")
    assert screen.end() == 0, "a person has seen how each turn ended"


def test_ctrl_c_skips_a_step_twice_ends_the_turn_and_never_the_chat(
    screens: Screens, tree: Path, tmp_path: Path
) -> None:
    config = settings(tmp_path, SLOW)
    slow = plan(
        step("s1", "@like=lint", "@kind=code_file"),
        step("s2", "@like=lint", "@kind=code_file"),
        step("s3", "describe", "@kind=config"),
    )
    screen = screens(tree, "-v", "--yes", "--per-object", "--config", config, "--planner", script(tmp_path, slow))
    screen.expect("plantwin> ")
    screen.interrupt()
    screen.expect("Ctrl-D or /quit leaves.")
    screen.expect("plantwin> ", "Look around\n")
    screen.expect("s1 slow … ")
    screen.interrupt()
    screen.expect("failed, interrupted")
    screen.interrupt()
    screen.expect("interrupted: what was done is kept")
    screen.expect("plantwin> ", "/planner offline\n")
    screen.expect("plantwin> ", f"{GOAL}\n")
    screen.expect("src/store.py: python")
    screen.expect("plantwin> ", "\x04")
    assert screen.end() == 0


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_what_is_pasted_is_one_goal(term: str, screens: Screens, tree: Path) -> None:
    screen = screens(tree, TERM=term)
    start, end = ("\x1b[200~", "\x1b[201~\n") if term != "dumb" else ("", "\n")
    screen.expect("plantwin> ", f"{start}/preview summarize\nthe file\nsrc/store.py{end}")
    screen.expect('"text":["summarize","the","file","artifact_')
    screen.expect("Nothing was sent or charged.")
    screen.expect("plantwin> ", "/report\n")
    screen.expect("there are 0 turns so far")
    screen.expect("plantwin> ", "/quit\n")
    assert screen.end() == 0
    if term == "dumb":
        assert "\x1b[1m" not in screen.shown and "\x1b[3" not in screen.shown


def test_history_is_in_memory_alone(screens: Screens, tree: Path, state: Path) -> None:
    screen = screens(tree)
    screen.expect("plantwin> ", "/mode intent\n")
    screen.expect("plantwin> ", "\x1b[A\n")
    screen.expect("Goal mode intent")
    screen.expect("plantwin> ", "/quit\n")
    assert screen.end() == 0
    assert not (state / "chat").exists()


def test_what_was_typed_before_a_question_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    controller, device = pty.openpty()
    with os.fdopen(device) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        os.write(controller, b"y\n")
        assert select.select([terminal], [], [], 5)[0]
        chat_input.discard()
        assert not select.select([terminal], [], [], 0)[0]
    os.close(controller)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    chat_input.discard()
