"""One file to its facts: open it safely, read it once, detect over every byte, extract, forget.

A file that cannot be read is still an object, of low confidence. A file whose content changes under
the reader is kept as unsettled, so that the next scan reads it again.
"""

from __future__ import annotations

import errno
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.private.config import Config
from plantwin.private.facts import Facts, Private
from plantwin.private.index import UNSETTLED, Row, Signature, pack
from plantwin.private.observe.beneath import Beneath
from plantwin.private.relate.similarity import bands

if TYPE_CHECKING:
    from plantwin.private.detect import Detector

HEAD = 4096
SQLITE_MAGIC = b"SQLite format 3\0"
GONE = (errno.ENOENT, errno.ENOTDIR)
SETTLED_NS = 50_000_000
"""A file changed less than this before it was read may change again within one tick of its clock."""
COARSE_NS = 2_000_000_000
"""The same on file systems that keep whole seconds."""

Summary = tuple[tuple[str, str, str, int], ...]


class Reader(Private):
    """Reads files below one root. Heavy parts load with the first file."""

    def __init__(self, root: Path, digest_value: Callable[[bytes], int], config: Config | None = None) -> None:
        self.root = root
        self._config = config or Config()
        self._beneath = Beneath(root)
        self._digest_value = digest_value
        self._detector: Detector | None = None

    def close(self) -> None:
        """Close what is open."""
        self._beneath.close()

    @property
    def detector(self) -> Detector:
        """The compiled rules, loaded once."""
        if self._detector is None:
            from plantwin.private.detect import detector

            self._detector = detector(config=self._config)
        return self._detector

    def row(self, path: str) -> Row | None:
        """What to keep of one file; None when it is gone."""
        try:
            descriptor = self._beneath.open(path)
        except OSError as error:
            if error.errno in GONE:
                return None
            return self._unread(path, error)
        try:
            before = os.fstat(descriptor)
            started = time.time_ns()
            facts, text = self._facts(descriptor, path, before)
            after = os.fstat(descriptor)
        except OSError as error:
            return self._unread(path, error)
        finally:
            os.close(descriptor)
        signature = signature_of(before)
        if signature != signature_of(after) or _unsettled(before, started):
            # Its times stay: a file that is written all the time is another at every scan.
            signature = signature._replace(mode=-1)
        kept = pack(self._scrubbed(facts))
        return Row(path, signature, before.st_mtime_ns, bands(facts), kept, _words(facts, text))

    def _unread(self, path: str, error: OSError) -> Row:
        """The row of a file that cannot be opened now; the next scan tries again."""
        from plantwin.private.classify.extraction import unreadable

        try:
            modified = (self.root / path).lstat().st_mtime_ns
        except OSError:
            modified = 0
        return Row(path, UNSETTLED, modified, b"", pack((unreadable(path, _code(error)),)))

    def _facts(self, descriptor: int, path: str, found: os.stat_result) -> tuple[tuple[Facts, ...], bytes]:
        """Facts of every object in a file, and the text that they were read from."""
        from plantwin.private.classify.extraction import extract
        from plantwin.private.classify.identify import identify
        from plantwin.private.observe.beneath import WHOLE, read

        if found.st_size > WHOLE or found.st_size == 0:
            # Before a large file is read to its end: is it an object at all?
            head = os.pread(descriptor, HEAD, 0)
            if found.st_size > WHOLE and not head.startswith(SQLITE_MAGIC) and identify(path, head) == "opaque":
                return (), b""
        if found.st_size > WHOLE:
            stream = self.detector.stream(path, summary=True)
            sample = read(descriptor, path, found.st_size, lambda chunk, _offset: stream.feed(chunk))
            stream.finish()
            findings = stream.summary()
        else:
            sample = read(descriptor, path, found.st_size, None)
            findings = ()
        sample.executable = bool(found.st_mode & 0o111)
        if sample.head.startswith(SQLITE_MAGIC) and (tables := self._tables(descriptor, path)):
            return tables, b""
        if found.st_size <= WHOLE:
            findings = self.detector.survey(sample.head, path=path)
        facts = extract(sample, findings, digest_value=self._digest_value)
        return ((), b"") if facts is None else ((facts,), sample.head)

    def _tables(self, descriptor: int, path: str) -> tuple[Facts, ...]:
        """The tables of a database file, each an object; what is in their cells is detected by table."""
        from plantwin.private.classify.extraction import extract_table
        from plantwin.private.observe.tables import cells, tables

        found: dict[str, Counter[tuple[str, str, str]]] = {}
        for name, text in cells(descriptor):
            counts = found.setdefault(name, Counter())
            for kind, group, confidence, count in self.detector.survey(text, path=f"{path}.csv"):
                counts[kind, group, confidence] += count
        return tuple(
            extract_table(path, table, _counted(found.get(table.name)), digest_value=self._digest_value)
            for table in tables(descriptor)
        )

    def _scrubbed(self, facts: tuple[Facts, ...]) -> tuple[Facts, ...]:
        """Names and keys can be secrets themselves: what detection knows as a secret is not kept."""
        return tuple(_without_names(fact) if self._holds_secret(fact) else fact for fact in facts)

    def _holds_secret(self, facts: Facts) -> bool:
        if not any(group == "secret" for _type, group, _confidence, _count in facts.findings):
            return False  # every name stood in the content, and nothing there is a secret
        words = [*facts.why, facts.part]
        words += [reference.target for reference in facts.references]
        words += [provide.name for provide in facts.provides]
        words += [key for key, _ in facts.settings]
        words += [" ".join(pin) for pin in facts.pins]
        text = "\n".join(words).encode("utf-8", "replace")
        return any(finding.group == "secret" and finding.confidence != "low" for finding in self.detector.scan(text))


def _words(facts: tuple[Facts, ...], text: bytes) -> bytes:
    from plantwin.private.selection.words import terms

    return terms(text, [provided.name for fact in facts for provided in fact.provides]) if facts else b""


def _counted(counts: Counter[tuple[str, str, str]] | None) -> Summary:
    return tuple((*key, count) for key, count in sorted((counts or Counter()).items()))


def _without_names(facts: Facts) -> Facts:
    import msgspec

    return msgspec.structs.replace(facts, why=(), references=(), provides=(), settings=(), pins=())


def signature_of(found: os.stat_result) -> Signature:
    """The signature of what the file system says."""
    return Signature(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_mode)


def _unsettled(found: os.stat_result, now_ns: int) -> bool:
    """Changed so lately, or in the future, that its times cannot prove it unchanged later."""
    fine = found.st_ctime_ns % 1_000_000_000 != 0
    return found.st_ctime_ns > now_ns - (SETTLED_NS if fine else COARSE_NS)


def _code(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, "EIO").lower()
