"""Find copies and near copies of files, and code that stands in several places."""

from __future__ import annotations

import hashlib
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Neighbour, Result, Surroundings
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import concluded_by_object, finding, table
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.graph import starts
from plantwin.private.capabilities.measure_complexity import Duplicate, Lines, duplicates
from plantwin.private.formats.source_views import MASKS, views
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Duplicates"
NEAR = 0.75
"""Share of sampled lines that two near copies have in common."""
LEAST_LINES = 10
"""Lines of a file from which being like another says something."""
LONG = 40
"""Lines of code in several places from which that is worth a change."""
CROWDED = 200
"""Files that share a sampled line beyond which it says nothing: a licence header."""


def run(job: Job) -> Result:
    """Find what is there more than once among the inputs."""
    around = job.surroundings
    places = starts(job)
    if not places:
        return failed(TITLE, "Nothing is known of these inputs.")
    read = [given for given in job.inputs if not given.is_result and not given.part and (given.file or given.data)]
    same = _copies(around, places, read)
    within = {name for group in same for name in group[1:]}
    near = _near([around.objects[place] for place in places], same)
    blocks, lines = _blocks(read, within)
    blocks.sort(key=lambda block: (is_test_path(block.second), -block.lines))
    found = [*_same(same), *_similar(near), *_repeated(blocks)]
    unread = sum(not given.is_result and not given.part for given in job.inputs) - len(read)
    notes = [f"{plural(unread, 'file')} not read for repeated code: more than is read at once."] if unread else []
    return concluded_by_object(
        job, TITLE, found, tool="contents, sampled lines and runs of equal lines of code",
        examined=[around.objects[place].name for place in places],
        state=[OutcomeTag.TRUNCATED] if unread else [], notes=notes, tables=_tables(same, near, blocks, lines),
        facts={
            "copies": same, "near": [[one, other, round(share, 2)] for one, other, share in near],
            "repeated": [block._asdict() for block in blocks],
        },
    )  # fmt: skip


def _copies(around: Surroundings, places: list[int], read: Iterable[Input]) -> list[list[str]]:
    """Return groups of files with the same content."""
    names = {around.objects[place].name for place in places if not around.objects[place].part}
    groups: dict[str, set[str]] = {name: {name} for name in names}

    def join(one: str, other: str) -> None:
        if one in groups and other in groups and groups[one] is not groups[other]:
            groups[one] |= groups[other]
            for name in groups[one]:
                groups[name] = groups[one]

    by_content: dict[bytes, str] = {}
    for given in read:
        data = given.read()
        if len(data.strip()) > 20:
            join(by_content.setdefault(hashlib.blake2b(data).digest(), given.name), given.name)
    for link in around.links:
        if link.edge == "similar_to" and link.reason == "copy" and link.target >= 0:
            join(around.objects[link.source].name, around.objects[link.target].name)
    found = {
        id(group): sorted(group, key=lambda name: (name.count("/"), name))
        for group in groups.values()
        if len(group) > 1
    }
    return sorted(found.values(), key=lambda group: (-len(group), group))


def _near(held: list[Neighbour], same: list[list[str]]) -> list[tuple[str, str, float]]:
    """Return pairs of files that share most of their sampled lines, and are no copies."""
    copies = {name: number for number, group in enumerate(same) for name in group}
    sketches = {
        other.name: _hashes(other.sketch)
        for other in held
        if other.sketch and not other.part and other.lines >= LEAST_LINES
    }
    by_hash: dict[int, list[str]] = defaultdict(list)
    for name, hashes in sketches.items():
        for value in hashes:
            by_hash[value].append(name)
    shared: dict[tuple[str, str], int] = defaultdict(int)
    for group in by_hash.values():
        if len(group) <= CROWDED:
            for at, one in enumerate(group):
                for other in group[at + 1 :]:
                    shared[(one, other)] += 1
    found = []
    for (one, other), number in shared.items():
        share = _alike(sketches[one], sketches[other])
        if number >= 4 and share >= NEAR and copies.get(one, one) != copies.get(other, other):
            found.append((one, other, share))
    return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


def _hashes(sketch: bytes) -> frozenset[int]:
    return frozenset(struct.unpack(f">{len(sketch) // 4}I", sketch[: len(sketch) // 4 * 4]))


def _alike(one: frozenset[int], other: frozenset[int]) -> float:
    """Estimate the share of lines in common from two samples of the smallest hashes."""
    size = max(len(one), len(other))
    smallest = sorted(one | other)[:size]
    return sum(value in one and value in other for value in smallest) / size if size else 0.0


def _blocks(read: Iterable[Input], leave: set[str]) -> tuple[list[Duplicate], int]:
    """Return code that stands in several places, and how many lines of code were read. Copies count once."""
    files: list[Lines] = []
    for given in read:
        if given.name in leave or given.kind not in ("code_file", ""):
            continue
        file = source(given)
        if not file.binary and file.format in MASKS:
            files.append(_lines(file.label, file.format, file.data))
    found, _ = duplicates(files)
    return found, sum(len(file.numbers) for file in files)


def _lines(label: str, format: str, data: bytes) -> Lines:
    made = Lines(label, [], [], [])
    for number, line in enumerate(views(format, data).full.split(b"\n"), start=1):
        tokens = line.split()
        if (
            tokens
            and len(b"".join(tokens)) > 2
            and not tokens[0].startswith((b"import", b"from", b"#include", b"use", b"package"))
        ):
            made.numbers.append(number)
            made.hashes.append(hash(b" ".join(tokens)))
            made.counts.append(2 * len(tokens))
    return made


def _same(same: list[list[str]]) -> Iterator[Finding]:
    for first, *others in same:
        for other in others:
            yield finding(other, 0, Severity.LOW, OutcomeTag.DUPLICATION, f"The same content as {first}")


def _similar(near: list[tuple[str, str, float]]) -> Iterator[Finding]:
    for one, other, share in near:
        message = f"Nearly the same as {one}: about {share:.0%} of the lines"
        yield finding(other, 0, Severity.LOW, OutcomeTag.DUPLICATION, message)


def _repeated(blocks: list[Duplicate]) -> Iterator[Finding]:
    for block in blocks:
        yield finding(
            block.second, block.second_line, Severity.MEDIUM if block.lines >= LONG else Severity.LOW,
            OutcomeTag.DUPLICATION, f"{block.lines} lines of code stand in {block.first}:{block.first_line} as well",
            hint="Keep them in one place that both use.",
        )  # fmt: skip


def _tables(
    same: list[list[str]], near: list[tuple[str, str, float]], blocks: list[Duplicate], lines: int
) -> list[str]:
    extra = sum(len(group) - 1 for group in same)
    told = (
        f"Copies of files: {extra}. Pairs of files that are nearly the same: {len(near)}. Code that stands in several "
        f"places: {len(blocks)}, in {lines:,} lines of code."
    )
    made = [told, ""]
    made += table(["Copies", "Files"], [[str(len(group)), ", ".join(map(code, group[:6]))] for group in same], 40)
    made += table(
        ["Alike", "File", "File"], [[f"{share:.0%}", code(one), code(other)] for one, other, share in near], 40
    )
    rows = [
        [str(one.lines), code(f"{one.first}:{one.first_line}"), code(f"{one.second}:{one.second_line}")]
        for one in blocks
    ]
    return [*made, *table(["Lines", "Here", "And here"], rows, 40)]
