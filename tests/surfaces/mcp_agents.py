"""What tests of the MCP server share: a server for a folder, and agents that talk with it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.server import MCPServer

from plantwin.surfaces.mcp.server import server
from plantwin.surfaces.mcp.sessions import Folder

PLANTED = ("Tr0ub4dor", "9f8b7c6d5e4f", "person3@example.org", "store.py", "people.csv", "sha256(password", "Person 3")
"""Canaries: values, names and code of the tree."""
GOAL = "Is anything in here unsafe?"
TOKEN = "t" * 32
Talk = Callable[[Client], Awaitable[Any]]


def served(folder: Folder) -> MCPServer[Any]:
    """A server in this process."""
    return server(folder)


def talk(folder: Folder, conversation: Talk, **options: Any) -> Any:
    """What came of a conversation with it."""

    async def work() -> Any:
        async with Client(served(folder), **options) as client:
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(work(), 120))


async def called(client: Client, name: str, **arguments: Any) -> Any:
    """What a tool answers."""
    return (await client.call_tool(name, arguments)).structured_content


async def begun(client: Client, goal: str = GOAL) -> tuple[str, list[str], list[Any]]:
    """Session, sets and messages of a new session."""
    reply = await called(client, "begin_session", goal=goal)
    assert reply["state"] == "plan_wanted", reply
    return reply["session"], [each["set_id"] for each in reply["messages"][0]["sets"]], reply["messages"]


def command(tree: Path, state: Path) -> list[str]:
    """The server as a program."""
    return [sys.executable, "-m", "plantwin", "mcp", "--root", str(tree), "--state", str(state)]


def over_stdio(tree: Path, state: Path) -> Client:
    """A client that starts the program."""
    first, *rest = command(tree, state)
    return Client(StdioServerParameters(command=first, args=rest))


@contextmanager
def http_server(tree: Path, state: Path) -> Iterator[str]:
    """The address of the program over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PLANTWIN_MCP_TOKEN": TOKEN}
    child = subprocess.Popen(
        [*command(tree, state), "--http", "--port", str(port)],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        with httpx.Client() as http:
            for _ in range(300):
                try:
                    assert http.get(f"http://127.0.0.1:{port}/mcp").status_code == 401
                    break
                except httpx.ConnectError:
                    assert child.poll() is None
                    time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        child.terminate()
        child.wait(20)


@asynccontextmanager
async def over_http(url: str) -> AsyncIterator[Client]:
    """A client of it that has the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client
