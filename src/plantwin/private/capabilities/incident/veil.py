"""Lines of logs as the report may show them: secrets and payment data masked."""

from __future__ import annotations

from plantwin.private.capabilities.common.secrets import detector_of
from plantwin.private.capabilities.job import Job
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.masking import preview
from plantwin.private.redact.summary import FINANCIAL, HEALTH, IDENTITY


class Veil:
    """Masks what must not stand in a report. The detector is loaded when first needed."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._detector: Detector | None = None
        self._seen: dict[str, str] = {}

    def __repr__(self) -> str:
        return "<Veil private>"

    def __call__(self, text: str, most: int = 400) -> str:
        """The text with such values replaced."""
        text = text[:most]
        known = self._seen.get(text)
        if known is not None:
            return known
        if self._detector is None:
            self._detector = detector_of(self._job)
        data = text.encode("utf-8", "replace")
        parts: list[str] = []
        at = 0
        for each in self._detector.scan(data, path="line.log"):
            grave = each.type in FINANCIAL or each.type in HEALTH or each.type in IDENTITY
            if (each.group == "secret" or grave) and each.confidence != "low" and each.start >= at:
                value = data[each.start : each.end].decode("utf-8", "replace")
                parts += [data[at : each.start].decode("utf-8", "replace"), preview(value)]
                at = each.end
        parts.append(data[at:].decode("utf-8", "replace"))
        veiled = "".join(parts)
        if len(self._seen) < 5000:
            self._seen[text] = veiled
        return veiled
