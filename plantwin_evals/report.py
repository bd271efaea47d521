"""The report of an evaluation: one self-contained page, with CSV and JSON beside it."""

from __future__ import annotations

import csv
import io
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from plantwin_evals import figures, paper, tables
from plantwin_evals.attempts import Attempt
from plantwin_evals.overhead import Sample
from plantwin_evals.overhead_tables import latency_table, phase_table
from plantwin_evals.reid import Row
from plantwin_evals.study_tables import TITLES, study_tables
from plantwin_evals.suite import domains
from plantwin_evals.tables import Table, shown

REFERENCES: Final = ("twin + offline", "objects + openrouter:moonshotai/kimi-k2.5")
"""What others are tested against unless told otherwise, the first that was tried: ours, or the paper's."""
COMMANDS: Final = "commands.csv"
"""Which commands filled a folder of results, of which code, on which machine."""
KEPT: Final = ".tables.json"
"""How the files end that hold tables of studies without attempts."""
_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.2rem }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
table { display: block; overflow-x: auto }
th, td { padding: 3px 8px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left } thead th { border-bottom: 2px solid #555 }
figure { margin: 1rem 0 } figure svg { max-width: 100%; height: auto } p.note { color: #555 }
@media print { body { max-width: none } h2 { break-after: avoid } figure, table { break-inside: avoid } }
"""


def note_command(folder: Path) -> None:
    """Keep the command that results come from, with the code and the machine, for their page."""
    folder.mkdir(parents=True, exist_ok=True)
    command = " ".join(["plantwin", *map(shlex.quote, sys.argv[1:])]) if len(sys.argv) > 1 else "plantwin"
    row = (time.strftime("%Y-%m-%d %H:%M"), command, commit(), _machine())
    with (folder / COMMANDS).open("a", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerow(row)


def _machine() -> str:
    """Processor, cores, memory, system and how busy it is."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        processor = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{processor}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


def commit() -> str:
    """Return the commit of the code that runs, marked where files differ from it; its version where there is none."""
    here = Path(__file__).parent
    git = ["git", "-C", str(here)]
    try:
        # Only of a checkout of this project: an installed package may lie in anybody's repository.
        done = [
            subprocess.run([*git, *args], capture_output=True, text=True, check=True, timeout=20).stdout.strip()
            for args in (
                ("ls-files", "--error-unmatch", "report.py"),
                ("rev-parse", "HEAD"),
                ("status", "--short", "-uno"),
            )
        ]
    except (OSError, subprocess.SubprocessError):
        return f"version {version('plantwin')}"
    return done[1] + (" with changes" if done[2] else "")


def _commands(folder: Path) -> list[Table]:
    try:
        with (folder / COMMANDS).open(encoding="utf-8", newline="") as file:
            rows = [tuple(row) for row in csv.reader(file)]
    except FileNotFoundError:
        return []
    versions = len({row[2] for row in rows})
    note = (
        f"{versions} versions of the code: what a later one did not try again is of an earlier." if versions > 1 else ""
    )
    return [Table("runs", "Where these results come from", ("when", "command", "commit", "machine"), list(rows), note)]


def keep_tables(folder: Path, name: str, made: Sequence[Table]) -> None:
    """Keep the tables of a study that has no attempts, for the page."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}{KEPT}").write_bytes(msgspec.json.encode([table._asdict() for table in made]))


def kept_tables(folder: Path) -> list[Table]:
    """Return the tables of studies that have no attempts."""
    found = [msgspec.json.decode(path.read_bytes()) for path in sorted(folder.glob(f"*{KEPT}"))]
    return [Table(**table) for tables in found for table in tables]


def all_tables(
    attempts: Sequence[Attempt],
    rows: Sequence[Row] = (),
    samples: Sequence[Sample] = (),
    reference: str = "",
) -> list[Table]:
    """Every table that these attempts, games and samples of time allow. `reference`: what others are tested against."""
    main = [each for each in attempts if each.study == "main"]
    tried = {each.configuration for each in main}
    reference = reference or next((name for name in REFERENCES if name in tried), "")
    made: list[Table] = []
    if main:
        sorts = {(one.domain, item.id): item.sort for one in domains() for item in one.sensitive}
        made += [tables.main_table(main), tables.twin_table(main), tables.group_table(main), tables.cost_table(main)]
        made += [*tables.folder_tables(main), *tables.statistics_tables(main, reference)]
        made += [tables.exposure_table(main, sorts), tables.redaction_table(main)]
        made += [tables.paper_table(main), tables.overhead_table(main)]
    for study in TITLES:
        found = [each for each in attempts if each.study == study]
        if found:
            made += study_tables(study, found)
    if rows:
        made.append(reid_table(rows))
    if samples:
        made += [phase_table(samples), latency_table(samples)]
    return made


def reid_table(rows: Sequence[Row]) -> Table:
    """The re-identification game."""
    cells = [
        (
            row.tree,
            row.knowledge,
            row.twin,
            row.strategy,
            row.pool,
            row.result.accuracy,
            row.result.mrr,
            row.trials,
        )
        for row in rows
    ]
    columns = ("files", "told", "twin", "strategy", "k", "accuracy", "MRR", "trials")
    note = "Paper, k = 15, no budget: " + ", ".join(f"{key} {value}" for key, value in paper.REIDENTIFICATION.items())
    return Table("reid", "Whose twin is this? Re-identification", columns, cells, note)


def pictures(attempts: Sequence[Attempt], rows: Sequence[Row] = ()) -> list[tuple[str, str]]:
    """Every figure that these attempts allow: title and SVG."""
    main = [each for each in attempts if each.study == "main"]
    made: list[tuple[str, str]] = []
    if main:
        if tables.disclosure(main) is not None:
            made.append(("Privacy and utility", figures.scatter(main)))
        made.append(("Plan quality by domain", figures.domains(main)))
    beside = {"ablation": paper.ABLATION, "budget": figures.PAPER_BUDGET}
    for study, title in TITLES.items():
        found = [each for each in attempts if each.study == study]
        if found:
            if study == "multiturn":
                made.append((title, figures.depletion(found)))
            else:
                made.append((title, figures.study(found, study, beside.get(study))))
    at_fifteen = [row for row in rows if row.pool == 15 and row.strategy not in ("linkage", "structure")]
    if at_fifteen:
        made.append(("Re-identification by strategy", figures.strategies(at_fifteen)))
    if len({row.pool for row in rows}) > 1:
        made.append(("Re-identification by pool", figures.scaling(rows)))
    return made


def write(
    folder: Path,
    attempts: Sequence[Attempt],
    rows: Sequence[Row] = (),
    samples: Sequence[Sample] = (),
    reference: str = "",
) -> Path:
    """The page, a CSV file per table, and everything as JSON. Returns the page."""
    made = [*_commands(folder), *all_tables(attempts, rows, samples, reference), *kept_tables(folder)]
    page = folder / "report.html"
    page.write_text(_page(made, pictures(attempts, rows)), encoding="utf-8")
    for table in made:
        (folder / f"{table.name}.csv").write_text(as_csv(table), encoding="utf-8")
    (folder / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode([each._asdict() for each in made])))
    return page


def as_csv(table: Table) -> str:
    """A table with full precision."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)
    return out.getvalue()


def as_markdown(table: Table) -> str:
    """A table for a document."""
    lines = ["| " + " | ".join(table.columns) + " |", "|---" + "|---:" * (len(table.columns) - 1) + "|"]
    lines += ["| " + " | ".join(map(shown, row)) + " |" for row in table.rows]
    return "\n".join(lines) + (f"\n\n{table.note}" if table.note else "")


def _page(made: Sequence[Table], drawn: Sequence[tuple[str, str]]) -> str:
    parts = ["<!doctype html><html lang=en><meta charset=utf-8><title>PlanTwin: evaluation</title>"]
    parts.append('<meta name=viewport content="width=device-width"><style>' + _STYLE + "</style>")
    parts.append("<h1>PlanTwin: evaluation</h1>")
    # Where results come from, then figures, then all other tables.
    first = sum(table.name == "runs" for table in made)
    parts += map(_shown, made[:first])
    parts += [f"<h2>{escape(title)}</h2><figure>{svg}</figure>" for title, svg in drawn]
    parts += map(_shown, made[first:])
    return "\n".join(parts) + "\n"


def _shown(table: Table) -> str:
    head = "".join(f"<th scope=col>{escape(each)}</th>" for each in table.columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>" for row in table.rows)
    text = f"<h2>{escape(table.title)}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return text + (f"<p class=note>{escape(table.note)}</p>" if table.note else "")
