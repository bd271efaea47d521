"""Promise 3: only `cloud` can open a socket to a planner, and only with encoded bytes."""

from __future__ import annotations

import ast
from pathlib import Path

import plantwin

PACKAGE = Path(plantwin.__file__).parent
NETWORK = {
    "socket", "ssl", "http", "httpx", "requests", "urllib3", "aiohttp", "asyncio", "smtplib", "ftplib", "xmlrpc",
    "socketserver", "telnetlib", "poplib", "imaplib", "websockets", "grpc", "paramiko", "openai", "anthropic",
}  # fmt: skip
MAY = ("cloud", "surfaces")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def modules():
    return {path.relative_to(PACKAGE): set(imports(path)) for path in PACKAGE.rglob("*.py")}


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
        elif path.parts[0] in ("boundary", "types", "vocabulary.py", "errors.py"):
            assert not inside & {"private", "cloud", "surfaces"}, path


def test_imports_by_text_cannot_hide_a_module():
    """No module but the package's own lazy table imports by a computed name, except from itself."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "__import__":
                raise AssertionError(path)
