"""Environments side by side: a table of what differs, and what the differences mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import msgspec

from plantwin.private.capabilities.compare_environments.environment import (
    ASSIGNING,
    Environment,
    lay,
    read_assignments,
    read_environment,
    snake_path,
)
from plantwin.private.capabilities.compare_environments.meaning import (
    RULES,
    Placed,
    Value,
    equal,
    findings,
    is_secret,
)
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, bucket, code, failed, plain, worst
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines
from plantwin.private.capabilities.engine.source import source
from plantwin.private.detect.summary import HIDDEN
from plantwin.private.formats.document import LIST, MAP, NULL, TEXT, read
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus

TITLE = "Comparison of environments"
SMALL = 8
"""Settings below which sharing few tells nothing."""


def run(job: Job) -> Result:
    """Return the result of comparing two to six environments."""
    if not 2 <= len(job.inputs) <= 6:
        return failed(TITLE, "Two to six inputs are needed.")
    documents = [read(source(given)) for given in job.inputs]
    for document in documents:
        read_assignments(document)
    unread = [document.source.label for document in documents if not document.syntax or not document.roots]
    if unread:
        reason = f"Not a settings file that can be read: {', '.join(map(code, unread))}."
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    one_spelling = len({document.syntax for document in documents}) > 1
    environments = [read_environment(document, one_spelling=one_spelling) for document in documents]
    if not one_spelling and _is_spelled_otherwise(environments):
        environments = [read_environment(document, one_spelling=True) for document in documents]
    notes = lay(environments)
    hidden = [secret_lines(detector_of(job), document.source.data, document.name) for document in documents]
    paths = list(dict.fromkeys(path for environment in environments for path in environment.settings))
    alike = _are_alike(environments)
    if not alike:
        notes.append(
            "They share few keys, so they may not be settings of one program: what is not in all is no finding."
        )
    elif {environment.stage for environment in environments} in ({""}, {"example"}):
        alike = False
        notes.append("Nothing says of which stages these are: what is not in all is no finding.")
    placed: list[Placed] = []
    missing: dict[str, list[str]] = {}
    differing: list[str] = []
    rows: list[list[str]] = []
    for path in paths:
        values = [
            Value(environment, *environment.settings[path])
            for environment in environments
            if path in environment.settings and path not in environment.inherited
        ]
        absent = [
            environment
            for environment in environments
            if path not in environment.settings and not environment.may_lack(path)
        ]
        if absent:
            missing[path] = [environment.label for environment in absent]
            placed += _absent(path, values, absent) if alike else ()
        if any(not equal(values[0].node, value.node) for value in values[1:]):
            differing.append(path)
        if absent or path in differing[-1:]:
            letters: dict[str, str] = {}
            cells = [_cell(path, *column, letters) for column in zip(environments, hidden, strict=True)]
            rows.append([code(path, 80), *cells])
        staged = [value for value in values if not value.environment.is_base]
        if len(values) > 1:
            placed += findings(path, staged)
    state = []
    if any(not environment.whole or not environment.document.whole for environment in environments) or any(
        document.source.truncated for document in documents
    ):
        state.append(OutcomeTag.TRUNCATED)
    if any(not document.sound for document in documents):
        state.append(OutcomeTag.UNPARSABLE)
    equal_in_all = len(paths) - len(set(missing) | set(differing))
    names = [
        f"{code(environment.label)} ({environment.stage or 'unknown'}, {len(environment.settings)} settings)"
        for environment in environments
    ]
    summary = [
        f"Compared: {', '.join(names)}.",
        "",
        *(line for note in notes for line in (plain(note, 400), "")),
        f"{len(paths)} settings: {equal_in_all} equal in all, {len(differing)} with different values, "
        f"{len(missing)} not in all.",
        "",
        "**Differences** (secrets are masked; equal letters mean equal values)" if rows else "Nothing differs.",
        "",
    ]
    stages = Counter(environment.stage for environment in environments)
    heads = [environment.name if stages[environment.stage] == 1 else environment.label for environment in environments]
    result = concluded(
        job,
        TITLE,
        [
            Examined(environment.document.source, [finding for other, finding in placed if other is environment])
            for environment in environments
        ],
        tool="plantwin compare_environments",
        earnest=False,
        state=state,
        tables=[*summary, *table(["setting", *(code(head, 40) for head in heads)], rows, 120)],
        facts={
            "environments": {environment.label: environment.stage for environment in environments},
            "missing": missing,
            "differs": differing,
            "settings": len(paths),
        },
        per_rule=MOST_FINDINGS,
    )
    outcome = _outcome(result.findings, missing, differing, len(paths), state)
    return msgspec.structs.replace(result, outcome=outcome)


def _is_spelled_otherwise(environments: Sequence[Environment]) -> bool:
    """Tell whether a key that one has is another's in another spelling: `pool-size` and `poolSize`."""
    for first, second in permutations(environments, 2):
        spelled = {snake_path(path) for path in second.settings.keys() - first.settings.keys()}
        if any(snake_path(path) in spelled for path in first.settings.keys() - second.settings.keys()):
            return True
    return False


