"""No regular expression over private or planner-made text takes more than a moment: content cannot hang by its form."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pumping import hostile

import plantwin

LENGTH = 3000
SECONDS = 0.3
"""Of the processor: a few times what those take that look at each character once for each other."""
METHODS = {
    "match": "match",
    "fullmatch": "fullmatch",
    **dict.fromkeys(("search", "sub", "subn", "split", "findall", "finditer"), "search"),
}
CHECKED_ELSEWHERE = frozenset(
    {
        "plantwin.private.detect",  # hits are confirmed in windows of bounded size
    }
)


def _modules() -> list[str]:
    names = [each.name for each in pkgutil.walk_packages(plantwin.__path__, "plantwin.") if "__main__" not in each.name]
    return sorted(name for name in names if not any(name.startswith(other) for other in CHECKED_ELSEWHERE))


def _used(tree: ast.Module) -> tuple[dict[str, set[str]], list[tuple[str | bytes, str]]]:
    """How names are used as expressions, and expressions that are written where they are used."""
    names: dict[str, set[str]] = {}
    inline: list[tuple[str | bytes, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            names.setdefault(node.value.id, set()).add(METHODS[node.attr])
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            given = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if node.func.value.id == "re" and node.func.attr in METHODS and isinstance(given, str | bytes):
                inline.append((given, METHODS[node.func.attr]))
    return names, inline


def _expressions(module: str) -> Iterator[tuple[re.Pattern[Any], str]]:
    """All that a module holds by name or in a table, with how it is used; one in a table is at least matched."""
    made = importlib.import_module(module)
    names, inline = _used(ast.parse(Path(made.__file__ or "").read_text()))
    for text, method in inline:
        yield re.compile(text), method
    for name, held in vars(made).items():
        if isinstance(held, re.Pattern):
            yield from ((held, method) for method in names.get(name, ()))
        elif isinstance(held, dict | list | tuple | frozenset):
            each = held.values() if isinstance(held, dict) else held
            yield from ((one, "match") for one in each if isinstance(one, re.Pattern))


def _seconds(run: Callable[[Any], object], text: object, most: float = SECONDS) -> float:
    """What it takes of the processor, stopped where it is far more than `most`."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 2 * most)
    start = time.process_time()
    try:
        run(text)
    except TimeoutError:
        return 2 * most
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - start


def _limit() -> float:
    """What may be taken now: a busy machine is slower, also by the time of the processor."""
    return max(SECONDS, 12 * _seconds(re.compile(r"(1+)x").findall, "1" * LENGTH, 10 * SECONDS))


def slow(pattern: re.Pattern[Any], method: str) -> str:
    """A text on which an expression takes too long, if there is one."""

    def run(text: Any) -> object:
        return sum(1 for _ in pattern.finditer(text)) if method == "search" else getattr(pattern, method)(text)

    for text in hostile(pattern, LENGTH):
        if _seconds(run, text) > SECONDS and all(_seconds(run, text, most) > most for most in (_limit(), _limit())):
            return repr(text[:60])
    return ""


def test_no_expression_hangs_on_hostile_text() -> None:
    done = set()
    found = []
    for module in _modules():
        for pattern, method in _expressions(module):
            if (case := (pattern.pattern, pattern.flags, method)) not in done:
                done.add(case)
                if text := slow(pattern, method):
                    found.append(f"{module}: {method} {pattern.pattern!r:.100} on {text}")
    assert len(done) > 500
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("pattern", "method"), [(r"(?:\d+\s*)+$", "fullmatch"), (r"from\s*(\.*)\s*(\w*?)\s*import", "match")]
)
def test_what_hangs_is_found(pattern: str, method: str) -> None:
    assert slow(re.compile(pattern), method)
