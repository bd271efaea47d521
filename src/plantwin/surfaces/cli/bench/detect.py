"""`plantwin bench detect`: how well and how fast detection works on this machine."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin_evals.detection import People, Secrets, Share, Tree
    from plantwin_evals.peers import Peer

WORST = 15
"""Rules of low recall that a person is shown; --json has them all."""
MOST_ALARMS = 30


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("--corpora", type=Path, metavar="DIR", help="a folder with labelled rows (default: none)")
    parser.add_argument(
        "--tree",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="source without real secrets (repeatable; default: Python's standard library)",
    )
    parser.add_argument("--no-peers", action="store_true", help="do not run other scanners")
    parser.add_argument(
        "--misses", type=int, default=0, metavar="N", help="show N rows that went wrong, with their text"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Measure and print."""
    from plantwin.errors import InputError
    from plantwin.private.detect import detector
    from plantwin_evals.detection import PEOPLE, SECRETS, people, rows, secrets, sources, standard_library, tree
    from plantwin_evals.peers import absent, peers

    found = detector()
    if options.corpora is not None and not options.corpora.is_dir():
        raise InputError(f"no such folder: '{options.corpora}'")
    corpora: dict[str, Secrets | People | None] = {SECRETS: None, PEOPLE: None}
    for name, measure in ((SECRETS, secrets), (PEOPLE, people)):
        if options.corpora is not None and (options.corpora / name).is_file():
            corpora[name] = measure(rows(options.corpora / name), found, options.misses)
    files = sources(options.tree) if options.tree else standard_library()
    speed = tree(files, found)
    others = [] if options.no_peers else list(peers(files, found))
    missing = [] if options.no_peers else absent()
    if options.json:
        write_json("bench", members(corpora, speed, others, missing))
    else:
        _show(corpora, speed, others, missing)
    return 0


def members(
    corpora: Mapping[str, Secrets | People | None], speed: Tree, others: list[Peer], missing: list[str]
) -> dict[str, Any]:
    """Everything measured, as JSON members."""
    import msgspec

    return {
        "corpora": {
            name: None if each is None else _ratios(msgspec.structs.asdict(each)) for name, each in corpora.items()
        },
        "tree": {
            **msgspec.structs.asdict(speed),
            "alarms": [each._asdict() for each in speed.alarms],
            "megabytes_per_second": round(speed.rate, 2),
            "alarms_in_2000_files": round(speed.alarms_in_2000, 3),
        },
        "peers": [{**each._asdict(), "ratio": round(each.ratio, 2), "failed": each.failed} for each in others],
        "absent": missing,
    }


def _ratios(value: Any) -> Any:
    """Shares as members with their ratio, at any depth."""
    from plantwin_evals.detection import Level, Share

    if isinstance(value, Level):
        return {"recall": _ratios(value.recall), "precision": _ratios(value.precision), "quiet": _ratios(value.quiet)}
    if isinstance(value, Share):
        return {"found": value.found, "total": value.total, "ratio": round(value.ratio, 4)}
    if isinstance(value, dict):
        return {key: _ratios(each) for key, each in value.items()}
    return value


def _show(corpora: Mapping[str, Secrets | People | None], speed: Tree, others: list[Peer], missing: list[str]) -> None:
    from plantwin_evals.detection import People, Secrets

    for name, each in corpora.items():
        match each:
            case None:
                write_line(f"{name}: absent, not measured (--corpora DIR)")
            case Secrets():
                _show_secrets(name, each)
            case People():
                _show_people(name, each)
        write_line()
    write_line(
        f"tree: {plural(speed.files, 'file')}, {speed.bytes / 1e6:.1f} MB at {speed.rate:.1f} MB/s on one core;"
        f" {plural(len(speed.alarms), 'secret')} of high confidence, {speed.alarms_in_2000:.2f} in 2,000 files"
    )
    write_line("  " + ", ".join(f"{key} {count:,}" for key, count in speed.findings.items()))
    for alarm in speed.alarms[:MOST_ALARMS]:
        write_line(f"  {alarm.type} {printable(alarm.path)}:{alarm.line}")
    write_line()
    for peer in others:
        if peer.failed:
            write_line(f"{peer.name}: installed, but it failed")
            continue
        same = f"plantwin on the same {plural(peer.files, 'file')} {peer.bytes / peer.ours / 1e6:.1f} MB/s"
        write_line(f"{peer.name}: {peer.bytes / peer.seconds / 1e6:.2f} MB/s; {same}: {peer.ratio:.0f} times as fast")
    if missing:
        note(f"Not installed, not compared: {', '.join(missing)}.")


def _show_secrets(name: str, each: Secrets) -> None:
    write_line(f"{name}: {plural(each.rows, 'row')}")
    for word, level in each.levels.items():
        write_line(
            f"  {'at least ' + word + ':':<18} recall {_share(level.recall)}, precision {level.precision.ratio:.3f},"
            f" negatives left alone {_share(level.quiet)}"
        )
    write_line(f"  with a finding of any group {_share(each.any_finding)}")
    write_line("  by source: " + ", ".join(f"{source} {_share(share)}" for source, share in each.by_source.items()))
    worst = sorted((share.ratio, rule, share) for rule, share in each.by_rule.items() if share.found < share.total)
    write_line(f"  {plural(len(each.by_rule), 'rule')}, {len(worst)} below 1" + (":" if worst else ""))
    for _, rule, share in worst[:WORST]:
        write_line(f"    {printable(rule):<48} {_share(share)}")
    if len(worst) > WORST:
        write_line(f"    and {len(worst) - WORST} more: --json lists all")
    _quoted("missed", each.missed)
    _quoted("raised", each.raised)


def _show_people(name: str, each: People) -> None:
    write_line(f"{name}: {plural(each.rows, 'row')}")
    write_line(
        f"  span recall: structured {_share(each.structured)}; names, organisations, addresses {_share(each.named)}"
    )
    write_line(f"  rows without any, left alone {_share(each.quiet)}; share of the text marked {each.marked:.2f}")
    for type_, share in each.by_type.items():
        write_line(f"    {printable(type_):<20} {_share(share)}")
    _quoted("missed", each.missed)


def _share(share: Share) -> str:
    return f"{share.ratio:.3f} ({share.found:,} of {share.total:,})"


def _quoted(title: str, lines: Iterable[str]) -> None:
    for line in lines:
        write_line(f"  {title} {printable(line)}")
