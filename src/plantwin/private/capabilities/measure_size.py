"""Count files, lines and bytes of the inputs by language, kind and part, from what the scan knows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from plantwin.private.capabilities.engine.job import Job, Neighbour, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.graph import starts
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Size"
LARGE_CODE = 1000
"""Lines from which a code file is called large."""
LARGE_FILE = 5 << 20
LISTED = 15


class Total:
    """Files, lines and bytes of one group."""

    def __init__(self) -> None:
        self.files = self.lines = self.size = 0

    def add(self, held: Neighbour) -> None:
        """Count one file."""
        self.files += 1
        self.lines += held.lines
        self.size += held.size

    def row(self, name: str) -> list[str]:
        """Return a row of a table."""
        return [name, f"{self.files:,}", f"{self.lines:,}", shown_bytes(self.size)]


def shown_bytes(number: int) -> str:
    """Write `3.4 MB`."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000 or (unit == "MB" and number < 1_000_000):
            return f"{number:,.0f} {unit}" if unit == "bytes" else f"{number:,.1f} {unit}"
        number = number // 1000 if unit == "bytes" else number / 1000  # type: ignore[assignment]
    return f"{number:,.1f} GB"


def files_of(job: Job) -> list[Neighbour]:
    """Return the inputs, each file once: tables of a database are parts of it."""
    around = job.surroundings
    found: dict[str, Neighbour] = {}
    for place in starts(job):
        found.setdefault(around.objects[place].name, around.objects[place])
    return list(found.values())


def by(held: Iterable[Neighbour], key: str) -> dict[str, Total]:
    """Add up by an attribute, or by the top folder (`part`)."""
    groups: dict[str, Total] = defaultdict(Total)
    for each in held:
        name = top_folder(each.name) if key == "part" else str(getattr(each, key))
        groups[name].add(each)
    return dict(sorted(groups.items(), key=lambda item: (-item[1].lines, -item[1].size, item[0])))


def top_folder(name: str) -> str:
    """Return the first folder of a path; `.` for what lies at the top."""
    folder, slash, _ = name.partition("/")
    return f"{folder}/" if slash else "."


def in_languages(held: Iterable[Neighbour]) -> list[Neighbour]:
    """Return the files that are written in a language: code and declared infrastructure; else settings and all."""
    held = list(held)
    return [each for each in held if each.kind == "code_file" or each.format == "hcl"] or [
        each for each in held if each.format and each.kind in ("config", "structured_record")
    ]


def run(job: Job) -> Result:
    """Count the inputs."""
    held = files_of(job)
    if not held:
        return failed(TITLE, "Nothing is known of these inputs.")
    total = Total()
    for each in held:
        total.add(each)
    code_files = in_languages(held)
    languages, kinds, parts = by(code_files, "format"), by(held, "kind"), by(held, "part")
    long = sorted((each for each in code_files if each.lines >= LARGE_CODE), key=lambda each: -each.lines)
    large = sorted((each for each in held if each.size >= LARGE_FILE), key=lambda each: -each.size)
    biggest = sorted(held, key=lambda each: -each.size)[:LISTED]
    shares = ", ".join(_share(name, group, code_files) for name, group in list(languages.items())[:6])
    lines = [
        f"{plural(total.files, 'file')}, {total.lines:,} lines, {shown_bytes(total.size)}."
        + (f" Code: {shares}." if shares else ""),
        "",
        *table(["Language", "Files", "Lines", "Size"], [group.row(plain(name)) for name, group in languages.items()]),
        *table(
            ["Kind", "Files", "Lines", "Size"], [group.row(name.replace("_", " ")) for name, group in kinds.items()]
        ),
        *table(["Part", "Files", "Lines", "Size"], [group.row(code(name)) for name, group in parts.items()], 30),
        "Largest files:",
        "",
        *table(
            ["File", "Lines", "Size"],
            [[code(each.name), f"{each.lines:,}", shown_bytes(each.size)] for each in biggest],
        ),
    ]
    if long:
        rows = [[code(each.name), f"{each.lines:,}"] for each in long]
        lines += ["Longest code files:", "", *table(["File", "Lines"], rows, LISTED)]
    found = [
        finding(each.name, 0, Severity.LOW, OutcomeTag.OVERSIZED, f"A code file of {each.lines:,} lines")
        for each in long
    ] + [
        finding(each.name, 0, Severity.LOW, OutcomeTag.OVERSIZED, f"A file of {shown_bytes(each.size)}")
        for each in large
    ]
    return Result(
        outcome=told(len(held), [OutcomeTag.OVERSIZED] if found else []),
        title=TITLE,
        findings=found[:200],
        listed=False,
        facts={
            "files": total.files, "lines": total.lines, "bytes": total.size,
            "languages": {name: {"files": group.files, "lines": group.lines} for name, group in languages.items()},
            "kinds": dict(Counter(each.kind for each in held)),
            "largest": [[each.name, each.size] for each in biggest],
        },
        text="\n".join(lines).strip() + "\n",
    )  # fmt: skip


def _share(name: str, group: Total, code_files: list[Neighbour]) -> str:
    every = sum(each.lines for each in code_files)
    return f"{plain(name)} {group.lines / every:.0%}" if every else plain(name)
