"""Ansible: what tasks do to hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.infrastructure.pictures import commands
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import LIST, MAP, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_MODULES = words(
    "shell command raw script ansible.builtin.shell ansible.builtin.command ansible.builtin.raw ansible.builtin.script"
)


def is_ansible(document: Document) -> bool:
    """Whether it is a playbook or a list of tasks."""
    root = document.root
    if document.syntax != "yaml" or root.kind != LIST or not root.items:
        return False
    keys = set().union(*(each.map.keys() for each in root.items[:50]))
    return (
        bool({"hosts", "tasks", "roles", "import_playbook"} & keys)
        or re.search(r"(?:^|/)(?:tasks|handlers|playbooks?)/", document.name) is not None
    )


def ansible(document: Document) -> Iterator[Issue]:
    """What tasks risk."""
    stack = list(reversed(document.root.items))
    left = 20_000
    while stack and left:
        left -= 1
        task = stack.pop()
        for key in ("tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"):
            stack += reversed(task.entries(key) if task.at(key) is not None else [])
        for key, node in task.map.items():
            yield from _task(task, key, node)


def _task(task: Node, key: str, node: Node) -> Iterator[Issue]:
    line = task.line_of(key)
    short = key.rpartition(".")[2]
    text = node.text if node.kind != MAP else node.value("cmd")
    if key in _MODULES:
        yield from commands(line, text)
        return
    if node.kind == MAP:
        for name in ("validate_certs", "verify", "gpgcheck", "ssl_verify"):
            found = node.at(name)
            if found is not None and found.false:
                yield Issue(
                    node.line_of(name),
                    _S.HIGH,
                    _T.DISABLED_VERIFICATION,
                    "unverified download",
                    f"`{short}` does not check what it talks to",
                    "Leave verification on.",
                )
        mode = node.value("mode")
        if re.fullmatch(r"(?:0o?)?777|a\+rwx|u?g?o\+w", mode):
            yield Issue(
                node.line_of("mode"),
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "chmod 777",
                f"`{short}` gives permissions to everyone",
                "Give the owner alone what is needed.",
            )
        if short == "get_url" and "checksum" not in node.map:
            plain = node.value("url").startswith("http://")
            yield Issue(
                line,
                _S.MEDIUM if plain else _S.LOW,
                _T.MISSING_CHECK,
                "unverified download",
                f"A file is fetched {'unencrypted and ' if plain else ''}without a checksum",
                "Add checksum.",
            )
        if any("NOPASSWD" in each.text and re.search(r"NOPASSWD:\s*ALL", each.text) for each in node.map.values()):
            yield Issue(
                line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "sudo NOPASSWD",
                "An account may do everything without a password",
                "Name the commands.",
            )
        if short in ("apt", "yum", "dnf", "package", "pip", "apk") and node.value("state") == "latest":
            yield Issue(
                node.line_of("state"),
                _S.LOW,
                _T.UNPINNED,
                "package version",
                f"`{short}` installs whatever is newest",
                "Name a version, or use present.",
            )
        password = node.at("password")
        if short in ("user", "mysql_user", "postgresql_user", "htpasswd") and password is not None:
            quiet = task.at("no_log")
            if (
                password.text
                and "{{" not in password.text
                and "templatedvalue" not in password.text
                and password.text not in ("*", "!")
                and not password.text.startswith("$")
            ):
                yield Issue(
                    node.line_of("password"),
                    _S.HIGH,
                    _T.HARDCODED_SECRET,
                    "secret in code",
                    f"`{short}` has a password written out",
                    "Take it from a vault.",
                )
            if quiet is None or not quiet.true:
                yield Issue(
                    line,
                    _S.LOW,
                    _T.SENSITIVE_LOGGING,
                    "no_log",
                    f"`{short}` sets a password that the log will show",
                    "Add no_log: true.",
                )
