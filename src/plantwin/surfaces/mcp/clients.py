"""How MCP clients are told of this server, and how their own file tools are taken away."""

from __future__ import annotations

import json
from typing import NamedTuple


class Client(NamedTuple):
    """A program that agents run in."""

    title: str
    path: str
    """Its configuration file, below the folder that the agent is started in, or the home folder (~)."""
    key: str
    """What servers stand under; empty where the file is TOML."""
    confine: tuple[str, ...]
    """What takes the agent's own access to files away."""


EMPTY = (
    "Start the agent in an empty folder, as a user or in a container that cannot read {root}: no setting of a client "
    "is as strong as a file that cannot be read."
)
CLIENTS: dict[str, Client] = {
    "claude-code": Client(
        "Claude Code",
        ".mcp.json",
        "mcpServers",
        (
            'In .claude/settings.json beside it: {"permissions": {"deny": ["Read", "Edit", "Write", "NotebookEdit", '
            '"Glob", "Grep", "Bash", "Task", "WebFetch"]}}',
            EMPTY,
        ),
    ),
    "cursor": Client(
        "Cursor",
        ".cursor/mcp.json",
        "mcpServers",
        (
            "Open an empty folder, not {root}: Cursor indexes and reads what is open.",
            EMPTY,
        ),
    ),
    "codex": Client(
        "Codex",
        "~/.codex/config.toml",
        "",
        (
            'Its sandbox limits writing, not reading: `sandbox_mode = "read-only"` still lets it read {root}.',
            EMPTY,
        ),
    ),
    "vscode": Client(
        "VS Code",
        ".vscode/mcp.json",
        "servers",
        (
            "In the tools picker of the chat, leave only the tools of plantwin selected, and open an empty folder.",
            EMPTY,
        ),
    ),
}


def entry(command: str, arguments: list[str]) -> dict[str, object]:
    """Return what every JSON configuration says of a server that it starts."""
    return {"type": "stdio", "command": command, "args": arguments}


def added(client: Client, before: str, server: dict[str, object]) -> str:
    """Return the configuration with this server in it; everything else stays. Raises ValueError if it is broken."""
    if not client.key:
        name = "[mcp_servers.plantwin]"
        if name in before:
            raise ValueError("it has a server `plantwin` already")
        lines = [name, f"command = {json.dumps(server['command'])}", f"args = {json.dumps(server['args'])}"]
        return f"{before.rstrip()}\n\n".lstrip() + "\n".join(lines) + "\n"
    tree = json.loads(before or "{}")
    servers = tree.setdefault(client.key, {}) if isinstance(tree, dict) else None
    if not isinstance(servers, dict):
        raise ValueError("it is no JSON object of servers")
    servers["plantwin"] = server
    return json.dumps(tree, indent=2) + "\n"
