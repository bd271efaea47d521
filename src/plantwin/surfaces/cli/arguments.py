"""Options that several commands share: the folder and its state, which findings leave a command, and how."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import note, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.boundary.ledger.base import BaseLedger
    from plantwin.config.settings import Settings
    from plantwin.private.cluster import Cluster
    from plantwin.private.facts import Record
    from plantwin.private.report.model import Overview
    from plantwin.private.state import State
    from plantwin.run import Run


def add_folder(
    parser: argparse.ArgumentParser, *, default: str | None = ".", positional: bool = True, word: str = ""
) -> None:
    """The folder, by its place or as --root, else $PLANTWIN_ROOT; how it is read; where state and settings are.

    `word`: help for what may stand in the place of the folder.
    """
    add_root(parser, default=default, positional=positional, word=word)
    add_reading(parser)
    add_state(parser)


def add_root(
    parser: argparse.ArgumentParser, *, default: str | None = ".", positional: bool = True, word: str = ""
) -> None:
    """The folder alone."""
    if positional:
        about = "the folder, or one file; as --root" + (f"; {word}" if word else "")
        # Without it, --root holds.
        parser.add_argument("root", nargs="?", default=argparse.SUPPRESS, metavar="ROOT", help=about)
    parser.add_argument(
        "--root",
        default=os.environ.get("PLANTWIN_ROOT") or default,
        metavar="R",
        help="the folder, or one file (default: $PLANTWIN_ROOT, else the current folder)",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How many processes read, and whether ignore files count."""
    parser.add_argument("--jobs", type=number, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument(
        "--no-ignore", action="store_true", help="read what .gitignore and .plantwinignore leave out too"
    )


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Other machines that do the work."""
    parser.add_argument("--on", metavar="URL", help="read and work on a Dask cluster, such as dask://127.0.0.1:8786")
    parser.add_argument(
        "--on-root", default="", metavar="DIR", help="where the folder lies on its machines, if elsewhere"
    )


def cluster_of(options: argparse.Namespace) -> Cluster | None:
    """The cluster that the options name; none without one."""
    if (address := getattr(options, "on", None)) is None:
        return None
    from plantwin.surfaces.cluster import cluster_at

    return cluster_at(address, options.on_root)


def add_state(parser: argparse.ArgumentParser, absent: object = None) -> None:
    """Where state and settings are. `absent`: the value where they are not given."""
    parser.add_argument(
        "--state", default=absent, metavar="DIR", help="keep state in this folder instead of the user's state folder"
    )
    parser.add_argument(
        "--config", default=absent, metavar="FILE", help="take the settings from this file instead of the user's"
    )


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the options name, else the person's own."""
    from plantwin.config.settings import load_settings

    return load_settings(Path(options.config) if options.config else None)


def state_of(options: argparse.Namespace) -> State:
    """The state folder that the options name, else the person's own."""
    from plantwin.private.state import State

    return State(Path(options.state) if options.state else None)


@contextmanager
def open_ledger_of(options: argparse.Namespace, *, accept: bool = False) -> Iterator[BaseLedger]:
    """The ledger that the options name, closed afterwards."""
    from plantwin.workspace import open_ledger

    ledger = open_ledger(settings_of(options), state_of(options), accept=accept)
    try:
        yield ledger
    finally:
        ledger.close()


def add_json(parser: argparse.ArgumentParser, text: str = "print one JSON document") -> None:
    """The stable form for programs, described in docs/cli.md."""
    parser.add_argument("--json", action="store_true", help=text)


def number(text: str) -> int:
    """A whole number of at least one."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) <= 1_000_000):
        raise argparse.ArgumentTypeError("not a whole number between 1 and 1,000,000")
    return int(text)


def duration(text: str) -> float:
    """Seconds from `90`, `90s`, `10m` or `2h`: at least one second, at most a day."""
    digits, unit = (text[:-1], text[-1]) if text[-1:] in _UNITS else (text, "s")
    seconds = int(digits[:9]) * _UNITS[unit] if digits.isascii() and digits.isdigit() else 0
    if not 1 <= seconds <= _LONGEST:
        raise argparse.ArgumentTypeError("not a time such as 90s, 10m or 2h, of at most a day")
    return float(seconds)


_UNITS = {"s": 1, "m": 60, "h": 3600}
_LONGEST = 86_400


def word(text: str, vocabulary: type[StrEnum]) -> str:
    """A word of the vocabulary, or an error that suggests the nearest ones (escaped where it is shown)."""
    if text in vocabulary.__members__.values():
        return text
    near = nearest(text, vocabulary)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    raise InputError(f"'{text}' is not a {name_of(vocabulary)}{hint}")


def words(texts: Iterable[str] | None, vocabulary: type[StrEnum]) -> frozenset[str]:
    """Words given by a repeated option, each checked."""
    return frozenset(word(text, vocabulary) for text in texts or ())


def nearest(text: str, vocabulary: type[StrEnum]) -> list[str]:
    """Words that hold the text, else words spelt like it; at most five."""
    holding = [member.value for member in vocabulary if text and text.lower() in member.value]
    if holding:
        return holding[:5]
    from difflib import get_close_matches

    return get_close_matches(text[:64], [member.value for member in vocabulary], n=5)


def close_to(text: str, known: Iterable[str]) -> str:
    """`; did you mean lint?`, or nothing where no known word is spelt like it."""
    from difflib import get_close_matches

    near = get_close_matches(text[:64], list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def name_of(vocabulary: type[StrEnum]) -> str:
    """The vocabulary's name in plain words: `SemanticClass` is a `semantic class`."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in vocabulary.__name__).strip()


def name(record: Record) -> str:
    """The object's exact local name."""
    return f"{record.path}#{record.part}" if record.part else record.path


class Names:
    """Finds objects by name: exactly as it is, or as it is printed."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._exact: dict[str, list[Record]] = {}
        self._shown: dict[str, list[Record]] = {}
        for record in records:
            full = name(record)
            self._exact.setdefault(full, []).append(record)
            self._shown.setdefault(printable(full), []).append(record)

    def __getitem__(self, text: str) -> Record:
        wanted = text.removeprefix("./")
        found = self._exact.get(wanted) or self._shown.get(wanted) or []
        if not found:
            raise InputError(f"no object is named '{text}': give its path as `plantwin objects` shows it")
        if len(found) > 1:
            raise InputError(f"'{text}' names {len(found)} objects: rename one of them")
        return found[0]


SEVERITIES = ("low", "medium", "high", "critical")
UNEXAMINED = "unexamined"
FORMATS = ("text", "json", "github")
LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "notice"}
"""Annotations of GitHub, by severity."""
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), 0x2028, 0x2029), "\ufffd")
"""What a terminal or a log would act on, in a file's name say; line ends are written out before."""


def add_format(parser: argparse.ArgumentParser) -> None:
    """What goes to standard output, and what is accepted already."""
    parser.add_argument(
        "--format", choices=FORMATS, help="text (the default), json (as --json), or github: annotations for Actions"
    )
    parser.add_argument(
        "--baseline", metavar="FILE", help="leave out the findings that this file accepts: `plantwin baseline write`"
    )


def add_reports(parser: argparse.ArgumentParser) -> None:
    """What is written beside, and which findings make the exit code 1."""
    parser.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF 2.1.0, for code scanning")
    parser.add_argument("--html", metavar="FILE", help="write the findings as one HTML page")
    add_format(parser)
    parser.add_argument(
        "--fail-on",
        action="append",
        default=[],
        choices=(*SEVERITIES, UNEXAMINED),
        metavar="SEVERITY",
        help="exit with 1 at a finding of low, medium, high or critical severity or worse; `unexamined`: where a file"
        " could not be examined (repeatable)",
    )


def add_made_up(parser: argparse.ArgumentParser) -> None:
    """A plan that was written over a made-up folder."""
    parser.add_argument("--made-up", metavar="FILE", help="the plan's paths are those of `synth --map FILE`")


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Work on changed files alone."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--since", metavar="REV", help="only files that changed since this commit, branch or tag")
    which.add_argument("--staged", action="store_true", help="only files that are staged in git")


