"""One walk over the leaves of a settings tree: keys, flattened settings, and what each shows."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import BLOCKS, FLAG_GROUPS, judge
from plantwin.private.extract.formats.leaves import plain, text_of

MAX_LEAVES = 2000
MAX_DEPTH = 24
_MAX_OPEN = 4 * MAX_LEAVES
_KEY = 100


def survey(draft: Draft, root: object) -> None:
    """Walk a tree once, bounded in nodes, depth and open branches: aliases may make it far larger than its text."""
    left = MAX_LEAVES
    stack: list[tuple[str, str, object, int, bool]] = [("", "", root, 0, False)]
    while stack and left > 0:
        left -= 1
        path, key, value, depth, flags = stack.pop()
        kind = type(value)
        if kind is dict:
            if key:
                draft.name(key)
                if key in BLOCKS:
                    judge(draft, key, "{}")
            if depth < MAX_DEPTH and len(stack) < _MAX_OPEN:
                for name, child in reversed(list(value.items())[:MAX_LEAVES]):  # type: ignore[attr-defined]
                    name = name[:_KEY]
                    inner = flags or (type(child) is dict and plain(name) in FLAG_GROUPS)
                    stack.append((f"{path}.{name}" if path else name, name, child, depth + 1, inner))
        elif kind is list:
            if depth < MAX_DEPTH and len(stack) < _MAX_OPEN:
                for number, child in reversed(list(enumerate(value[:200]))):  # type: ignore[index]
                    stack.append((f"{path}.{number}", key, child, depth + 1, flags))
        else:
            draft.add("key")
            draft.name(key)
            judge(draft, key, value, flags)
            draft.setting(path, text_of(value))
