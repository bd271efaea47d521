"""`plantwin audit statement`: what an audience was told, verified by who has the file and the public key."""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import jsonschema
import msgspec
import pytest
from command_line import Cli

from plantwin.ledgers.signing import Signer, fingerprint
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.statement import Request, Told, moment, schema, state
from plantwin.ledgers.statement_check import Checked, StatementError, check
from plantwin.surfaces.render.statement import MOST, Summary, html, pdf
from plantwin.types.ledger import Audience, Charge, Decision, Entry, canonical_json
from scripts import GOAL, plan, script, step

DAY = 86_400.0
START = 1_780_272_000.0  # 2026-06-01
SIGNER, OTHER = Signer(b"s" * 32), Signer(b"o" * 32)
KEY = fingerprint(SIGNER.public)
DOCS = Path(__file__).parents[2] / "docs"


class Clock:
    """The time that a test says it is."""

    now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(tmp_path: Path, clock: Clock):
    opened = SqliteLedger(tmp_path / "ledger" / "ledger.db", b"k" * 32, clock=clock)
    yield opened
    opened.close()


def key_of(number: int) -> bytes:
    return number.to_bytes(4) * 8


def tell(ledger: SqliteLedger, audience: str, number: int, *units: str) -> None:
    """One session's opening, charge and message."""
    who = {"session": f"{number:016x}", "audience": audience}
    begun = Entry("session", canonical_json({**who, "planner": "p", "locality": "remote", "user": "ann", "host": "h1"}))
    sent = Entry("envelope", canonical_json({**who, "sha256": "ab" * 32, "data": "{}"}))
    charges = tuple(Charge(key_of(number), unit, 500) for unit in units)
    limits = {key_of(number): 10_000}
    ledger.note(audience, "session", (begun,))
    ledger.transact(
        Audience(audience, (audience,)), [key_of(number)], lambda standing: Decision(None, charges, limits, (sent,))
    )


@pytest.fixture
def told(ledger: SqliteLedger, clock: Clock) -> SqliteLedger:
    """Three days, two audiences."""
    for day, audience in enumerate(("openai", "mistral", "openai")):
        clock.now = START + day * DAY + 3600
        tell(ledger, audience, day + 1, f"kind=config@v{day}", f"contains=tables@v{day}", "left=3")
    clock.now = START + 5 * DAY
    return ledger


def asked(*audiences: str, since: float | None = None, until: float = START + 4 * DAY, names=None) -> Request:
    return Request(audiences or ("openai",), since, until, START + 5 * DAY, "1", names)


def made(ledger: SqliteLedger, form: str = "json", request: Request | None = None, signer: Signer = SIGNER) -> bytes:
    summary = Summary()
    data = b"".join(state(ledger, request or asked(), signer, summary.add))
    try:
        if form == "json":
            return data
        return b"".join(html(summary, [data], signer)) if form == "html" else pdf(summary, [data], signer)
    finally:
        summary.close()


def verify(data: bytes, key: str | None = KEY, trail: SqliteLedger | None = None) -> Checked:
    return check(io.BytesIO(data), key, trail)


def problem(data: bytes, key: str | None = KEY, trail: SqliteLedger | None = None) -> StatementError:
    with pytest.raises(StatementError) as caught:
        verify(data, key, trail)
    return caught.value


@pytest.mark.parametrize("form", ["json", "html", "pdf"])
def test_a_statement_verifies_without_the_ledger_and_with_it(told: SqliteLedger, form: str) -> None:
    data = made(told, form)
    found = verify(data)
    assert (found.totals.facts, found.totals.objects, found.totals.envelopes, found.key) == (4, 2, 2, KEY)
    assert verify(data, trail=told) == found
    assert b"left=" not in data and b'"ann"' not in data  # what is only remembered was not told; who asked is local


def test_the_data_is_json_that_its_schema_describes(told: SqliteLedger) -> None:
    document = json.loads(made(told))
    jsonschema.validate(document, schema())
    assert [one["entry"]["entry"] for one in document["entries"]] == ["session", "told", "envelope"] * 2
    assert {fact["fact"] for fact in document["entries"][1]["entry"]["facts"]} == {"kind=config", "contains=tables"}
    shipped = json.loads((DOCS / "statement.schema.json").read_text())
    assert shipped == schema(), "run: plantwin schema --statement > docs/statement.schema.json"


