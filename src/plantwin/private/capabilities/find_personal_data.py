"""Find data about people: by type and column, with how much of it and where it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.engine.source import Source, in_the_clear
from plantwin.private.capabilities.tables.database import contents
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.locations import Located, located
from plantwin.private.detect.summary import FINANCIAL, HEALTH, IDENTITY, preview
from plantwin.private.detect.tables import form
from plantwin.vocabulary import Kind, OutcomeTag, Severity

TITLE = "Personal data"
READ = 16 << 20
"""Bytes of one input that are examined."""
_SQLITE = b"SQLite format 3\0"
_ADDRESSES = {"ipv4": "IP address", "ipv6": "IP address"}
_OWN = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "0.0.0.0/8",
                     "::1/128", "fe80::/10", "fc00::/7"))
)  # fmt: skip


def run(job: Job) -> Result:
    """Find personal data in every input; one finding for each type, and for each column of a table."""
    detector = detector_of(job)
    examined: list[Examined] = []
    unread: list[str] = []
    for given in job.inputs:
        if given.is_result:
            continue
        data, whole, name = _content(given)
        if not in_the_clear(data):
            unread.append(given.label)
            continue
        read = Source(given, given.label, "", data, "", not whole, binary=True)
        examined.append(Examined(read, list(_found(detector, data, name, log=given.kind == Kind.LOG_STREAM))))
    if not examined:
        return failed(TITLE, "Compressed or encoded: its text cannot be read here.", [OutcomeTag.UNPARSABLE])
    cut = [source.label for source, _, _ in examined if source.truncated]
    state = [OutcomeTag.TRUNCATED] * bool(cut) + [OutcomeTag.UNPARSABLE] * bool(unread)
    types = Counter(finding.message.partition(":")[0] for _, findings, _ in examined for finding in findings)
    notes = [f"Only the first {READ >> 20} MiB were examined of: {', '.join(map(code, cut))}."] if cut else []
    notes += [f"Not readable as text: {', '.join(map(code, unread))}."] if unread else []
    return concluded(
        job, TITLE, examined, tool="the detector of personal data", state=state, notes=notes,
        tables=table(["Type", "Places"], [[kind, str(number)] for kind, number in types.most_common()]),
        facts={"types": dict(types), "truncated": cut}, quoted=False,
    )  # fmt: skip


def _content(given: Input) -> tuple[bytes, bool, str]:
    """Return what is examined of an input, whether that is all, and the name that says its form."""
    if given.part or given.read(len(_SQLITE)) == _SQLITE:
        data, whole = contents(given, READ)
        return data, whole, f"{given.part or given.name}.csv"
    data = given.read(READ)
    return data, given.size <= len(data), given.name


def _found(detector: Detector, data: bytes, name: str, *, log: bool) -> Iterator[Finding]:
    """`log`: the addresses in it are those of whoever called, which is data about people (GDPR, recital 30)."""
    hits = [hit for hit in located(detector, [data], name) if not hit.allowed and _about_people(hit, log=log)]
    tabular = bool(form(data[:4096], name))
    groups: dict[tuple[str, str], list[Located]] = {}
    for hit in hits:
        groups.setdefault((hit.type, hit.name), []).append(hit)
    for (type_, column), same in groups.items():
        yield _finding(type_, column, same, tabular)


def _about_people(hit: Located, *, log: bool) -> bool:
    if hit.type not in _ADDRESSES:
        return hit.group == "personal" and hit.confidence != "low"
    try:
        address = ip_address(hit.value.strip())
    except ValueError:
        return False
    return log and not any(address in network for network in _OWN if network.version == address.version)


def _finding(type_: str, column: str, hits: Iterable[Located], tabular: bool) -> Finding:
    hits = list(hits)
    first = hits[0]
    grave = type_ in FINANCIAL or type_ in HEALTH or type_ in IDENTITY
    words = _ADDRESSES.get(type_) or type_.replace("_", " ").capitalize()
    if column:
        said = f"{words}: column {column}, {first.amount or 'some'} values"
    else:
        different = len({hit.value for hit in hits})
        said = f"{words}: {len(hits)} {'value' if len(hits) == 1 else 'values'}, {different} different"
        said += " in cells" if tabular else ""
    severity = Severity.MEDIUM if grave or (column and first.amount == "many") else Severity.LOW
    return Finding(
        line=first.line, severity=severity.value, tag=OutcomeTag.PERSONAL_DATA.value, message=said,
        confidence=first.confidence, evidence="" if column else preview(first.value.strip()),
    )  # fmt: skip
