"""Ansible playbooks and task lists: security rules over what tasks do to hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.dockerfile import COMMANDS, audit_command
from plantwin.private.formats.document import LIST, MAP, Document, Node
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("ansible")
MOST_TASKS = 20_000
_COMMAND_MODULES = frozenset(("shell", "command", "raw", "script"))
_PACKAGE_MODULES = frozenset(("apt", "yum", "dnf", "package", "pip", "apk"))
_ACCOUNT_MODULES = frozenset(("user", "mysql_user", "postgresql_user", "htpasswd"))
_FROM_ELSEWHERE = re.compile(r"\{\{|templatedvalue|^[*!]$|^\$")


def is_ansible(document: Document) -> bool:
    """Return whether a document is a playbook or a list of tasks."""
    root = document.root
    if document.syntax != "yaml" or root.kind != LIST or not root.items:
        return False
    keys = set().union(*(item.map.keys() for item in root.items[:50]))
    return (
        bool({"hosts", "tasks", "roles", "import_playbook"} & keys)
        or re.search(r"(?:^|/)(?:tasks|handlers|playbooks?)/", document.name) is not None
    )


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of all plays, tasks and blocks."""
    stack = list(reversed(document.root.items))
    left = MOST_TASKS
    while stack and left:
        left -= 1
        task = stack.pop()
        for key in ("tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"):
            stack += reversed(task.entries(key))
        for module, arguments in task.map.items():
            short = module.rpartition(".")[2]
            if short in _COMMAND_MODULES and module in (short, f"ansible.builtin.{short}"):
                text = arguments.value("cmd") if arguments.kind == MAP else arguments.text
                yield from audit_command(task.line_of(module), text)
            elif arguments.kind == MAP:
                yield from _module(short, task.line_of(module), arguments)
                yield from _password(short, task, module)


def _module(name: str, line: int, arguments: Node) -> Iterator[Finding]:
    for key in ("validate_certs", "verify", "gpgcheck", "ssl_verify"):
        found = arguments.at(key)
        if found is not None and found.false:
            yield RULES.found("ANSIBLE-VERIFICATION-OFF", arguments.line_of(key), module=name, key=key)
    if re.fullmatch(r"(?:0o?)?777|a\+rwx|u?g?o\+w", arguments.value("mode")):
        yield RULES.found("ANSIBLE-WORLD-WRITABLE", arguments.line_of("mode"), module=name)
    if name == "get_url" and "checksum" not in arguments.map:
        severity = Severity.MEDIUM if arguments.value("url").startswith("http://") else None
        yield RULES.found("ANSIBLE-NO-CHECKSUM", line, severity=severity)
    sudo = COMMANDS.by_id["SHELL-SUDO-NOPASSWD"]
    if any(re.search(sudo.pattern, value.text) for value in arguments.map.values()):
        yield COMMANDS.found(sudo.id, line)
    if name in _PACKAGE_MODULES and arguments.value("state") == "latest":
        yield RULES.found("ANSIBLE-LATEST", arguments.line_of("state"), module=name)


def _password(name: str, task: Node, module: str) -> Iterator[Finding]:
    arguments, silent = task.map[module], task.at("no_log")
    password = arguments.at("password")
    if name not in _ACCOUNT_MODULES or password is None:
        return
    if password.text and not _FROM_ELSEWHERE.search(password.text):
        yield RULES.found("ANSIBLE-HARDCODED-PASSWORD", arguments.line_of("password"), module=name)
    if silent is None or not silent.true:
        yield RULES.found("ANSIBLE-NO-LOG", task.line_of(module), module=name)
