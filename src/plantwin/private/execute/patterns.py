"""The regular expressions of our own modules in compiled form, kept on disk: compiling them takes a worker long.

A worker is new for every step, so it would compile hundreds of expressions each time. The stored form is looked up by
expression and flags, so an outdated file is merely of less use. It is used only by the interpreter that made it, and
only if it is intact; without it everything works as before.
"""

from __future__ import annotations

import binascii
import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable
from functools import cache
from typing import Any

LIMIT = 32 << 20
SECONDS = 60.0
"""How long making the file may take."""
PACKAGES = ("private.redact", "private.extract", "private.capabilities", "private.observe", "private.relate")
"""Where the expressions are that workers use."""

_tried: set[str] = set()

Key = tuple[str | bytes, int]
Form = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""Flags, code, number of groups, and their names both ways."""


@cache
def file_name() -> str:
    """The file of this interpreter and version of the package; of the form that a worker is shown."""
    from hashlib import sha256

    from plantwin import __version__

    made_by = f"{sys.implementation.cache_tag} {sys.hexversion} {sys.byteorder} {__version__}"
    return f"patterns-{sha256(made_by.encode()).hexdigest()[:32]}.bin"


def install(path: str) -> bool:
    """From now on take expressions from this file where it has them; whether it could be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (pathlib costs start-up time)
            data = file.read(LIMIT)
        if binascii.crc32(data[4:]) != int.from_bytes(data[:4], "big"):
            return False
        forms: dict[Key, Form] = marshal.loads(data[4:])  # noqa: S302 (our own file, intact)
        import _sre  # type: ignore[import-not-found]
        from re import _compiler as compiler  # type: ignore[attr-defined]
    except (OSError, ValueError, EOFError, TypeError, ImportError):
        return False
    compile_: Callable[..., Any] = compiler.compile

    def stored(pattern: Any, flags: int = 0) -> Any:
        try:
            form = forms.get((pattern, int(flags)))
        except TypeError:
            form = None
        if form is None:
            return compile_(pattern, flags)
        code = array("I", form[1]).tolist()
        return _sre.compile(pattern, form[0], code, form[2], form[3], form[4])

    compiler.compile = stored
    return True


def prepare(folder: str) -> None:
    """Make the file where there is none, in a process of its own. Should that fail, it costs time and nothing else."""
    path = os.path.join(folder, file_name())  # noqa: PTH118
    if os.path.exists(path) or folder in _tried:  # noqa: PTH110
        return
    _tried.add(folder)
    import subprocess

    place = [each for each in sys.path if each]
    program = (
        f"import sys; sys.path[:] = {place!r}; from plantwin.private.execute.patterns import record; record({path!r})"
    )
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
        subprocess.run(
            [sys.executable, "-I", "-B", "-c", program],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=SECONDS, check=False, env={}, cwd="/",
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return


def record(path: str) -> None:
    """Load every module with expressions of ours and write down what they compile to."""
    import _sre
    import time
    from re import _compiler as compiler  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]

    forms: dict[Key, Form] = {}

    def noted(pattern: Any, flags: int = 0) -> Any:
        tree = parser.parse(pattern, flags)
        code = [int(each) for each in compiler._code(tree, flags)]
        names = dict(tree.state.groupdict)
        numbers: list[str | None] = [None] * tree.state.groups
        for name, number in names.items():
            numbers[number] = name
        made = (int(flags) | int(tree.state.flags), tree.state.groups - 1, names, tuple(numbers))
        forms[pattern, int(flags)] = (made[0], array("I", code).tobytes(), *made[1:])
        return _sre.compile(pattern, made[0], code, *made[1:])

    re.purge()
    compiler.compile = noted
    _load()
    body = marshal.dumps(forms)
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(binascii.crc32(body).to_bytes(4, "big") + body)
    os.replace(temporary, path)  # noqa: PTH105


def _load() -> None:
    """Import the packages whole. A module that needs what is not installed has no expressions to offer."""
    import contextlib
    from importlib import import_module
    from pkgutil import walk_packages

    for name in PACKAGES:
        package = import_module(f"plantwin.{name}")
        for module in walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda _: None):
            with contextlib.suppress(Exception):
                import_module(module.name)
