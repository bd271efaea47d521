"""Promise 3: only `cloud` can open a socket to a planner, and only with encoded bytes."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import plantwin

PACKAGE = Path(plantwin.__file__).parent
NETWORK = {
    "socket", "ssl", "http", "httpx", "httpcore", "h11", "requests", "urllib3", "aiohttp", "asyncio", "smtplib",
    "ftplib", "xmlrpc", "socketserver", "telnetlib", "poplib", "imaplib", "websockets", "grpc", "paramiko", "openai",
    "anthropic",
}  # fmt: skip
MAY = ("cloud", "surfaces")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def sources():
    """Our own modules: files of the evaluation's workspaces are data, and are never imported."""
    return [path for path in PACKAGE.rglob("*.py") if (PACKAGE / "evals" / "tasks") not in path.parents]


@cache
def modules():
    return {path.relative_to(PACKAGE): set(imports(path)) for path in sources()}


def test_no_module_outside_cloud_and_surfaces_names_a_network_library():
    found = modules()
    assert len(found) > 50
    for path, names in found.items():
        if path.parts[0] in MAY:
            continue
        assert not {name.split(".")[0] for name in names} & NETWORK, path
        assert "urllib.request" not in names, path


def test_private_and_cloud_never_import_each_other_and_boundary_imports_neither():
    for path, names in modules().items():
        inside = {name.split(".")[1] for name in names if name.startswith("plantwin.") and name.count(".")}
        if path.parts[0] == "private":
            assert not inside & {"cloud", "surfaces"}, path
        elif path.parts[0] == "cloud":
            assert not inside & {"private", "surfaces"}, path
        elif path.parts[0] in ("boundary", "types", "vocabulary", "errors.py"):
            assert not inside & {"private", "cloud", "surfaces"}, path


def test_imports_by_text_cannot_hide_a_module():
    """No module but the package's own lazy table imports by a computed name, except from itself."""
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "__import__":
                raise AssertionError(path)


SENDERS = {"transport.py", "endpoint.py", "loopback.py", "serving.py"}
"""Modules of `cloud` that may name a network library. Whoever sends goes through them."""


def test_within_cloud_only_few_modules_reach_the_network():
    found = {
        path.name
        for path, names in modules().items()
        if path.parts[0] == "cloud" and ({name.split(".")[0] for name in names} & NETWORK or "urllib.request" in names)
    }
    assert found <= SENDERS


def test_every_planner_takes_its_bytes_from_the_encoder():
    """Whoever defines `plan` calls `outbound`, or hands the envelopes to what does."""
    takers = {"outbound", "hear", "plan"}
    seen = 0
    for path in (PACKAGE / "cloud").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "plan" and path.name != "planner.py":
                called = {
                    getattr(each.func, "attr", getattr(each.func, "id", ""))
                    for each in ast.walk(node)
                    if isinstance(each, ast.Call)
                }
                assert called & takers, path
                seen += 1
    assert seen >= 6


def test_nothing_is_sent_that_no_witness_saw():
    """In `cloud`, a call that sends a body or starts a program comes after a call of the witness."""
    for path in (PACKAGE / "cloud").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            calls = [
                (each.lineno, getattr(each.func, "attr", ""), each)
                for each in ast.walk(node)
                if isinstance(each, ast.Call)
            ]
            posts = [line for line, name, each in calls if name == "request" and _posts(each)]
            starts = [line for line, name, _ in calls if name == "Popen" and path.name == "command.py"]
            seen = [line for line, name, _ in calls if name == "witness"]
            for line in posts + starts:
                if path.name != "loopback.py":  # its caller, `local.py`, holds the witness
                    assert any(each < line for each in seen), (path, line)


def _posts(call):
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == "POST"
