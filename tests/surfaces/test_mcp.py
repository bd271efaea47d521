"""The MCP server with the official client: what an agent sees and does, and what it cannot learn."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from mcp import Client
from mcp.types import ElicitResult
from mcp_agents import GOAL, begun, called, talk
from msgspec.structs import replace

from plantwin.config.settings import load_settings
from plantwin.private.capabilities import catalog
from plantwin.surfaces.mcp import sessions
from plantwin.surfaces.mcp.sessions import MOST_SESSIONS, SEARCHES, Folder

AUDIT = {"id": "s1", "capability": "secret_scan", "inputs": []}


@pytest.fixture
def folder(tree: Path, tmp_path: Path) -> Folder:
    return Folder(tree, load_settings(), tmp_path / "state", "agent", patience=0.1)


def test_an_agent_sees_sets_runs_a_plan_and_the_person_gets_the_report(folder: Folder, cli: Cli) -> None:
    async def conversation(client: Client) -> list[Any]:
        session, sets, _ = await begun(client)
        steps = [{**AUDIT, "inputs": sets}, {"id": "s2", "capability": "security_audit", "inputs": ["s1.affected"]}]
        heard = [await client.call_tool("submit_plan", {"session": session, "steps": steps})]
        heard.append(
            await client.call_tool("split_set", {"session": session, "set_id": sets[0], "by": "semantic_class"})
        )
        later = [{"id": "s3", "capability": "report", "inputs": ["s1", "s2"]}]
        heard.append(await client.call_tool("submit_plan", {"session": session, "steps": later}))
        heard.append(await client.call_tool("end_session", {"session": session}))
        heard.append(await client.call_tool("submit_plan", {"session": session, "steps": later}))
        return heard

    first, split, report, end, after = talk(folder, conversation)
    outcomes = [step["outcome"] for step in first.structured_content["messages"][0]["steps"]]
    assert outcomes[0]["affected"] != "none" and outcomes[0]["count"] != "none" and outcomes[1]["status"] != "rejected"
    assert json.loads(split.content[0].text)["message"] == "results"
    assert report.structured_content["messages"][0]["steps"][0]["outcome"]["status"] == "done"
    assert end.structured_content["state"] == after.structured_content["state"] == "over"
    written = [path.read_text() for path in (Path(str(folder.state)) / "reports").glob("*.md")]
    assert any(".env" in text for text in written), "real names are for the person"
    shown = cli("audit", "show", "--state", folder.state, "--json")
    assert first.content[0].text in [each.get("data") for each in _records(shown.json)], "what was heard is recorded"


def _records(value: Any) -> list[dict[str, Any]]:
    """Every object in a JSON document."""
    found = [value] if isinstance(value, dict) else []
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found += _records(each)
    return found


def test_a_plan_is_checked_and_the_budget_seen_between_two_plans(folder: Folder, cli: Cli) -> None:
    async def conversation(client: Client) -> list[Any]:
        session, sets, _ = await begun(client)
        wrong = [{"id": "s1", "capability": "open_the_door", "inputs": sets[:1]}]
        steps = [{**AUDIT, "inputs": sets}, {"id": "s2", "capability": "report", "inputs": ["s1"]}]
        return [
            await called(client, "check_plan", session=session, steps=wrong),
            await called(client, "check_plan", session=session, steps=steps),
            await called(client, "see_budget", session=session),
            await called(client, "submit_plan", session=session, steps=steps),
            await called(client, "see_budget", session=session),
            await called(client, "read_outcomes", session=session),
            await called(client, "end_session", session=session),
            await called(client, "see_budget", session=session),
            await called(client, "read_outcomes", session=session),
        ]

    repair, prices, before, results, after, again, end, late, read = talk(folder, conversation)
    assert repair["messages"] == [{"message": "repair", "code": "unknown_capability", "step": 1, "version": 2}]
    assert [each["price"] for each in prices["messages"][0]["steps"]] == [18, 0]
    assert prices["messages"][0]["turns"] == 16
    assert {each["left"] for each in before["messages"][0]["remainders"]} == {"most"}, (
        "nothing was told but the opening"
    )
    assert results["messages"][0]["message"] == "results" and after["messages"][0]["turns"] == 15
    assert [each["message"] for each in again["messages"]] == [
        "registration", "request", "repair", "budget", "budget", "results", "budget"
    ]  # fmt: skip
    assert read["messages"] == again["messages"] and end["state"] == late["state"] == read["state"] == "over"
    recorded = {each["data"] for each in _records(cli("audit", "show", "--state", folder.state, "--json").json)
                if "data" in each}  # fmt: skip
    assert {json.dumps(each, separators=(",", ":"), sort_keys=True) for each in again["messages"]} <= recorded
    reports = [path.read_text() for path in (Path(str(folder.state)) / "reports").glob("*.md")]
    assert any("7 envelopes" in text for text in reports), "the person reads of all of them"


def test_checks_count_against_the_hour_and_the_refusal_is_one_word(folder: Folder) -> None:
    limits = replace(folder.settings.limits, turns_per_hour=3)
    limited = folder._replace(settings=replace(folder.settings, limits=limits))

    async def conversation(client: Client) -> list[Any]:
        session, _, _ = await begun(client)
        return [await called(client, "check_plan", session=session, steps=[]) for _ in range(4)]

    heard = talk(limited, conversation)
    assert [each["state"] for each in heard] == ["plan_wanted", "plan_wanted", "refused", "refused"]
    assert heard[-1]["messages"] == []


@pytest.mark.parametrize(
    ("clients", "answer", "status"),
    [
        (["agent"], True, "ran"),
        (["agent"], False, "escalated"),
        (["other"], True, "escalated"),
        ([], None, "escalated"),
    ],
)
def test_a_client_answers_for_a_person_only_where_the_configuration_says_so(
    folder: Folder, tmp_path: Path, clients: list[str], answer: bool | None, status: str
) -> None:
    chosen = tmp_path / "settings.toml"
    chosen.write_text(f"[approval]\nclients = {json.dumps(clients)}\n")
    asked: list[str] = []

    async def elicited(_: Any, request: Any) -> ElicitResult:
        asked.append(request.message)
        return ElicitResult(action="accept", content={"approve": bool(answer)})

    async def conversation(client: Client) -> Any:
        session, sets, _ = await begun(client)
        steps = [{"id": "s1", "capability": "run_tests", "inputs": sets}]
        steps.append({"id": "s2", "capability": "summarize", "inputs": sets, "policy": {"human_approval": True}})
        return await called(client, "submit_plan", session=session, steps=steps)

    callback = {} if answer is None else {"elicitation_callback": elicited}
    heard = talk(folder._replace(settings=load_settings(chosen)), conversation, **callback)
    told = [each["outcome"]["status"] for each in heard["messages"][0]["steps"]]
    assert (told[0] == "escalated") is (status == "escalated")
    assert told[1] == "escalated", "a yes to one step is none to another that nobody was asked about"
    question = "A person has to agree to what acts on the folder: step 1 (run_tests). Run it?"
    assert asked == ([question] if clients == ["agent"] else [])


def test_a_person_at_another_terminal_reads_what_the_step_works_on_and_agrees(folder: Folder, cli: Cli) -> None:
    async def conversation(client: Client) -> tuple[Any, str, Any]:
        session, sets, _ = await begun(client)
        inputs = [{"set": sets[0], "where": {"kind": "code_file"}}, *sets[1:]]
        steps = [{"id": "s1", "capability": "redact_document", "inputs": inputs}]
        call = asyncio.ensure_future(called(client, "submit_plan", session=session, steps=steps))
        waiting: list[Any] = []
        while not waiting:
            await asyncio.sleep(0.1)
            waiting = cli("approvals", "--state", folder.state, "--json").json["pending"]
        agreed = cli("approvals", "approve", waiting[0]["id"], "--state", folder.state)
        return waiting[0], agreed.out, await call

    question, agreed, heard = talk(folder._replace(patience=30.0), conversation)
    assert heard["messages"][0]["steps"][0]["outcome"]["status"] in ("done", "partial")
    assert "agent agent" in question["requester"] and question["goal"] == GOAL
    assert any("only kind code file" in name for name in question["objects"]) and "set_" not in agreed
    assert question["objects"][0][0].isdigit() and question["objects"][0] in agreed, "how many of what the set has"


def test_every_tool_declares_what_it_returns(folder: Folder) -> None:
    async def conversation(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in talk(folder, conversation)}
    assert tools.pop("read_guide").output_schema["required"] == ["guide"]
    for tool in tools.values():
        messages = tool.output_schema["properties"]["messages"]["items"]["properties"]
        assert messages["message"]["enum"] == ["registration", "request", "results", "repair", "budget"]
        assert tool.description and tool.annotations.open_world_hint is False


@pytest.mark.parametrize("names", [False, True])
def test_an_agent_that_is_shown_no_prompt_learns_to_plan_by_the_tools(folder: Folder, names: bool) -> None:
    async def conversation(client: Client) -> tuple[Any, ...]:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        guide = (await called(client, "read_guide"))["guide"]
        prompt = (await client.get_prompt("plan_with_plantwin")).messages[0].content.text
        session, sets, _ = await begun(client, "Where is the login?")
        steps = [{"id": word, "capability": word, "inputs": sets} for word in sorted(SEARCHES)]
        heard = await called(client, "submit_plan", session=session, steps=steps)
        return tools["submit_plan"].input_schema, guide, prompt, heard["messages"][0]["steps"]

    schema, guide, prompt, steps = talk(folder._replace(names=names), conversation)
    step = schema["properties"]["steps"]["items"]
    assert set(step["required"]) == {"id", "capability", "inputs"} and guide == prompt
    offered = {word for word in catalog() if f"\n{word}" in guide}
    assert set(catalog()) - offered == (set() if names else SEARCHES)
    assert offered <= set(re.findall(r"\w+", step["properties"]["capability"]["description"]))
    if not names:
        assert {each["outcome"]["status"] for each in steps} == {"failed"}, (
            "what is not offered has nothing to look for"
        )


def test_how_a_session_ended_is_reported_as_it_was(folder: Folder) -> None:
    async def conversation(client: Client) -> None:
        ended, left = (await begun(client))[0], (await begun(client))[0]
        assert ended != left
        await called(client, "end_session", session=ended)

    talk(folder, conversation)
    reports = [path.read_text() for path in (Path(str(folder.state)) / "reports").glob("*.md")]
    assert sorted("went away" in text for text in reports) == [False, True]
    assert sum("| to its end |" in text for text in reports) == 1


def test_a_goal_of_the_agent_cannot_try_names(folder: Folder) -> None:
    async def openings(client: Client) -> list[Any]:
        found = []
        for name in ("src/store.py", "src/absent.py", "`login`", "people", "zebra"):
            session, _, messages = await begun(client, f"Summarize {name}")
            found.append(messages)
            await client.call_tool("end_session", {"session": session})
        return found

    def shape(messages: list[Any]) -> tuple[Any, ...]:
        request = messages[1]
        return request["goal"]["objects"], len(request["objects"]), sorted(each["size"] for each in messages[0]["sets"])

    assert len({json.dumps(shape(each)) for each in talk(folder, openings)}) == 1
    named = talk(folder._replace(names=True), openings)
    assert [bool(each[1]["goal"]["objects"]) for each in named][:2] == [True, False], "unless the person allows it"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("begin_session", {"goal": ""}),
        ("begin_session", {"goal": "x" * 5000}),
        ("begin_session", {"goal": 7}),
        ("submit_plan", {"session": "nobody", "steps": []}),
        ("submit_plan", {"session": "nobody", "steps": "all of them"}),
        ("submit_plan", {"session": "../../etc", "steps": [{}] * 100}),
        ("end_session", {"session": "session_0000000000000000"}),
        ("no_such_tool", {}),
    ],
)
def test_garbage_is_refused_in_fixed_words(folder: Folder, tool: str, arguments: dict[str, Any]) -> None:
    async def conversation(client: Client) -> str:
        try:
            answer = await client.call_tool(tool, arguments)
        except Exception as error:
            return f"True {error}"
        return f"{answer.is_error} {answer.model_dump_json()}"

    heard = talk(folder, conversation)
    assert heard.startswith("True") and str(folder.root) not in heard and "Traceback" not in heard


def test_a_plan_that_is_none_may_be_corrected_once(folder: Folder) -> None:
    async def conversation(client: Client) -> list[Any]:
        session, sets, _ = await begun(client)
        wrong = [{"id": "s1", "capability": "open_the_door", "inputs": sets[:1]}]
        return [
            (await client.call_tool("submit_plan", {"session": session, "steps": steps})).structured_content
            for steps in (wrong, [{**AUDIT, "inputs": sets[:1]}], [])
        ]

    repair, results, end = talk(folder, conversation)
    assert repair["messages"] == [{"message": "repair", "code": "unknown_capability", "step": 1, "version": 2}]
    assert results["messages"][0]["message"] == "results" and end["state"] == "over"


def test_an_agent_that_floods_waits_for_itself(folder: Folder) -> None:
    async def conversation(client: Client) -> list[str]:
        calls = [client.call_tool("begin_session", {"goal": GOAL}) for _ in range(MOST_SESSIONS + 3)]
        return [each.structured_content["state"] for each in await asyncio.gather(*calls)]

    states = talk(folder, conversation)
    assert states.count("plan_wanted") == MOST_SESSIONS and states.count("busy") == 3


def test_of_many_calls_into_one_session_one_works_at_a_time(folder: Folder) -> None:
    async def conversation(client: Client) -> tuple[list[str], str]:
        session, sets, _ = await begun(client)
        steps = [{**AUDIT, "inputs": sets}]
        calls = [called(client, "submit_plan", session=session, steps=steps) for _ in range(60)]
        states = [each["state"] for each in await asyncio.gather(*calls)]
        return states, (await called(client, "read_outcomes", session=session))["state"]

    states, after = talk(folder, conversation)
    assert set(states) == {"plan_wanted", "busy"} and after == "plan_wanted"


def test_a_session_that_a_client_left_makes_room(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    async def conversation(client: Client) -> list[str]:
        left = [(await begun(client))[0] for _ in range(MOST_SESSIONS)]
        states = [(await called(client, "begin_session", goal=GOAL))["state"]]
        monkeypatch.setattr(sessions, "ABANDONED", 0.0)
        states.append((await called(client, "begin_session", goal=GOAL))["state"])
        states.append((await called(client, "read_outcomes", session=left[0]))["state"])
        states.append((await called(client, "read_outcomes", session=left[1]))["state"])
        return states

    assert talk(folder, conversation) == ["busy", "plan_wanted", "unknown_session", "plan_wanted"]
    assert len(list((Path(str(folder.state)) / "reports").glob("*.md"))) == MOST_SESSIONS + 1, "all are reported"


def test_what_fails_inside_is_one_word_to_the_agent(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("/home/ada/src/store.py is broken")

    async def conversation(client: Client) -> str:
        session, _, _ = await begun(client)
        monkeypatch.setattr(sessions, "decode_plan", broken)
        return (await client.call_tool("check_plan", {"session": session, "steps": []})).model_dump_json()

    heard = talk(folder, conversation)
    assert "refused" in heard and "store.py" not in heard


def test_a_policy_that_permits_nothing_ends_the_session(folder: Folder, tmp_path: Path) -> None:
    settings = tmp_path / "strict.toml"
    settings.write_text('[policy]\nname = "local-only"\n')

    async def conversation(client: Client) -> Any:
        return (await client.call_tool("begin_session", {"goal": GOAL})).structured_content

    heard = talk(folder._replace(settings=load_settings(settings)), conversation)
    assert heard["state"] == "over" and heard["messages"] == []


@pytest.mark.parametrize("client", ["claude-code", "cursor", "codex", "vscode"])
def test_clients_are_set_up(cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    shown = cli("mcp", "install", tree, "--client", client)
    assert shown.code == 0 and str(tree) in shown.out and "cannot read the folder by itself" in shown.out
    written = cli("mcp", "install", tree, "--client", client, "--write", "--json").json
    path = Path(written["path"]).expanduser()
    assert path.read_text() == written["text"] and written["reference"].startswith("https://")
    tree_of = tomllib.loads if path.suffix == ".toml" else json.loads
    key = {"vscode": "servers", "codex": "mcp_servers"}.get(client, "mcpServers")
    server = tree_of(written["text"])[key]["plantwin"]
    assert server["args"] == ["mcp", "--root", str(tree), "--audience", "agent"]
    assert Path(server["command"]).is_absolute()
    if path.suffix == ".json":
        path.write_text(json.dumps({key: {"other": {"command": "x"}}, "inputs": []}))
        kept = json.loads(cli("mcp", "install", tree, "--client", client, "--write", "--json").json["text"])
        assert set(kept[key]) == {"other", "plantwin"} and kept["inputs"] == [], "what was there stays"
    path.write_text("{" if path.suffix == ".json" else "[mcp_servers.plantwin]\n")
    assert cli("mcp", "install", tree, "--client", client, "--write").code == 2, "a broken file is left alone"
    assert cli("mcp", "install", tree).code == 2
