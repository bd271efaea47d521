"""What is exposed when an object leaks: its secrets, what they open, who else holds them, what depends on them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    outcome,
    plain,
    rank,
)
from plantwin.private.capabilities.common.secrets import detector_of, secrets
from plantwin.private.capabilities.common.settings import FORMATS, settings
from plantwin.private.capabilities.common.source import decoded, source
from plantwin.private.capabilities.incident.access import UNKNOWN, Access, access_near, access_of
from plantwin.private.capabilities.incident.moments import times
from plantwin.private.capabilities.incident.neighbourhood import Place, places, used_by
from plantwin.private.capabilities.job import Finding, Input, Job, Result
from plantwin.private.facts import Private
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.located import located
from plantwin.private.redact.summary import FINANCIAL, HEALTH, IDENTITY
from plantwin.vocabulary import OutcomeTag, Severity

TOOL = "secret detection, keyed digests of settings and relations of the folder"
READ = 16 << 20
MOST = 400
"""Secrets of one object."""
_SECRETS = (OutcomeTag.HARDCODED_SECRET.value, OutcomeTag.PRIVATE_KEY.value)
_KEY = re.compile(r"([A-Za-z_][\w.-]{1,80})[\"']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}[\"']?$")
_SCHEME = re.compile(r"([a-z][a-z0-9]{1,20})(?:\+[a-z0-9]{1,20})?://[^/\s]{0,100}$")
_TYPE = re.compile(r"An? ([\w ]{2,60}?) in the open")


class Secret(Private, msgspec.Struct):
    """One secret, masked."""

    label: str
    line: int
    type: str
    severity: str
    tag: str
    preview: str
    key: str = ""
    access: Access = UNKNOWN
    protected: bool = False
    """Hashed, encrypted, allowed or doubtful: not open as it stands."""
    elsewhere: list[str] = []


def assess(job: Job) -> Result:
    """Every secret with what it opens and where else it is, and a list of what to replace."""
    detector = detector_of(job)
    held: list[Secret] = []
    personal: dict[str, dict[str, int]] = {}
    values: dict[str, set[str]] = {}
    truncated: list[str] = []
    names: list[tuple[str, int]] = []
    if not job.inputs:
        return failed("Exposure", "An object or a scan for secrets is needed.")
    for number, given in enumerate(job.inputs):
        if given.is_result:
            held += _handed(given, personal)
            names += [(name, -1) for name in dict.fromkeys(each.name for each in given.findings())]
            continue
        where = job.surroundings.inputs
        names.append((given.name, where[number] if number < len(where) else -1))
        mine, whole = _object(given, detector, personal, values)
        held += mine
        if not whole:
            truncated.append(given.label)
    around = places(
        job.surroundings,
        names,
        {name: {each.key for each in held if each.label.partition("#")[0] == name and each.key} for name, _ in names},
    )
    _elsewhere(held, around, values)
    classes = {each.name: each.semantic_class for each in job.surroundings.objects}
    for each in held:
        each.access = access_near(each.access, classes.get(each.label, ""))
        each.access = access_near(each.access, used_by(job.surroundings, each.key))
    found = [*_findings(held, around), *_personal(personal)]
    state = [OutcomeTag.TRUNCATED.value] if truncated else []
    listed = ordered(found)[:MOST_FINDINGS]
    opened = {each.access.word for each in held if not each.protected}
    return Result(
        outcome=outcome(found, state=state, partial=bool(truncated)),
        title="Exposure",
        findings=listed,
        facts={
            "tool": TOOL,
            "examined": [given.label for given in job.inputs],
            "opens": sorted(opened),
            "secrets": [
                {
                    "place": f"{each.label}:{each.line}",
                    "type": each.type,
                    "key": each.key,
                    "opens": each.access.word,
                    "elsewhere": each.elsewhere[:20],
                }
                for each in held[:200]
            ],
            "personal": personal,
            "dependents": {each.name: each.dependents[:50] for each in around},
            "public": {each.name: each.public for each in around if each.public},
        },
        text=_text(held, personal, around, listed, len(set(found)), truncated),
    )


def _object(
    given: Input, detector: Detector, personal: dict[str, dict[str, int]], values: dict[str, set[str]]
) -> tuple[list[Secret], bool]:
    if given.part:
        from plantwin.private.capabilities.common.database import contents

        data, whole = contents(given, READ)
        name = f"{given.part}.csv"
    else:
        data, whole, name = given.read(READ), given.size <= READ, given.name
    judged = {
        (each.line, each.evidence): each for each in secrets(detector, data, name, given.label) if each.tag in _SECRETS
    }
    keys = _keys(given, data)
    text = decoded(data).split("\n")
    found: list[Secret] = []
    for each in located(detector, [data], name):
        if each.group == "personal" and each.confidence != "low":
            sorts = personal.setdefault(given.label, {})
            sorts[each.type] = sorts.get(each.type, 0) + 1
        if each.group != "secret" or len(found) >= MOST:
            continue
        known = [one for (line, _), one in judged.items() if line == each.line]
        finding = max(known, key=lambda one: rank(one.severity)) if known else None
        if finding is None:
            continue
        before = text[each.line - 1][: max(0, each.column - 1)][-120:] if each.line <= len(text) else ""
        named = _KEY.search(before)
        scheme = _SCHEME.search(before)
        key = keys.get(each.line) or (named[1] if named is not None else "")
        exact = judged.get((each.line, finding.evidence), finding)
        values.setdefault(each.value.strip(), set()).add(given.label)
        found.append(
            Secret(
                given.label, each.line, each.type, exact.severity, exact.tag, _preview(each.type, each.value),
                key=key, access=access_of(each.type, f"{key.rpartition('.')[2]} {scheme[1] if scheme else ''}"),
                protected=exact.severity == Severity.LOW.value,
                elsewhere=[each.value.strip()],
            )
        )  # fmt: skip
    return found, whole


def _preview(kind: str, value: str) -> str:
    from plantwin.private.redact.masking import preview

    return "" if "private_key" in kind else preview(value.strip())


def _keys(given: Input, data: bytes) -> dict[int, str]:
    """Names of settings by line."""
    if given.part:
        return {}
    each = source(given)
    if each.format not in FORMATS:
        return {}
    return {one.line: one.path for one in settings(each.format, each.text)[0]}


def _handed(given: Input, personal: dict[str, dict[str, int]]) -> list[Secret]:
    """Secrets that an earlier scan found."""
    found: list[Secret] = []
    for each in given.findings():
        if each.tag == OutcomeTag.PERSONAL_DATA.value:
            sorts = personal.setdefault(each.name, {})
            sort = each.message.removeprefix("Personal data: ").replace(" ", "_")[:60]
            sorts[sort] = sorts.get(sort, 0) + 1
        if each.tag not in _SECRETS:
            continue
        told = _TYPE.match(each.message)
        kind = told[1].replace(" ", "_") if told is not None else "secret"
        protected = each.severity == Severity.LOW.value
        found.append(
            Secret(
                each.name,
                each.line,
                kind,
                each.severity,
                each.tag,
                each.evidence,
                access=access_of(kind),
                protected=protected,
            )
        )
    return found


def _elsewhere(held: list[Secret], around: Iterable[Place], values: dict[str, set[str]]) -> None:
    """Who else holds each secret: other inputs by value, other objects by digest. The value itself is dropped."""
    by_name = {each.name: each for each in around}
    for each in held:
        value, each.elsewhere = (each.elsewhere or [""])[0], []
        others = sorted(values.get(value, set()) - {each.label})
        place = by_name.get(each.label.partition("#")[0])
        if place is not None:
            others += [other for key, found in place.reused.items() if each.key and key == each.key for other in found]
            others += place.copies
        each.elsewhere = list(dict.fromkeys(others))


def _findings(held: list[Secret], around: list[Place]) -> list[Finding]:
    found: list[Finding] = []
    for each in held:
        grave = each.severity
        if not each.protected and each.access is not UNKNOWN:
            grave = max(grave, each.access.severity.value, key=rank)
        if each.severity == Severity.MEDIUM.value:
            # What may not be real does not become grave by what it would open.
            grave = (Severity.HIGH if each.access.severity is Severity.CRITICAL else Severity.MEDIUM).value
        named = f" ({each.key})" if each.key else ""
        found.append(
            Finding(
                name=each.label, line=each.line, severity=grave, tag=each.tag,
                message=f"{_article(each.type)} {each.type.replace('_', ' ')}{named} "
                f"{'would open' if each.protected else 'opens'} {each.access.opens}",
                hint="Protected or doubtful as it stands." if each.protected else _sentence(each.access.replace),
                evidence=each.preview,
            )
        )  # fmt: skip
        if each.elsewhere and not each.protected:
            found.append(
                Finding(
                    name=each.label, line=each.line, severity=Severity.HIGH.value, tag=OutcomeTag.REUSED_SECRET.value,
                    message=f"The same {each.type.replace('_', ' ')}{named} is also in {', '.join(each.elsewhere[:5])}"
                    + (f" and {len(each.elsewhere) - 5} more" if len(each.elsewhere) > 5 else ""),
                    hint="Replace it in all of them at once.",
                )
            )  # fmt: skip
    opened = sorted({each.access.word for each in held if not each.protected and each.access is not UNKNOWN})
    if len(opened) > 1:
        first = next(each for each in held if not each.protected)
        found.append(
            Finding(
                name=first.label, severity=Severity.HIGH.value, tag=OutcomeTag.WIDE_ACCESS.value,
                message=f"Together the secrets open {len(opened)} sorts of systems: {', '.join(opened)}",
                hint="Keep secrets of different systems apart, each with the least rights.",
            )
        )  # fmt: skip
    sensitive = {each.label.partition("#")[0] for each in held if not each.protected}
    for place in around:
        if place.public and place.name in sensitive:
            found.append(
                Finding(
                    name=place.name, severity=Severity.HIGH.value, tag=OutcomeTag.EXPOSED_SERVICE.value,
                    message=f"It may be seen from outside: {'; '.join(place.public)}",
                    hint="Check who could have read it, and since when.",
                )
            )  # fmt: skip
        if len(place.dependents) >= 5:
            found.append(
                Finding(
                    name=place.name, severity=Severity.LOW.value, tag=OutcomeTag.WIDE_IMPACT.value,
                    message=f"{len(place.dependents)} objects depend on it; a replaced secret has to reach them all",
                )
            )  # fmt: skip
    return found


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _article(word: str) -> str:
    return "An" if word[:1] in "aeiou" else "A"


def _grave(sorts: dict[str, int]) -> bool:
    """Whether it is more than names and addresses of a few."""
    return any(sort in FINANCIAL or sort in HEALTH or sort in IDENTITY for sort in sorts) and sum(sorts.values()) >= 3


def _personal(personal: dict[str, dict[str, int]]) -> list[Finding]:
    return [
        Finding(
            name=label,
            severity=(Severity.HIGH if _grave(sorts) else Severity.MEDIUM).value,
            tag=OutcomeTag.PERSONAL_DATA.value,
            message="Holds personal data: "
            + ", ".join(f"{sort.replace('_', ' ')} ({count})" for sort, count in sorted(sorts.items())),
            hint="If it left the house, the people and an authority may have to be told, often within 72 hours.",
        )
        for label, sorts in personal.items()
    ]


def _text(
    held: list[Secret],
    personal: dict[str, dict[str, int]],
    around: list[Place],
    listed: list[Finding],
    total: int,
    truncated: list[str],
) -> str:
    open_ = [each for each in held if not each.protected]
    lines = [
        f"{times(len(open_), 'secret')} in the open, {len(held) - len(open_)} protected or doubtful: "
        f"{counted(listed)}.",
        "",
    ]
    if held:
        lines += ["| place | secret | value | opens | also in |", "|---|---|---|---|---|"]
        lines += [
            f"| {code(f'{each.label}:{each.line}')} | {plain(each.type.replace('_', ' '))}"
            f"{f' {code(each.key)}' if each.key else ''} "
            f"| {code(each.preview)} | {each.access.word} | {', '.join(code(name) for name in each.elsewhere[:4])} |"
            for each in held[:50]
        ]
        lines.append("")
    for place in around:
        if place.dependents or place.public or place.copies:
            lines += [f"#### {plain(place.name)}", ""]
            lines += [f"- May be seen from outside: {plain('; '.join(place.public), 400)}."] if place.public else []
            lines += [f"- Copies: {', '.join(code(name) for name in place.copies[:10])}."] if place.copies else []
            if place.dependents:
                lines += [
                    f"- Depends on it: {', '.join(code(name) for name in place.dependents[:12])}"
                    + ("." if len(place.dependents) <= 12 else f" and {len(place.dependents) - 12} more.")
                ]
            lines += [f"- Through these: {times(place.further, 'further object')}."] if place.further else []
            lines.append("")
    if open_:
        lines += ["What to do, in this order:", ""]
        done: set[tuple[str, str, str]] = set()
        for each in sorted(
            open_, key=lambda one: (-rank(one.access.severity.value), -rank(one.severity), one.label, one.line)
        ):
            step = each.access.word, each.key or each.type, each.label
            if step in done:
                continue
            done.add(step)
            also = f" (also in {', '.join(code(name) for name in each.elsewhere[:4])})" if each.elsewhere else ""
            lines.append(
                f"- [ ] {each.access.word}: {code(each.key or each.type)} of "
                f"{code(f'{each.label}:{each.line}')}{also}: {each.access.replace}."
            )
        lines += [
            "- [ ] Take the values out of the files and their history; read them from a secret store.",
            "- [ ] Scan again.",
            "",
        ]
    lines += [findings_text(listed, total)]
    if truncated:
        lines += [
            "",
            f"Only the first {READ >> 20} MiB were examined of: {', '.join(code(name) for name in truncated)}.",
        ]
    return "\n".join(lines).strip() + "\n"
