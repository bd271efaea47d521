"""`plantwin do`: run one capability on files, folders or wildcards. No planner, and nothing to send."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import (
    accepted_note,
    add_changes,
    add_cluster,
    add_folder,
    add_json,
    add_reports,
    annotate,
    changed_files,
    close_to,
    cluster_of,
    duration,
    exports_of,
    failing,
    finish,
    format_of,
    number,
    settings_of,
    state_of,
)
from plantwin.surfaces.cli.files import STANDARD
from plantwin.surfaces.cli.output import INTERRUPTED, note, warn_unsandboxed, write_json
from plantwin.surfaces.cli.progress import Bar, StepProgress
from plantwin.surfaces.render.text import path_fields, printable, well_formed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plantwin.config.settings import Settings
    from plantwin.direct import Side
    from plantwin.private.extensions.registry import Registered
    from plantwin.private.facts import Record
    from plantwin.private.report.model import Overview
    from plantwin.run import Run
    from plantwin.types.capability import Capability

EXAMPLE = "plantwin do security_audit src 'lib/**/*.js' --fail-on high"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("capability", metavar="CAPABILITY", help="such as secret_scan: `plantwin capabilities`")
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files, folders or wildcards in quotes (default: the folder)"
    )
    add_folder(parser, default=None, positional=False)
    add_cluster(parser)
    parser.add_argument(
        "--about",
        default="",
        metavar="WORDS",
        help="what find_code looks for, list_inventory lists and query_data computes: 'average price per category'",
    )
    parser.add_argument("--max-files", type=number, metavar="N", help="examine at most N files")
    parser.add_argument("--time", type=duration, metavar="T", help="how long it may take, such as 90s, 10m or 2h")
    add_changes(parser)
    add_reports(parser)
    add_json(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what was found, and what was not done")


def run(options: argparse.Namespace) -> int:
    """Choose the files, examine them, report."""
    from plantwin.private.report.model import Overview
    from plantwin.surfaces.cli.sessions import adjusted

    form, exports = format_of(options), exports_of(options)
    options.json = form == "json"
    settings = adjusted(settings_of(options), options)
    done = _done(options, settings)
    accepted = finish(done, options, exports)
    overview = Overview.of(done)
    code = (
        INTERRUPTED
        if done.error
        else int(bool(overview.failed or overview.refused) or failing(overview, options.fail_on))
    )
    accepted_note(accepted, options)
    if form == "json":
        _write_json(done, overview, options, exports, accepted, code)
    elif form == "github":
        annotate(done, overview)
    else:
        from plantwin.surfaces.cli.run import conclude

        conclude(done, exports, sends=False, verbose=False, quiet=options.quiet)
        if options.since or options.staged:
            of = f"changed since {printable(options.since)}" if options.since else "are staged"
            note(f"Only files that {of} were looked at.")
        _unfit(overview, options.capability)
    return code


def _unfit(overview: Overview, name: str) -> None:
    """Say so where a capability takes none of the files: nothing was looked at, so nothing is clean."""
    if any(covered.given and not covered.examined for covered in overview.coverage):
        note(f"Nothing was examined: `plantwin capabilities show {printable(name)}` tells which files it takes.")


def _done(options: argparse.Namespace, settings: Settings) -> Run:
    """Observe what the paths name, and carry the capability out."""
    from plantwin.direct import Direct
    from plantwin.private.environment import Environment
    from plantwin.private.extensions import registered
    from plantwin.private.observe.changes import chosen, common_folder, placed
    from plantwin.private.report.baseline import OBEY, silenced

    paths = options.paths or ([options.root] if options.root else ["."])
    if STANDARD in paths and not Path(STANDARD).exists():
        raise InputError("`do` reads files, whose names tell what they are: save what comes from a pipe in one")
    given = options.root
    root = Path(given).expanduser() if given else common_folder(paths)
    options.root = str(root)
    state = state_of(options)
    base = root.resolve() if root.is_dir() else root.resolve().parent
    typed, paths = paths, [placed(path, base) for path in paths] if given and options.paths else paths
    own = registered(settings.capabilities, base, state.folder) if settings.capabilities else ()
    capability = capability_named(options.capability, settings, own)
    warnings: list[str] = []
    named = [
        chosen(base, [path], ignore=not options.no_ignore, warn=lambda code, name: warnings.append(f"{code}: {name}"))
        for path in paths
    ]
    changed = changed_files(options)
    wanted = {path for some in named for path in some if changed is None or path in changed}
    # What looks around its inputs, or runs the folder's code, needs to know the rest of the folder too.
    whole = capability.surroundings or capability.project or _all_of(base, paths, changed)
    scanned = time.time_ns()
    environment = Environment(
        base,
        state=state.folder,
        ignore=not options.no_ignore,
        only=None if whole else sorted(wanted),
        cluster=cluster_of(options),
    )
    try:
        with Bar() as bar:
            scan = environment.scan(jobs=options.jobs, progress=bar)
        records = [record for record in scan.records() if record.path in wanted]
        direct = Direct(
            environment, scan, scanned, settings=settings, state=state, own=own, request=options.about,
            since=options.since or "",
        )  # fmt: skip
        warn_unsandboxed(direct.unsandboxed_reason)
        progress = StepProgress(lambda _: capability.own or capability.name.value, lines=not options.quiet)
        try:
            # Of a folder what is no object is not counted; a file that was named is.
            unread = sorted(wanted.intersection(_files(base, paths)) - {record.path for record in records})
            done = direct.run(_typed(options, typed), capability, _sides(typed, named, records), progress, unread)
        finally:
            progress.stop()
            direct.close()
    finally:
        environment.close()
    done.warnings += warnings
    if capability.name in OBEY and (said := silenced(base, (record.path for record in records))):
        done.warnings.append(said)
    return done


def capability_named(name: str, settings: Settings, own: Sequence[Registered]) -> Capability:
    """The capability that a person names: one of the catalog, or one of their own."""
    from plantwin.private.capabilities import catalog
    from plantwin.private.extensions import issued
    from plantwin.types.capability import TELLING
    from plantwin.types.identity import Issuer

    every = [*catalog(settings.session.catalog).values(), *issued(own, Issuer())]
    known = {
        candidate.own or candidate.name.value: candidate
        for candidate in every
        if candidate.name not in TELLING and candidate.kinds
    }
    wanted = name.replace("-", "_")
    if wanted in known and known[wanted].name.value != "report":
        return known[wanted]
    hint = close_to(wanted, known)
    raise InputError(f"no capability is called '{name}'{hint or ': `plantwin capabilities` lists all'}")


def _files(base: Path, paths: list[str]) -> set[str]:
    """Return the paths that name one file, as they are below the folder."""
    whole = (Path(path).expanduser().resolve() for path in paths)
    return {path.relative_to(base).as_posix() for path in whole if path.is_file() and path.is_relative_to(base)}


def _all_of(base: Path, paths: list[str], changed: frozenset[str] | None) -> bool:
    return changed is None and [Path(path).expanduser().resolve() for path in paths] == [base]


def _typed(options: argparse.Namespace, paths: list[str]) -> str:
    limit = f" --since {options.since}" if options.since else " --staged" if options.staged else ""
    return f"do {options.capability} {' '.join(paths)}{limit}"


def _sides(paths: list[str], named: list[dict[str, None]], records: list[Record]) -> list[Side]:
    from plantwin.direct import Side

    return [
        Side(os.fspath(path), [record for record in records if record.path in some])
        for path, some in zip(paths, named, strict=True)
    ]


def _write_json(
    done: Run, overview: Overview, options: argparse.Namespace, exports: dict[str, str], accepted: int, code: int
) -> None:
    import msgspec

    from plantwin.private.report.full import report_members, sound

    (step,) = overview.steps
    result = {} if step.result is None else {"title": step.result.title, "text": step.result.text}
    facts = {} if step.result is None else msgspec.to_builtins(step.result.facts)
    write_json(
        "do",
        {
            "capability": options.capability,
            **path_fields(os.fspath(done.root or ""), "root"),
            "sent": False,
            **report_members(done, overview),
            "result": sound({**result, "facts": facts}),
            "accepted": accepted,
            "error": done.errors.get((1, "s1")) or done.error or None,
            **path_fields(str(done.report or ""), "report"),
            **path_fields(str(done.full_report or ""), "full_report"),
            **{name: path_fields(path)["path"] for name, path in exports.items()},
            "timings": done.timings,
            "warnings": list(map(well_formed, done.warnings)),
            "exit": code,
        },
    )
    sys.stdout.flush()
