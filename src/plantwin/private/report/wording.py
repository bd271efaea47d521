"""What was told, decided and spent, in words for a person. Used by the local report and by local views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from plantwin.boundary.budget import statement_of
from plantwin.boundary.ledger.interface import MILL
from plantwin.types.outcome import Outcome
from plantwin.types.verdict import Allowed, Denied, Failure, Verdict

FIELDS = {
    "kind": "kind",
    "semantic_class": "class",
    "family": "family",
    "role": "role",
    "sensitivity": "sensitivity",
    "sensitivity_causes": "sensitive because of",
    "freshness": "freshness",
    "size_bucket": "size",
    "contains": "contains",
    "usable_for": "usable for",
    "lacks": "lacks",
    "readiness": "readiness",
    "readiness_cause": "readiness because of",
    "confidence": "confidence",
}
"""Fields as a person reads them."""

FAILURES = {
    Failure.TIMEOUT: "it took too long and was ended",
    Failure.MEMORY: "it needed more memory than a step may have",
    Failure.CRASHED: "it crashed",
    Failure.OUTPUT_TOO_LARGE: "its result was larger than a step's may be",
    Failure.UNREADABLE: "an input cannot be read, or changed since the scan",
    Failure.INTERRUPTED: "it was interrupted",
}


def amount(mills: int) -> str:
    """Thousandths as a person reads them: `4.5`, `0.25`."""
    return f"{mills / MILL:.1f}" if mills % 100 == 0 else f"{mills / MILL:.3f}".rstrip("0")


def words(text: str) -> str:
    """A word of the vocabulary in plain letters."""
    return text.replace("_", " ")


def unit(text: str, others: Mapping[str, str] | None = None) -> str:
    """One thing told: `semantic_class=payment_module` is `class: payment module`. `others`: names behind edges."""
    field, _, value = statement_of(text).partition("=")
    capability, dot, field = field.rpartition(".")
    if capability == "groups":
        kind, _, more = value.partition(":")
        family, _, count = more.partition(":")
        return f"others: {' '.join(words(each) for each in (count, kind, family) if each and each != 'any')}"
    if dot:
        said = {"severity": f"severity {words(value)}", "count": f"{words(value)} found"}
        return f"{words(capability).replace('own.', 'your own ')}: {said.get(field, words(value))}"
    if field == "component":
        return "belongs to a component"
    what, _, key = value.partition(":")
    if field == "amounts":
        return f"how much: {words(what)} {words(key)}"
    if field in ("edge", "reason"):
        back = key.startswith("from:")
        other = "a local tool" if key == "tool" else (others or {}).get(key.removeprefix("from:"), "another object")
        arrow = f"{words(what)} {'←' if back else '→'} {other}"
        return arrow if field == "edge" else f"because of {arrow}"
    if field == "nothing":
        return f"nothing of: {FIELDS.get(value, words(value))}"
    return f"{FIELDS.get(field, words(field))}: {words(value)}"


def units(texts: Iterable[str], others: Mapping[str, str] | None = None) -> list[str]:
    """Everything told of one object: its own fields first, then what steps said, several values of a field together."""
    grouped: dict[str, list[str]] = {}
    for text in sorted(texts, key=_order):
        head, colon, value = unit(text, others).partition(": ")
        grouped.setdefault(head, []).extend([value] if colon else [])
    return [f"{head}: {', '.join(dict.fromkeys(values))}" if values else head for head, values in grouped.items()]


def _order(text: str) -> tuple[bool, int, str]:
    field = text.partition("=")[0]
    fields = list(FIELDS)
    outcome = ("status", "severity", "count", "tag")
    last = field.rpartition(".")[2]
    place = fields.index(field) if field in fields else outcome.index(last) if last in outcome else len(fields)
    return "." in field, place, text


def told(outcome: Outcome) -> str:
    """What the planner hears of a step."""
    parts = [words(outcome.status)]
    if outcome.severity is not UNSET:
        parts.append(f"severity {words(outcome.severity)}")
    if outcome.count is not UNSET:
        parts.append(f"{words(outcome.count)} found")
    if outcome.tags is not UNSET:
        parts.append(", ".join(map(words, outcome.tags)))
    return "; ".join(parts)


def reason(verdict: Verdict, names: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Why a step was refused or failed, with the number of the check; nothing for one that ran."""
    if isinstance(verdict, Denied):
        code = verdict.code
        detail = named(verdict.detail, names)
        return f"check ({code.check}) {code.value}: {code.meaning}" + (f" [{detail}]" if detail else "")
    return f"{verdict.failure.value}: {FAILURES[verdict.failure]}" if verdict.failure is not None else ""


def named(id_: str, names: Mapping[str, tuple[str, str]] | None) -> str:
    """The real name behind an id, where there is one."""
    path, part = (names or {}).get(id_, (id_, ""))
    return f"{path}#{part}" if part else path


def called(capability: str, names: Mapping[str, tuple[str, str]] | None) -> str:
    """What a step does: the capability's word, or the person's own name for theirs."""
    return words(named(capability, names))


def state(verdict: Verdict | None) -> str:
    """One word for what became of a step."""
    match verdict:
        case None:
            return "not reached"
        case Denied():
            return "refused" if verdict.code.check != 4 else "not approved"
        case Allowed():
            return "failed" if verdict.failure is not None else words(verdict.outcome.status)
