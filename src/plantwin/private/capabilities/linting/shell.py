"""Shell scripts: what shellcheck warns of most, under its numbers."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.linting.common import style
from plantwin.private.capabilities.linting.remark import DEFECT, HIGH, LOW, MEDIUM, SWALLOWED, UNUSED, Remark
from plantwin.private.capabilities.syntax.trees import line, named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBERS = re.compile(r"\$(?:[?#$!-]|\{#[^}]*\}|\{[?#$!]\})")
_SAFE_NAME = re.compile(
    r"\$\{?(?:EUID|UID|PPID|SECONDS|RANDOM|LINENO|OPTIND|SHLVL|COLUMNS|LINES|CFLAGS|CXXFLAGS|LDFLAGS)\}?$"
)
_DEFAULTED = re.compile(r"\$\{\w+:?\+")
_CAREFUL = re.compile(r"^\s*(?:set\s+-\w*e|set\s+-o\s+errexit)|^#!.*\s-\w*e", re.MULTILINE)
_DANGER = frozenset(("rm", "mv", "cp", "chmod", "chown", "ln", "rmdir", "rsync", "dd", "mkfs"))
_LISTS = re.compile(r"\$\(\s*ls\b|`\s*ls\b")
_SEQUENCES = frozenset(
    ("program", "compound_statement", "do_group", "else_clause", "subshell", "command_substitution", "case_item")
)
_QUIET = re.compile(r"shellcheck\s+disable=([\w,]+)")


def remarks(root: Node, source: str) -> Iterator[Remark]:
    """What the rules say; a `shellcheck disable` above a line is heeded."""
    off = {source.count("\n", 0, each.start()) + 2: each[1].split(",") for each in _QUIET.finditer(source)}
    first = source[:200].split("\n", 1)[0]
    plain = first.startswith("#!") and re.search(r"\b(?:sh|dash|ash)\b", first) is not None and "bash" not in first
    whole = {word for at, words in off.items() if at <= 4 for word in words}
    for each in _all(root, plain, _CAREFUL.search(source) is not None, source):
        if each.rule not in off.get(each.line, ()) and each.rule not in whole:
            yield each


def _all(root: Node, plain: bool, careful: bool, source: str) -> Iterator[Remark]:
    for node in walk(root):
        kind = node.type
        if kind in ("simple_expansion", "expansion"):
            yield from _expansion(node)
        elif kind == "command_substitution":
            yield from _substitution(node)
        elif kind == "command":
            yield from _command(node, careful)
        elif kind == "test_command":
            yield from _test(node, plain)
        elif kind == "declaration_command":
            yield from _declaration(node)
        elif kind == "pipeline":
            yield from _pipeline(node)
        elif kind == "for_statement":
            yield from _for(node)
        elif kind == "redirected_statement":
            yield from _redirected(node)
        elif kind in ("program", "compound_statement"):
            yield from _unreachable(node)
    yield from _unused(root, source)


def _parent(node: Node) -> str:
    return node.parent.type if node.parent is not None else ""


def _splits(node: Node) -> bool:
    """Whether the shell splits and expands the words that come out of it here."""
    parent = _parent(node)
    if parent == "concatenation":
        parent = _parent(node.parent) if node.parent is not None else ""
    return parent == "command" and not _inside_name(node)


def _inside_name(node: Node) -> bool:
    at: Node | None = node
    while at is not None and at.type != "command":
        if at.type == "command_name":
            return True
        at = at.parent
    return False


def _name_of(command: Node | None) -> str:
    return text(command.child_by_field_name("name"), 60) if command is not None else ""


def _enclosing(node: Node) -> Node | None:
    at = node.parent
    while at is not None and at.type != "command":
        at = at.parent
    return at


def _expansion(node: Node) -> Iterator[Remark]:
    shown = text(node, 80)
    if _NUMBERS.match(shown) or _SAFE_NAME.match(shown) or _DEFAULTED.match(shown):
        return
    parent = _parent(node)
    if parent in ("concatenation",) and node.parent is not None and _parent(node.parent) == "test_command":
        parent = "unary_expression"
    if _splits(node):
        command = _name_of(_enclosing(node))
        if command in ("local", "export", "declare", "readonly", "[[", "eval", "let", "shift", "exit", "return"):
            return
        if shown in ("$@", "${@}", "$*", "${*}") or shown.endswith(("[@]}", "[*]}")):
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "SC2068",
                f"`{shown}` without quotes splits arguments at spaces",
                f'Write `"{shown.replace("*", "@")}"`.',
            )
            return
        severity: Severity = MEDIUM if command in _DANGER or command == "cd" else LOW
        yield Remark(
            line(node),
            severity,
            DEFECT,
            "SC2086",
            f"`{shown}` without quotes splits at spaces and expands `*`",
            f'Write `"{shown}"`.',
        )


def _substitution(node: Node) -> Iterator[Remark]:
    shown = text(node, 60)
    if shown.startswith("`"):
        yield style(node, "SC2006", "Backticks cannot be nested", "Use `$(…)`.")
    if _splits(node):
        command = _name_of(_enclosing(node))
        if command not in ("local", "export", "declare", "readonly", "eval", "exit", "return"):
            yield Remark(
                line(node),
                LOW,
                DEFECT,
                "SC2046",
                "What this command prints is split at spaces",
                'Put it into quotes: `"$(…)"`.',
            )


def _command(node: Node, careful: bool) -> Iterator[Remark]:
    name = _name_of(node)
    arguments = node.children_by_field_name("argument")
    words = [text(each, 200) for each in arguments]
    if name in ("cd", "pushd") and not careful and _unguarded(node) and words and words[0] not in ("-",):
        yield Remark(
            line(node),
            MEDIUM,
            SWALLOWED,
            "SC2164",
            f"When `{name}` fails, the script goes on in the wrong folder",
            f"Write `{name} … || exit`.",
        )
    elif name == "read" and not any(re.match(r"-\w*r", word) for word in words):
        yield style(node, "SC2162", "`read` without `-r` takes backslashes away", "Use `read -r`.")
    elif name == "rm" and any(re.match(r"-\w*[rR]|--recursive", word) for word in words):
        for each, word in zip(arguments, words, strict=True):
            if re.fullmatch(r"\"?\$\{?\w+\}?\"?/(?:\*|\"\*\")?", word) or re.fullmatch(r"\"\$\{?\w+\}?/\*?\"", word):
                yield Remark(
                    line(each),
                    HIGH,
                    DEFECT,
                    "SC2115",
                    f"When the variable is empty, this deletes `{_rest(word)}`",
                    'Write `"${var:?}/…"`.',
                )
    elif name == "echo" and words and re.fullmatch(r"'[^']*\$(?:\w+|\{\w+\})[^']*'", words[0]):
        yield style(node, "SC2016", "Nothing is filled in inside single quotes", "Use double quotes if it should be.")
    elif name in ("egrep", "fgrep"):
        yield style(node, "SC2196", f"`{name}` is going away", f"Use `grep -{'E' if name == 'egrep' else 'F'}`.")


def _rest(word: str) -> str:
    return "/" if not word.rstrip("\"'").endswith("*") else "/*"


def _unguarded(node: Node) -> bool:
    """Whether nothing looks at how a command ended."""
    at: Node = node
    for _ in range(10):
        parent = at.parent
        if parent is None:
            return True
        if parent.type in ("list", "if_statement", "while_statement", "elif_clause", "negated_command"):
            if parent.type == "list" and parent.named_children and parent.named_children[-1] == at:
                at = parent
                continue
            return False
        if parent.type in _SEQUENCES:
            return parent.type != "command_substitution"
        at = parent
    return True


def _test(node: Node, plain: bool) -> Iterator[Remark]:
    shown = text(node, 400)
    double = shown.startswith("[[")
    if double:
        if plain:
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "SC3010",
                "`[[ ]]` is not known to a plain `sh`",
                "Use `[ ]`, or run it with bash.",
            )
        return
    if not shown.startswith("["):
        return
    for each in walk(node):
        if each.type in ("simple_expansion", "expansion") and _parent(each) not in ("string", "arithmetic_expansion"):
            word = text(each, 60)
            if _NUMBERS.match(word) or _SAFE_NAME.match(word):
                continue
            alone = re.search(r"\[\s+(?:!\s+)?-n\s+" + re.escape(word), shown)
            rule = "SC2070" if alone else "SC2086"
            message = (
                f"`[ -n {word} ]` is true even when it is empty"
                if alone
                else f"When `{word}` is empty or has spaces, this test breaks"
            )
            yield Remark(line(each), MEDIUM, DEFECT, rule, message, f'Write `"{word}"`.')
            break
    if plain and re.search(r"\s==\s", shown):
        yield style(node, "SC3014", "`==` in `[ ]` is not known to a plain `sh`", "Use `=`.")
    if re.search(r"\[\s+\$\?\s+-(?:eq|ne)\s+0\s+\]", shown):
        yield style(node, "SC2181", "The exit code is looked at one step later", "Write `if command; then`.")


def _declaration(node: Node) -> Iterator[Remark]:
    shown = text(node, 30)
    if shown.startswith(("local", "export", "declare", "readonly")):
        for each in named(node, "variable_assignment"):
            value = each.child_by_field_name("value")
            if value is not None and any(one.type == "command_substitution" for one in walk(value)):
                word = shown.split(None, 1)[0]
                yield Remark(
                    line(each),
                    LOW,
                    SWALLOWED,
                    "SC2155",
                    f"`{word}` hides whether the command failed",
                    "Declare first and assign on the next line.",
                )
                return


def _pipeline(node: Node) -> Iterator[Remark]:
    commands = named(node)
    if len(commands) > 1 and commands[0].type == "command" and _name_of(commands[0]) == "cat":
        arguments = commands[0].children_by_field_name("argument")
        if len(arguments) == 1 and text(arguments[0], 2)[:1] not in ("-", "$"):
            yield style(node, "SC2002", "`cat` is not needed here", "Give the file to the next command.")


def _for(node: Node) -> Iterator[Remark]:
    for each in named(node, "command_substitution"):
        shown = text(each, 60)
        if _LISTS.match(shown):
            yield Remark(
                line(each),
                MEDIUM,
                DEFECT,
                "SC2045",
                "The output of `ls` breaks at spaces in names",
                "Use a pattern: `for file in ./*`.",
            )
        elif re.match(r"(?:\$\(|`)\s*(?:cat|<)", shown):
            yield Remark(
                line(each), LOW, DEFECT, "SC2013", "This reads words, not lines", "Use `while IFS= read -r line`."
            )


def _redirected(node: Node) -> Iterator[Remark]:
    redirects = [text(each, 60).replace(" ", "") for each in named(node, "file_redirect")]
    for one, other in itertools.pairwise(redirects):
        if one == "2>&1" and re.match(r"1?>(?!&)", other):
            yield Remark(
                line(node),
                MEDIUM,
                DEFECT,
                "SC2069",
                "Errors still go to the terminal: the order is wrong",
                "Write `> file 2>&1`.",
            )


def _unreachable(node: Node) -> Iterator[Remark]:
    ended = False
    for each in named(node):
        if ended and each.type not in ("function_definition", "ERROR"):
            yield Remark(line(each), MEDIUM, UNUSED, "SC2317", "Code after `exit` never runs", "Remove it.")
            return
        ended = ended or (each.type == "command" and _name_of(each) in ("exit", "exec") and _final(each))


def _final(command: Node) -> bool:
    """`exec` without a command only redirects."""
    return _name_of(command) == "exit" or (
        bool(command.children_by_field_name("argument"))
        and "redirect" not in {each.type for each in command.children}
        and text(command.children_by_field_name("argument")[0], 2)[:1] not in ("-", ">", "<", "$")
    )


def _unused(root: Node, source: str) -> Iterator[Remark]:
    """Variables that nothing reads: not in a file that others may source, and not names that programs look for."""
    if not source.startswith("#!") or re.search(r"^\s*(?:source|\.|eval)\s|declare -n|\$\{!", source, re.MULTILINE):
        return
    uses = Counter(re.findall(r"\w{1,80}", source))
    assigned = Counter(re.findall(r"(?<![\w$-])(\w{1,80})\+?=", source))
    seen: set[str] = set()
    for node in walk(root):
        if node.type != "variable_assignment" or _parent(node) in ("declaration_command", "command"):
            continue
        name = text(node.child_by_field_name("name"), 80)
        if name in seen or not re.fullmatch(r"[a-z_]\w*", name) or name == "_":
            continue
        seen.add(name)
        if uses[name] <= assigned[name]:
            yield Remark(
                line(node), LOW, UNUSED, "SC2034", f"`{name}` is set and never read", "Remove it, or export it."
            )
