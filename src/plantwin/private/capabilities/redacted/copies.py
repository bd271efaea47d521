"""The job: a copy of each input in which typed placeholders stand for values, the same one for the same value."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plantwin.private.capabilities.common.report import bucket, code, failed, plain
from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.job import Input, Job, Result
from plantwin.private.capabilities.redacted.chosen import Chosen
from plantwin.private.extract.content import binary
from plantwin.private.redact.blocks import Block, blocks
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.redaction import Redaction
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
_WORDY = re.compile(rb"[A-Za-z]+")


class Copy(NamedTuple):
    """One redacted copy."""

    name: str
    data: bytes
    counts: Counter[str]
    spread: int
    left: int
    """Findings of more than low confidence that a second look still sees."""
    truncated: bool

    def __repr__(self) -> str:
        return "<Copy private>"


def copies(job: Job) -> Result:
    """Copy every input; what is not text is left out."""
    objects = [given for given in job.inputs if not given.is_result]
    if not objects:
        return failed(TITLE, "Objects are needed.")
    detector = detector_of(job)
    redaction = Redaction()
    values: dict[bytes, bytes] = {}
    made: list[Copy] = []
    skipped: list[str] = []
    left = TOGETHER
    groups: Counter[str] = Counter()
    for given in objects:
        data, whole, name = _content(given, min(READ, left))
        if data is None:
            skipped.append(given.label)
            continue
        left -= len(data)
        one = _copy(detector, redaction, data, name, values, groups)
        made.append(one._replace(name=_renamed(name), truncated=not whole))
    if not made:
        return failed(TITLE, "None of the inputs is text, so none can be redacted here.", [OutcomeTag.UNPARSABLE])
    # What was found in a later input may stand unseen in an earlier one.
    made = [_spread(each, values) for each in made]
    made = [each._replace(left=_left(detector, each)) for each in made]
    return _result(made, skipped, groups, redaction.distinct)


def _content(given: Input, limit: int) -> tuple[bytes | None, bool, str]:
    """Bytes, whether they are all, and the name by which the detector reads them; none where it is no text."""
    if given.part:
        from plantwin.private.capabilities.common.database import contents

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


def _copy(
    detector: Detector, redaction: Redaction, data: bytes, name: str, values: dict[bytes, bytes], groups: Counter[str]
) -> Copy:
    counts: Counter[str] = Counter()
    found: list[bytes] = []
    aliases: dict[bytes, bytes] = {}
    chosen = Chosen(data)

    def counted(source: Iterable[Block]) -> Iterator[Block]:
        for block in source:
            kept = []
            for each in block.findings:
                value = block.data[each.start - block.base : each.end - block.base]
                if not chosen.keeps(each, value):
                    continue
                kept.append(each)
                counts[each.type] += 1
                groups["private_key" if "private_key" in each.type else each.group] += 1
                named = each.type in ("person_name", "organisation") and b" " in value
                if (
                    each.group in _SPREADING
                    and (each.confidence != "low" or named)
                    and not block.wide
                    and _spreads(value)
                ):
                    found.append(value)
                    if alone := chosen.alone(each, value):
                        aliases.setdefault(alone, value)
            yield block._replace(findings=kept)

    out = b"".join(redaction.run(counted(blocks(detector, [data], name))))
    if found and len(values) < SPREAD:
        known = {raw.encode("utf-8"): mark.encode() for mark, raw in redaction.map().values.items()}
        for value in found:
            if value in known and len(values) < SPREAD:
                values.setdefault(value, known[value])
        for alone, value in aliases.items():
            if value in known and len(values) < SPREAD:
                values.setdefault(alone, known[value])
    return Copy(name, out, counts, 0, 0, False)


def _spreads(value: bytes) -> bool:
    """Whether a value is telling enough to be replaced wherever it stands: not a plain word, not a short number."""
    return len(value) >= LEAST and b"\n" not in value and (len(value) >= 10 or _WORDY.fullmatch(value) is None)


def _spread(each: Copy, values: dict[bytes, bytes]) -> Copy:
    """Replace what is known to be sensitive where it was not seen, outside of placeholders."""
    wanted = [value for value in values if value in each.data]
    if not wanted:
        return each
    pattern = re.compile(
        rb"(?<![\w-])(?:%b)(?![\w-])" % b"|".join(re.escape(value) for value in sorted(wanted, key=len, reverse=True))
    )
    parts: list[bytes] = []
    at = number = 0
    counts = Counter(each.counts)

    def replaced(match: re.Match[bytes]) -> bytes:
        nonlocal number
        number += 1
        mark = values[match[0]]
        counts[mark[1:-1].rpartition(b"_")[0].decode().lower()] += 1
        return mark

    for mark in _PLACEHOLDER.finditer(each.data):
        parts += (pattern.sub(replaced, each.data[at : mark.start()]), mark[0])
        at = mark.end()
    parts.append(pattern.sub(replaced, each.data[at:]))
    return each._replace(data=b"".join(parts), counts=counts, spread=number)


def _left(detector: Detector, each: Copy) -> int:
    """A second look at the copy: values that still stand there."""
    marks = [match.span() for match in _PLACEHOLDER.finditer(each.data)]
    places = iter(marks)
    mark = next(places, None)
    still = 0
    for one in sorted(detector.scan(each.data, path=each.name), key=lambda finding: finding.start):
        if one.group not in _SPREADING or one.confidence == "low":
            continue
        while mark is not None and mark[1] <= one.start:
            mark = next(places, None)
        if mark is None or mark[0] >= one.end:
            still += 1
    return still


def _renamed(name: str) -> str:
    """`customers.csv` to `customers.redacted.csv`."""
    last = name.rpartition("/")[2]
    stem, dot, ending = last.rpartition(".")
    return f"{stem}.redacted.{ending}" if dot and stem else f"{last}.redacted"


def _result(made: list[Copy], skipped: list[str], groups: Counter[str], distinct: int) -> Result:
    total = sum(sum(each.counts.values()) for each in made)
    truncated = any(each.truncated for each in made)
    types: Counter[str] = Counter()
    for each in made:
        types.update(each.counts)
    lines = [f"{len(made)} copies, {total} places replaced by {distinct} placeholders.", ""]
    lines += ["| copy | places | placeholders by type |", "|---|---:|---|"]
    lines += [
        f"| {plain(each.name)} | {sum(each.counts.values())} | "
        + plain(", ".join(f"{type_} {count}" for type_, count in each.counts.most_common(12)) or "nothing found", 300)
        + " |"
        for each in made
    ]
    lines += ["", "The same value has the same placeholder in all copies. The way back is not kept.", ""]
    spread = sum(each.spread for each in made)
    if spread:
        lines += [f"{spread} of the places hold values that were recognised elsewhere.", ""]
    for each in made:
        if each.left:
            lines += [
                f"A second look at {code(each.name)} still sees {each.left} likely values: check them first.",
                "",
            ]
        if each.truncated:
            lines += [f"{code(each.name)} ends early: only the first part was copied.", ""]
    if skipped:
        lines += [f"Not text, and not copied: {', '.join(map(code, skipped))}.", ""]
    tags = [OutcomeTag.TRUNCATED] if truncated else []
    tags += [OutcomeTag.UNPARSABLE] if skipped else []
    tags += [OutcomeTag.PRIVATE_KEY] if groups["private_key"] else []
    tags += [OutcomeTag.HARDCODED_SECRET] if groups["secret"] else []
    tags += [OutcomeTag.PERSONAL_DATA] if groups["personal"] else []
    return Result(
        outcome={
            "status": (StepStatus.PARTIAL if truncated or skipped else StepStatus.DONE).value,
            "count": str(bucket(total)),
            "tags": [tag.value for tag in tags[:MAX_OUTCOME_TAGS]],
        },
        title=TITLE,
        facts={
            "types": dict(types.most_common()),
            "places": total,
            "left": sum(each.left for each in made),
            "skipped": skipped,
            "documents": [_document(each) for each in made],
        },
        text="\n".join(lines).strip() + "\n",
    )


def _document(each: Copy) -> dict[str, object]:
    try:
        text = each.data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    control = sum(text.count(chr(number)) for number in (*range(9), *range(11, 13), *range(14, 32)))
    if not text or control * 6 > len(text):
        return {"name": each.name, "base64": base64.b64encode(each.data).decode()}
    return {"name": each.name, "text": text}
