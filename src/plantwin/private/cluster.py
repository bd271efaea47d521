"""Other machines that read files and carry out steps: what they are handed, and what comes back.

The files stay where they are. A part names paths below a root that the machine sees too; rows of the index or results
come back, never content. A part that no machine could do, or that comes back with anything but what is expected, is
done here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Protocol

import msgspec

from plantwin import __version__
from plantwin.private.config import load
from plantwin.private.facts import Private
from plantwin.private.index import Row, Signature
from plantwin.private.pool import Job, Shared, batches, read_parallel
from plantwin.private.reading import signature_of
from plantwin.private.state import digest_value

PART_FILES = 512
PART_BYTES = 32 << 20
"""What one part has at most: it takes a machine a second or two."""

WireRow = tuple[bytes, Signature, int, bytes, bytes, bytes]


class Cluster(Protocol):
    """Machines that do parts of the work with `plantwin.private.node`."""

    root: str
    """Where the observed folder lies on the machines; empty where it has the same path there."""

    def spread(self, parts: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Have every part done, in any order: its number and the reply, which is empty where no machine could."""


class ReadPart(Private, msgspec.Struct, frozen=True, tag="read"):
    """Files to be read. Paths are bytes, since names need not be text."""

    root: bytes
    version: str
    key: bytes
    """For digests of setting values; nothing else is made with it."""
    jobs: list[tuple[bytes, int]]


@cache
def _program() -> str:
    """Names the program: its number, and the name and size of every file that makes facts or results."""
    made = hashlib.sha256(__version__.encode())
    package = Path(__file__).parent
    for folder, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = Path(folder) / name
            made.update(f"{file.relative_to(package)}/{file.stat().st_size}\n".encode())
    return made.hexdigest()


def version(config: str) -> str:
    """What must be the same on two machines, so that they make the same of a file. `config`: its digest."""
    return f"{_program()}/{config}"


def read_elsewhere(
    jobs: list[Job],
    shared: Shared,
    key: bytes,
    cluster: Cluster,
    here: Callable[[list[Job]], Iterator[list[Row | None]]],
) -> Iterator[list[Row | None]]:
    """Read files on other machines; `here` reads what they could not. Yields rows as they come."""
    parts = list(batches(jobs, PART_FILES, PART_BYTES))
    root = os.fsencode(cluster.root or shared.root)
    made = version(shared.config.digest)
    encode = partial(_encoded, root, made, key)
    left: list[Job] = []
    for number, reply in cluster.spread(map(encode, parts)):
        rows = _rows(reply, parts[number])
        if rows is None:
            left += parts[number]
        else:
            yield [row and _seen_here(row, shared.root) for row in rows]
    if left:
        yield from here(left)


def _encoded(root: bytes, made: str, key: bytes, part: list[Job]) -> bytes:
    jobs = [(os.fsencode(path), size) for path, size in part]
    return msgspec.msgpack.encode(ReadPart(root, made, key, jobs))


_rows_decoder = msgspec.msgpack.Decoder(list[WireRow | None])


def _rows(reply: bytes, part: list[Job]) -> list[Row | None] | None:
    """The rows of a part; none where the reply is not one row, or none, for each of its files."""
    try:
        rows = [row and Row(os.fsdecode(row[0]), *row[1:]) for row in _rows_decoder.decode(reply)]
    except msgspec.MsgspecError:
        return None
    asked = {path for path, _ in part}
    met = {row.path for row in rows if row is not None}
    return rows if len(rows) == len(part) and met <= asked else None


def _seen_here(row: Row, root: Path) -> Row | None:
    """The row with what the file system says here, so that the next scan takes the file for unchanged."""
    try:
        signature = signature_of((root / row.path).lstat())
    except OSError:
        return None
    there = row.signature
    same = (signature.size, signature.mtime_ns) == (there.size, there.mtime_ns) and not there.unsettled
    return row._replace(signature=signature if same else signature._replace(mode=-1))


def read(part: ReadPart) -> bytes:
    """Read the files of a part on this machine; empty where it is not the same program or configuration."""
    root = Path(os.fsdecode(part.root))
    config = load(root)
    if version(config.digest) != part.version:
        return b""
    shared = Shared(root, partial(digest_value, part.key), config)
    jobs = [(os.fsdecode(path), size) for path, size in part.jobs]
    rows = [row for batch in read_parallel(jobs, shared, 1) for row in batch]
    return msgspec.msgpack.encode([row and (os.fsencode(row.path), *row[1:]) for row in rows])