def format_of(options: argparse.Namespace) -> str:
    """The format of standard output."""
    if options.json and options.format not in (None, "json"):
        raise InputError("--json and --format name two formats: give one")
    return "json" if options.json else options.format or "text"


def changed_files(options: argparse.Namespace) -> frozenset[str] | None:
    """Paths below the root that --since or --staged leave; none where neither is given."""
    if not (options.since or options.staged):
        return None
    from plantwin.private.observe.changes import changed

    root = Path(options.root).expanduser().resolve()
    return changed(root if root.is_dir() else root.parent, since=options.since, staged=options.staged)


def exports_of(options: argparse.Namespace) -> dict[str, str]:
    """Files to write besides the report, checked before anything runs."""
    wanted = {name: getattr(options, name) for name in ("sarif", "html") if getattr(options, name)}
    for name, path in wanted.items():
        if path == "-" or Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
            raise InputError(f"--{name} '{path}': give the name of a file in a folder that exists")
    return wanted


def finish(done: Run, options: argparse.Namespace, exports: dict[str, str]) -> int:
    """Leave out what is accepted, write the report and the files beside it; return how many findings were accepted."""
    from plantwin.errors import StateError
    from plantwin.private.report import baseline
    from plantwin.private.report.session import write

    accepted = baseline.accept(done, baseline.read(options.baseline)) if options.baseline else 0
    try:
        write(done, state_of(options).subfolder("reports"))
    except StateError as error:
        # That it cannot be written does not undo what was done.
        done.warnings.append(str(error))
    if exports:
        _export(done, exports)
    return accepted


