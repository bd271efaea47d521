"""Shell scripts: what ShellCheck warns of most, under its numbers."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.rules import Checks, found
from plantwin.private.formats.syntax_tree import named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(
    r"\$(?:[?#$!-]|\{#[^}]*\}|\{[?#$!]\})"
    r"|\$\{?(?:EUID|UID|PPID|SECONDS|RANDOM|LINENO|OPTIND|SHLVL|COLUMNS|LINES|CFLAGS|CXXFLAGS|LDFLAGS)\}?$"
)
"""Expansions that hold a number, or that are meant to be split."""
_DEFAULTED = re.compile(r"\$\{\w+:?\+")
_ERREXIT = re.compile(r"^\s*(?:set\s+-\w*e|set\s+-o\s+errexit)|^#!.*\s-\w*e", re.MULTILINE)
_DESTRUCTIVE = frozenset(("rm", "mv", "cp", "chmod", "chown", "ln", "rmdir", "rsync", "dd", "mkfs", "cd"))
_UNSPLIT = frozenset(("local", "export", "declare", "readonly", "eval", "exit", "return"))
"""Commands whose arguments are not split, or harmless if they are."""
_SEQUENCES = frozenset(
    ("program", "compound_statement", "do_group", "else_clause", "subshell", "command_substitution", "case_item")
)
_CONDITIONS = frozenset(("list", "if_statement", "while_statement", "elif_clause", "negated_command"))
_ROOTS = re.compile(r"\"?\$\{?\w+\}?\"?/(?:\*|\"\*\")?|\"\$\{?\w+\}?/\*?\"")
_DISABLE = re.compile(r"shellcheck\s+disable=([\w,]+)")


def wanted(findings: Iterable[Finding], source: str) -> Iterator[Finding]:
    """Leave out what a `shellcheck disable` above a line, the shell or `set -e` makes pointless."""
    off = {source.count("\n", 0, match.start()) + 2: match[1].split(",") for match in _DISABLE.finditer(source)}
    everywhere = {rule for line, rules in off.items() if line <= 4 for rule in rules}
    first = source[:200].split("\n", 1)[0]
    plain_sh = first.startswith("#!") and re.search(r"\b(?:sh|dash|ash)\b", first) is not None and "bash" not in first
    if not plain_sh:
        everywhere |= {"SC3010", "SC3014"}
    if _ERREXIT.search(source):
        everywhere.add("SC2164")
    for finding in findings:
        if finding.rule not in everywhere and finding.rule not in off.get(finding.line, ()):
            yield finding


def _parent(node: Node | None) -> str:
    return node.parent.type if node is not None and node.parent is not None else ""


def _name_of(command: Node | None) -> str:
    return text(command.child_by_field_name("name"), 60) if command is not None else ""


def _splitting_command(node: Node) -> str | None:
    """Return the command whose arguments an unquoted expansion becomes; none where it is not split."""
    parent = _parent(node)
    if parent == "concatenation":
        parent = _parent(node.parent)
    if parent != "command":
        return None
    outer: Node | None = node
    while outer is not None and outer.type != "command":
        if outer.type == "command_name":
            return None
        outer = outer.parent
    return _name_of(outer)


def _expansion(node: Node) -> Iterator[Finding]:
    shown = text(node, 80)
    command = _splitting_command(node)
    if command is None or _NUMBER.match(shown) or _DEFAULTED.match(shown):
        return
    if command in _UNSPLIT or command in ("[[", "let", "shift"):
        return
    if shown in ("$@", "${@}", "$*", "${*}") or shown.endswith(("[@]}", "[*]}")):
        yield found("SC2068", node, text=shown, quoted=shown.replace("*", "@"))
    else:
        severity = Severity.MEDIUM if command in _DESTRUCTIVE else None
        yield found("SC2086", node, severity=severity, text=shown)


def _substitution(node: Node) -> Iterator[Finding]:
    command = _splitting_command(node)
    if command is not None and command not in _UNSPLIT:
        yield found("SC2046", node)


def _command(node: Node) -> Iterator[Finding]:
    name = _name_of(node)
    arguments = node.children_by_field_name("argument")
    words = [text(argument, 200) for argument in arguments]
    if name in ("cd", "pushd") and words and words[0] != "-" and _unguarded(node):
        yield found("SC2164", node, name=name)
    elif name == "rm" and any(re.match(r"-\w*[rR]|--recursive", word) for word in words):
        for argument, word in zip(arguments, words, strict=True):
            if _ROOTS.fullmatch(word):
                yield found("SC2115", argument, path="/*" if word.rstrip("\"'").endswith("*") else "/")


def _unguarded(node: Node) -> bool:
    """Whether nothing looks at how a command ended."""
    for _ in range(10):
        parent = node.parent
        if parent is None:
            return True
        if parent.type in _CONDITIONS:
            if parent.type != "list" or not parent.named_children or parent.named_children[-1] != node:
                return False
        elif parent.type in _SEQUENCES:
            return parent.type != "command_substitution"
        node = parent
    return True


def _test(node: Node) -> Iterator[Finding]:
    shown = text(node, 400)
    if shown.startswith("[["):
        yield found("SC3010", node)
        return
    if not shown.startswith("["):
        return
    for inner in walk(node):
        word = text(inner, 60)
        if (
            inner.type in ("simple_expansion", "expansion")
            and _parent(inner) not in ("string", "arithmetic_expansion")
            and not _NUMBER.match(word)
        ):
            if re.search(r"\[\s+(?:!\s+)?-n\s+" + re.escape(word), shown):
                yield found("SC2070", inner, text=word)
            else:
                yield found("SC2086", inner, severity=Severity.MEDIUM, text=word)
            break
    if re.search(r"\s==\s", shown):
        yield found("SC3014", node)
    if re.search(r"\[\s+\$\?\s+-(?:eq|ne)\s+0\s+\]", shown):
        yield found("SC2181", node)


def _declaration(node: Node) -> Iterator[Finding]:
    keyword = text(node, 30).split(None, 1)[0]
    if keyword.startswith(("local", "export", "declare", "readonly")):
        for assignment in named(node, "variable_assignment"):
            value = assignment.child_by_field_name("value")
            if value is not None and any(inner.type == "command_substitution" for inner in walk(value)):
                yield found("SC2155", assignment, keyword=keyword)
                return


def _pipeline(node: Node) -> Iterator[Finding]:
    commands = named(node)
    if len(commands) > 1 and commands[0].type == "command" and _name_of(commands[0]) == "cat":
        arguments = commands[0].children_by_field_name("argument")
        if len(arguments) == 1 and text(arguments[0], 1) not in ("-", "$"):
            yield found("SC2002", node)


def _for(node: Node) -> Iterator[Finding]:
    for listing in named(node, "command_substitution"):
        shown = text(listing, 60)
        if re.match(r"\$\(\s*ls\b|`\s*ls\b", shown):
            yield found("SC2045", listing)
        elif re.match(r"(?:\$\(|`)\s*(?:cat|<)", shown):
            yield found("SC2013", listing)


def _redirected(node: Node) -> Iterator[Finding]:
    redirects = [text(redirect, 60).replace(" ", "") for redirect in named(node, "file_redirect")]
    for first, second in itertools.pairwise(redirects):
        if first == "2>&1" and re.match(r"1?>(?!&)", second):
            yield found("SC2069", node)


def _unreachable(node: Node) -> Iterator[Finding]:
    ended = False
    for statement in named(node):
        if ended and statement.type not in ("function_definition", "ERROR"):
            yield found("SC2317", statement)
            return
        ended = ended or (statement.type == "command" and _ends(statement))


def _ends(command: Node) -> bool:
    """Whether a command is `exit`, or `exec` with a program: without one it only redirects."""
    arguments = command.children_by_field_name("argument")
    return _name_of(command) == "exit" or (
        _name_of(command) == "exec"
        and bool(arguments)
        and "redirect" not in {child.type for child in command.children}
        and text(arguments[0], 1) not in ("-", ">", "<", "$")
    )


def _unused(root: Node) -> Iterator[Finding]:
    """Find variables that nothing reads: not in a file that others may source, and not names that programs look for."""
    source = (root.text or b"").decode("utf-8", "replace")
    if not source.startswith("#!") or re.search(r"^\s*(?:source|\.|eval)\s|declare -n|\$\{!", source, re.MULTILINE):
        return
    uses = Counter(re.findall(r"\w{1,80}", source))
    assigned = Counter(re.findall(r"(?<![\w$-])(\w{1,80})\+?=", source))
    seen: set[str] = set()
    for node in walk(root):
        if node.type == "variable_assignment" and _parent(node) not in ("declaration_command", "command"):
            name = text(node.child_by_field_name("name"), 80)
            if name not in seen and re.fullmatch(r"[a-z_]\w*", name) and name != "_" and uses[name] <= assigned[name]:
                yield found("SC2034", node, name=name)
            seen.add(name)


CHECKS: Checks = {
    "simple_expansion": (_expansion,),
    "expansion": (_expansion,),
    "command_substitution": (_substitution,),
    "command": (_command,),
    "test_command": (_test,),
    "declaration_command": (_declaration,),
    "pipeline": (_pipeline,),
    "for_statement": (_for,),
    "redirected_statement": (_redirected,),
    "compound_statement": (_unreachable,),
    "program": (_unreachable, _unused),
}
