"""Copy each input with typed placeholders for values, the same one for the same value."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, plain
from plantwin.private.capabilities.engine.results import table
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.classify.content import binary
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.prose import COMMON, GIVEN, ORGANISATION
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.stream import Block, blocks
from plantwin.private.facts import Finding, Private
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, StepStatus

TITLE = "Redacted copies"
READ = 4 << 20
"""Bytes of one input that are copied."""
TOGETHER = 8 << 20
SPREAD = 400
"""Values that are looked for where the detector did not see them."""
LEAST = 6
"""Characters of such a value."""
_PLACEHOLDER = re.compile(rb"<[A-Z][A-Z0-9_]{0,47}_[1-9][0-9]{0,11}>")
_SPREADING = frozenset(("secret", "personal"))
_WORD = re.compile(rb"[A-Za-z]+")
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
    rb"(?i)\d{1,4}[.:/ -]\s?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d{1,2}\b)|^\d{1,2}:\d\d|^\d{4}$"
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
            return True
        if found.type == "postal_address":
            return _DATED.search(value[:40]) is None and b"\n" not in value
        return found.type not in _PUBLIC and (found.type not in NAMES or self._is_name(value))

    def alone(self, found: Finding, value: bytes) -> bytes:
        """Return the word that stands for a longer name: the first of an organisation, the last of a person."""
        if found.type not in NAMES or b" " not in value:
            return b""
        words = [word for word in _NAME_WORD.findall(value) if not self._is_ordinary(word.decode("utf-8", "replace"))]
        chosen = (words[-1] if found.type == "person_name" else words[0]) if words else b""
        return chosen if len(chosen) >= 5 and chosen.isalpha() else b""

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
        spoken = low in self._ordinary_words or low.removesuffix("s") in self._ordinary_words
        return spoken or low.endswith(_ENDINGS) or word.isupper()


class Copy(NamedTuple):
    """One redacted copy."""

    name: str
    data: bytes
    counts: Counter[str]
    truncated: bool
    spread: int = 0
    """Places of values that were recognised elsewhere."""
    left: int = 0
    """Findings of more than low confidence that a second look still sees."""

    def __repr__(self) -> str:
        return "<Copy private>"


class Copier(Private):
    """Copies texts one after the other; placeholders are the same in all."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._redaction = Redaction()
        self._values: dict[bytes, bytes] = {}
        """Placeholders of values that are telling enough to be replaced wherever they stand."""
        self.groups: Counter[str] = Counter()

    @property
    def distinct(self) -> int:
        """How many placeholders there are."""
        return self._redaction.distinct

    def copy(self, data: bytes, name: str, truncated: bool) -> Copy:
        """Replace what the detector sees."""
        counts: Counter[str] = Counter()
        found: dict[bytes, bytes] = {}
        chosen = Chosen(data)
        source = self._counted(blocks(self._detector, [data], name), chosen, counts, found)
        copied = b"".join(self._redaction.run(source))
        if found and len(self._values) < SPREAD:
            known = {raw.encode("utf-8"): mark.encode() for mark, raw in self._redaction.map().values.items()}
            for word, value in sorted(found.items(), key=lambda pair: pair[0] != pair[1]):
                if value in known and len(self._values) < SPREAD:
                    self._values.setdefault(word, known[value])
        return Copy(_renamed(name), copied, counts, truncated)

    def _counted(
        self, source: Iterable[Block], chosen: Chosen, counts: Counter[str], found: dict[bytes, bytes]
    ) -> Iterator[Block]:
        """Keep the findings to hide. `found`: telling values, and words that stand for them alone."""
        for block in source:
            kept = []
            for finding in block.findings:
                value = block.data[finding.start - block.base : finding.end - block.base]
                if not chosen.keeps(finding, value):
                    continue
                kept.append(finding)
                counts[finding.type] += 1
                self.groups["private_key" if "private_key" in finding.type else finding.group] += 1
                sure = finding.confidence != "low" or (finding.type in NAMES and b" " in value)
                if finding.group in _SPREADING and sure and not block.wide and _spreads(value):
                    found[value] = value
                    if alone := chosen.alone(finding, value):
                        found.setdefault(alone, value)
            yield block._replace(findings=kept)

    def spread(self, copy: Copy) -> Copy:
        """Replace what is known to be sensitive where it was not seen, outside of placeholders."""
        wanted = sorted((value for value in self._values if value in copy.data), key=len, reverse=True)
        if not wanted:
            return copy
        pattern = re.compile(rb"(?<![\w-])(?:%b)(?![\w-])" % b"|".join(map(re.escape, wanted)))
        counts = Counter(copy.counts)

        def replaced(match: re.Match[bytes]) -> bytes:
            mark = self._values[match[0]]
            counts[mark[1:-1].rpartition(b"_")[0].decode().lower()] += 1
            return mark

        parts: list[bytes] = []
        at = 0
        for mark in _PLACEHOLDER.finditer(copy.data):
            parts += (pattern.sub(replaced, copy.data[at : mark.start()]), mark[0])
            at = mark.end()
        parts.append(pattern.sub(replaced, copy.data[at:]))
        spread = counts.total() - copy.counts.total()
        return copy._replace(data=b"".join(parts), counts=counts, spread=spread)

    def check(self, copy: Copy) -> Copy:
        """Look a second time for values that still stand there."""
        marks = (match.span() for match in _PLACEHOLDER.finditer(copy.data))
        mark = next(marks, None)
        left = 0
        for finding in sorted(self._detector.scan(copy.data, path=copy.name), key=lambda finding: finding.start):
            if finding.group not in _SPREADING or finding.confidence == "low":
                continue
            while mark is not None and mark[1] <= finding.start:
                mark = next(marks, None)
            left += mark is None or mark[0] >= finding.end
        return copy._replace(left=left)


