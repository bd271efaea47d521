"""The order of migrations: numbers that are missing or twice, parents that are not there, several heads."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from plantwin.private.capabilities.migrations.operation import Migration
from plantwin.private.capabilities.statements.remark import Remark
from plantwin.vocabulary import OutcomeTag, Severity

_NUMBER = re.compile(r"(?:V|U|B)?(\d{1,20}(?:[._]\d{1,6}){0,3})(?:__|[_.-](?=[A-Za-z]))")
_SEQUENCE = 5
"""Numbers of more digits are times, among which there are no gaps."""


def _numbered(name: str) -> tuple[str, str, str] | None:
    """Folder, number and direction of a migration by its name; None where the name has no number."""
    folder, _, base = name.rpartition("/")
    match = _NUMBER.match(base)
    if match is None or base.startswith("__"):
        return None
    down = re.search(r"\.(down|undo|rollback)\.|[._-]down\.", base, re.IGNORECASE) is not None or base.startswith("U")
    return folder, match[1].replace("_", ".").lstrip("0") or "0", "down" if down else "up"


def placed(names: Iterable[str], inputs: frozenset[str]) -> Iterator[tuple[str, Remark]]:
    """Remarks about the numbers of files, in the folders of the inputs."""
    folders: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    backs: dict[str, set[str]] = defaultdict(set)
    wanted = {numbered[0] for numbered in map(_numbered, inputs) if numbered is not None}
    for name in sorted(set(names)):
        numbered = _numbered(name)
        if numbered is None or numbered[0] not in wanted:
            continue
        if numbered[2] == "down":
            backs[numbered[0]].add(numbered[1])
        else:
            folders[numbered[0]][numbered[1]].append(name)
    for folder, numbers in folders.items():
        for number, files in numbers.items():
            if len(files) > 1 and any(each in inputs for each in files):
                first = next(each for each in files if each in inputs)
                yield (
                    first,
                    Remark(
                        "number-twice",
                        0,
                        Severity.HIGH,
                        OutcomeTag.WRONG_ORDER,
                        f"{len(files)} migrations have the number {number}: {', '.join(each.rpartition('/')[2] for each in files[:4])}",
                        "Give one of them the next number.",
                    ),
                )
        yield from _gaps(numbers, inputs)
        if backs[folder]:
            for number, files in numbers.items():
                if number not in backs[folder] and files[0] in inputs:
                    yield (
                        files[0],
                        Remark(
                            "no-down-file",
                            0,
                            Severity.MEDIUM,
                            OutcomeTag.IRREVERSIBLE,
                            "Other migrations here have a way back, this one has none",
                            "Write its down file.",
                        ),
                    )


def _gaps(numbers: dict[str, list[str]], inputs: frozenset[str]) -> Iterator[tuple[str, Remark]]:
    whole = sorted(int(number) for number in numbers if number.isdigit() and len(number) < _SEQUENCE)
    if len(whole) < 2 or len(whole) < len(numbers):
        return
    steps = [later - earlier for earlier, later in pairwise(whole)]
    usual = max(set(steps), key=steps.count)
    if usual not in (1, 5, 10, 100) or (len(steps) > 1 and steps.count(usual) * 2 < len(steps)):
        return
    usual = 1 if len(steps) == 1 and usual < 5 else usual
    for earlier, later in pairwise(whole):
        files = numbers[str(later)]
        if later - earlier > usual and any(each in inputs for each in files):
            first = next(each for each in files if each in inputs)
            yield (
                first,
                Remark(
                    "number-gap",
                    0,
                    Severity.MEDIUM,
                    OutcomeTag.WRONG_ORDER,
                    f"After number {earlier} comes {later}: {'one is' if later - earlier == 2 * usual else 'some are'} missing",
                    "Find out whether a migration was lost or never merged.",
                ),
            )


def linked(migrations: list[Migration]) -> Iterator[tuple[str, Remark]]:
    """Remarks about revisions that name their parents."""
    chained = [each for each in migrations if each.tool == "Alembic" and each.revision]
    if len(chained) < 2:
        return
    known = {each.revision for each in chained}
    children: dict[str, list[Migration]] = defaultdict(list)
    for each in chained:
        for parent in each.parents:
            children[parent].append(each)
    for parent, several in children.items():
        if len(several) > 1:
            yield (
                several[1].label,
                Remark(
                    "several-heads",
                    0,
                    Severity.HIGH,
                    OutcomeTag.WRONG_ORDER,
                    f"{len(several)} revisions follow {parent}",
                    "Merge the heads, or rebase one on the other.",
                ),
            )
    rootless = [each for each in chained if each.parents and not set(each.parents) & known]
    for each in rootless[1:]:
        yield (
            each.label,
            Remark(
                "missing-parent",
                0,
                Severity.MEDIUM,
                OutcomeTag.WRONG_ORDER,
                f"Its parent {each.parents[0]} is not among these",
                "Give all of them, or check that it exists.",
            ),
        )
    twice = [each for each in chained if sum(other.revision == each.revision for other in chained) > 1]
    for each in twice[1:]:
        yield (
            each.label,
            Remark(
                "revision-twice",
                0,
                Severity.HIGH,
                OutcomeTag.WRONG_ORDER,
                f"The revision {each.revision} exists twice",
                "Give one of them another.",
            ),
        )
