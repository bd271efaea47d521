"""One audit: every input by the reader of its format, secrets by the detector, one list of findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.examine import Examination, examine, folded
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, plain, rank
from plantwin.private.capabilities.engine.results import Examined, capped, concluded
from plantwin.private.capabilities.engine.secrets import detector_of, lines_of, secret_findings
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.locations import Located, located
from plantwin.private.facts import private
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|fixtures|testdata)/|(?:^|/)(?:test_|conftest)[^/]*$|[._-](?:test|spec)\.\w+$|_test\.\w+$"
)

_WORKFLOW = re.compile(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$")
_BY_HAND = re.compile(
    r"(?:^|/)(?:scripts?|tools?|hack|contrib|migrations?|migrate|management/commands)/|(?:^|/)(?:setup|tasks|fabfile|noxfile)\.py$"
)
"""Programs that a developer starts: no stranger chooses the values that they put together."""

_SILENCED = re.compile(
    r"(?:#|//|/\*|--)[^\n]{0,80}?\b(?:nosec|nosemgrep|NOSONAR|nolint\s?:\s?[\w,]{0,60}gosec|noqa:\s?S\d)"
)


@private
class Audited(NamedTuple):
    """The weaknesses of one object, and how far it was examined."""

    findings: list[Finding]
    parsed: bool = True
    whole: bool = True
    """Whether every place was examined."""
    bandit: bool = True
    """Whether bandit did its part."""
    unread: str = ""
    """Why no rules were tried on it."""
    unruled: str = ""
    """Which of its resources no rule knows."""


def run(job: Job) -> Result:
    """Audit every input."""
    detector = detector_of(job)
    examined: list[Examined] = []
    state: set[OutcomeTag] = set()
    notes: list[str] = []
    failed: list[str] = []
    unruled = False
    sources = [source(given) for given in job.inputs]
    asked = _semgrep(job, sources)
    if asked is not None and asked.note:
        notes.append(f"{asked.note}.")
    for read in sources:
        result = audit_source(read)
        if asked is not None and read.label in asked.covers:
            result = result._replace(findings=folded(result.findings, asked.found.get(read.label, ()), by_tag=True))
        label = plain(read.label)
        if read.truncated:
            notes.append(f"Only the first {READ >> 20} MiB of {label} were examined.")
        if result.unread:
            others = f" and by {asked.engine.title}" if asked is not None and read.label in asked.covers else ""
            notes.append(f"{label} is {result.unread}; it was searched for secrets{others} only.")
        if result.unruled:
            unruled = True
            notes.append(f"{label}: {result.unruled}")
        if not result.bandit:
            failed.append(read.label)
            notes.append(f"bandit failed on {label}; it was examined by the built-in rules alone.")
        if not result.whole:
            notes.append(f"{label} has more places than are examined.")
        if not result.parsed:
            notes.append(f"{label} does not parse as {read.format}; it was examined line by line.")
        if read.truncated or not result.whole:
            state.add(OutcomeTag.TRUNCATED)
        if not result.parsed or result.unread:
            state.add(OutcomeTag.UNPARSABLE)
        detected = list(located(detector, [read.data], read.name))
        findings = _with_secrets(detector, read, _meant(read, result.findings), detected)
        examined.append(Examined(read, findings, lines_of(detected)))
    workflows = sum(_WORKFLOW.search(read.name) is not None for read in sources)
    if workflows:
        notes.append(
            f"{plural(workflows, 'workflow')} of GitHub: examined by our own rules alone; "
            "`audit_infrastructure` asks zizmor as well, where it is installed."
        )
    also = f"; {asked.engine.title} by your rules" if asked is not None and asked.covers else ""
    bandit = installed.of(job).get("bandit")
    return concluded(
        job,
        "Security audit",
        examined,
        tool=f"built-in rules, {bandit.title if bandit else 'bandit'} for Python, and the detector of secrets{also}",
        state=list(state),
        partial=bool(failed or unruled or (asked is not None and asked.note)),
        notes=notes,
        facts={"tools_failed": {"bandit": failed} if failed else {}},
        per_rule=MOST_FINDINGS,
    )


def _semgrep(job: Job, sources: Sequence[Source]) -> Examination | None:
    """Ask semgrep by the person's own rules, where there are some; `covers` are then the labels that it examined."""
    rules = job.options.get("semgrep_rules")
    here = installed.of(job)
    engine = here.get("opengrep") or here.get("semgrep")
    copies = [Copy(read, read.text) for read in sources if not read.binary and not read.truncated]
    if not isinstance(rules, str) or engine is None or not copies:
        return None
    return examine(engine._replace(rules=rules), copies)


