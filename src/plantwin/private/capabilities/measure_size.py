"""Count files, lines and bytes of the inputs by language, kind and part, from what the scan knows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from plantwin.private.capabilities.engine.job import Job, Neighbour, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.graph import starts
from plantwin.private.formats.lexicon import beside
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Size"
LARGE_CODE = 1000
"""Lines from which a code file is called large."""
LARGE_FILE = 5 << 20
LISTED = 15
SORTS = beside(__file__)["sort"]
_BY_WORD = {word: row for row in SORTS for word in row["words"].split()}
_COUNTED = re.compile(
    r"(?i)\b(?:how many|(?:the )?(?:number|amount|count) of|count(?: up)?)\s+(?:(?:of|the|all|different|our)\s+)*"
    r"(?P<words>(?:\*?\.?[a-z][\w+#]*[\s-]+){0,4}?)(?P<last>\*?\.?[a-z][\w+#]*)"
    r"(?=\s*(?:[?.!,]|\Z|\b(?:is|are|do|does|did|have|has|exist|in|under|inside|within|there|we|it|here)\b))"
)
"""`how many go test files are there`: what is counted, and its last word."""
_WITHIN = re.compile(r"(?i)\b(?:in|under|inside|within)\s+(?:the\s+)?[`\"']?(?P<folder>\.?\w[\w./-]*)")


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
    counted = _counted(held, str(job.options.get("request", "")))
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
        text="\n".join(counted or lines).strip() + "\n",
    )  # fmt: skip


def _counted(held: list[Neighbour], request: str) -> list[str]:
    """Return how many files there are of the sort that a request counts, and where; nothing where it counts none."""
    match = _COUNTED.search(request)
    if match is None:
        return []
    words = re.split(r"[\s-]+", match["words"].lower().strip()) if match["words"].strip() else []
    last = match["last"].lower()
    if last not in ("file", "files"):
        if not _BY_WORD.get(last, {}).get("alone"):
            return []
        words.append(last)
    rows = [row for word in words if (row := _row_of(word.lstrip("*."), held)) is not None]
    if not rows or len(rows) < len(words):
        return []
    around = _WITHIN.search(request, match.end())
    folder = f"{around['folder'].strip('./')}/" if around else ""
    inside = [each for each in held if f"/{folder}" in f"/{each.name}"] if folder else held
    place, inside = (f" in {code(folder)}", inside) if folder and inside else ("", held)
    found = [each for each in inside if all(_is(each, row) for row in rows)]
    sort = " ".join([*words, "file"]) if last in ("file", "files") else " ".join(words).removesuffix("s")
    number = f"{plural(len(found), sort)}{place} among {plural(len(inside), 'scanned file')}"
    if not found:
        return [f"{number}. Images and other files that hold no text are not scanned."]
    folders = Counter(each.name.rpartition("/")[0] or "." for each in found).most_common()
    by_folder = ", ".join(f"{code(f'{name}/')} {times:,}" for name, times in folders[:LISTED])
    return [
        f"{number}, with {plural(sum(each.lines for each in found), 'line')}.",
        "",
        f"By folder: {by_folder}{' …' if len(folders) > LISTED else ''}.",
        "",
        *(f"- {code(each.name)}" for each in sorted(found, key=lambda each: each.name)[:500]),
    ]


def _row_of(word: str, held: list[Neighbour]) -> dict[str, str] | None:
    """Return what stands for files of a sort; a word without a row is a suffix, where a file has it."""
    row: dict[str, str] | None = _BY_WORD.get(word)
    known = any(each.name.lower().endswith(f".{word}") for each in held)
    return row if row is not None else {"suffixes": word} if known else None


def _is(held: Neighbour, row: dict[str, str]) -> bool:
    """Whether a file is of a sort."""
    if "path" in row:
        return re.search(row["path"], held.name) is not None
    if "kind" in row:
        return held.kind == row["kind"]
    return held.name.lower().rpartition(".")[2] in row["suffixes"].split()


def _share(name: str, group: Total, code_files: list[Neighbour]) -> str:
    every = sum(each.lines for each in code_files)
    return f"{plain(name)} {group.lines / every:.0%}" if every else plain(name)
