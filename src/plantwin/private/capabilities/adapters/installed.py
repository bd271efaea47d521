"""The engines of `engines.toml`: which are installed, where, and in which version.

They are looked for where the scripts of our own installation lie, then in a fixed list of folders: never on a search
path that somebody else may have set, and never in the folder that is examined.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Job
from plantwin.private.formats.lexicon import beside
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, member

PLACES = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/go/bin", os.path.expanduser("~/.local/bin"))  # noqa: PTH111
NODE_PACKAGES = ("/usr/local/lib/node_modules", "/usr/lib/node_modules")
"""Where `npm install -g` puts packages, as far as a worker sees it."""
SEMGREP_ADDRESSES = 6 << 30
"""Bytes of addresses, not of memory, that semgrep's runtime reserves."""
PATIENCE = 15.0
"""Seconds that a program may take to say its version."""


class Engine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool of the field that a capability uses where it is installed."""

    name: str
    package: str
    licence: str
    adds: str
    """What is examined by it, and not without it."""
    capabilities: frozenset[CapabilityName]
    module: bool = False
    """Whether it is a Python library, imported in the worker or in a process of its own."""
    packages: tuple[str, ...] = ()
    """Packages of npm that node runs, where it is no program of its own: the first is the engine."""
    install: str = "pip install 'plantwin[tools]'"


_ROWS = beside(__file__, "engines.toml")
BY_NAME = {name: msgspec.convert({"name": name, "package": name, **row}, Engine) for name, row in _ROWS.items()}

ENGINES = tuple(BY_NAME.values())


def used_by(capability: CapabilityName) -> tuple[Engine, ...]:
    """Return the engines that a capability asks."""
    return tuple(engine for engine in ENGINES if capability in engine.capabilities)


def lacking(names: Iterable[str]) -> str:
    """Return what the absent ones of these engines would add, and how they are installed."""
    return "; ".join(f"{name} would add {BY_NAME[name].adds} ({BY_NAME[name].install})" for name in names)


class Installed(NamedTuple):
    """An engine of this machine."""

    name: str
    path: str
    """Of the program; empty for a module."""
    version: str
    rules: str = ""
    """A file or folder of rules that the person has for it, or of the packages that it consists of."""

    @property
    def title(self) -> str:
        """How a report names it."""
        return f"{self.name} {self.version}".strip()


def scripts() -> str:
    """Return the folder of our installation's programs."""
    return sysconfig.get_path("scripts")


@cache
def find(name: str) -> Installed | None:
    """Find one engine; none where it is not installed."""
    engine = BY_NAME[name]
    if engine.module:
        present = util.find_spec(engine.name) is not None
        return Installed(name, "", _distributed(engine)) if present else None
    if engine.packages:
        return _of_node(engine)
    path = shutil.which(name, path=scripts())
    if path is not None:
        return Installed(name, path, _distributed(engine) or _answered(path))
    path = shutil.which(name, path=":".join(PLACES))
    return Installed(name, path, _answered(path) or _of_go(path)) if path is not None else None


def _of_go(path: str) -> str:
    """Return the version of the Go that a tool without one of its own comes with."""
    try:
        said = Path(path).resolve().parent.parent.joinpath("VERSION").read_text("utf-8").split("\n", 1)[0]
    except (OSError, UnicodeDecodeError):
        return ""
    return said.removeprefix("go") if re.fullmatch(r"go\d[\w.]{0,20}", said) else ""


def _of_node(engine: Engine) -> Installed | None:
    node = shutil.which("node", path=":".join(PLACES))
    for folder in map(Path, NODE_PACKAGES):
        described = [folder / package / "package.json" for package in engine.packages]
        if node is not None and all(file.is_file() for file in described):
            version = msgspec.json.decode(described[0].read_bytes()).get("version", "")
            return Installed(engine.name, node, str(version), str(folder))
    return None


def starts(capability: Capability) -> bool:
    """Return whether a capability that starts nothing by itself has an engine here that is a program of node's."""
    return any(engine.packages and find(engine.name) is not None for engine in used_by(capability.name))


def semgrep() -> Installed | None:
    """Find opengrep, which is one program without an account behind it, or semgrep."""
    return find("opengrep") or find("semgrep")


def changed(path: Path) -> int:
    """Return when a file, or the newest file of a folder, was changed: 0 where there is none."""
    files = [path, *path.rglob("*.y*ml")] if path.is_dir() else [path]
    return max((file.stat().st_mtime_ns for file in files if file.exists()), default=0)


def _distributed(engine: Engine) -> str:
    try:
        return metadata.version(engine.package)
    except metadata.PackageNotFoundError:
        return ""


def _answered(path: str) -> str:
    try:
        answer = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            # Asked for its version, semgrep would look for a newer one on the network, and wait.
            env={"PATH": "/usr/bin:/bin", "SEMGREP_ENABLE_VERSION_CHECK": "0", "SEMGREP_SEND_METRICS": "off"},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    version = re.search(rb"\d+(?:\.\d+)+", answer.stdout)
    return version[0].decode() if version else ""


def programs() -> dict[str, str]:
    """Return where the programs of all installed engines lie, past links."""
    found = [installed for name in BY_NAME if (installed := find(name)) is not None and installed.path]
    return {engine.name: os.path.realpath(engine.path) for engine in found}


def options(capability: Capability, folder: str = "") -> dict[str, object]:
    """Return what a worker is told of the engines that this capability asks. `folder`: where it sees the programs."""
    if capability.own:
        return {}
    found = [installed for engine in used_by(capability.name) if (installed := find(engine.name)) is not None]
    places = {engine.name: f"{folder}/{engine.name}" if folder and engine.path else engine.path for engine in found}
    told = {engine.name: [places[engine.name], engine.version, engine.rules] for engine in found}
    return {"engines": told} if used_by(capability.name) else {}


def of(job: Job) -> dict[str, Installed]:
    """Return the engines that a job may use: those that it names, else those of this installation."""
    named = job.options.get("engines")
    if isinstance(named, Mapping):
        return {str(name): Installed(str(name), *map(str, row)) for name, row in named.items()}
    engines = used_by(member(CapabilityName, job.capability))
    return {engine.name: found for engine in engines if (found := find(engine.name)) is not None}