def audit_source(read: Source) -> Audited:
    """Look at one object by its format."""
    if read.binary:
        return Audited([], unread="not text")
    if read.format in ("python", "notebook"):
        return _python(notebook_code(read.text) if read.format == "notebook" else read.text, read.input.name)
    # Imported when needed: what is audited most, Python, needs neither.
    from plantwin.private.capabilities.security_audit import patterns, settings
    from plantwin.private.formats.source_views import script_of

    if read.format in patterns.FORMATS and read.minified:
        return Audited([], unread="minified")
    if read.format in patterns.FORMATS:
        return _by_patterns(read.format, read.text)
    if read.format in settings.FORMATS:
        found, sound, unruled = settings.audit(read)
        return Audited(found, sound, unruled=unruled)
    if read.format == "html":
        return _by_patterns("javascript", script_of("html", read.text).text)
    return Audited([], unread=f"{read.format}, for which there are no rules")


def _python(text: str, path: str) -> Audited:
    from plantwin.private.capabilities.security_audit import python

    examined = python.examine(text, path)
    if examined is None:
        return _by_patterns("python", text)._replace(parsed=False)
    return Audited(worst_by_line(examined.findings), bandit=examined.bandit)


def _by_patterns(format: str, text: str) -> Audited:
    from plantwin.private.capabilities.security_audit import patterns

    found, whole = patterns.examine(format, text)
    return Audited(worst_by_line(found), whole=whole)


def worst_by_line(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding for one cause: of several with one tag on one line, the worst."""
    worst: dict[tuple[int, str], Finding] = {}
    for finding in findings:
        known = worst.get((finding.line, finding.tag))
        if known is None or rank(finding.severity) > rank(known.severity):
            worst[finding.line, finding.tag] = finding
    # A token that is made with a weak hash is reported as a token.
    for line, tag in list(worst):
        if tag == OutcomeTag.WEAK_CRYPTO and (line, OutcomeTag.WEAK_AUTHENTICATION.value) in worst:
            del worst[line, tag]
    return list(worst.values())


def notebook_code(text: str) -> str:
    """Return the code of a notebook's cells."""
    from plantwin.private.formats import json as json_format

    value, _ = json_format.load(text, True)
    cells = value.get("cells", []) if isinstance(value, dict) else []
    code = []
    for cell in cells[:2000] if isinstance(cells, list) else []:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            lines = cell.get("source", "")
            joined = "".join(map(str, lines)) if isinstance(lines, list) else str(lines)
            code.append("\n".join("" if line.lstrip()[:1] in ("%", "!") else line for line in joined.split("\n")))
    return "\n".join(code)


def _meant(read: Source, findings: list[Finding]) -> list[Finding]:
    """Lower injections where no stranger gives values, and lines on which a comment silences a scanner."""
    lines = read.text.split("\n")
    hint = "A comment says that it is meant so; check that it still is."
    if _BY_HAND.search(read.name):
        findings = [
            capped(finding) if finding.rule.startswith("INJECTION-") and finding.severity == Severity.HIGH else finding
            for finding in findings
        ]
    return [
        msgspec.structs.replace(finding, severity=Severity.LOW.value, hint=hint)
        if 0 < finding.line <= len(lines) and _SILENCED.search(lines[finding.line - 1])
        else finding
        for finding in findings
    ]


def _with_secrets(detector: Detector, read: Source, findings: list[Finding], detected: list[Located]) -> list[Finding]:
    """Add the secrets of an object. In tests weak values are the rule: there nothing counts as more than low."""
    if _TEST.search(read.input.name):
        low = Severity.LOW.value
        findings = [
            msgspec.structs.replace(finding, severity=low) if rank(finding.severity) > rank(low) else finding
            for finding in findings
        ]
    known = {(finding.line, finding.tag) for finding in findings}
    # A doubtful secret at a line that a rule already reports says nothing new.
    return findings + [
        secret
        for secret in secret_findings(detector, detected, read.data, read.label, personal=False)
        if secret.severity != Severity.LOW.value or (secret.line, secret.tag) not in known
    ]
