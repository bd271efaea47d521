"""What the tests of execution share: a small tree, executors whose workers misbehave, and a look at what still runs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.execution.protocol import Limits
from plantwin.private.execution.sandbox import Boot
from plantwin.private.facts import Record
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, ResultType

HOSTILE = Path(__file__).parent / "hostile"

CAPABILITY = Capability(name=CapabilityName.SUMMARIZE, doc="", example="", returns=ResultType.SUMMARY)
AUDIT = Capability(name=CapabilityName.SECURITY_AUDIT, doc="", example="", returns=ResultType.FINDINGS)
SET = "set_aaaaaaaa"


def boot(function: str, token: str = "") -> Boot:
    """A worker that runs a function of `hostile.py` whatever it is asked for; `token` marks its processes."""
    code = (
        "import sys; at = sys.argv.index('--'); sys.path[:0] = sys.argv[at + 1:]; import hostile; "
        "from plantwin.private.execution.worker import main; "
        f"main(int(sys.argv[1]), lambda name: hostile.{function}) # {token}"
    )
    return Boot(code, (str(HOSTILE),))


def record(path: str, part: str = "") -> Record:
    """A record of a file; only its place matters here."""
    return Record(
        number=1,
        path=path,
        part=part,
        kind="code_file",
        semantic_class="auth_module",
        family="source_code",
        role="implementation",
        sensitivity="low",
        freshness="today",
        size_bucket="small",
        confidence="high",
    )


def written(root: Path, files: Mapping[str, str], **values: object) -> list[Record]:
    """Write files with these contents; their records, as a scan would give them."""
    found = []
    for number, (path, text) in enumerate(files.items()):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        values = {"semantic_class": "authentication_module", "family": "application", "role": "production", **values}
        found.append(msgspec.structs.replace(record(path), number=number, **values))
    return found


def executor(root: Path, function: str, objects: Mapping[str, Record] | None = None, **more: object) -> SandboxExecutor:
    """An executor for one function of `hostile.py` and one object `o` of `root`, `a/b.txt` unless told."""
    token = str(more.pop("token", ""))
    limits = more.pop("limits", None) or Limits(seconds=20)
    more.setdefault("scanned_ns", time.time_ns() + 10**9)
    chosen = {"o": record("a/b.txt")} if objects is None else objects
    launching = {name: more.pop(name) for name in ("private", "temporary", "model") if name in more}
    viewing = {name: more.pop(name) for name in FolderView._fields if name in more}
    launcher = Launcher(root, limits, boot=boot(function, token), **launching)  # type: ignore[arg-type]
    return SandboxExecutor(launcher, chosen, view=FolderView(**viewing), **more)  # type: ignore[arg-type]


def running(token: str) -> int:
    """How many processes carry this token in their command line."""
    found = 0
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found += token.encode() in each.read_bytes()
    return found


def settled(token: str, number: int, seconds: float = 15.0) -> bool:
    """Whether so many processes carry the token before long: none, or at least one."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (running(token) > 0) == (number > 0):
            return True
        time.sleep(0.02)
    return False
