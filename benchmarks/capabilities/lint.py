"""Lint on real scripts: syntax findings beside what the interpreter says, planted defects, time."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.capabilities.section import Section, files, measured
from plantwin.private.capabilities import function
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.engine.job import Input, Job

LANGUAGES = {
    "JavaScript": ("oxlint", (".js", ".mjs"), ["node", "--check"], "\ndebugger;\n", "no-debugger"),
    "shell": ("shellcheck", (".sh",), ["bash", "-n"], '\nrm -rf "$TMPDIR"/*\n', "SC2115"),
    "Python": ("ruff", (".py",), ["python3", "-m", "py_compile"], "\nplanted_name_that_nobody_defines()\n", "F821"),
}
"""By language: its engine, endings, its own parser, a defect, and the rule that names it."""
MOST = 96
"""Files of one language."""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    rows = []
    folder = data or Path(sysconfig.get_path("purelib"))
    for language, (engine, endings, parser, defect, rule) in LANGUAGES.items():
        found = [path for path in files(folder, endings) if path.stat().st_size < 200_000 and ".min." not in path.name]
        paths = found[:: max(1, len(found) // MOST)][:MOST]
        if not paths or installed.find(engine) is None:
            continue
        ours = measured("lint", folder, paths)
        broken = {each.name for result in ours.results for each in result.findings if each.tag == "unparsable"}
        accepted = [name for name in broken if _accepted(parser, folder / name)]
        total = sum(len(result.findings) for result in ours.results)
        begun = time.perf_counter()
        _direct(engine, paths)
        direct = time.perf_counter() - begun
        planted = list(_planted(paths, folder, defect, rule))
        rows.append([
            language, installed.find(engine).title, len(paths), total, f"{len(broken)} ({len(accepted)})",  # type: ignore[union-attr]
            f"{sum(planted)} of {len(planted)}", f"{ours.seconds:.1f} s", f"{direct:.1f} s",
        ])  # fmt: skip
    heads = ("language", "engine", "real files", "findings", "do not parse (their interpreter parses them)",
             "planted defects found", "time", "the engine alone")  # fmt: skip
    where = "public repositories" if data else "installed packages"
    return [Section("lint: real scripts", f"Scripts of {where}, at most {MOST} of a language.", heads, rows)]


def _accepted(parser: list[str], path: Path) -> bool:
    program = shutil.which(parser[0])
    if program is None:
        return False
    return subprocess.run([program, *parser[1:], str(path)], capture_output=True, check=False).returncode == 0


def _direct(engine: str, paths: list[Path]) -> None:
    found = installed.find(engine)
    if found is not None:
        words = {"ruff": ["check", "--isolated", "--no-cache"], "shellcheck": ["--norc"]}.get(engine, [])
        subprocess.run([found.path, *words, *map(str, paths)], capture_output=True, check=False)


def _planted(paths: list[Path], folder: Path, defect: str, rule: str) -> Iterator[bool]:
    """Whether a defect behind the last line of each file is found there."""
    texts = {str(path.relative_to(folder)): path.read_text("utf-8", "replace").rstrip("\\\n") for path in paths[:32]}
    inputs = tuple(Input(name=name, data=(text + defect).encode()) for name, text in texts.items())
    result = function("lint")(Job(capability="lint", inputs=inputs))
    places = {(finding.name, finding.line) for finding in result.findings if finding.rule == rule}
    for name, text in texts.items():
        yield (name, text.count("\n") + 2) in places
