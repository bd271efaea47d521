"""`@plantwin.capability`: says of a Python function what it does, in closed words. It registers nothing by itself.

    import plantwin

    @plantwin.capability(name="house_style", like="lint", kinds=["code_file"], tags=["style"], risk="medium")
    def house_style(path):
        findings = [
            {"line": number, "severity": "low", "tag": "style", "message": "tab"}
            for number, line in enumerate(path.read_text().splitlines(), start=1)
            if "\\t" in line
        ]
        return {"findings": findings}

A module with such functions is named in the person's own configuration, or by an entry point of an installed package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

MARK = "__plantwin_capability__"

F = TypeVar("F", bound=Callable[..., Any])


def capability(*, name: str, like: str, **declared: object) -> Callable[[F], F]:
    """Declare a function as a capability that does what the word `like` of the vocabulary says.

    The function is called with a `pathlib.Path` for each object and a dict for each earlier result, and returns a
    dict (`status`, `severity`, `count`, `tags`, `findings`, `text`, `title`, `facts`, all optional) or a `Result`.
    """

    def marked(function: F) -> F:
        setattr(function, MARK, {"name": name, "like": like, **declared})
        return function

    return marked