def _are_alike(environments: Sequence[Environment]) -> bool:
    """Tell whether environments are of one program: a fifth of the smallest is in all, or they are small."""
    sizes = [len(environment.settings) for environment in environments]
    shared = set.intersection(*(set(environment.settings) for environment in environments))
    return min(sizes) < SMALL or len(shared) * 5 >= min(sizes)


def _cell(path: str, environment: Environment, hidden: frozenset[int], letters: dict[str, str]) -> str:
    """Return a value for the table; of a secret, a letter that is the same for equal values."""
    if path not in environment.settings:
        return "—"
    node, line = environment.settings[path]
    if node.kind in (MAP, LIST, NULL) or not node.text:
        return code("(empty)")
    if is_secret(path, node) or (line in hidden and node.kind == TEXT):
        return code(f"{HIDDEN} ({letters.setdefault(node.text, chr(65 + len(letters) % 26))})")
    return code(node.text, 60)


def _absent(path: str, values: Sequence[Value], absent: Sequence[Environment]) -> Iterator[Placed]:
    holders = ", ".join(value.environment.name for value in values)
    only_example = len(values) == 1 and values[0].environment.stage == "example"
    exemplary = any(value.environment.stage == "example" for value in values)
    for environment in absent:
        if environment.document.syntax in ASSIGNING:
            continue  # a framework has a default for what a file of a stage does not set
        if not environment.stage and not exemplary:
            continue  # no environment of its own: `.env` is read beneath `.env.production`
        severity = Severity.MEDIUM if only_example or environment.is_production else None
        values_ = {"path": path, "environment": environment.name, "holders": holders}
        yield environment, RULES.found("ENV-MISSING-KEY", 0, severity=severity, **values_)


def _outcome(
    found: Sequence[Finding],
    missing: dict[str, list[str]],
    differing: Sequence[str],
    total: int,
    state: Sequence[OutcomeTag],
) -> dict[str, object]:
    """Return the outcome: how alike they are, and the tags of what is worse than low."""
    touched = len(set(missing) | set(differing))
    likeness = OutcomeTag.DIFFERENT if touched * 10 > total * 3 else OutcomeTag.SIMILAR
    if not touched:
        likeness = OutcomeTag.IDENTICAL
    differences = [OutcomeTag.KEY_MISSING.value] if missing else []
    differences += [OutcomeTag.VALUE_DIFFERS.value] if differing else []
    grave = Counter(finding.tag for finding in found if finding.severity in ("medium", "high", "critical"))
    usual = (OutcomeTag.KEY_MISSING.value, OutcomeTag.VALUE_DIFFERS.value)
    tags = [*(tag.value for tag in state), *(tag for tag, _ in grave.most_common() if tag not in usual)][:3]
    return {
        "status": (StepStatus.PARTIAL if state else StepStatus.DONE).value,
        "severity": worst(found),
        "count": str(bucket(touched)),
        "tags": [*tags, *(tag for tag in (*differences, likeness.value) if tag not in tags)][:4],
    }
