"""`plantwin audit statement`, `verify-statement`, `key`: what an audience was told, signed for somebody elsewhere."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import open_ledger_of, settings_of, state_of
from plantwin.surfaces.cli.files import CHUNK, usual_mode, write_chunks
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.cli.progress import Bar
from plantwin.surfaces.render.text import plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.boundary.ledger.base import BaseLedger
    from plantwin.ledgers.signing import Signer
    from plantwin.ledgers.statement import Request
    from plantwin.surfaces.render.statement import Summary

FORMATS = ("json", "html", "pdf")
SECRET = "statement"  # noqa: S105 - the name of the file, keys/statement.key
IN_MEMORY = 8 << 20
"""Bytes of a statement that a page is made around before they go to a temporary file."""


def arguments(actions: argparse._SubParsersAction[Any]) -> Iterator[argparse.ArgumentParser]:
    """What the three accept."""
    made = actions.add_parser("statement", help="sign what an audience was told in a time, for an auditor")
    made.add_argument("--audience", action="append", required=True, metavar="A", help="may be given several times")
    made.add_argument("--from", dest="since", type=_start, metavar="DATE", help="from this day or time on (UTC)")
    made.add_argument(
        "--to", dest="until", type=_end, metavar="DATE", help="up to the end of this day, or a time (UTC)"
    )
    made.add_argument("--format", choices=FORMATS, help="default: by the name of the file, else json")
    made.add_argument("--out", default="-", metavar="FILE", help="the file to write (default: stdout)")
    made.add_argument(
        "--names", action="append", metavar="FOLDER", help="state real names of this folder's files, and who asked"
    )
    yield made
    verify = actions.add_parser("verify-statement", help="verify one, on any machine; exit code 1 if it was changed")
    verify.add_argument("file", metavar="FILE", help="the statement: JSON, HTML or PDF")
    whose = verify.add_mutually_exclusive_group(required=True)
    whose.add_argument("--key", metavar="KEY", help="the public key that was handed over: its file, or its fingerprint")
    whose.add_argument("--any-key", action="store_true", help="do not ask who signed it: anyone may have")
    verify.add_argument("--trail", action="store_true", help="compare it with the ledger on this machine too")
    yield verify
    key = actions.add_parser("key", help="print the public key that verifies statements made here")
    key.add_argument("--out", default="-", metavar="FILE", help="the file to write (default: stdout)")
    yield key


def _start(text: str) -> float:
    return _moment(text, timedelta(0))


def _end(text: str) -> float:
    return _moment(text, timedelta(days=1))


def _moment(text: str, day: timedelta) -> float:
    """A time, in UTC unless it says otherwise; of a day alone its beginning, plus `day`."""
    try:
        found = datetime.fromisoformat(text)
        found = found if len(text) > len("2026-01-31") else found + day
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError("not a day such as 2026-01-31 or a time such as 2026-01-31T12:00") from None


def _state(options: argparse.Namespace) -> int:
    """Verify the ledger, then write what it holds of the audiences, or nothing at all."""
    from plantwin import __version__
    from plantwin.ledgers.statement import Request

    form = options.format or Path(options.out).suffix.lstrip(".").lower()
    form = form if form in FORMATS else "json"
    signer = _signer(options)
    now = time.time()
    until = now if options.until is None else options.until
    if options.since is not None and options.since >= until:
        raise InputError("--from is not before --to")
    audiences = tuple(sorted(set(options.audience)))
    names = _names(options)
    request = Request(audiences, options.since, until, now, __version__, names.get if names is not None else None)
    from plantwin.surfaces.render.statement import Summary

    summary = Summary()
    try:
        with open_ledger_of(options) as ledger, tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:
            content = _content(form, ledger, request, signer, summary, kept)
            write_chunks(options.out, content, 0o600 if names is not None else usual_mode())
        totals = summary.totals
        if options.json and options.out != "-":
            from plantwin.ledgers.signing import fingerprint

            members = {name: getattr(totals, name) for name in totals.__struct_fields__}
            write_json("audit", {**members, "audiences": list(audiences), "key": fingerprint(signer.public)})
        else:
            note(printable(summary.lead()))
            for alarm in summary.alarms():
                note(printable(alarm))
    finally:
        summary.close()
    return 0


def _content(
    form: str, ledger: BaseLedger, request: Request, signer: Signer, summary: Summary, kept: IO[bytes]
) -> Iterator[bytes]:
    from plantwin.ledgers.statement import state
    from plantwin.surfaces.render import statement as pages

    data = state(ledger, request, signer, summary.add)
    if form == "json":
        yield from data
        return
    # A page tells first what the data holds: so the data is written before it.
    kept.writelines(data)
    kept.seek(0)
    chunks = iter(lambda: kept.read(CHUNK), b"")
    if form == "html":
        yield from pages.html(summary, chunks, signer)
    else:
        yield pages.pdf(summary, chunks, signer)


def _names(options: argparse.Namespace) -> dict[bytes, str] | None:
    """The names behind the keys of some folders, as they are now and as they were followed."""
    if not options.names:
        return None
    from plantwin.surfaces.cli.arguments import name
    from plantwin.workspace import Workspace

    found: dict[bytes, str] = {}
    for folder in options.names:
        with Bar() as bar:
            made = Workspace(folder, settings=settings_of(options), state=state_of(options).folder, rehearse=True)
            try:
                scan = made.environment.scan(progress=bar)
                records = list(scan.records())
                sketches = scan.sketches({record.number for record in records if record.part})
                traced = made.lineage.trace(made.environment.root, records, sketches, scan.records)
            finally:
                made.close()
        for record in records:
            identity, ancestors = traced[record.number]
            for key in (identity.key, *ancestors):
                found.setdefault(key, well_formed(name(record)))
    return found


def _signer(options: argparse.Namespace) -> Signer:
    from plantwin.ledgers.signing import Signer

    return Signer(state_of(options).secret(SECRET))


def _check(options: argparse.Namespace) -> int:
    """Verify a statement, and say what is wrong with one that does not."""
    from contextlib import nullcontext

    from plantwin.ledgers.signing import named_key
    from plantwin.ledgers.statement_check import StatementError, check

    key = None if options.any_key else named_key(options.key)
    try:
        with (
            Path(options.file).open("rb") as file,
            open_ledger_of(options) if options.trail else nullcontext() as trail,
        ):
            found = check(file, key, trail)
    except OSError as error:
        raise InputError(f"cannot read '{options.file}': {error.strerror}") from None
    except StatementError as problem:
        if options.json:
            members = {"verifies": False, "problem": problem.code, "message": str(problem)}
            write_json("audit", {**members, "entry": problem.entry or None})
        else:
            write_line(f"DOES NOT VERIFY: {printable(str(problem))}.")
        return 1
    header, totals = found.header, found.totals
    if options.json:
        import msgspec

        members = {"header": msgspec.to_builtins(header), "totals": msgspec.to_builtins(totals)}
        write_json("audit", {"verifies": True, "key": found.key, "key_given": key is not None, **members})
        return 0
    write_line(f"Verifies: as it was signed by the holder of {found.key}.")
    if key is None:
        write_line("WHO that is was not checked: anyone can make a key. Compare it with the one that you were handed.")
    names = ", ".join(map(printable, header.audiences))
    told = f"{plural(totals.facts, 'fact')} told in {plural(totals.envelopes, 'message')}"
    since = header.since or "the beginning of the trail"
    write_line(f"{names}: {told}, from {printable(since)} until {printable(header.until)}.")
    if options.trail:
        write_line("The ledger on this machine holds the same, and no more, for that time.")
    return 0


def _key(options: argparse.Namespace) -> int:
    """Print the public key, made on first use."""
    from plantwin.ledgers.signing import fingerprint

    signer = _signer(options)
    if options.json:
        write_json("audit", {"public_key": signer.pem(), "fingerprint": fingerprint(signer.public)})
    else:
        write_chunks(options.out, iter((signer.pem().encode(),)), usual_mode())
        note(f"Fingerprint {fingerprint(signer.public)}: hand over the key, and read this out by another way.")
    return 0


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "statement": _state,
    "verify-statement": _check,
    "key": _key,
}