def copies(job: Job) -> Result:
    """Copy every input; what is not text is left out."""
    objects = [given for given in job.inputs if not given.is_result]
    if not objects:
        return failed(TITLE, "Objects are needed.")
    copier = Copier(detector_of(job))
    made: list[Copy] = []
    skipped: list[str] = []
    left = TOGETHER
    for given in objects:
        data, whole, name = _content(given, min(READ, left))
        if data is None:
            skipped.append(given.label)
            continue
        left -= len(data)
        made.append(copier.copy(data, name, not whole))
    if not made:
        return failed(TITLE, "None of the inputs is text, so none can be redacted here.", [OutcomeTag.UNPARSABLE])
    # What was found in a later input may stand unseen in an earlier one.
    return _result([copier.check(copier.spread(copy)) for copy in made], skipped, copier)


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


def _spreads(value: bytes) -> bool:
    """Return whether a value is telling enough to be replaced wherever it stands: no plain word, no short number."""
    return len(value) >= LEAST and b"\n" not in value and (len(value) >= 10 or _WORD.fullmatch(value) is None)


def _renamed(name: str) -> str:
    """Return `customers.redacted.csv` for `customers.csv`."""
    last = name.rpartition("/")[2]
    stem, dot, ending = last.rpartition(".")
    return f"{stem}.redacted.{ending}" if dot and stem else f"{last}.redacted"


def _result(made: list[Copy], skipped: list[str], copier: Copier) -> Result:
    types: Counter[str] = Counter()
    rows = []
    notes = ["The same value has the same placeholder in all copies. The way back is not kept."]
    spread = sum(copy.spread for copy in made)
    notes += [f"{spread} of the places hold values that were recognised elsewhere."] if spread else []
    for copy in made:
        types.update(copy.counts)
        held = ", ".join(f"{type_} {count}" for type_, count in copy.counts.most_common(12)) or "nothing found"
        rows.append((plain(copy.name), str(copy.counts.total()), plain(held, 300)))
        if copy.left:
            notes.append(f"A second look at {code(copy.name)} still sees {copy.left} likely values: check them first.")
        if copy.truncated:
            notes.append(f"{code(copy.name)} ends early: only the first part was copied.")
    notes += [f"Not text, and not copied: {', '.join(map(code, skipped))}."] if skipped else []
    total = types.total()
    lines = [f"{len(made)} copies, {total} places replaced by {copier.distinct} placeholders.", ""]
    lines += [*table(("copy", "places", "placeholders by type"), rows), "\n\n".join(notes)]
    told = {
        OutcomeTag.TRUNCATED: any(copy.truncated for copy in made),
        OutcomeTag.UNPARSABLE: bool(skipped),
        OutcomeTag.PRIVATE_KEY: bool(copier.groups["private_key"]),
        OutcomeTag.HARDCODED_SECRET: bool(copier.groups["secret"]),
        OutcomeTag.PERSONAL_DATA: bool(copier.groups["personal"]),
    }
    partial = told[OutcomeTag.TRUNCATED] or told[OutcomeTag.UNPARSABLE]
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if partial else StepStatus.DONE).value,
            "count": str(bucket(total)),
            "tags": [tag.value for tag, holds in told.items() if holds][:MAX_OUTCOME_TAGS],
        },
        title=TITLE,
        facts={
            "types": dict(types.most_common()),
            "places": total,
            "left": sum(copy.left for copy in made),
            "skipped": skipped,
            "documents": [_document(copy) for copy in made],
        },
        text="\n".join(lines).strip() + "\n",
    )


def _document(copy: Copy) -> dict[str, object]:
    try:
        text = copy.data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    control = len(text) - len(text.translate(_CONTROL))
    if not text or control * 6 > len(text):
        return {"name": copy.name, "base64": base64.b64encode(copy.data).decode()}
    return {"name": copy.name, "text": text}
