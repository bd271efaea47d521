"""Findings that name their object and bring masked evidence, and the result of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.results import Examined, concluded
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.summary import FINANCIAL, HEALTH, IDENTITY, preview
from plantwin.private.facts import Private
from plantwin.vocabulary import OutcomeTag, Severity


class Mask(Private):
    """Masks secrets and payment, health and identity data in lines. The detector is loaded when first needed."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._detector: Detector | None = None
        self._seen: dict[str, str] = {}

    def __call__(self, text: str, most: int = 400) -> str:
        """Return the text with such values replaced."""
        text = text[:most]
        known = self._seen.get(text)
        if known is not None:
            return known
        if self._detector is None:
            self._detector = detector_of(self._job)
        data = text.encode("utf-8", "replace")
        parts: list[bytes] = []
        at = 0
        for found in self._detector.scan(data, path="line.log"):
            grave = found.type in FINANCIAL or found.type in HEALTH or found.type in IDENTITY
            if (found.group == "secret" or grave) and found.confidence != "low" and found.start >= at:
                value = data[found.start : found.end].decode("utf-8", "replace")
                parts += [data[at : found.start], preview(value).encode("utf-8", "replace")]
                at = found.end
        masked = b"".join([*parts, data[at:]]).decode("utf-8", "replace")
        if len(self._seen) < 5000:
            self._seen[text] = masked
        return masked


def finding(
    name: str, line: int, severity: Severity, tag: OutcomeTag, message: str, *, hint: str = "", evidence: str = ""
) -> Finding:
    """Make a finding that no row of rules words."""
    return Finding(
        name=name, line=line, severity=severity.value, tag=tag.value, message=message, hint=hint, evidence=evidence
    )


def placed(found: Finding, name: str, evidence: str = "") -> Finding:
    """Say in which object a rule found something, with masked evidence."""
    return msgspec.structs.replace(found, name=name, evidence=evidence)


def concluded_by_object(
    job: Job, title: str, found: Iterable[Finding], *, tool: str, examined: Sequence[str] = (),
    state: Sequence[OutcomeTag] = (), notes: Sequence[str] = (), tables: Sequence[str] = (),
    facts: dict[str, object] | None = None, partial: bool = False,
) -> Result:  # fmt: skip
    """Build the result of findings that name their objects and bring masked evidence."""
    by_object: dict[str, list[Finding]] = {label: [] for label in examined}
    for each in found:
        by_object.setdefault(each.name, []).append(each)
    listed = [Examined(_unread(label), findings) for label, findings in by_object.items()]
    return concluded(
        job, title, listed, tool=tool, state=state, notes=notes, tables=tables, partial=partial,
        facts={"examined": list(examined), **(facts or {})}, per_rule=500,
    )  # fmt: skip


def _unread(label: str) -> Source:
    """Return a source of which nothing is quoted: the findings bring their own evidence."""
    return Source(Input(name=label), label, "", b"", "", False, False)


def plural(number: int, noun: str) -> str:
    """Write `1 request`, `2 requests`, `2 entries`."""
    if number == 1:
        return f"{number} {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("ry") else f"{number} {noun}s"
