"""`plantwin config`: show, edit, check or locate the configuration."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_json, add_state, settings_of
from plantwin.surfaces.cli.output import paged, write_json, write_line
from plantwin.surfaces.render.text import path_fields, printable

EXAMPLE = "plantwin config show"
HEAD = (
    "# Settings of PlanTwin. A line that begins with # states the default: remove the # to change it.",
    "# Every key is explained in docs/configuration.md; `plantwin config check` looks for mistakes.",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "edit", "path", "check"),
        default="show",
        metavar="ACTION",
        help="show what holds (the default), edit the file in $EDITOR, print its path, or check it for mistakes",
    )
    add_state(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Do one of the four."""
    path = path_of(options)
    if options.action == "edit":
        _edit(path)
    if options.action == "path":
        return _told(options, path, str(path))
    settings = settings_of(options)
    if options.action in ("check", "edit"):
        _check(path, settings)
        return _told(
            options, path, f"{printable(str(path))}: {'no mistakes' if path.exists() else 'not there: defaults'}."
        )
    import msgspec

    tree = msgspec.to_builtins(settings)
    if options.json:
        write_json("config", {**path_fields(str(path), "file"), "exists": path.exists(), "settings": tree})
        return 0
    with paged():
        write_line(f"# {printable(str(path))}{'' if path.exists() else ': not there, so these are the defaults'}")
        for line in toml(tree):
            write_line(printable(line), exact=True)
    return 0


def path_of(options: argparse.Namespace) -> Path:
    """The file that holds the settings."""
    from plantwin.config.settings import user_config

    return Path(options.config) if options.config else user_config()


def _told(options: argparse.Namespace, path: Path, line: str) -> int:
    if options.json:
        write_json("config", {**path_fields(str(path), "file"), "exists": path.exists()})
    else:
        write_line(line)
    return 0


def _edit(path: Path) -> None:
    """Open the file in the person's editor; where there is none, one that states the defaults."""
    import shlex
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    if not path.exists():
        create(path)
    try:
        ended = subprocess.run([*shlex.split(editor), str(path)], check=False)
    except (OSError, ValueError):
        raise InputError(f"the editor '{editor}' cannot be started: set EDITOR to one that can") from None
    if ended.returncode:
        raise InputError(f"the editor '{editor}' ended with {ended.returncode}: nothing was checked")


def create(path: Path) -> None:
    """Write a file that states the defaults, for its owner alone."""
    import msgspec

    from plantwin.config.settings import Settings
    from plantwin.surfaces.cli.files import write_chunks

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lines = [
        *HEAD,
        "",
        *(f"# {line}" if line and not line.startswith("[") else line for line in toml(msgspec.to_builtins(Settings()))),
    ]
    write_chunks(str(path), [("\n".join(lines) + "\n").encode()], 0o600)


def _check(path: Path, settings: Any) -> None:
    """Read everything that the file says, so that any mistake is told."""
    from plantwin.config.policies import policy_of
    from plantwin.private.config import load

    load(None)
    policy_of(settings)
    if settings.capabilities:
        from plantwin.private.extensions import registered

        registered(settings.capabilities, Path.cwd(), path.parent)


def toml(tree: dict[str, Any], name: str = "") -> Iterator[str]:
    """The settings as TOML, section by section; what is not set has no line."""
    plain = {key: value for key, value in tree.items() if not isinstance(value, dict) and value is not None}
    if plain and name:
        yield f"[{name}]"
    for key, value in plain.items():
        yield f"{key} = {_value(value)}"
    if plain:
        yield ""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from toml(value, f"{name}.{_key(key)}" if name else _key(key))


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items() if one is not None) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)
