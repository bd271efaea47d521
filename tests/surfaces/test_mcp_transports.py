"""The MCP server as a program, over both transports: two implementations of clients, many at once, rude ones."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from command_line import Cli
from mcp import Client
from mcp_agents import GOAL, PLANTED, TOKEN, begun, called, command, http_server, over_http, over_stdio

NODE = Path(sys.prefix) / "npm"
"""Where `scripts/setup` puts the other implementation."""
CALLS = ["begin_session", "check_plan", "submit_plan", "see_budget", "split_set", "read_outcomes", "submit_plan",
         "end_session", "end_session"]  # fmt: skip


async def everything(client: Client) -> str:
    """All that an agent can hear, as one text."""
    session, sets, opening = await begun(client)
    heard: list[Any] = [await client.list_tools(), await client.list_prompts(), await client.list_resources()]
    heard.append(await client.get_prompt("plan_with_plantwin"))
    heard.append(await client.read_resource("plantwin://schema"))
    heard.append(await client.call_tool("read_guide", {}))
    for names in (("secret_scan", "security_audit", "summarize"), ("analyze_logs", "profile_data", "find_tests")):
        steps = [{"id": name, "capability": name, "inputs": sets} for name in names]
        for tool in ("check_plan", "submit_plan"):
            heard.append(await client.call_tool(tool, {"session": session, "steps": steps}))
    heard.append(await client.call_tool("split_set", {"session": session, "set_id": sets[0], "by": "semantic_class"}))
    heard.append(await client.call_tool("split_set", {"session": session, "set_id": "src/store.p", "by": "Person"}))
    for tool in ("see_budget", "read_outcomes", "end_session", "read_outcomes"):
        heard.append(await client.call_tool(tool, {"session": session}))
    return json.dumps(opening) + " ".join(each.model_dump_json() for each in heard)


async def heard_over_stdio(tree: Path, state: Path) -> str:
    async with over_stdio(tree, state) as client:
        return await everything(client)


async def heard_over_http(tree: Path, state: Path) -> str:
    with http_server(tree, state) as url:
        async with over_http(url) as client:
            return await everything(client)


@pytest.mark.parametrize("hear", [heard_over_stdio, heard_over_http])
def test_nothing_private_is_in_any_reply(tree: Path, tmp_path: Path, cli: Cli, hear: Any) -> None:
    heard = asyncio.run(asyncio.wait_for(hear(tree, tmp_path / "state"), 120))
    assert not [word for word in PLANTED if word in heard] and heard.count('"message":"results"') > 2
    assert cli("audit", "verify", "--state", tmp_path / "state").code == 0


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_another_implementation_works_through_it(tree: Path, tmp_path: Path, transport: str) -> None:
    def ran(*arguments: str) -> Any:
        script = Path(__file__).with_name("mcp_client.cjs")
        ended = subprocess.run(
            ["node", script, NODE, transport, *arguments], capture_output=True, text=True, timeout=120, check=False
        )
        assert ended.returncode == 0, ended.stderr
        assert not [word for word in PLANTED if word in ended.stdout]
        return json.loads(ended.stdout)

    if transport == "stdio":
        heard = ran(*command(tree, tmp_path / "state"))
    else:
        with http_server(tree, tmp_path / "state") as url:
            heard = ran(url, TOKEN)
    assert [name for name, _ in heard["calls"]] == CALLS and all("outputSchema" in tool for tool in heard["tools"])
    states = [reply["structuredContent"]["state"] for _, reply in heard["calls"]]
    assert states == ["plan_wanted"] * 7 + ["over", "unknown_session"]
    assert heard["calls"][2][1]["structuredContent"]["messages"][0]["steps"][0]["outcome"]["affected"] != "none"


def test_many_clients_at_once_and_one_that_goes_away_midway(tree: Path, tmp_path: Path, cli: Cli) -> None:
    state = tmp_path / "state"

    async def agent(url: str) -> tuple[str, str]:
        async with over_http(url) as client:
            session, sets, _ = await begun(client)
            steps = [{"id": "s1", "capability": "secret_scan", "inputs": sets}]
            heard = await called(client, "submit_plan", session=session, steps=steps)
            await called(client, "end_session", session=session)
            return sets[0], heard["messages"][0]["steps"][0]["outcome"]["count"]

    async def leaves(url: str) -> Any:
        async with over_http(url) as other:
            async with over_http(url) as client:
                session, sets, _ = await begun(client)
                steps = [{"id": name, "capability": name, "inputs": sets} for name in ("secret_scan", "summarize")]
                call = asyncio.ensure_future(called(client, "submit_plan", session=session, steps=steps))
                while (await called(other, "read_outcomes", session=session))["state"] != "busy":
                    await asyncio.sleep(0.01)
                call.cancel()
            while (heard := await called(other, "read_outcomes", session=session))["state"] == "busy":
                await asyncio.sleep(0.05)
            return heard

    async def work(url: str) -> Any:
        *done, later = await asyncio.gather(agent(url), agent(url), agent(url), leaves(url))
        return done, later

    with http_server(tree, state) as url:
        done, later = asyncio.run(asyncio.wait_for(work(url), 120))
    assert len({sets for sets, _ in done}) == 3 and {count for _, count in done} <= {"one", "few", "many"}
    assert [each["message"] for each in later["messages"]] == ["registration", "request", "results"]
    assert cli("audit", "verify", "--state", state).code == 0


GARBAGE = [
    b"", b"\x00\xff\xfe", b"{", b"[]", b"null", b'"text"', b"[" * 5000, b'{"jsonrpc":"2.0"}', b"GET / HTTP/1.1",
    b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b'{"jsonrpc":"2.0","id":{},"method":7,"params":"x"}',
    b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"begin_session","arguments":"all"}}',
]  # fmt: skip


def test_garbage_over_http_is_refused_and_others_are_served(tree: Path, tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}

    async def after(url: str) -> list[str]:
        async with over_http(url) as client:
            return (await begun(client))[1]

    with http_server(tree, tmp_path / "state") as url, httpx.Client(headers=headers, timeout=30) as http:
        assert http.get(url, headers={"Authorization": "Bearer no"}).status_code == 401
        assert http.post(url, headers={"Host": "evil.example"}, json={}).status_code in (403, 421)
        for body in [*GARBAGE, b'{"x":"' + b"x" * (1 << 20) + b'"}']:
            answer = http.post(url, content=body, headers={"Content-Type": "application/json"})
            assert 400 <= answer.status_code < 500 and str(tree) not in answer.text and "Traceback" not in answer.text
        assert asyncio.run(asyncio.wait_for(after(url), 60))


def test_garbage_over_standard_input_is_refused_and_the_next_line_served(tree: Path, tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    lines = [
        *GARBAGE,
        json.dumps({"jsonrpc": "2.0", "id": 11, "method": "initialize", "params": hello}).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        *GARBAGE,
        b'{"jsonrpc":"2.0","id":12,"method":"tools/list"}',
    ]
    answers: list[Any] = []
    with subprocess.Popen(
        command(tree, tmp_path / "state"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin and child.stdout
        child.stdin.write(b"\n".join(lines) + b"\n")
        child.stdin.flush()
        while not any(each.get("id") == 12 for each in answers):
            line = child.stdout.readline()
            assert line, "it goes on"
            answers.append(json.loads(line))
        told = b"".join(child.communicate())
    assert child.returncode == 0
    assert "tools" in next(each for each in answers if each.get("id") == 12)["result"]
    text = json.dumps(answers) + told.decode()
    assert str(tree) not in text and not [word for word in PLANTED if word in text]


def test_what_was_done_is_reported_when_the_client_goes_away(tree: Path, tmp_path: Path) -> None:
    async def work() -> Any:
        async with over_stdio(tree, tmp_path / "state") as client:
            session, sets, _ = await begun(client, GOAL)
            steps = [{"id": "s1", "capability": "measure_size", "inputs": sets}]
            return await called(client, "submit_plan", session=session, steps=steps)
        # It goes without ending its session.

    heard = asyncio.run(asyncio.wait_for(work(), 60))
    assert heard["messages"][0]["steps"][0]["outcome"]["status"] in ("done", "partial")
    assert list((tmp_path / "state" / "reports").glob("*.md"))
