"""Stage 1 for one object: format, outline, class, tags, role, readiness. The content itself is not kept."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from sys import byteorder
from typing import TYPE_CHECKING
from zlib import crc32

from plantwin.private.classify.classify import classify
from plantwin.private.classify.derived_features import add_derived_features
from plantwin.private.classify.facets import facets_of
from plantwin.private.classify.identify import BINARY_OBJECTS, OPAQUE, identify, named
from plantwin.private.classify.status import lacks_of, needs_of, readiness_of, role_of, tags_of
from plantwin.private.facts import Facts, Outline, Provision, Reference, Sample
from plantwin.private.formats.text import narrow, wide
from plantwin.private.selection.phrases import definitions

if TYPE_CHECKING:
    from plantwin.private.observe.tables import Table


K = 32
LEAST = 5
_LIMIT = 24 << 10
_LINES = 800
_SHORTEST = 8
"""Braces, `else:`, `return` and the like are in every file and say nothing."""


def sketch(data: bytes) -> bytes:
    """The 32 smallest hashes of its non-trivial lines, big-endian and ascending; nothing for less than five lines."""
    lines = data[:_LIMIT].translate(None, b" \t\r").split(b"\n", _LINES)
    hashes: Collection[int] = set(map(crc32, [line for line in lines if len(line) >= _SHORTEST]))
    if len(hashes) < LEAST:
        return b""
    if len(hashes) > 4 * K:
        # Hashes spread evenly: those below twice the expected 32nd nearly always suffice, and sorting few is cheap.
        bound = (2 * K << 32) // len(hashes)
        low = [value for value in hashes if value < bound]
        hashes = low if len(low) >= K else hashes
    smallest = array("I", sorted(hashes)[:K])
    if byteorder == "little":
        smallest.byteswap()
    return smallest.tobytes()


VERSION = "1"
"""Names the rule set: facts of another version are not reused."""

MAX_REFERENCES = 64
MAX_PROVIDES = 32
MAX_SETTINGS = 200
MAX_PINS = 200
MAX_DEFINED = 100

Summary = Sequence[tuple[str, str, str, int]]

_SPARSE = BINARY_OBJECTS | {"der"}
"""Formats of which nothing is read yet."""
_FIELD = 300
_GUESSES = 0.5


def extract(sample: Sample, findings: Summary, *, digest_value: Callable[[bytes], int]) -> Facts | None:
    """All that is kept of one file; nothing for what is opaque."""
    form = identify(sample.path, sample.head)
    if form == OPAQUE:
        return None
    codec = wide(sample.head) if form not in _SPARSE else ""
    if codec:
        sample = _narrowed(sample, codec)
    outline = outline_of(form, sample)
    add_derived_features(sample.path, outline, sample.head)
    return facts_of(sample.path, outline, sample.head, sample.size, findings, digest_value)


def _narrowed(sample: Sample, codec: str) -> Sample:
    """The same sample in UTF-8, so that every parser reads one encoding."""
    order = codec
    if codec == "utf-16":
        order = "utf-16-be" if sample.head.startswith(b"\xfe\xff") else "utf-16-le"
    return Sample(
        path=sample.path,
        size=sample.size,
        head=narrow(sample.head, codec),
        windows=tuple(narrow(window, order) for window in sample.windows),
        digest=sample.digest,
        executable=sample.executable,
    )


def outline_of(form: str, sample: Sample) -> Outline:
    """What the format's own parser finds; a parser that fails leaves an outline that did not parse."""
    if form in _SPARSE or not sample.head:
        return Outline(form)
    from plantwin.private.classify.languages import CODE_FORMATS, outline_code
    from plantwin.private.classify.readers import FORMATS, outline_format

    try:
        if form in CODE_FORMATS:
            outline = outline_code(form, sample.head, sample.path)
        elif form in FORMATS:
            outline = outline_format(form, sample)
        elif form == "credentials":
            outline = outline_format("text", sample)
        else:
            outline = outline_code("generic", sample.head, sample.path)
    except (ValueError, RecursionError, MemoryError, LookupError, TypeError, AttributeError):
        # Hostile content may defeat a parser in ways nobody foresaw: the object stays, its outline is empty.
        outline = Outline(form, parsed=False, lines=sample.head.count(b"\n"))
    outline.format = form
    return outline


