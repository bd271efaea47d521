"""Stage 1 for one object: format, outline, class, tags, role, readiness. The content itself is not kept."""

from __future__ import annotations

import re
import tomllib
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from sys import byteorder
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from plantwin.private.classify.classify import classify
from plantwin.private.classify.derived_features import add_derived_features
from plantwin.private.classify.identify import BINARY_OBJECTS, OPAQUE, identify, named
from plantwin.private.classify.status import lacks_of, needs_of, readiness_of, role_of, tags_of
from plantwin.private.facts import Facts, Outline, Provision, Reference, Sample
from plantwin.private.formats.text import narrow, wide
from plantwin.private.selection.phrases import definitions

if TYPE_CHECKING:
    from plantwin.private.observe.tables import Table


TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("facets.toml").read_text())
LOOKED_AT = 1 << 16
"""Bytes in which words are counted."""


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, words in table.items() for word in words.split()}


_ENVIRONMENTS = _by_word(TABLES["environments"])
_SURE = frozenset(TABLES["environment"]["sure"].split())
_CONTAINERS = frozenset(TABLES["environment"]["containers"].split())
_ECOSYSTEMS = _by_word(TABLES["ecosystems"])
_ECOSYSTEM_NAMES = _by_word(TABLES["ecosystem_names"])
_ECOSYSTEM_ENDS = _by_word(TABLES["ecosystem_ends"])
_PROVIDER_NAMES = _by_word(TABLES["provider_names"])
_DIALECT_NAMES = _by_word(TABLES["dialect_names"])
_PROVIDER_FOLDERS = {name: word for name, word in _PROVIDER_NAMES.items() if name.endswith("/")}

Needles = tuple[tuple[bytes, tuple[tuple[int, str, bytes], ...]], ...]
"""A few bytes, and what is written with them for which word of the table: most texts hold none of them."""


def _needles(table: Mapping[str, Sequence[str]]) -> Needles:
    left = [(place, word, written.encode()) for place, (word, row) in enumerate(table.items()) for written in row]
    found = []
    while left:
        shared = Counter(
            part for *_, text in left for part in {text[at : at + 5] for at in range(max(1, len(text) - 4))}
        )
        part = max(shared, key=shared.__getitem__)
        found.append((part, tuple(needle for needle in left if part in needle[2])))
        left = [needle for needle in left if part not in needle[2]]
    return tuple(found)


_PROVIDERS = {form: _needles(rows) for form, rows in TABLES["providers"].items()}
_DIALECTS = {form: _needles(rows) for form, rows in TABLES["dialects"].items()}
_SEPARATOR = re.compile(r"[._\- ]+")
_PAGES = frozenset(
    {"html", "css", "markdown", "rst", "asciidoc", "text", "license", "lock", "log", "csv", "tsv", "jsonl"}
)
"""Formats whose words speak of things and are not written for them."""
_SETTINGS = frozenset({"config", "secret_container"})
_MANIFEST = re.compile(rb"^apiVersion:[ \t]*[\"']?[\w./-]+", re.MULTILINE)


class Facets(NamedTuple):
    """Words of the vocabulary, or nothing."""

    environment: str = ""
    provider: str = ""
    ecosystem: str = ""
    dialect: str = ""


def facets_of(path: str, form: str, kind: str, head: bytes) -> Facets:
    """What an object is for, as far as its path and words say."""
    lower = path.lower()
    return Facets(
        _environment(lower) if kind in _SETTINGS or form == "hcl" else "",
        _provider(lower, form, head[:LOOKED_AT]),
        _ecosystem(lower, form),
        _dialect(lower, form, head[:LOOKED_AT]),
    )


def _environment(path: str) -> str:
    """The word nearest to the end of the path; one that may mean something else only beside what makes it clear."""
    folder, _, name = path.rpartition("/")
    clear = not _CONTAINERS.isdisjoint(folder.split("/"))
    parts = _SEPARATOR.split(name)
    settled = clear or len(parts) > 2
    for part in reversed(parts):
        found = _ENVIRONMENTS.get(part)
        if found and (part in _SURE or (settled if found != "shared" else clear)):
            return found
    return _folder_environment(folder)


@lru_cache(1 << 14)
def _folder_environment(folder: str) -> str:
    parts = folder.split("/")
    for place in range(len(parts) - 1, -1, -1):
        clear = not _CONTAINERS.isdisjoint(parts[:place])
        for part in (parts[place], *reversed(_SEPARATOR.split(parts[place]))):
            found = _ENVIRONMENTS.get(part)
            if found and (part in _SURE or clear) and part not in _CONTAINERS:
                return found
    return ""


def _ecosystem(path: str, form: str) -> str:
    name = path.rpartition("/")[2]
    found = _ECOSYSTEM_NAMES.get(name) or _ECOSYSTEMS.get(form)
    return found or next((word for end, word in _ECOSYSTEM_ENDS.items() if name.endswith(end)), "")


def _provider(path: str, form: str, head: bytes) -> str:
    known = _PROVIDER_NAMES.get(path.rpartition("/")[2])
    if known:
        return known
    for folder, word in _PROVIDER_FOLDERS.items():
        if path.startswith(folder) or f"/{folder}" in path:
            return word
    if form in _PAGES:
        return ""
    found = _most(_PROVIDERS.get(form, _PROVIDERS["text"]), head)
    if not found and form in ("yaml", "template") and _MANIFEST.search(head):
        return "kubernetes"
    return found


def _dialect(path: str, form: str, head: bytes) -> str:
    """What the path says of statements; of other text only where its words say nothing."""
    if form.startswith("sqlite"):
        return "sqlite"
    if form in _PAGES:
        return ""
    folder, _, name = path.rpartition("/")
    named = next(filter(None, map(_DIALECT_NAMES.get, _SEPARATOR.split(name))), "") or _folder_dialect(folder)
    if form == "sql":
        return named or _most(_DIALECTS["sql"], head.upper())
    return _most(_DIALECTS["text"], head) or named


@lru_cache(1 << 14)
def _folder_dialect(folder: str) -> str:
    """The last folder that is called like a database."""
    return next(filter(None, map(_DIALECT_NAMES.get, reversed(folder.split("/")))), "")


def _most(needles: Needles, text: bytes) -> str:
    """The word of which most is written; of equals the first of the table."""
    counts: dict[tuple[int, str], int] = {}
    for part, written in needles:
        if part in text:
            for place, word, needle in written:
                counts[-place, word] = counts.get((-place, word), 0) + text.count(needle)
    most, (_, word) = max(((count, key) for key, count in counts.items()), default=(0, (0, "")))
    return word if most else ""


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
MAX_PROVIDES = 200
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
        ecosystem=facets_of(path, form, kind, b"").ecosystem,
        warnings=(code[:60],),
    )
