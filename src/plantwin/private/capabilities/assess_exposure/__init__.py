"""What is exposed when an object leaks: its secrets, what they open, who else holds them, what depends on them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from plantwin.private.capabilities.assess_exposure.neighbourhood import Place, places, used_by
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, rank
from plantwin.private.capabilities.engine.results import concluded_by_object, finding, table
from plantwin.private.capabilities.engine.secrets import detector_of, secrets, type_of
from plantwin.private.capabilities.engine.source import decoded, in_the_clear, source, unclear
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.locations import located
from plantwin.private.detect.summary import preview
from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.settings import FORMATS, settings
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity, member

TOOL = "secret detection, keyed digests of settings and relations of the folder"
READ = 16 << 20
MOST = 400
"""Secrets of one object."""
WIDE = 5
"""Dependents from which a replaced secret concerns many."""
_SECRETS = (OutcomeTag.HARDCODED_SECRET.value, OutcomeTag.PRIVATE_KEY.value)
_KEY = re.compile(r"([A-Za-z_][\w.-]{1,80})[\"']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}[\"']?$")
_SCHEME = re.compile(r"([a-z][a-z0-9]{1,20})(?:\+[a-z0-9]{1,20})?://[^/\s]{0,100}$")
Personal = dict[str, Counter[str]]
"""How often each type of personal data is in each object."""


class Access(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of system that a secret opens."""

    name: str
    severity: Severity
    opens: str
    replace: str
    types: str = "(?!)"
    keys: str = ""
    key_order: int = 0
    semantic_class: str = ""


_SYSTEMS = msgspec.convert(beside(__file__, "access.toml")["system"], list[Access])
UNKNOWN = _SYSTEMS[-1]
_BY_TYPE = [(re.compile(system.types), system) for system in _SYSTEMS]
_BY_KEY = [
    (re.compile(system.keys, re.IGNORECASE), system)
    for system in sorted(_SYSTEMS, key=lambda system: system.key_order)
    if system.keys
]
_BY_CLASS = {system.semantic_class: system for system in _SYSTEMS if system.semantic_class}


def access_of(kind: str, key: str = "") -> Access:
    """Return what a secret opens. `kind`: the detector's type; `key`: the name that it is kept under."""
    found = next((system for pattern, system in _BY_TYPE if pattern.search(kind)), None)
    return found or next((system for pattern, system in _BY_KEY if key and pattern.search(key)), UNKNOWN)


def access_near(access: Access, semantic_class: str) -> Access:
    """Return the access where nothing else tells: by the class of the object that holds or uses the secret."""
    return _BY_CLASS.get(semantic_class, UNKNOWN) if access is UNKNOWN else access


class Secret(Private, msgspec.Struct):
    """One secret, masked."""

    label: str
    line: int
    type: str
    severity: Severity
    tag: OutcomeTag
    preview: str
    key: str = ""
    access: Access = UNKNOWN
    elsewhere: list[str] = []

    @property
    def protected(self) -> bool:
        """Whether it is hashed, encrypted, allowed or doubtful: not open as it stands."""
        return self.severity is Severity.LOW

    @property
    def gravity(self) -> Severity:
        """How grave it is that more depends on it: what may not be real does not become grave by that."""
        return Severity.MEDIUM if self.severity is Severity.MEDIUM else Severity.HIGH

    @property
    def words(self) -> str:
        """Its type, with the name of its key."""
        return self.type.replace("_", " ") + (f" ({self.key})" if self.key else "")


def run(job: Job) -> Result:
    """List every secret with what it opens and where else it is, and what to replace."""
    if not job.inputs:
        return failed("Exposure", "An object or a scan for secrets is needed.")
    detector = detector_of(job)
    held: list[Secret] = []
    values: list[str] = []
    personal: Personal = defaultdict(Counter)
    truncated: list[str] = []
    opaque: list[str] = []
    names: list[tuple[str, int]] = []
    for number, given in enumerate(job.inputs):
        if given.is_result:
            held += _handed_on(given, personal)
            values += [""] * (len(held) - len(values))
            names += [(name, -1) for name in dict.fromkeys(earlier.name for earlier in given.findings())]
            continue
        where = job.surroundings.inputs
        names.append((given.name, where[number] if number < len(where) else -1))
        data, whole, name = _content(given)
        truncated += [] if whole else [code(given.label)]
        opaque += [] if in_the_clear(data) else [given.label]
        for secret, value in _secrets(given, data, name, detector, personal):
            held.append(secret)
            values.append(value)
    keys: dict[str, set[str]] = defaultdict(set)
    for secret in held:
        keys[secret.label.partition("#")[0]] |= {secret.key} - {""}
    around = places(job.surroundings, names, keys)
    _find_elsewhere(held, values, around)
    classes = {neighbour.name: neighbour.semantic_class for neighbour in job.surroundings.objects}
    for secret in held:
        secret.access = access_near(secret.access, classes.get(secret.label, ""))
        secret.access = access_near(secret.access, used_by(job.surroundings, secret.key))
    cut = [f"Only the first {READ >> 20} MiB were examined of: {', '.join(truncated)}."] if truncated else []
    return concluded_by_object(
        job, "Exposure", [*_exposed(held), *_concerned(held, around), *_personal(personal)], tool=TOOL,
        examined=[given.label for given in job.inputs],
        state=[OutcomeTag.TRUNCATED] if truncated else [],
        partial=bool(opaque),
        notes=[*cut, *unclear(opaque)],
        tables=[*_table(held), *_places(around), *_steps(held)],
        facts={
            "opens": sorted({secret.access.name for secret in held if not secret.protected}),
            "secrets": [
                {
                    "place": f"{secret.label}:{secret.line}", "type": secret.type, "key": secret.key,
                    "opens": secret.access.name, "elsewhere": secret.elsewhere[:20],
                }
                for secret in held[:200]
            ],
            "personal": personal,
            "dependents": {place.name: place.dependents[:50] for place in around},
            "public": {place.name: place.public for place in around if place.public},
        },
    )  # fmt: skip


