"""Python through ruff, whose program runs inside the same sandbox; through our own few rules where it is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.linting.fallback import remarks, unreachable
from plantwin.private.capabilities.linting.remark import (
    BROKEN,
    DEBUG,
    DEFECT,
    HIGH,
    LOW,
    MEDIUM,
    REPEATED,
    STYLE,
    SWALLOWED,
    UNUSED,
    Remark,
)
from plantwin.vocabulary import OutcomeTag, Severity

SELECT = (
    "E4,E7,E9,F,W605,B,PLE,PLW0120,PLW0127,PLW0128,PLW0129,PLW0131,PLW0211,PLW0602,PLW0711,PLW1508,PLW1509,PLR0124,"
    "PLR0133,PLR1704,ASYNC,T10,S110,S112,BLE001,SIM101,SIM115,SIM222,SIM223,C4,RUF006,RUF012,RUF013,RUF018,RUF033,"
    "PIE794,PIE796,PIE800,PT015,LOG007,LOG009,LOG015,G010,DTZ001,DTZ005,UP036,RET503,TRY203,ISC004,EXE"
)
"""Rules that speak of defects rather than of taste."""
SECONDS = 40.0
MOST = 5000
"""Lines of ruff's answer that are read for one file."""
TARGET = "py314"
"""The newest Python: what only that one accepts is not an error here."""

_EXACT: dict[str, tuple[Severity, OutcomeTag]] = {
    "F401": (LOW, UNUSED),
    "F403": (LOW, STYLE),
    "F405": (LOW, STYLE),
    "F541": (LOW, STYLE),
    "F601": (MEDIUM, REPEATED),
    "F811": (MEDIUM, REPEATED),
    "F821": (HIGH, DEFECT),
    "F822": (MEDIUM, DEFECT),
    "F823": (HIGH, DEFECT),
    "F841": (LOW, UNUSED),
    "F842": (LOW, UNUSED),
    "E722": (MEDIUM, SWALLOWED),
    "E711": (LOW, STYLE),
    "E712": (LOW, STYLE),
    "BLE001": (LOW, SWALLOWED),
    "B001": (MEDIUM, SWALLOWED),
    "B007": (LOW, UNUSED),
    "B012": (MEDIUM, SWALLOWED),
    "B018": (MEDIUM, UNUSED),
    "B904": (LOW, SWALLOWED),
    "B905": (LOW, STYLE),
    "B028": (LOW, STYLE),
    "B009": (LOW, STYLE),
    "B010": (LOW, STYLE),
    "B011": (LOW, STYLE),
    "S110": (MEDIUM, SWALLOWED),
    "S112": (MEDIUM, SWALLOWED),
    "TRY203": (LOW, STYLE),
    "PLE1142": (HIGH, DEFECT),
    "LOG015": (LOW, STYLE),
    "RUF012": (LOW, DEFECT),
    "RUF013": (LOW, STYLE),
    "SIM115": (LOW, DEFECT),
    "SIM101": (LOW, STYLE),
    "UP036": (LOW, UNUSED),
    "RET503": (LOW, STYLE),
    "PIE800": (LOW, STYLE),
    "PLR1704": (LOW, STYLE),
    "W605": (MEDIUM, DEFECT),
    "PLW0602": (LOW, STYLE),
}
_BEGINNINGS: tuple[tuple[str, tuple[Severity, OutcomeTag]], ...] = (
    ("F5", (HIGH, DEFECT)),
    ("F6", (HIGH, DEFECT)),
    ("F7", (HIGH, DEFECT)),
    ("F", (MEDIUM, DEFECT)),
    ("E9", (HIGH, BROKEN)),
    ("E", (LOW, STYLE)),
    ("PLE", (HIGH, DEFECT)),
    ("B", (MEDIUM, DEFECT)),
    ("T10", (MEDIUM, DEBUG)),
    ("C4", (LOW, STYLE)),
    ("DTZ", (LOW, DEFECT)),
    ("EXE", (LOW, STYLE)),
)


