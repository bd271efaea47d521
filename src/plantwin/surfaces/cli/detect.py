"""`plantwin detect`: secrets, personal data, infrastructure and identifiers, with their places. Values stay masked."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError, StageError
from plantwin.surfaces.cli.arguments import add_changes, add_format, add_json, add_reading, add_root, format_of
from plantwin.surfaces.cli.files import STANDARD, read_chunks
from plantwin.surfaces.cli.output import colourful, note, warn, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import path_fields, plural, printable, size

if TYPE_CHECKING:
    from plantwin.private.detect import Detector
    from plantwin.private.detect.locations import Located
    from plantwin.private.detect.summary import Selection
    from plantwin.private.inspection import File, Inspected


def add_selection(parser: argparse.ArgumentParser) -> None:
    """By type, by group, by least confidence."""
    parser.add_argument(
        "--type",
        "--types",
        action="append",
        metavar="TYPE",
        help="only this type, such as email or 'aws_*' (repeatable, or a list with commas)",
    )
    parser.add_argument(
        "--group",
        "--groups",
        action="append",
        metavar="GROUP",
        help="only secret, personal, infrastructure or identifier (repeatable, or a list with commas)",
    )
    parser.add_argument(
        "--confidence", metavar="WORD", default="low", help="at least this sure: low (default), medium or high"
    )


def chosen(options: argparse.Namespace, detectors: Iterable[Detector]) -> Selection:
    """The selection that the options ask for, each word checked against what these detectors can find."""
    from plantwin.private.detect.summary import known_types, selection

    known = known_types(rule.type for detector in detectors for rule in detector.rules)
    return selection(known, words(options.type), words(options.group), options.confidence)


def words(texts: list[str] | None) -> list[str]:
    """The words of an option that may be repeated, and may hold several with commas."""
    return [word.strip() for text in texts or () for word in text.split(",")]


EXAMPLE = "plantwin detect ~/projects/shop --group secret --confidence high --fail"
AMOUNTS = {"one": "one value", "few": "a few values", "many": "many values"}
COLOURS = {"high": "\x1b[31m", "medium": "\x1b[33m"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files and folders; - is stdin (default: the current folder)"
    )
    add_root(parser, positional=False)
    add_json(parser, "print one JSON object for each finding, one to a line")
    add_format(parser)
    add_changes(parser)
    parser.add_argument("--show", action="store_true", help="show the values themselves")
    parser.add_argument("--cells", action="store_true", help="also list every cell of a column that is a finding")
    add_selection(parser)
    parser.add_argument("--allowed", action="store_true", help="also show what a comment or an allow-list allows")
    parser.add_argument("--fail", action="store_true", help="exit with 1 when something is found or a file is unread")
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Look at every path and print what is found."""
    from plantwin.private.inspection import detector_for, problems, roots

    paths = options.paths or [options.root]
    # Made before anything is read: a config that does not parse is told at once, and workers inherit them.
    made = [detector_for(), *map(detector_for, roots(path for path in paths if path != STANDARD))]
    wanted = chosen(options, made)
    warnings = problems(path for path in paths if path != STANDARD)
    form = format_of(options)
    options.json = form == "json"
    write = {"json": _json, "github": _annotations, "text": _person}[form]
    keeps = Kept(wanted, options.allowed, options.baseline)
    found = dirty = read = unread = total = 0
    with Bar() as bar:
        for inspection in inspected(paths, options, warnings):
            if inspection.problem:
                warnings.append(f"{inspection.problem}: {inspection.shown}")
                unread += 1
                continue
            count = 0
            try:
                count = write(inspection.shown, keeps.of(inspection), options.show)
            except StageError as error:
                warnings.append(f"{error}: {inspection.shown}")
                unread += 1
            read += 1
            total += inspection.size
            found += count
            dirty += bool(count)
            bar(read, None, "detect")
    _conclude(options, warnings, f"{plural(read, 'file')} ({size(total)})", found, dirty, keeps.left_out)
    if keeps.accepted and not options.json:
        note(f"{plural(keeps.accepted, 'finding is', 'findings are')} accepted by {printable(options.baseline)}.")
    return int(options.fail and bool(found or unread or warnings))


def inspected(paths: list[str], options: argparse.Namespace, warnings: list[str]) -> Iterator[Inspected]:
    """Everything that the paths lead to, in their order."""
    from plantwin.private.detect.locations import located
    from plantwin.private.inspection import Inspected, detector_for, files, inspect

    if STANDARD not in paths:
        named = files(paths, ignore=not options.no_ignore, warn=lambda code, path: warnings.append(f"{code}: {path}"))
        chosen = named if (left := _changed(paths, options)) is None else filter(left, named)
        yield from inspect(chosen, jobs=options.jobs, cells=options.cells)
        return
    if len(paths) > 1:
        raise InputError("- (stdin) stands alone: give it without other paths")
    findings = located(detector_for(), read_chunks(STANDARD), cells=options.cells)
    yield Inspected(STANDARD, findings, 0)