def _content(given: Input) -> tuple[bytes, bool, str]:
    """Return the bytes of an object, whether they are all, and the name by which the detector reads them."""
    if not given.part:
        return given.read(READ), given.size <= READ, given.name
    from plantwin.private.capabilities.tables.database import contents

    data, whole = contents(given, READ)
    return data, whole, f"{given.part}.csv"


def _secrets(
    given: Input, data: bytes, name: str, detector: Detector, personal: Personal
) -> Iterator[tuple[Secret, str]]:
    """Yield the secrets of an object with their values, and count its personal data."""
    worst: dict[int, Finding] = {}
    for candidate in secrets(detector, data, name, given.label):
        known = worst.get(candidate.line)
        if candidate.tag in _SECRETS and (known is None or rank(candidate.severity) > rank(known.severity)):
            worst[candidate.line] = candidate
    keys = _keys_by_line(given)
    lines = decoded(data).split("\n")
    count = 0
    for found in located(detector, [data], name):
        # Who is named as the author of code is meant to be seen.
        if found.group == "personal" and found.confidence != "low" and found.type != "author_tag":
            personal[given.label][found.type] += 1
        judged = worst.get(found.line)
        if found.group != "secret" or count >= MOST or judged is None:
            continue
        count += 1
        before = lines[found.line - 1][: max(0, found.column - 1)][-120:] if found.line <= len(lines) else ""
        named, scheme = _KEY.search(before), _SCHEME.search(before)
        key = keys.get(found.line) or (named[1] if named is not None else "")
        value = found.value.strip()
        access = access_of(found.type, f"{key.rpartition('.')[2]} {scheme[1] if scheme else ''}")
        shown = "" if "private_key" in found.type else preview(value)
        severity, tag = member(Severity, judged.severity), member(OutcomeTag, judged.tag)
        yield Secret(given.label, found.line, found.type, severity, tag, shown, key, access), value


def _keys_by_line(given: Input) -> dict[int, str]:
    read = source(given) if not given.part else None
    if read is None or read.format not in FORMATS:
        return {}
    return {setting.line: setting.path for setting in settings(read.format, read.text)[0]}


def _handed_on(given: Input, personal: Personal) -> Iterator[Secret]:
    """Yield the secrets that an earlier scan found, and count its personal data."""
    for found in given.findings():
        if found.tag == OutcomeTag.PERSONAL_DATA.value:
            kind = found.message.removeprefix("Personal data: ").replace(" ", "_")[:60]
            personal[found.name][kind] += 1
        if found.tag in _SECRETS:
            kind = type_of(found.message)
            severity, tag = member(Severity, found.severity), member(OutcomeTag, found.tag)
            yield Secret(found.name, found.line, kind, severity, tag, found.evidence, access=access_of(kind))


def _find_elsewhere(held: list[Secret], values: list[str], around: Iterable[Place]) -> None:
    """Find who else holds each secret: other inputs by value, other objects by digest."""
    by_name = {place.name: place for place in around}
    labels: dict[str, set[str]] = defaultdict(set)
    for secret, value in zip(held, values, strict=True):
        labels[value].add(secret.label)
    for secret, value in zip(held, values, strict=True):
        others = sorted(labels[value] - {secret.label}) if value else []
        place = by_name.get(secret.label.partition("#")[0])
        if place is not None:
            others += [*place.reused.get(secret.key, ()), *place.copies]
        secret.elsewhere = list(dict.fromkeys(others))