@pytest.mark.parametrize(
    ("audiences", "since", "until", "lines"),
    [
        (("openai",), None, START + 4 * DAY, [1, 2, 3, 7, 8, 9]),
        (("mistral",), None, START + 4 * DAY, [4, 5, 6]),
        (("mistral", "openai"), None, START + 4 * DAY, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (("openai",), START + DAY, START + 4 * DAY, [7, 8, 9]),
        (("openai",), START + 2 * DAY + 3600, START + 4 * DAY, [7, 8, 9]),
        (("openai",), None, START + 2 * DAY + 3600, [1, 2, 3]),
        (("openai",), START + DAY, START + 2 * DAY, []),
        (("nobody",), None, START + 4 * DAY, []),
        (("openai",), START + DAY, START + 90 * DAY, [7, 8, 9]),
    ],
)
def test_audience_and_time_choose_the_lines(
    told: SqliteLedger, audiences: tuple[str, ...], since: float | None, until: float, lines: list[int]
) -> None:
    data = made(told, request=asked(*audiences, since=since, until=until))
    document = json.loads(data)
    assert [one["entry"]["line"] for one in document["entries"]] == lines
    assert document["header"]["to"] == moment(min(until, START + 5 * DAY))  # never later than it was made
    assert verify(data, trail=told).totals.entries == len(lines)


@pytest.mark.parametrize("form", ["json", "html", "pdf"])
def test_every_byte_is_covered(told: SqliteLedger, form: str) -> None:
    """Of JSON each byte is changed; of pages, whose seal is one signature over all, every so many."""
    data = made(told, form)
    stride = {"json": 1, "html": 7, "pdf": 29}[form]
    for place in [*range(0, len(data), stride), *range(len(data) - 300, len(data))]:
        changed = bytearray(data)
        changed[place] ^= 1
        problem(bytes(changed))
    for cut in (data[:-1], data[1:], data + b"\n", data[: len(data) // 2], b""):
        problem(cut)


def entry_line(data: bytes, number: int) -> bytes:
    return data.split(b"\n")[3 + number] + b"\n"


def rebuilt(data: bytes, signer: Signer) -> bytes:
    """What somebody makes who changes a statement, computes all digests anew and signs with their own key."""
    from plantwin.ledgers.statement import FORMAT, SIGNED, link

    document = json.loads(data)
    lines = data.split(b"\n")
    digest = link(FORMAT, lines[1][len(b'"header":') : -1])
    out = [lines[0], lines[1], b'"digest":"%b",' % digest.encode(), lines[3]]
    for number, _ in enumerate(document["entries"], start=1):
        body, comma = lines[3 + number].rstrip(b","), lines[3 + number].endswith(b",")
        payload = body[body.index(b'"entry":') + 8 : -1]
        digest = link(digest, payload)
        out.append(b'{"digest":"%b","entry":%b}' % (digest.encode(), payload) + b"," * comma)
    totals = lines[5 + len(document["entries"])]
    head = link(digest, totals[len(b'"totals":') : -1])
    value = signer.sign((SIGNED + head).encode()).hex()
    public = document["signature"]["public_key"] if signer is SIGNER else signer.public.hex()
    end = f'"head":"{head}",\n"signature":{{"algorithm":"ed25519","public_key":"{public}","value":"{value}"}}}}\n'
    return b"\n".join([*out, b"],", totals, end.encode()])


CHANGES = {
    "a fact": (lambda data: data.replace(b"kind=config", b"kind=secret", 1), "entry_changed", "entry 2 was changed"),
    "a digest": (
        lambda data: data.replace(json.loads(data)["entries"][2]["digest"].encode(), b"0" * 64),
        "entry_changed",
        "entry 3 was changed",
    ),
    "a line missing": (lambda data: data.replace(entry_line(data, 3), b""), "entry_missing", "entry 3 is missing"),
    "lines missing": (
        lambda data: data.replace(entry_line(data, 2) + entry_line(data, 3), b""),
        "entry_missing",
        "entries 2 to 3 are missing: entry 4 follows",
    ),
    "the end missing": (
        lambda data: data.replace(entry_line(data, 6), b"").replace(
            entry_line(data, 5), entry_line(data, 5)[:-2] + b"\n"
        ),
        "entry_missing",
        "entries 6 to 6 are missing at the end",
    ),
    "a line twice": (
        lambda data: data.replace(entry_line(data, 3), entry_line(data, 2) + entry_line(data, 3)),
        "entry_moved",
        "entry 2 stands where entry 3 belongs",
    ),
    "the header": (lambda data: data.replace(b'"openai"', b'"nobody"', 1), "header", "header was changed"),
    "the totals": (lambda data: data.replace(b'"facts":4', b'"facts":2'), "totals", "totals or the head"),
    "the layout": (lambda data: data.replace(b'"entries":[', b'"entries": ['), "layout", "before the entries"),
    "another format": (lambda data: data.replace(b"statement/1", b"statement/2"), "no_statement", "no statement"),
    "more behind": (lambda data: data + b"{}", "layout", "after the signature"),
    "digests made anew": (
        lambda data: rebuilt(data.replace(b"kind=config", b"kind=secret"), OTHER).replace(
            OTHER.public.hex().encode(), SIGNER.public.hex().encode()
        ),
        "signature",
        "digests made anew",
    ),
    "signed by another": (lambda data: rebuilt(data, OTHER), "key", "another key"),
    "the signature": (
        lambda data: data.replace(json.loads(data)["signature"]["value"].encode(), b"0" * 128),
        "signature",
        "not over this head",
    ),
    "capitals": (
        lambda data: data.replace((v := json.loads(data)["signature"]["value"]).encode(), v.upper().encode()),
        "signature",
        "signature was changed",
    ),
    "a short signature": (
        lambda data: data.replace(json.loads(data)["signature"]["value"].encode(), b"00"),
        "signature",
        "64 bytes",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_message_says_what_is_wrong(told: SqliteLedger, change: str) -> None:
    tamper, code, message = CHANGES[change]
    data = made(told)
    assert rebuilt(data, SIGNER) == data  # so that what is rebuilt differs by its change alone
    found = problem(tamper(data))
    assert found.code == code and message in str(found)


def test_who_signs_anew_is_found_by_the_key_alone(told: SqliteLedger) -> None:
    forged = rebuilt(made(told).replace(b"kind=config", b"kind=secret"), OTHER)
    assert problem(forged).code == "key"
    assert verify(forged, None).key == fingerprint(OTHER.public) != KEY
    assert problem(forged, None, told).code == "trail"


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [("html", b"was told 4 facts", b"was told 1 facts"), ("html", b"<body>", b"<body >"), ("pdf", b"/Type", b"/Tyqe")],
)
def test_a_page_that_says_something_else_than_its_data(told: SqliteLedger, form: str, old: bytes, new: bytes) -> None:
    data = made(told, form)
    assert old in data
    found = problem(data.replace(old, new, 1))
    assert found.code == "page" and "data inside is whole" in str(found)
    unsealed = data[: data.rindex(b"plantwin-seal") - 5]
    assert problem(unsealed).code == "page"


def test_a_statement_of_another_trail_differs(told: SqliteLedger, tmp_path: Path, clock: Clock) -> None:
    data = made(told)
    for name, days, code in (("short", 1, "more"), ("other", 4, "entry 1 is not what the trail here holds")):
        other = SqliteLedger(tmp_path / name / "ledger.db", b"k" * 32, clock=clock)
        for day in range(days):
            tell(other, "openai", day + 9, "kind=document")
        found = problem(data, trail=other)
        assert found.code == "trail" and code in str(found)
        other.close()
    more = made(told, request=asked(since=START + DAY)).replace(b"", b"")
    assert verify(more, trail=told).totals.entries == 3


@pytest.mark.parametrize(
    "change", ["UPDATE trail SET at = at - 1 WHERE number = 5", "DELETE FROM trail WHERE number = 9"]
)
def test_no_statement_of_a_trail_that_does_not_verify(told: SqliteLedger, tmp_path: Path, change: str) -> None:
    with sqlite3.connect(tmp_path / "ledger" / "ledger.db") as database:
        database.execute(change)
    database.close()
    from plantwin.errors import LedgerError

    with pytest.raises(LedgerError, match=r"does not verify|holds less"):
        made(told)


def said(ledger: SqliteLedger, request: Request) -> str:
    summary = Summary()
    b"".join(state(ledger, request, SIGNER, summary.add))
    try:
        return " ".join([summary.title, summary.period, summary.lead(), *summary.alarms(), *summary.meaning()])
    finally:
        summary.close()


def test_nothing_was_told_is_said_of_a_verified_trail_and_of_no_time_before_it(told: SqliteLedger) -> None:
    empty = said(told, asked(since=START + DAY, until=START + 2 * DAY))
    assert "Nothing was told to openai in this time. The whole trail of 9 lines was verified" in empty
    assert "Of the time before" not in empty
    before = said(told, asked(since=START - DAY, until=START))
    assert "The trail begins on 2026-06-01 01:00 (UTC). Of the time before, nothing is known here." in before
    assert "openai was told 4 facts about 2 files or tables, in 2 messages of 4 bytes together" in said(told, asked())
    assert "mistral and openai were told" in said(told, asked("mistral", "openai"))


def test_an_accepted_rollback_is_said_first(told: SqliteLedger) -> None:
    told.note("person", "rollback", (Entry("warning", canonical_json({"warning": "rollback_accepted", "line": 9})),))
    text = said(told, asked(until=START + 9 * DAY)._replace(made=START + 9 * DAY))
    assert "an older copy of the ledger was accepted: what was told before may be missing" in text


def test_an_empty_trail(ledger: SqliteLedger) -> None:
    assert "The trail is empty: nothing was ever recorded" in said(ledger, asked())
    assert verify(made(ledger), trail=ledger).totals.entries == 0


def test_names_are_stated_only_where_asked(told: SqliteLedger) -> None:
    hostile = "</script><b>x\u202e.py"
    for form in ("json", "html", "pdf"):
        data = made(told, form, asked(names={key_of(1): hostile}.get))
        assert b"<b>x" not in data and b'"ann"' in data
        assert verify(data, trail=told).header.names


def test_a_page_lists_so_many_objects_and_counts_the_rest(told: SqliteLedger) -> None:
    summary = Summary()
    list(state(told, asked(), SIGNER, summary.add))
    (line,) = [one for one in json.loads(made(told))["entries"] if one["entry"]["number"] == 2]
    entry = msgspec.convert(line["entry"], Told)
    for number in range(MOST + 3):
        one = msgspec.structs.replace(entry.facts[0], object=f"{number:016x}")
        summary.add(msgspec.structs.replace(entry, facts=(one,)))
    table = next(summary.tables())
    assert len(table.rows) == MOST and table.more == "5 objects more in the data inside this file"
    summary.close()


def test_a_hundred_thousand_entries_in_bounded_memory(tmp_path: Path) -> None:
    """Made and verified in a process that may not hold it whole."""
    code = f"""
import io, resource, sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.statement import Request, state
from plantwin.ledgers.statement_check import check
from plantwin.ledgers.signing import Signer
from plantwin.types.ledger import Entry, canonical_json
ledger = SqliteLedger({str(tmp_path / "large" / "ledger.db")!r}, b"k" * 32)
body = canonical_json({{"session": "0" * 16, "audience": "openai", "sha256": "ab" * 32, "data": "{{}}"}})
for _ in range(100):
    ledger.note("openai", "session", [Entry("envelope", body)] * 1000)
signer = Signer(b"s" * 32)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open({str(tmp_path / "large.json")!r}, "wb") as file:
    file.writelines(state(ledger, Request(("openai",), None, time.time() + 9, time.time() + 9, "1"), signer))
with open({str(tmp_path / "large.json")!r}, "rb") as file:
    found = check(file, None)
print(found.totals.entries, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not ran.returncode, ran.stderr
    entries, grown = map(int, ran.stdout.split())
    assert entries == 100_000
    assert (tmp_path / "large.json").stat().st_size > 35_000_000
    assert grown < 20_000  # kilobytes


# The command line


@pytest.fixture
def sent(cli: Cli, tree: Path, tmp_path: Path) -> Path:
    """A session was held; the statement of it."""
    planner = script(tmp_path, plan(step("d", "describe", "@kind=config")))
    assert cli("run", GOAL, "--per-object", "--root", tree, "--planner", planner, "--json").code == 0
    return tmp_path / "statement.json"


def test_a_second_person_verifies_with_the_file_and_the_key(
    cli: Cli, sent: Path, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = tmp_path / "public.pem"
    assert cli("audit", "key", "--out", public).code == 0
    assert (state / "keys" / "statement.key").stat().st_mode & 0o777 == 0o600
    key = cli("audit", "key", "--json").json["fingerprint"]
    ran = cli("audit", "statement", "--audience", "scripted", "--out", sent, "--json")
    assert ran.code == 0 and ran.json["facts"] > 0 and ran.json["key"] == key
    assert cli("audit", "verify-statement", sent, "--key", key, "--trail").code == 0
    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "elsewhere"))
    for given in (public, key):
        ran = cli("audit", "verify-statement", sent, "--key", given)
        assert ran.code == 0 and ran.out.startswith(f"Verifies: as it was signed by the holder of {key}.")
    assert not (tmp_path / "elsewhere").exists()
    ran = cli("audit", "verify-statement", sent, "--any-key")
    assert ran.code == 0 and "WHO that is was not checked" in ran.out
    assert cli("audit", "verify-statement", sent).code == 2
    assert cli("audit", "verify-statement", sent, "--key", "sha256:" + "0" * 64).code == 1
    sent.write_bytes(sent.read_bytes().replace(b"kind=config", b"kind=secret", 1))
    ran = cli("audit", "verify-statement", sent, "--key", key, "--json")
    assert (ran.code, ran.json["verifies"], ran.json["problem"]) == (1, False, "entry_changed")
    assert ran.json["entry"] > 0


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", None])
def test_a_key_that_is_none(cli: Cli, sent: Path, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "key").write_bytes(content)
    ran = cli("audit", "verify-statement", sent, "--key", tmp_path / "key")
    assert ran.code == 2 and "ed25519" in ran.err


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_pages_with_names_are_for_their_owner(cli: Cli, sent: Path, tree: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"statement.{form}"
    assert cli("audit", "statement", "--audience", "scripted", "--out", out, "--names", tree).code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert b"config/app.toml" in out.read_bytes()
    assert cli("audit", "verify-statement", out, "--any-key", "--trail").code == 0
    assert cli("audit", "statement", "--audience", "scripted", "--format", form, "--out", out).code == 0
    assert b"config/app.toml" not in out.read_bytes()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--from", "yesterday"), "not a day"),
        (("--from", "2026-02-30"), "not a day"),
        (("--from", "2026-02-02", "--to", "2026-02-01"), "--from is not before --to"),
        (("--format", "docx"), "invalid choice"),
    ],
)
def test_what_cannot_be_asked_for(cli: Cli, options: tuple[str, ...], why: str) -> None:
    ran = cli("audit", "statement", "--audience", "openai", *options)
    assert ran.code == 2 and why in ran.err


def test_days_are_whole_and_in_utc(cli: Cli) -> None:
    ran = cli("audit", "statement", "--audience", "openai", "--from", "2026-01-01", "--to", "2026-01-31")
    header = json.loads(ran.out)["header"]
    assert (header["from"], header["to"]) == ("2026-01-01T00:00:00.000000Z", "2026-02-01T00:00:00.000000Z")
    ran = cli(
        "audit", "statement", "--audience", "openai", "--from", "2026-01-01T02:00+02:00", "--to", "2026-01-01T12:00"
    )
    header = json.loads(ran.out)["header"]
    assert (header["from"], header["to"]) == ("2026-01-01T00:00:00.000000Z", "2026-01-01T12:00:00.000000Z")
