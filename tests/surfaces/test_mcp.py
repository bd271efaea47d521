"""The MCP server with the official client: what an agent sees and does, and what it cannot learn."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from mcp import Client, StdioServerParameters
from mcp.server import MCPServer

from plantwin.config.settings import load_settings
from plantwin.private.capabilities import catalog
from plantwin.surfaces.mcp.server import every_skill, server
from plantwin.surfaces.mcp.sessions import MOST_SESSIONS, Folder

PLANTED = ("Tr0ub4dor", "9f8b7c6d5e4f", "person3@example.org", "store.py", "people.csv", "sha256(password", "Person 3")
GOAL = "Is anything in here unsafe?"
AUDIT = {"id": "s1", "capability": "secret_scan", "inputs": []}
Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def folder(tree: Path, tmp_path: Path) -> Folder:
    return Folder(tree, load_settings(), tmp_path / "state", "agent", patience=0.1)


def served(folder: Folder) -> MCPServer[Any]:
    return server(folder, lambda: every_skill(catalog()))


def talk(folder: Folder, conversation: Talk) -> Any:
    async def work() -> Any:
        async with Client(served(folder)) as client:
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(work(), 120))


async def begun(client: Client, goal: str = GOAL) -> tuple[str, list[str], list[Any]]:
    """Session, sets and messages of a new session."""
    reply = (await client.call_tool("begin_session", {"goal": goal})).structured_content
    assert reply["state"] == "plan_wanted"
    return reply["session"], [each["set_id"] for each in reply["messages"][0]["sets"]], reply["messages"]


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


def test_nothing_private_is_in_any_reply(folder: Folder) -> None:
    async def conversation(client: Client) -> str:
        session, sets, _ = await begun(client)
        everything: list[Any] = [await client.list_tools(), await client.list_prompts(), await client.list_resources()]
        everything.append(await client.get_prompt("plan_with_plantwin"))
        everything.append(await client.read_resource("plantwin://schema"))
        for names in (("secret_scan", "security_audit", "summarize"), ("analyze_logs", "profile_data", "find_tests")):
            steps = [{"id": name, "capability": name, "inputs": sets} for name in names]
            everything.append(await client.call_tool("submit_plan", {"session": session, "steps": steps}))
        return " ".join(each.model_dump_json() for each in everything)

    heard = talk(folder, conversation)
    assert not [word for word in PLANTED if word in heard]


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


def test_a_policy_that_permits_nothing_ends_the_session(folder: Folder, tmp_path: Path) -> None:
    settings = tmp_path / "strict.toml"
    settings.write_text('[policy]\nname = "local-only"\n')

    async def conversation(client: Client) -> Any:
        return (await client.call_tool("begin_session", {"goal": GOAL})).structured_content

    heard = talk(folder._replace(settings=load_settings(settings)), conversation)
    assert heard["state"] == "over" and heard["messages"] == []


def test_over_standard_input_and_output(tree: Path, tmp_path: Path) -> None:
    arguments = ["-m", "plantwin", "mcp", "--root", str(tree), "--state", str(tmp_path / "state")]
    program = StdioServerParameters(command=sys.executable, args=arguments)

    async def work() -> Any:
        async with Client(program) as client:
            session, sets, _ = await begun(client)
            steps = [{"id": "s1", "capability": "measure_size", "inputs": sets}]
            return (await client.call_tool("submit_plan", {"session": session, "steps": steps})).structured_content
        # The client goes away without ending its session.

    heard = asyncio.run(asyncio.wait_for(work(), 60))
    assert heard["messages"][0]["steps"][0]["outcome"]["status"] in ("done", "partial")
    assert list((tmp_path / "state" / "reports").glob("*.md")), "what was done is reported"


def test_over_http_with_a_token(tree: Path, tmp_path: Path) -> None:
    import httpx2 as httpx
    from mcp.client.streamable_http import streamable_http_client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "plantwin", "mcp", "--root", tree, "--state", tmp_path / "state", "--http"]
    environment = {**os.environ, "PLANTWIN_MCP_TOKEN": "t" * 32}
    child = subprocess.Popen([*command, "--port", str(port)], env=environment, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/mcp"

    async def work() -> Any:
        headers = {"Authorization": f"Bearer {'t' * 32}"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as http:
            for _ in range(200):
                try:
                    assert (await http.get(url, headers={"Authorization": "Bearer no"})).status_code == 401
                    break
                except httpx.ConnectError:
                    await asyncio.sleep(0.1)
            assert (await http.post(url, headers={"Host": "evil.example"}, json={})).status_code in (403, 421)
            async with Client(streamable_http_client(url, http_client=http)) as client:
                return await begun(client)

    try:
        _, sets, _ = asyncio.run(asyncio.wait_for(work(), 60))
        assert sets
    finally:
        child.terminate()
        child.wait(20)


@pytest.mark.parametrize("client", ["claude-code", "cursor", "codex", "vscode"])
def test_clients_are_set_up(cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    shown = cli("mcp", "install", tree, "--client", client)
    assert shown.code == 0 and str(tree) in shown.out and "cannot read the folder by itself" in shown.out
    written = cli("mcp", "install", tree, "--client", client, "--write", "--json").json
    path = Path(written["path"]).expanduser()
    assert path.read_text() == written["text"] and "plantwin" in written["text"]
    path.write_text("{" if path.suffix == ".json" else "[mcp_servers.plantwin]\n")
    assert cli("mcp", "install", tree, "--client", client, "--write").code == 2, "a broken file is left alone"
    assert cli("mcp", "install", tree).code == 2
