"""Find files that nothing uses, and functions whose names stand nowhere but where they are defined."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import concluded_by_object, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.graph import PACKAGE, Network, starts
from plantwin.private.facts import private
from plantwin.private.formats.definitions import Definition, outline
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.values import words
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Unused code"
SURE, LIKELY, UNSURE = "high", "medium", "low"
_JUDGED = words("python javascript typescript jsx tsx go rust shell ruby php c cpp")
"""Languages whose functions are judged."""
_ENTRY = words(
    "app_entrypoint cli_tool test_suite test_helper test_fixture database_migration job_script example_script notebook "
    "benchmark_runner package_entrypoint page_template background_job training_script evaluation_script stylesheet "
    "task_runner build_manifest generated_artifact prediction_script model_serving data_quality_check sql_query "
    "staging_transform intermediate_transform mart_transform pipeline_definition"
)
"""Classes of files that are started or found by something outside of the code."""
_PATTERNS = beside(__file__)
_ENTRY_PATH, _ENTRY_NAME, _SKIPPED = (re.compile(_PATTERNS[name]) for name in ("path", "name", "skipped"))
"""Files that tools find by their place, names that frameworks call, and files whose functions are not judged."""
_TEXTS = re.compile(r"\.(?:po|pot|lock|svg|css|scss)$|lock\.(?:json|yaml)$|(?:^|/)(?:locales?|i18n)/")
"""Files that name no code."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_MARKED = re.compile(r"\s*(?:@|#\[|\[\w|\)\s*$|//\s*export|#pragma|//go:)")


@private
class Unused(NamedTuple):
    """Something that nothing uses."""

    name: str
    line: int
    what: str
    sure: str
    lines: int = 0


def run(job: Job) -> Result:
    """Find unused files and functions among the inputs."""
    network = Network(job.surroundings)
    begin = starts(job)
    code_given = [node for node in begin if network.objects[node].kind == "code_file"]
    if not code_given:
        return failed(TITLE, "There is no code among these inputs.")
    read = [
        source(given) for given in job.inputs if not given.is_result and not given.part and (given.file or given.data)
    ]
    texts = [file for file in read if not file.binary]
    known = {file.label for file in texts}
    every = [
        held.name for held in network.objects if held.kind in ("code_file", "config") and not _TEXTS.search(held.name)
    ]
    missing = [name for name in every if name not in known]
    mentions = _Mentions(texts)
    functions_judged = len(missing) * 20 <= len(every)
    found = [
        *_files(network, code_given, mentions, {file.label: file for file in texts}),
        *(_functions(texts, mentions) if functions_judged else ()),
    ]
    if not found and not functions_judged:
        unread = f"{len(missing):,} of {plural(len(every), 'file')} of code and settings were not read"
        return failed(TITLE, f"{unread}, which may use these functions: ask about the whole folder")
    if missing:
        found = [
            unused._replace(sure=UNSURE if unused.sure == LIKELY else LIKELY if unused.sure == SURE else UNSURE)
            for unused in found
        ]
    notes = _notes(missing, len(every), mentions)
    return concluded_by_object(
        job, TITLE, [_finding(unused) for unused in found], tool="imports, and names in all files that were read",
        examined=[network.label(node) for node in begin], state=[OutcomeTag.TRUNCATED] if missing else [], notes=notes,
        tables=_tables(found), facts={"unused": [unused._asdict() for unused in found[:1000]], "unread": len(missing)},
    )  # fmt: skip


class _Mentions:
    """How often each word stands, and in which files that are no tests."""

    def __init__(self, texts: Sequence[Source]) -> None:
        self.total: Counter[str] = Counter()
        self.files: dict[str, set[str]] = defaultdict(set)
        for file in texts:
            counts = Counter(_WORD.findall(file.text))
            self.total.update(counts)
            for word in () if is_test_path(file.label) else counts:
                self.files[word].add(file.label)

    def elsewhere(self, word: str, label: str) -> bool:
        """Return whether a word stands in another file that is no test."""
        return bool(self.files.get(word, set()) - {label})


def _files(
    network: Network, nodes: Sequence[int], mentions: _Mentions, texts: Mapping[str, Source]
) -> Iterator[Unused]:
    """Yield files that nothing imports and that no other file names, by themselves or by what they define."""
    for node in nodes:
        held = network.objects[node]
        if (
            held.role not in ("production", "legacy", "")
            or held.semantic_class in _ENTRY
            or _ENTRY_PATH.search(held.name)
        ):
            continue
        users = {arc.reason for arc in network.used[node]} - {"documents", PACKAGE}
        if users - {"tests"}:
            continue
        stem = held.name.rpartition("/")[2].partition(".")[0]
        text = texts.get(held.name)
        # Files of one package see each other without an import: by what they define.
        defined = (
            [definition.name for definition in outline(text.format, text.text).definitions] if text is not None else []
        )
        names = [name.rpartition(".")[2] for name in (stem, *held.provides, *defined)]
        if (
            len(stem) < 3
            or _SKIPPED.search(held.name)
            or any(len(name) > 2 and mentions.elsewhere(name, held.name) for name in names)
        ):
            continue
        what = "Only tests use this file" if users else "Nothing imports this file, and no other file names it"
        yield Unused(held.name, 0, what, LIKELY, held.lines)


def _functions(texts: Sequence[Source], mentions: _Mentions) -> Iterator[Unused]:
    """Yield functions and classes whose names stand only where they are defined."""
    for file in texts:
        if file.format not in _JUDGED or _SKIPPED.search(file.label):
            continue
        lines = file.text.split("\n")
        defined = outline(file.format, file.text).definitions
        own = Counter(definition.name for definition in defined)
        for definition in defined:
            name = definition.name
            if "." in name or own[name] > 1 or mentions.total[name] != 1 or not _judged(definition, lines):
                continue
            sure = SURE if _private(file.format, definition) else LIKELY
            yield Unused(file.label, definition.line, f"The {definition.kind} {name} is named nowhere else", sure)


def _judged(definition: Definition, lines: Sequence[str]) -> bool:
    """Return whether a definition would be named by what uses it: nothing registers it, no convention calls it."""
    above = lines[definition.line - 2] if 2 <= definition.line <= len(lines) + 1 else ""
    here = lines[definition.line - 1] if definition.line <= len(lines) else ""
    if here[:1].isspace() or here.startswith(("func (", "export default", "extern")):
        return False  # a method, which whoever calls it may know by an interface, or what others find by its place
    named = len(definition.name) > 3 and not definition.name.startswith("__")
    return named and not _ENTRY_NAME.fullmatch(definition.name) and not _MARKED.match(above)


def _private(format: str, definition: Definition) -> bool:
    """Return whether nothing outside of its file or package can use it."""
    if format == "go":
        return definition.name[0].islower()
    if format == "rust":
        return not definition.signature.startswith("pub")
    if format in ("javascript", "typescript", "jsx", "tsx"):
        return not definition.signature.startswith("export")
    return not definition.public or format in ("shell",) or definition.signature.startswith("static")


def _finding(unused: Unused) -> Finding:
    return Finding(
        name=unused.name, line=unused.line, severity=Severity.LOW.value, tag=OutcomeTag.UNUSED.value,
        message=f"{unused.what} (confidence: {unused.sure})", confidence=unused.sure,
        hint="Check for use by name or from outside before it is removed.",
    )  # fmt: skip


def _notes(missing: Sequence[str], every: int, mentions: _Mentions) -> list[str]:
    notes = [
        "Methods, names that a framework calls, and what is registered by a decorator or annotation are not judged. "
        "Use from outside of the folder is not seen.",
    ]
    if missing:
        names = ", ".join(map(code, missing[:5]))
        notes.append(
            f"{len(missing):,} of {plural(every, 'file')} of code and settings were not read ({names} …): "
            + ("names of functions were not judged." if len(missing) * 20 > every else "confidence is lower for it.")
        )
    return notes if mentions.total else [*notes, "No text was read."]


def _tables(found: Sequence[Unused]) -> list[str]:
    order = (SURE, LIKELY, UNSURE)
    ranked = sorted(found, key=lambda unused: (order.index(unused.sure), unused.name, unused.line))
    rows = [
        [unused.sure, code(f"{unused.name}:{unused.line}" if unused.line else unused.name), unused.what]
        for unused in ranked
    ]
    return table(["Confidence", "Where", "What"], rows, 80)
