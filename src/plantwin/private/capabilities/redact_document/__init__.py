"""Copy each input with typed placeholders for values, the same one for the same value."""

from __future__ import annotations

import base64
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from plantwin.errors import InputError
from plantwin.lexicon import words as lexicon
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import table
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.redact_document.database import Databases
from plantwin.private.capabilities.redact_document.workbook import Workbooks
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.prose import COMMON, GIVEN, ORGANISATION, STREET
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.second_look import Left, left, settled
from plantwin.private.detect.spread import Spread
from plantwin.private.detect.stream import Block
from plantwin.private.detect.structured import redaction_blocks
from plantwin.private.facts import Finding, Private, private
from plantwin.private.formats.text import binary
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag

SQLITE, WORKBOOK = "sqlite", "workbook"
_ARCHIVE = "it is an archive: unpack it and redact the files in it"
_REFUSED = (
    (
        b"%PDF",
        "a PDF keeps text where no placeholder can cover it: convert it to text (`pdftotext`) and redact that",
    ),
    (b"\x1f\x8b", _ARCHIVE),
    (b"BZh", _ARCHIVE),
    (b"\xfd7zXZ", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (b"Rar!", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", _ARCHIVE),
    (b"PAR1", "it is a Parquet file: export it as CSV and redact that"),
    (b"ARROW1", "it is an Arrow file: export it as CSV and redact that"),
    (b"\xd0\xcf\x11\xe0", "it is an old Office file: save it as .xlsx, .csv or text and redact that"),
    (b"\x89PNG", "it is a picture: redact the text that it was made from"),
    (b"\xff\xd8\xff", "it is a picture: redact the text that it was made from"),
    (b"GIF8", "it is a picture: redact the text that it was made from"),
)


def kind_of(head: bytes) -> str:
    """Return `sqlite`, `workbook`, or empty for whatever is copied as text."""
    if head.startswith(b"SQLite format 3\0"):
        return SQLITE
    return WORKBOOK if head.startswith(b"PK\3\4") and (b"xl/" in head or b"[Content_Types].xml" in head[:200]) else ""


def refusal(data: bytes) -> str:
    """Return why a file cannot be redacted and what to do instead; empty where it can."""
    if data.startswith((b"PK\3\4", b"PK\5\6")):
        return "" if _is_workbook(data) else _document_or_archive(data)
    if data[257:262] == b"ustar":
        return _ARCHIVE
    return next((why for magic, why in _REFUSED if data.startswith(magic)), "")


def _names(data: bytes) -> list[str]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        return []


def _is_workbook(data: bytes) -> bool:
    return "xl/workbook.xml" in _names(data)


def _document_or_archive(data: bytes) -> str:
    if any(name.startswith(("word/", "ppt/")) or name == "content.xml" for name in _names(data)):
        return "it is an Office document: save it as text (`pandoc -t plain`) and redact that"
    return _ARCHIVE


TITLE = "Redacted copies"
READ = 4 << 20
"""Bytes of one input that are copied."""
TOGETHER = 8 << 20
BINARY = 16 << 20
"""Bytes of a database or a workbook that is copied here."""
_CONTROL = dict.fromkeys((*range(9), *range(11, 13), *range(14, 32)))
LEARNED = 400_000
"""Bytes of a text whose words tell which of them are ordinary."""
NAMES = frozenset(("person_name", "organisation"))
_LOWER = re.compile(rb"(?<![\w@./-])[a-z]{3,24}(?![\w@/-]|\.\w)")
_NAME_WORD = re.compile(rb"[A-Z\xc3][\w\x80-\xff'\xe2\x80\x99-]{1,40}")
_ENDINGS = (
    "tion", "sion", "ment", "ing", "ity", "ness", "ed", "ly", "ure", "ence", "ance", "able", "ful", "ware",
)  # fmt: skip
_DATED = re.compile(
    rb"(?i)\d{1,4}[.:/ -]\s?(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    rb"(?:uary|ruary|ch|il|ust|(?:t?em|o)ber)?\b|\d{1,2}\b)|^\d{1,2}:\d\d|^\d{4}$"
)
_PUBLIC = frozenset(("date", "location", "postal_code", "web_address", "age"))
"""Types that, without more evidence, say nothing of a person."""


class Chosen(Private):
    """Decides for one text."""

    def __init__(self, data: bytes) -> None:
        self._ordinary_words = {match.decode() for match in _LOWER.findall(data[:LEARNED])} | COMMON
        self._known: set[str] = set()
        """Words of names that were kept: alone they stand for the same."""

    def keeps(self, found: Finding, value: bytes) -> bool:
        """Return whether a value is to be hidden."""
        if found.confidence != "low" or found.group != "personal":
            return found.type != "ticket_id"
        if found.type == "postal_address":
            words = [word.decode("utf-8", "replace") for word in _NAME_WORD.findall(value)]
            street = not all(map(self._is_ordinary, words)) or not STREET.isdisjoint(words)
            return street and _DATED.search(value[:40]) is None and b"\n" not in value
        return found.type not in _PUBLIC and (found.type not in NAMES or self._is_name(value))

    def _is_name(self, value: bytes) -> bool:
        words = [word.decode("utf-8", "replace") for word in _NAME_WORD.findall(value)]
        if not words:
            return False
        strange = [not self._is_ordinary(word) for word in words]
        company = len(words) > 1 and words[-1].lower() in ORGANISATION and strange[0]
        if company or any(word.lower() in GIVEN for word in words) or any(map(all, pairwise(strange))):
            self._known |= {word for word, odd in zip(words, strange, strict=True) if odd and len(word) > 3}
            return True
        return len(words) == 1 and words[0].removesuffix("'s") in self._known

    def _is_ordinary(self, word: str) -> bool:
        low = word.lower()
        known = (self._ordinary_words, lexicon())
        spoken = any(each in words for words in known for each in (low, low.removesuffix("s")))
        return spoken or low.endswith(_ENDINGS) or word.isupper()


@private
class Copy(NamedTuple):
    """One redacted copy."""

    name: str
    data: bytes
    counts: Counter[str]
    truncated: bool
    spread: int = 0
    """Places of values that were recognised elsewhere."""
    left: Left = Left(0, {})
    """What a second, broader look still sees."""
    binary: bool = False


class Copier(Private):
    """Copies texts one after the other; placeholders are the same in all."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._redaction = Redaction()
        self.groups: Counter[str] = Counter()

    @property
    def distinct(self) -> int:
        """How many placeholders there are."""
        return self._redaction.distinct

    def copy(self, data: bytes, name: str, truncated: bool) -> Copy:
        """Replace what the detector sees, and all of every identifying column."""
        counts: Counter[str] = Counter()
        source = self._counted(redaction_blocks(self._detector, [data], name), Chosen(data), counts)
        return Copy(_renamed(name), b"".join(self._redaction.run(source)), counts, truncated)

    def _counted(self, source: Iterable[Block], chosen: Chosen, counts: Counter[str]) -> Iterator[Block]:
        """Keep the findings to hide, and count them."""
        for block in source:
            kept = []
            for finding in block.findings:
                if chosen.keeps(finding, block.data[finding.start - block.base : finding.end - block.base]):
                    kept.append(finding)
                    counts[finding.type] += 1
                    self.groups["private_key" if "private_key" in finding.type else finding.group] += 1
            yield block._replace(findings=kept)

    def binary(self, kind: str, data: bytes, name: str) -> Copy:
        """Copy a database or a workbook; `InputError` where no valid copy can be made."""
        if kind == WORKBOOK:
            workbooks = Workbooks(self._detector, self._redaction)
            copied, seen = workbooks.copy(data)
            counts = workbooks.counts
        else:
            databases = Databases(self._detector, self._redaction)
            with tempfile.TemporaryDirectory() as folder:
                source, target = Path(folder, "source.db"), Path(folder, "copy.db")
                source.write_bytes(data)
                seen = databases.copy(source, target)
                copied = target.read_bytes()
            counts = databases.counts
        self.groups["personal"] += counts.total()
        return Copy(_renamed(name), copied, counts, False, 0, seen, True)

    def finished(self, made: list[Copy]) -> list[Copy]:
        """Replace in every copy what was found in any, then look at each a second time."""
        spread = Spread(self._redaction, alias=True)
        return [copy if copy.binary else self._finished(copy, spread) for copy in made]

    def _finished(self, copy: Copy, spread: Spread) -> Copy:
        before = self._redaction.replaced
        wide = copy.data.startswith((b"\xff\xfe", b"\xfe\xff"))
        data = copy.data
        if not wide:
            found = spread.run([data])
            data = b"".join(settled(self._detector, found, copy.name, self._redaction, lambda *_: True))
        narrow = data.decode("utf-16", "replace").encode() if wide else data
        seen = left(self._detector, [narrow], copy.name, spread.ordinary, lambda *_: True)
        return copy._replace(data=data, spread=self._redaction.replaced - before, left=seen)


def run(job: Job) -> Result:
    """Copy every input; what is not text is left out."""
    objects = [given for given in job.inputs if not given.is_result]
    if not objects:
        return failed(TITLE, "Objects are needed.")
    copier = Copier(detector_of(job))
    made: list[Copy] = []
    labels: list[str] = []
    skipped: dict[str, str] = {}
    room = TOGETHER
    for given in objects:
        try:
            copy, size = _copied(copier, given, min(READ, room))
        except InputError as error:
            skipped[given.label] = str(error)
            continue
        room -= size
        made.append(copy)
        labels.append(given.label)
    if not made:
        reasons = "; ".join(f"{code(label)}: {why}" for label, why in skipped.items())
        return failed(TITLE, f"None of the inputs can be redacted: {reasons}.", [OutcomeTag.UNPARSABLE])
    return _result(copier.finished(made), labels, skipped, copier)


def _copied(copier: Copier, given: Input, limit: int) -> tuple[Copy, int]:
    """Copy one input; `InputError` says why it cannot be."""
    head = b"" if given.part else given.read(1 << 16)
    kind = kind_of(head)
    if head and (kind or refusal(head)):
        data = given.read(BINARY)
        if why := refusal(data):
            raise InputError(why)
        if given.size > len(data):
            raise InputError(f"it is larger than {BINARY >> 20} MiB: use `plantwin redact`")
        return copier.binary(kind, data, given.name), 0
    content, whole, name = _content(given, limit)
    if content is None:
        raise InputError("it is no text")
    return copier.copy(content, name, not whole), len(content)


def _content(given: Input, limit: int) -> tuple[bytes | None, bool, str]:
    """Return bytes, whether they are all, and the name by which the detector reads them; none where it is no text."""
    if given.part:
        from plantwin.private.capabilities.tables.database import contents

        data, whole = contents(given, limit)
        return data, whole, f"{given.part}.csv"
    data = given.read(limit)
    whole = given.size <= len(data)
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and (b"\0" in data[:65536] or binary(data[:4096])):
        return None, True, given.name
    if not whole and b"\n" in data[-65536:] and not wide:
        data = data[: data.rfind(b"\n") + 1]
    return data, whole, given.name


def _renamed(name: str) -> str:
    """Return `customers.redacted.csv` for `customers.csv`."""
    last = name.rpartition("/")[2]
    stem, dot, ending = last.rpartition(".")
    return f"{stem}.redacted.{ending}" if dot and stem else f"{last}.redacted"


def _result(made: list[Copy], labels: list[str], skipped: dict[str, str], copier: Copier) -> Result:
    types: Counter[str] = Counter()
    rows = []
    notes = ["The same value has the same placeholder in all copies. The way back is not kept."]
    spread = sum(copy.spread for copy in made)
    notes += [f"{spread} of the places hold values that were recognised elsewhere."] if spread else []
    for copy in made:
        types.update(copy.counts)
        held = ", ".join(f"{type_} {count}" for type_, count in copy.counts.most_common(12)) or "nothing found"
        rows.append((plain(copy.name), str(copy.counts.total()), plain(held, 300)))
        notes += said(copy.left, code(copy.name))
        if copy.truncated:
            notes.append(f"{code(copy.name)} ends early: only the first part was copied.")
    notes += [f"Not copied: {code(label)}, {why}." for label, why in skipped.items()]
    total = types.total()
    copies, places = plural(len(made), "copy", "copies"), plural(total, "place")
    lines = [f"{copies}, {places} replaced by {plural(copier.distinct, 'placeholder')}.", ""]
    lines += [*table(("copy", "places", "placeholders by type"), rows), "\n\n".join(notes)]
    noted = {
        OutcomeTag.TRUNCATED: any(copy.truncated for copy in made),
        OutcomeTag.UNPARSABLE: bool(skipped),
        OutcomeTag.PRIVATE_KEY: bool(copier.groups["private_key"]),
        OutcomeTag.HARDCODED_SECRET: bool(copier.groups["secret"]),
        OutcomeTag.PERSONAL_DATA: bool(copier.groups["personal"]),
    }
    partial = noted[OutcomeTag.TRUNCATED] or noted[OutcomeTag.UNPARSABLE]
    return Result(
        outcome=told(total, (tag for tag, holds in noted.items() if holds), partial=partial),
        title=TITLE,
        facts={
            "types": dict(types.most_common()),
            "places": total,
            "left": sum(copy.left.sure for copy in made),
            "uncertain": sum(len(lines) for copy in made for lines in copy.left.unsure.values()),
            "skipped": list(skipped),
            "examined": labels,
            "affected": [label for label, copy in zip(labels, made, strict=True) if copy.counts],
            "documents": [_document(copy) for copy in made],
        },
        text="\n".join(lines).strip() + "\n",
    )


def said(seen: Left, name: str) -> list[str]:
    """What a second look sees, as sentences: what is likely a value, then what may be one."""
    notes = [f"A second look at {name} still sees {seen.sure} likely values: check them first."] if seen.sure else []
    for what, lines in seen.unsure.items():
        first = ", ".join(map(str, dict.fromkeys(lines[:8])))
        notes.append(
            f"Uncertain in {name}: {len(lines)} times {what} (lines {first}{', …' if len(lines) > 8 else ''})."
        )
    return notes


def _document(copy: Copy) -> dict[str, object]:
    try:
        text = copy.data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    control = len(text) - len(text.translate(_CONTROL))
    if not text or control * 6 > len(text):
        return {"name": copy.name, "base64": base64.b64encode(copy.data).decode()}
    return {"name": copy.name, "text": text}
