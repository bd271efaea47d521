"""Whether made-up files hold anything of a real folder: its words, names, secrets or long numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from plantwin.errors import GateError
from plantwin.private.detect import detector
from plantwin.private.facts import Private
from plantwin.private.observe.beneath import Beneath, read
from plantwin.private.scan import Scan
from plantwin.synth import File
from plantwin.synth.templates import public_words

_WORD = re.compile(rb"[^\W\d]\w{3,80}|\d{7,}")
"""What could be a name, and numbers too long to be the same by chance."""


class Taken(Private):
    """Words and detected values of a folder that are no public words of the templates."""

    def __init__(self, found: frozenset[bytes], values: frozenset[bytes]) -> None:
        self._words = found
        self._values = values

    def checked(self, files: Iterable[File]) -> Iterator[File]:
        """The same files; an error, which quotes nothing, at the first that holds something of the folder."""
        for file in files:
            data = file.path.encode() + b"\n" + file.data
            if not self._words.isdisjoint(_words(data)) or any(value in data for value in self._values):
                raise GateError(f"{file.object_id}: what was made holds a word of the folder; try another --seed")
            yield file


def taken_from(root: Path, scan: Scan) -> Taken:
    """All that must not be in the made-up files: of paths, and of what the files hold."""
    engine, known = detector(), public_words()
    found: set[bytes] = set()
    values: set[bytes] = set()
    beneath = Beneath(root)
    try:
        for path in sorted({record.path for record in scan.records()}):
            found |= _words(path.encode("utf-8", "surrogateescape")) - known
            try:
                descriptor = beneath.open(path)
            except OSError:
                continue
            with os.fdopen(descriptor, "rb"):
                chunks: list[bytes] = []
                head = read(descriptor, path, 0, lambda chunk, _, chunks=chunks: chunks.append(chunk)).head  # type: ignore[misc]
            for chunk in (*chunks, head):
                found |= _words(chunk) - known
            values |= {
                head[each.start : each.end]
                for each in engine.scan(head, path=path)
                if each.confidence != "low" and each.end - each.start > 6
            }
    finally:
        beneath.close()
    return Taken(frozenset(found), frozenset(value for value in values if not _words(value) <= known))


def _words(data: bytes) -> set[bytes]:
    return {word.lower() for word in _WORD.findall(data)}