def _changed(paths: list[str], options: argparse.Namespace) -> Callable[[File], bool] | None:
    """Whether git says of a file that it changed; none where that is not asked."""
    if not (options.since or options.staged):
        return None
    from plantwin.private.observe.changes import changed

    folders = {Path(path).resolve() if Path(path).is_dir() else Path(path).resolve().parent for path in paths}
    every = {
        os.path.join(folder, name)  # noqa: PTH118 - it may be undecodable
        for folder in folders
        for name in changed(folder, since=options.since, staged=options.staged)
    }
    return lambda file: os.path.realpath(os.path.join(file.root, file.path)) in every  # noqa: PTH118


class Kept:
    """Findings that are wanted and that nobody allows or has accepted; those left out are counted."""

    def __init__(self, wanted: Selection, allowed: bool, baseline: str | None = None) -> None:
        from plantwin.private.report.baseline import Fingerprints, read

        self._wanted = wanted
        self._allowed = allowed
        self._known = read(baseline) if baseline else frozenset()
        self._prints = Fingerprints()
        self.left_out = 0
        self.accepted = 0

    def of(self, item: Inspected) -> Iterator[Located]:
        """What to show of one file."""
        for one in item.findings:
            if self._wanted.keeps(one.type, one.group, one.confidence):
                if not self._allowed and one.allowed:
                    self.left_out += 1
                elif self._accepts(item.shown, one):
                    self.accepted += 1
                else:
                    yield one

    def _accepts(self, path: str, one: Located) -> bool:
        from plantwin.private.report.baseline import detected_print

        return bool(self._known) and detected_print(self._prints, members(path, one, False)) in self._known


def members(path: str, found: Located, show: bool) -> dict[str, Any]:
    """One finding as JSON members."""
    from plantwin.private.detect.summary import preview

    fields: dict[str, Any] = {
        **path_fields(path),
        "line": found.line,
        "column": found.name or found.column,
        "start": found.start,
        "end": found.end,
        "byte_start": found.byte_start,
        "byte_end": found.byte_end,
        "type": found.type,
        "group": found.group,
        "confidence": found.confidence,
        "preview": found.name or preview(found.value),
    }
    if found.name:
        fields["count"] = found.amount
    if found.allowed:
        fields["allowed"] = found.allowed
    if show and not found.name:
        fields["value"] = found.value
    return fields


def _json(path: str, findings: Iterator[Located], show: bool) -> int:
    count = 0
    for found in findings:
        sys.stdout.write(json.dumps(members(path, found, show)) + "\n")
        count += 1
    return count


def _annotations(path: str, findings: Iterator[Located], show: bool) -> int:
    from plantwin.surfaces.cli.arguments import workflow_commands

    found = [
        (one.confidence, path, one.line, one.type, f"{one.type} ({one.group}, {one.confidence} confidence)")
        for one in findings
    ]
    for line in workflow_commands(found):
        write_line(line)
    return len(found)


def _person(path: str, findings: Iterator[Located], show: bool) -> int:
    """The findings of one file under its name."""
    from shutil import get_terminal_size

    from plantwin.private.detect.summary import preview
    from plantwin.surfaces.render.text import width_of

    coloured = colourful()
    columns = get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    count = 0
    for count, found in enumerate(findings, 1):
        if count == 1:
            write_line(f"\x1b[1m{printable(path)}\x1b[0m" if coloured else printable(path))
        place = f"{found.line}:{found.column}"
        sure = f"{found.confidence:<6}"
        shown = f"{COLOURS[found.confidence]}{sure}\x1b[0m" if coloured and found.confidence in COLOURS else sure
        value = printable(found.value if show else preview(found.value))
        if found.name:
            value = f"column {printable(found.name)}: {AMOUNTS[found.amount]}"
        allowed = f"  (allowed: {found.allowed})" if found.allowed else ""
        head, tail = f"  {place:<10}{found.type:<28} ", f"{value}{allowed}"
        if width_of(f"{head}{found.group:<14} {sure} {tail}") > columns:
            head = f"{head.rstrip()}\n{'':<12}"
        write_line(f"{head}{found.group:<14} {shown} {tail}")
    if count:
        write_line()
    return count


def _conclude(
    options: argparse.Namespace, warnings: list[str], read: str, found: int, dirty: int, allowed: int
) -> None:
    warn(warnings)
    if not options.json:
        more = f", and {allowed:,} allowed (--allowed shows them)" if allowed else ""
        note(f"{plural(found, 'finding')} in {plural(dirty, 'file')}{more}; looked at {read}. Nothing was sent.")