class Linted(NamedTuple):
    """Remarks on one file, which tool made them, and whether it said all."""

    remarks: list[Remark]
    tool: str
    whole: bool = True

    def __repr__(self) -> str:
        return "<Linted private>"


class _Place(msgspec.Struct):
    row: int = 0


class _Fix(msgspec.Struct):
    message: str | None = None


class _Said(msgspec.Struct):
    """One line of ruff's answer."""

    message: str
    location: _Place
    code: str | None = None
    fix: _Fix | None = None
    cell: int | None = None


def program(tools: object) -> str | None:
    """Where ruff is: in the folder of our own tools, where the scripts of our installation lie, else on the path."""
    folders = [tools] if isinstance(tools, str) and tools else []
    folders.append(sysconfig.get_path("scripts"))
    path = os.pathsep.join([*folders, *(each for each in os.get_exec_path() if each.startswith("/"))])
    return shutil.which("ruff", path=path)


def lint(text: str, name: str, tools: object) -> Linted:
    """Remarks on one module or notebook."""
    ruff = program(tools)
    if ruff is not None:
        try:
            linted = _ruff(ruff, text, _alias(name))
            return linted._replace(remarks=[*linted.remarks, *unreachable(text)])
        except (OSError, subprocess.SubprocessError, msgspec.MsgspecError):
            pass
    if name.endswith(".ipynb"):
        return Linted([], "none", False)
    return Linted(remarks(text), "built-in rules")


def _alias(name: str) -> str:
    """A name that says what rules have to know, and nothing else."""
    base = name.rpartition("/")[2]
    if base in ("__init__.py", "__init__.pyi", "conftest.py", "setup.py", "__main__.py"):
        return base
    if base.endswith((".pyi", ".ipynb")):
        return f"module.{base.rpartition('.')[2]}"
    return "test_module.py" if base.startswith("test_") else "module.py"


def _ruff(ruff: str, text: str, alias: str) -> Linted:
    words = [ruff, "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", "--output-format", "json-lines",
             "--target-version", TARGET, "--select", SELECT, "--stdin-filename", alias, "-"]  # fmt: skip
    environment = {"RAYON_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir()}
    with tempfile.TemporaryFile() as given:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        process = subprocess.Popen(
            words,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=tempfile.gettempdir(),
        )
        with process:
            found, whole = _answer(process)
    if process.returncode not in (0, -9):
        raise OSError("ruff: did not end well")
    return Linted(found, "ruff", whole)


def _answer(process: subprocess.Popen[bytes]) -> tuple[list[Remark], bool]:
    from threading import Timer

    timer = Timer(SECONDS, process.kill)
    timer.start()
    found: list[Remark] = []
    whole = True
    try:
        for row in process.stdout or ():
            if len(found) >= MOST:
                whole = False
                process.kill()
                break
            found.append(_remark(msgspec.json.decode(row, type=_Said)))
        whole = process.wait() == 0 and whole
    finally:
        timer.cancel()
    return found, whole


def _remark(said: _Said) -> Remark:
    code = said.code or "invalid-syntax"
    message = " ".join(said.message.split())[:300].rstrip(".")
    hint = " ".join((said.fix.message or "").split())[:200] if said.fix is not None else ""
    severity, tag = weight(code)
    if tag is BROKEN:
        message = message.removeprefix("SyntaxError: ")
        hint = hint or "The file does not run at all until this is mended."
    return Remark(said.location.row, severity, tag, code, message, f"{hint}." if hint and hint[-1] != "." else hint)


def weight(code: str) -> tuple[Severity, OutcomeTag]:
    """How bad a rule's remark is, and of what sort."""
    if code in ("invalid-syntax", "syntax-error"):
        return HIGH, BROKEN
    known = _EXACT.get(code)
    if known is not None:
        return known
    return next((value for start, value in _BEGINNINGS if code.startswith(start)), (LOW, DEFECT))