def _export(done: Run, exports: dict[str, str]) -> None:
    from plantwin.private.report.html import html
    from plantwin.private.report.model import Overview
    from plantwin.private.report.sarif import sarif
    from plantwin.surfaces.cli.files import write_chunks

    overview = Overview.of(done)
    makers = {"sarif": sarif, "html": html}
    for name, path in exports.items():
        # Real names and findings: for its owner alone, until the person hands it on.
        write_chunks(path, [makers[name](done, overview)], 0o600)


def failing(overview: Overview, fail_on: Sequence[str]) -> bool:
    """Whether findings are as bad as --fail-on says, a step was not done, or files were not examined that had to be."""
    from plantwin.private.execution.members import UNFIT
    from plantwin.private.report.model import rank

    if not fail_on:
        return False
    least = [rank(word) for word in fail_on if word != UNEXAMINED]
    bad = any(rank(one.finding.severity) >= min(least) for one in overview.findings) if least else False
    # Files that a capability does not take were never to be examined by it.
    missed = any(reason != UNFIT for covered in overview.coverage for reason, _ in covered.left_out)
    return bad or (missed and UNEXAMINED in fail_on) or bool(overview.undone())


def annotate(done: Run, overview: Overview) -> None:
    """Print a workflow command of GitHub Actions for each finding, then a sentence on stderr."""
    from plantwin.private.report.sarif import unescaped

    base = os.path.relpath(done.root or ".")
    found = (
        (one.finding.severity, os.path.join(base, unescaped(one.finding.name)), one.finding.line, one.sort,  # noqa: PTH118
         f"{one.finding.message}. {one.finding.hint}" if one.finding.hint else one.finding.message)
        for one in overview.findings
    )  # fmt: skip
    for line in workflow_commands(found):
        write_line(line)
    note(" ".join(filter(None, (overview.undone(), overview.headline()))))


def workflow_commands(found: Iterable[tuple[str, str, int, str, str]]) -> Iterator[str]:
    """Workflow commands, from severity, path, line, title and message."""
    for severity, path, line, title, message in found:
        place = f",line={line}" if line > 0 else ""
        head = f"{LEVELS.get(severity, 'notice')} file={_property(os.path.normpath(path))}{place}"
        yield f"::{head},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    text = text.encode("utf-8", "replace").decode().replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.translate(_CONTROL)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def accepted_note(accepted: int, options: argparse.Namespace) -> None:
    """Say how many findings the baseline left out: what follows is not said of them."""
    if accepted and not options.json:
        from plantwin.surfaces.render.text import printable

        tell = note if options.format == "github" else write_line
        baseline = printable(options.baseline)
        tell(f"{plural(accepted, 'finding is', 'findings are')} accepted by {baseline}. Not counting them:")