def facts_of(
    path: str,
    outline: Outline,
    head: bytes,
    size: int,
    findings: Summary,
    digest_value: Callable[[bytes], int],
    part: str = "",
) -> Facts:
    """Classify an outline and keep what is bounded and holds no content."""
    kind, ranking, confidence, why = classify(path, outline, findings, head)
    best = ranking[0][0]
    role = role_of(path, outline, best)
    decodable = _decodable(outline.format, head)
    ready, cause = readiness_of(outline, kind, size, decodable)
    warnings = ("parse_error",) if cause == "parse_error" else ("undecodable",) if not decodable else ()
    return Facts(
        part=part,
        format=outline.format,
        kind=kind,
        ranking=ranking,
        confidence="low" if cause in ("empty", "unreadable") else confidence,
        why=why,
        role=role,
        tags=tags_of(outline, kind, role, findings),
        findings=tuple(findings),
        readiness=ready,
        readiness_cause=cause,
        needs=needs_of(outline),
        lacks=lacks_of(outline, best, role),
        references=tuple(each for each in outline.references[:MAX_REFERENCES] if len(each.target) <= _FIELD),
        provides=tuple(each for each in outline.provides[:MAX_PROVIDES] if len(each.name) <= _FIELD),
        settings=_settings(outline, digest_value),
        pins=tuple((package[:_FIELD], version[:_FIELD]) for package, version in outline.pins[:MAX_PINS]),
        span=outline.span,
        sketch=b"" if outline.format in _SPARSE else sketch(head),
        lines=outline.lines,
        size=size,
        warnings=warnings,
        defines=definitions(outline.names[:MAX_DEFINED]) if kind == "code_file" else b"",
        **facets_of(path, outline.format, kind, head)._asdict(),
    )


def _settings(outline: Outline, digest_value: Callable[[bytes], int]) -> tuple[tuple[str, int], ...]:
    """Keys with keyed digests of their values: equal values can be found, no value can be read."""
    return tuple(
        (key[:_FIELD], digest_value(value.encode("utf-8", "surrogatepass")))
        for key, value in outline.settings[:MAX_SETTINGS]
    )


def _decodable(form: str, head: bytes) -> bool:
    """Whether text is text: a few broken bytes are a nuisance, many mean that nobody can read it."""
    if form in _SPARSE or head.isascii():
        return True
    part = head[:4096]
    return part.decode("utf-8", "replace").count("\ufffd") * 10 <= len(part)


def extract_table(path: str, table: Table, findings: Summary, digest_value: Callable[[bytes], int]) -> Facts:
    """One table inside a database file, as an object of its own."""
    sample = Sample(path=f"{path}/{table.name}", size=len(table.sample), head=table.sample)
    outline = outline_of("csv", sample) if table.sample else Outline("csv")
    outline.format = "sqlite_table"
    features = outline.features
    features["create_table"] = 1
    for feature, count in (("foreign_key", len(table.foreign_keys)), ("index", len(table.indexes))):
        if count:
            features[feature] = count
    if table.rows > features.get("row", 0):
        features["row"] = table.rows
    outline.provides.append(Provision("table", table.name[:_FIELD]))
    kind, ranking, confidence, why = classify(f"{path.rpartition('/')[0]}/{table.name}", outline, findings)
    role = role_of(path, outline, ranking[0][0])
    return Facts(
        part=table.name,
        format="sqlite_table",
        kind=kind,
        ranking=ranking,
        confidence=confidence,
        why=why,
        role=role,
        tags=tags_of(outline, kind, role, findings),
        findings=tuple(findings),
        readiness="ready" if features.get("row") else "blocked",
        readiness_cause="" if features.get("row") else "empty",
        needs=("database_engine",),
        references=_foreign(table),
        provides=tuple(outline.provides[:MAX_PROVIDES]),
        sketch=sketch(table.sample),
        lines=outline.lines,
        size=len(table.sample),
        dialect="sqlite",
    )


def _foreign(table: Table) -> tuple[Reference, ...]:
    """Other tables that its foreign keys name."""
    targets = dict.fromkeys(target for _, target, _ in table.foreign_keys if 0 < len(target) <= _FIELD)
    return tuple(Reference("table", target, "reads") for target in targets)[:MAX_REFERENCES]


def unreadable(path: str, code: str) -> Facts:
    """A file that could not be read: an object of low confidence, guessed from its name alone."""
    form = named(path)[0]
    if not form or form == OPAQUE:
        form = "text"
    outline = Outline(form, parsed=False)
    kind, ranking, _, why = classify(path, outline, ())
    return Facts(
        part="",
        format=form,
        kind=kind,
        ranking=tuple((target, round(points * _GUESSES, 2)) for target, points in ranking),
        confidence="low",
        why=why,
        role=role_of(path, outline, ranking[0][0]),
        readiness="blocked",
        readiness_cause="unreadable",
        warnings=(code[:60],),
    )
