"""systemd units: validity rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import close_match, known_keys
from plantwin.private.formats.document import Document, Node

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("systemd")
_COMMANDS = ("ExecStart", "ExecStartPre", "ExecStartPost", "ExecReload", "ExecStop", "ExecStopPost", "ExecCondition")
_FAMILIES = tuple(known_keys("systemd", "families"))
"""Beginnings of keys of execution and resource control, which are too many to list."""
_KEYS = {section: known_keys("systemd", section) for section in ("Unit", "Install", "Service", "Timer")}
_SECTIONS = {"service": "Service", "timer": "Timer", "socket": "Socket", "mount": "Mount"}
_SHELL_OPERATOR = re.compile(r"\s(?:&&|\|\||\||>|>>)\s")
_SHELL = re.compile(r"\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\b")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a unit."""
    root, name = document.root, document.name
    extension = name.rpartition(".")[2]
    wanted = _SECTIONS.get(extension)
    if wanted and root.map and wanted not in root.map and "@" not in name and ".d/" not in name:
        yield RULES.found("SYSTEMD-REQUIRED", 1, holder=f"A .{extension} unit", part=f"[{wanted}]")
    for section, node in root.map.items():
        yield from _validate_keys(section, node)
    service, timer = root.at("Service"), root.at("Timer")
    if service is not None:
        yield from _validate_service(service, root)
    if timer is not None and not any(key.startswith("On") for key in timer.map):
        yield RULES.found("SYSTEMD-REQUIRED", root.line_of("Timer"), holder="The timer", part="OnCalendar=")


def _validate_keys(section: str, node: Node) -> Iterator[Finding]:
    expected = _KEYS.get(section)
    for key in node.map if expected is not None else ():
        if expected is None or key in expected or key.startswith("X-"):
            continue
        owner = next((other for other, keys in _KEYS.items() if key in keys), "")
        near = close_match(key, expected, 0.88)
        if owner:
            yield RULES.found("SYSTEMD-SECTION", node.line_of(key), key=key, owner=owner, section=section)
        elif near and (near.lower() == key.lower() or not _is_plausible(key, near)):
            yield RULES.found("SYSTEMD-UNKNOWN-KEY", node.line_of(key), key=key[:60], section=section, near=near)


def _is_plausible(key: str, near: str) -> bool:
    return key.startswith(_FAMILIES) or near.lower().rstrip("s") == key.rstrip("s")


def _validate_service(service: Node, root: Node) -> Iterator[Finding]:
    kind = service.value("Type")
    starts = [command for command in service.entries("ExecStart") if command.text]
    ends = service.entries("ExecStop") or "SuccessAction" in root.map.get("Unit", service).map
    if not starts and kind != "oneshot" and not ends:
        yield RULES.found("SYSTEMD-REQUIRED", root.line_of("Service"), holder="The service", part="ExecStart=")
    for key in _COMMANDS:
        for command in service.entries(key):
            program = command.text.lstrip("-@:+!|").split(" ", 1)[0]
            if program and program[0] not in "/$%\"'" and "/" in program:
                yield RULES.found("SYSTEMD-RELATIVE-PATH", command.line, key=key)
            if _SHELL_OPERATOR.search(command.text) and not _SHELL.search(command.text):
                yield RULES.found("SYSTEMD-SHELL", command.line, key=key)
