"""What is registered: read from the configuration and from installed packages, checked, each name once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plantwin.errors import ConfigError, VocabularyError
from plantwin.private import extensions
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.execution.protocol import Extension
from plantwin.private.extensions.declaration import MODULES, NAMED, Declaration, free
from plantwin.private.extensions.tables import commands, needed, wrong
from plantwin.types.capability import Capability
from plantwin.types.envelope import MAX_OFFERS

SECONDS = 20.0
"""How long a module may take to say what it declares."""


class Registered(NamedTuple):
    """A capability of the person's own, and how it is run. It has no name on the wire until a session gives it one."""

    capability: Capability
    extension: Extension


def register(table: Mapping[str, Any], root: Path, state: Path) -> tuple[Registered, ...]:
    """Commands, the person's own modules, installed packages: a name twice, or a built-in's, is an error."""
    found: dict[str, Registered] = {}
    for declaration, extension in (*_written(table, root), *_declared(table, root, state)):
        own = extension.own
        if not free(own):
            raise wrong(own, NAMED)
        if own in found:
            raise wrong(own, "this name is given twice: rename one")
        try:
            made = declaration.capability(own, programs=extension.sort != "function")
        except VocabularyError as error:
            raise wrong(own, str(error)) from None
        found[own] = Registered(made, extension)
    if len(found) > MAX_OFFERS:
        raise ConfigError(f"capabilities: at most {MAX_OFFERS} of one's own: remove some")
    return tuple(found.values())


def _written(table: Mapping[str, Any], root: Path) -> Iterator[tuple[Declaration, Extension]]:
    for name, value in table.items():
        if name != MODULES:
            yield from commands(name, value, root)


def _declared(table: Mapping[str, Any], root: Path, state: Path) -> Iterator[tuple[Declaration, Extension]]:
    """What modules declare. They are asked in a worker: loading one runs its code."""
    asked: list[tuple[str, Extension]] = []
    files = table.get(MODULES, [])
    if not isinstance(files, list):
        raise wrong(MODULES, "a list of absolute paths is needed")
    for number, file in enumerate(files):
        key = f"{MODULES}[{number}]"
        path = needed(file, root, key)
        if not path.endswith(".py"):
            raise wrong(key, "a Python file is needed")
        asked.append((key, Extension(sort="declare", file=path, shown=(path,))))
    for entry in extensions.installed():
        asked.append((f"entry point {entry.name}", Extension(sort="declare", module=entry.module)))
    if not asked:
        return
    worker = SandboxExecutor(Launcher(root, private=(state,)), {})
    for key, extension in asked:
        reply = worker.calls.consult(extension, SECONDS)
        if reply.result is None:
            raise wrong(key, f"it cannot be loaded in a worker ({reply.error or reply.failure})")
        rows = reply.result.facts.get("declared")
        for row in rows if isinstance(rows, list) else []:
            yield _read(row, key, extension)


def _read(row: object, key: str, extension: Extension) -> tuple[Declaration, Extension]:
    own = row.get("name") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(own, str):
        raise wrong(key, "a capability without a name")
    try:
        declaration = msgspec.convert({key: value for key, value in row.items() if key != "name"}, Declaration)
    except msgspec.ValidationError as error:
        raise wrong(key, f"a capability that is declared wrongly: {error}") from None
    return declaration, msgspec.structs.replace(extension, sort="function", own=own)