def _exposed(held: list[Secret]) -> Iterator[Finding]:
    for secret in held:
        severity = secret.severity
        if severity is not Severity.MEDIUM and not secret.protected and secret.access is not UNKNOWN:
            severity = max(severity, secret.access.severity, key=lambda word: rank(word.value))
        article = "An" if secret.type[:1] in "aeiou" else "A"
        would = "would open" if secret.protected else "opens"
        replace = f"{secret.access.replace[0].upper()}{secret.access.replace[1:]}."
        yield finding(
            secret.label, secret.line, severity, secret.tag, f"{article} {secret.words} {would} {secret.access.opens}",
            hint="Protected or doubtful as it stands." if secret.protected else replace, evidence=secret.preview,
        )  # fmt: skip
        if secret.elsewhere and not secret.protected:
            more = f" and {len(secret.elsewhere) - 5} more" if len(secret.elsewhere) > 5 else ""
            yield finding(
                secret.label, secret.line, secret.gravity, OutcomeTag.REUSED_SECRET,
                f"The same {secret.words} is also in {', '.join(secret.elsewhere[:5])}{more}",
                hint="Replace it in all of them at once.",
            )  # fmt: skip


def _concerned(held: list[Secret], around: list[Place]) -> Iterator[Finding]:
    """Yield what the secrets of all objects open together, who may see them and who depends on them."""
    open_ = [secret for secret in held if not secret.protected]
    opened = sorted({secret.access.name for secret in open_ if secret.access is not UNKNOWN})
    if len(opened) > 1:
        sure = {secret.access.name for secret in open_ if secret.gravity is Severity.HIGH} - {UNKNOWN.name}
        yield finding(
            open_[0].label, 0, Severity.HIGH if len(sure) > 1 else Severity.MEDIUM, OutcomeTag.WIDE_ACCESS,
            f"Together the secrets open {len(opened)} sorts of systems: {', '.join(opened)}",
            hint="Keep secrets of different systems apart, each with the least rights.",
        )  # fmt: skip
    sensitive = {secret.label.partition("#")[0]: secret.gravity for secret in open_}
    sensitive |= {secret.label.partition("#")[0]: secret.gravity for secret in open_ if secret.gravity is Severity.HIGH}
    for place in around:
        if place.public and place.name in sensitive:
            message = f"It may be seen from outside: {'; '.join(place.public)}"
            hint = "Check who could have read it, and since when."
            yield finding(place.name, 0, sensitive[place.name], OutcomeTag.EXPOSED_SERVICE, message, hint=hint)
        if place.name in sensitive and len(place.dependents) >= WIDE:
            message = f"{len(place.dependents)} objects depend on it; a replaced secret has to reach them all"
            yield finding(place.name, 0, Severity.LOW, OutcomeTag.WIDE_IMPACT, message)


def _personal(personal: Personal) -> Iterator[Finding]:
    for label, types in personal.items():
        listed = ", ".join(f"{type_.replace('_', ' ')} ({count})" for type_, count in sorted(types.items()))
        hint = "If it left the house, the people and an authority may have to be told, often within 72 hours."
        yield finding(label, 0, Severity.MEDIUM, OutcomeTag.PERSONAL_DATA, f"Holds personal data: {listed}", hint=hint)


def _table(held: list[Secret]) -> list[str]:
    rows = [
        (
            code(f"{secret.label}:{secret.line}"),
            plain(secret.type.replace("_", " ")) + (f" {code(secret.key)}" if secret.key else ""),
            code(secret.preview), secret.access.name, ", ".join(map(code, secret.elsewhere[:4])),
        )
        for secret in held
    ]  # fmt: skip
    protected = sum(secret.protected for secret in held)
    head = f"{plural(len(held) - protected, 'secret')} in plain text, {protected} protected or doubtful."
    return [head, "", *table(("place", "secret", "value", "opens", "also in"), rows, 50)]


def _places(around: list[Place]) -> list[str]:
    lines: list[str] = []
    for place in around:
        stated = []
        if place.public:
            stated.append(f"- May be seen from outside: {plain('; '.join(place.public), 400)}.")
        if place.copies:
            stated.append(f"- Copies: {', '.join(map(code, place.copies[:10]))}.")
        if place.dependents:
            more = f" and {len(place.dependents) - 12} more" if len(place.dependents) > 12 else ""
            stated.append(f"- Depends on it: {', '.join(map(code, place.dependents[:12]))}{more}.")
        if place.further:
            stated.append(f"- Through these: {plural(place.further, 'further object')}.")
        lines += [f"#### {plain(place.name)}", "", *stated, ""] if stated else []
    return lines


def _steps(held: list[Secret]) -> list[str]:
    """List what to do, the gravest first."""
    open_ = [secret for secret in held if not secret.protected]
    if not open_:
        return []
    open_.sort(
        key=lambda entry: (-rank(entry.access.severity.value), -rank(entry.severity.value), entry.label, entry.line)
    )
    steps: dict[tuple[str, str, str], str] = {}
    for secret in open_:
        also = f" (also in {', '.join(map(code, secret.elsewhere[:4]))})" if secret.elsewhere else ""
        name, place = secret.key or secret.type, code(f"{secret.label}:{secret.line}")
        line = f"- [ ] {secret.access.name}: {code(name)} of {place}{also}: {secret.access.replace}."
        steps.setdefault((secret.access.name, name, secret.label), line)
    last = "- [ ] Take the values out of the files and their history; read them from a secret store."
    return ["What to do, in this order:", "", *steps.values(), last, "- [ ] Scan again.", ""]
