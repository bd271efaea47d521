"""Python through ruff, whose program runs inside the same sandbox; through our own few rules where it is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from threading import Timer
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding
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
BROKEN = "The file does not run at all until this is mended."


class Linted(NamedTuple):
    """What was found in one file."""

    findings: list[Finding]
    tool: str
    """Empty where it takes ruff, and ruff is not there."""
    whole: bool = True
    """Whether everything was read."""

    def __repr__(self) -> str:
        return "<Linted private>"


class _Location(msgspec.Struct):
    row: int = 0


class _Fix(msgspec.Struct):
    message: str | None = None


class _Diagnostic(msgspec.Struct):
    """One line of ruff's answer."""

    message: str
    location: _Location
    code: str | None = None
    fix: _Fix | None = None


def program(tools: object) -> str | None:
    """Return where ruff is: in the folder of our own tools, with the scripts of our installation, else on the path."""
    folders = [tools] if isinstance(tools, str) and tools else []
    folders.append(sysconfig.get_path("scripts"))
    path = os.pathsep.join([*folders, *(folder for folder in os.get_exec_path() if folder.startswith("/"))])
    return shutil.which("ruff", path=path)


def lint(text: str, name: str, tools: object) -> Linted:
    """Lint one module or notebook."""
    from plantwin.private.capabilities.lint import python

    ruff = program(tools)
    if ruff is not None:
        try:
            linted = _run(ruff, text, _alias(name))
            return linted._replace(findings=[*linted.findings, *python.unreachable(text)])
        except (OSError, subprocess.SubprocessError, msgspec.MsgspecError):
            pass
    return Linted([], "", False) if name.endswith(".ipynb") else Linted(python.findings(text), "built-in rules")


def _alias(name: str) -> str:
    """Return a name that says what rules have to know, and nothing else."""
    base = name.rpartition("/")[2]
    if base in ("__init__.py", "__init__.pyi", "conftest.py", "setup.py", "__main__.py"):
        return base
    if base.endswith((".pyi", ".ipynb")):
        return f"module.{base.rpartition('.')[2]}"
    return "test_module.py" if base.startswith("test_") else "module.py"


def _run(ruff: str, text: str, alias: str) -> Linted:
    words = [ruff, "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", "--output-format", "json-lines",
             "--target-version", TARGET, "--select", SELECT, "--stdin-filename", alias, "-"]  # fmt: skip
    folder = tempfile.gettempdir()
    environment = {"RAYON_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "HOME": folder}
    with tempfile.TemporaryFile() as given:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        process = subprocess.Popen(
            words, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=folder
        )
        with process:
            found, whole = _answer(process)
    if process.returncode not in (0, -9):
        raise OSError("ruff: did not end well")
    return Linted(found, "ruff", whole)


def _answer(process: subprocess.Popen[bytes]) -> tuple[list[Finding], bool]:
    timer = Timer(SECONDS, process.kill)
    timer.start()
    found: list[Finding] = []
    whole = True
    try:
        for row in process.stdout or ():
            if len(found) >= MOST:
                whole = False
                process.kill()
                break
            diagnostic = msgspec.json.decode(row, type=_Diagnostic)
            fix = diagnostic.fix.message if diagnostic.fix is not None else None
            code = diagnostic.code or "invalid-syntax"
            found.append(finding(code, diagnostic.location.row, diagnostic.message, fix or ""))
        whole = process.wait() == 0 and whole
    finally:
        timer.cancel()
    return found, whole


def finding(code: str, line: int, message: str, hint: str = "") -> Finding:
    """Make a finding under a code of ruff."""
    severity, tag = weight(code)
    message = " ".join(message.split())[:300].rstrip(".")
    hint = " ".join(hint.split())[:200]
    if tag is OutcomeTag.UNPARSABLE:
        message, hint = message.removeprefix("SyntaxError: "), hint or BROKEN
    return Finding(
        rule=code,
        line=line,
        severity=severity.value,
        tag=tag.value,
        message=message,
        hint=f"{hint}." if hint and hint[-1] != "." else hint,
        reference="ruff",
    )


def weight(code: str) -> tuple[Severity, OutcomeTag]:
    """Return how bad a rule's finding is, and of what sort."""
    known = _weights()
    return next((known[code[:end]] for end in range(len(code), 0, -1) if code[:end] in known), known[""])


@cache
def _weights() -> dict[str, tuple[Severity, OutcomeTag]]:
    file = Path(__file__).parent / "ruff_severities.toml"
    rows = msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[Severity, dict[OutcomeTag, list[str]]])
    weights = {"": (Severity.LOW, OutcomeTag.LIKELY_DEFECT)}
    for severity, tags in rows.items():
        for tag, codes in tags.items():
            weights |= dict.fromkeys(codes, (severity, tag))
    return weights
