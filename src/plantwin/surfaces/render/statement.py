"""A statement as a page for people: what was told, in plain words, around the signed data (HTML or PDF)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, NamedTuple

from plantwin.errors import InputError
from plantwin.ledgers.signing import Signer, fingerprint
from plantwin.ledgers.statement import Entry, Header, Payload, Remark, Sent, Session, Told, Totals
from plantwin.ledgers.statement_check import seal
from plantwin.private.report.wording import amount, unit
from plantwin.surfaces.render.text import plural, printable

MOST = 500
"""Rows of a table on a page: the data inside holds all."""
_CSS = """
:root{color-scheme:light dark;--ink:#22262b;--faint:#5c636b;--line:#dedad2;--paper:#fff;--panel:#f6f4ef;--alarm:#9a3412}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--faint:#a3a9b0;--line:#3c4046;--paper:#1c1e21;--panel:#26292d;
--alarm:#fdba74}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:62rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.7rem;line-height:1.2;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.lead{background:var(--panel);border-left:4px solid #0072b2;padding:.8rem 1rem}
.alarm{border-left:4px solid var(--alarm);padding:.4rem 1rem;color:var(--alarm)}
.faint,caption{color:var(--faint);text-align:left}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}
code{font-size:.85em;overflow-wrap:anywhere}th:last-child,td:last-child{text-align:right}
td:last-child,td:nth-last-child(2){white-space:nowrap}
@media print{body{margin:0;max-width:none}}
"""


class Table(NamedTuple):
    """Rows under a heading, with a remark on what is left out."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    more: str
    widths: tuple[int, ...]
    """Of columns, in a hundredth of the page."""


class Summary:
    """Gathers what a page says while the data is written; SQLite keeps it out of memory where it is much."""

    header: Header
    totals: Totals

    def __init__(self) -> None:
        self._kept = sqlite3.connect("")
        self._kept.execute(
            "CREATE TABLE told (audience TEXT, object TEXT, name TEXT, fact TEXT, cost INTEGER, first TEXT, last TEXT,"
            " PRIMARY KEY (object, audience, fact)) WITHOUT ROWID"
        )
        self._sessions: list[tuple[str, ...]] = []
        self._sessions_left = 0
        self._origins: dict[str, int] = {}
        self._remarks: list[Remark] = []
        self._local: set[str] = set()
        """Sessions with a planner on this machine."""
        self._elsewhere = False

    def close(self) -> None:
        """Let go of what was gathered."""
        self._kept.close()

    def add(self, part: Header | Entry | Totals) -> None:
        """Take in one part of a statement."""
        match part:
            case Header():
                self.header = part
            case Totals():
                self.totals = part
            case Told():
                self._kept.executemany(
                    "INSERT INTO told VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT DO UPDATE SET"
                    " last = excluded.last, cost = MAX(cost, excluded.cost)",
                    [(part.audience, one.object, one.name, one.fact, one.cost, part.at) for one in part.facts],
                )
            case Session():
                self._session(part)
            case Payload():
                self._origins[part.origin] = self._origins.get(part.origin, 0) + 1
                self._elsewhere = True
            case Remark():
                self._remarks.append(part)
            case Sent():
                self._elsewhere |= part.session not in self._local

    def _session(self, session: Session) -> None:
        if session.locality == "local":
            self._local.add(session.session)
        if len(self._sessions) == MOST:
            self._sessions_left += 1
            return
        known = session.user and session.host
        asked = printable(f"{session.user} at {session.host}") if known else "not recorded"
        who = asked if self.header.names else ""
        row = (_when(session.at), session.audience, f"{session.planner} ({session.locality})", who, session.session)
        self._sessions.append(row if who else (*row[:3], row[4]))

    @property
    def title(self) -> str:
        """Whom it is about."""
        return f"What {' and '.join(self.header.audiences)} {_was(self.header)} told"

    @property
    def period(self) -> str:
        """When, and who says so."""
        since = f"From {_when(self.header.since)}" if self.header.since else "From the beginning of the trail"
        made = f"made {_when(self.header.made)} by PlanTwin {self.header.version}"
        return f"{since} until {_when(self.header.until)} (UTC); {made}."

    def lead(self) -> str:
        """The whole in a sentence or two. That nothing was told is said of a trail that was verified, and only then."""
        totals, trail, names = self.totals, self.header.trail, ", ".join(self.header.audiences)
        verified = f"The whole trail of {plural(trail.lines, 'line')} was verified before this was written."
        if not totals.facts and not totals.envelopes:
            return f"Nothing was told to {names} in this time. {verified}"
        groups = "SELECT DISTINCT object FROM told WHERE fact LIKE 'set.%'"
        sets = self._one(f"SELECT COUNT(*) FROM ({groups})")  # noqa: S608
        objects = self._one(
            f"SELECT COUNT(DISTINCT object) FROM told WHERE object NOT IN ({groups}) AND fact NOT LIKE 'word=%'"  # noqa: S608
        )
        words = self._one("SELECT COUNT(DISTINCT fact) FROM told WHERE fact LIKE 'word=%'")
        about = [plural(objects, "file or table", "files or tables")] if objects else []
        about += [plural(sets, "group of alike files", "groups of alike files")] if sets else []
        about += [plural(words, "word of a goal", "words of goals")] if words else []
        sent = f"{plural(totals.envelopes, 'message')} of {totals.bytes:,} bytes together"
        of = f" about {' and '.join(about)}" if about else ""
        return f"{names} {_was(self.header)} told {plural(totals.facts, 'fact')}{of}, in {sent}. {verified}"

    def alarms(self) -> list[str]:
        """What a reader must know first."""
        header, said = self.header, []
        if header.names:
            said.append("This statement holds real names. It is for people who may know them, not for handing out.")
        begun = header.trail.begun
        if begun is None:
            said.append("The trail is empty: nothing was ever recorded in it.")
        elif header.since is None or begun > header.since:
            said.append(f"The trail begins on {_when(begun)} (UTC). Of the time before, nothing is known here.")
        said += [
            f"On {_when(one.at)} an older copy of the ledger was accepted: what was told before may be missing."
            for one in self._remarks
            if one.remark == "rollback_accepted"
        ]
        return said

    def meaning(self) -> list[str]:
        """How to read it."""
        named = "" if self.header.names else " Objects appear by a code; whoever made this statement can name them."
        stayed = self.totals.envelopes and not self._elsewhere
        return [
            *(
                ["All of this was told to planners on this machine: no request to another was recorded."]
                if stayed
                else []
            ),
            "Everything that was told is a word of a closed vocabulary: no name, path or content of a file is among it."
            + named,
            "Points are what a fact counts against the limit that its object has for this audience.",
            "Each fact is recorded before it is sent. A session that was stopped in between has recorded more than it "
            "sent, never less.",
            *(f"Sent to {printable(origin)}: {plural(count, 'request')}." for origin, count in self._origins.items()),
        ]

    def tables(self) -> Iterator[Table]:
        """The tables, in order."""
        if self.totals.facts:
            rows = list(self._objects())
            left = self._one("SELECT COUNT(*) FROM (SELECT DISTINCT object, audience FROM told)") - len(rows)
            more = f"{plural(left, 'object')} more in the data inside this file" if left else ""
            columns = (
                "object",
                "was told" if len(self.header.audiences) == 1 else "audience: was told",
                "when",
                "points",
            )
            yield Table("What was told", columns, rows, more, (22, 52, 16, 10))
        if self._sessions:
            columns = ("when", "audience", "planner", *(("who asked",) if self.header.names else ()), "session")
            more = f"{plural(self._sessions_left, 'session')} more in the data" if self._sessions_left else ""
            widths = (22, 18, 22, 18, 20) if self.header.names else (24, 22, 30, 24)
            yield Table("Sessions", columns, self._sessions, more, widths)

    def _objects(self) -> Iterator[tuple[str, ...]]:
        """The objects of which the most was told."""
        query = (
            "SELECT object, audience, MAX(name), MIN(first), MAX(last), SUM(cost) FROM told GROUP BY object, audience"
            " ORDER BY SUM(cost) DESC, object, audience LIMIT ?"
        )
        for object_, audience, name, first, last, cost in self._kept.execute(query, (MOST,)).fetchall():
            facts = self._kept.execute("SELECT fact FROM told WHERE object = ? AND audience = ?", (object_, audience))
            found = sorted(
                [fact for (fact,) in facts], key=lambda fact: (not fact.startswith("set."), "." in fact, fact)
            )
            said, label = _plain(found), f"group {object_}" if found[0].startswith("set.") else object_
            if found[0].startswith("word="):
                label = "the goals themselves"
            who = "" if len(self.header.audiences) == 1 else f"{audience}: "
            days = first[:10] if first[:10] == last[:10] else f"{first[:10]} to {last[:10]}"
            yield printable(name) if name else label, who + said, days, amount(cost)

    def _one(self, query: str) -> int:
        ((number,),) = self._kept.execute(query).fetchall()
        return int(number)

    def verifying(self, signer: Signer, file: str) -> tuple[str, str, str]:
        """How a second person verifies it."""
        return (
            "This file holds the statement as signed data, and a seal over the page. To verify both, on any machine, "
            "with the public key that you were handed before (not one that came with this file):",
            f"plantwin audit verify-statement {file} --key PUBLIC-KEY.pem",
            f"It says that it was signed with the key {fingerprint(signer.public)}.",
        )


def _plain(facts: Iterable[str]) -> str:
    """What was told of an object, in a line of plain words: the words of sets and of capabilities grouped."""
    grouped: dict[str, dict[str, None]] = {}
    for fact in facts:
        if fact.startswith("word="):
            head, value = "words of goals", fact.removeprefix("word=")
        else:
            head, _, value = unit(fact).partition(": ")
        grouped.setdefault(head, {})[value] = None
    return "; ".join(f"{head}: {', '.join(values)}" if any(values) else head for head, values in grouped.items())


def _was(header: Header) -> str:
    return "was" if len(header.audiences) == 1 else "were"


def _when(at: str) -> str:
    return f"{at[:10]} {at[11:16]}"


def html(summary: Summary, data: Iterable[bytes], signer: Signer) -> Iterator[bytes]:
    """One page without scripts or links, with the data and the seal inside."""
    digest = hashlib.sha256()
    for chunk in _html(summary, data, signer):
        digest.update(chunk)
        yield chunk
    yield seal(signer, digest.hexdigest(), "<!-- {} -->")


def _html(summary: Summary, data: Iterable[bytes], signer: Signer) -> Iterator[bytes]:
    title = escape(summary.title)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    told, command, key = summary.verifying(signer, "FILE")
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f'<meta name="viewport" content="width=device-width"><style>{_CSS}</style></head><body>',
        f'<h1>{title}</h1>\n<p class="faint">{escape(summary.period)}</p>',
        f'<p class="lead">{escape(summary.lead())}</p>',
        *(f'<p class="alarm" role="note">{escape(alarm)}</p>' for alarm in summary.alarms()),
        *(f"<p>{escape(text)}</p>" for text in summary.meaning()),
    ]
    for table in summary.tables():
        heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
        rows = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
        parts.append(
            f"<h2>{escape(table.title)}</h2><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table>"
        )
        parts += [f'<p class="faint">{escape(table.more)}</p>'] if table.more else []
    parts.append(f"<h2>Verify it</h2><p>{escape(told)}</p><p><code>{escape(command)}</code></p>")
    parts.append(f'<p class="faint">{escape(key)}</p>')
    yield "\n".join(parts).encode("utf-8", "backslashreplace")
    yield b'\n<script type="application/json" id="plantwin-statement">\n'
    yield from data
    yield b"</script></body></html>\n"


def pdf(summary: Summary, data: Iterable[bytes], signer: Signer) -> bytes:
    """The same as a PDF, with the data as an attachment. All of it is held in memory."""
    try:
        from fpdf import FPDF
        from fpdf.enums import TableBordersLayout
        from fpdf.fonts import FontFace
    except ImportError:
        raise InputError(
            "a PDF needs the package fpdf2: pip install 'plantwin[statement]', or use --format html"
        ) from None

    class Page(FPDF):
        """Numbers its pages."""

        def footer(self) -> None:
            self.set_y(-14)
            self.set_font("Helvetica", size=8)
            self.set_text_color(92, 99, 107)
            self.cell(0, 6, f"{_latin(summary.title)}   -   {self.page_no()} of {{nb}}", align="R")

    page: Any = Page(format="A4")
    page.set_margin(18)
    page.set_auto_page_break(True, 20)
    page.set_title(_latin(summary.title))
    page.set_lang("en")
    page.add_page()

    def text(
        words: str, size: float, *, style: str = "", colour: tuple[int, ...] = (34, 38, 43), gap: float = 2
    ) -> None:
        page.set_font("Courier" if style == "code" else "Helvetica", style="" if style == "code" else style, size=size)
        page.set_text_color(*colour)
        page.multi_cell(0, size * 0.5, _latin(words), new_x="LMARGIN", new_y="NEXT", align="L", wrapmode=_wrap(style))
        page.ln(gap)

    text(summary.title, 19, style="B", gap=0)
    text(summary.period, 9, colour=(92, 99, 107), gap=3)
    page.set_fill_color(246, 244, 239)
    page.set_draw_color(0, 114, 178)
    page.set_font("Helvetica", size=11)
    page.set_text_color(34, 38, 43)
    page.multi_cell(
        0, 6, _latin(summary.lead()), fill=True, border="L", padding=3, new_x="LMARGIN", new_y="NEXT", align="L"
    )
    page.ln(3)
    for alarm in summary.alarms():
        text(alarm, 10, colour=(154, 52, 18), gap=1)
    for meaning in summary.meaning():
        text(meaning, 10, gap=1)
    head = FontFace(emphasis="BOLD", color=(92, 99, 107))
    for table in summary.tables():
        page.ln(4)
        text(table.title, 13, style="B", gap=1)
        page.set_font("Helvetica", size=8.5)
        page.set_text_color(34, 38, 43)
        page.set_draw_color(222, 218, 210)
        page.set_fill_color(255)
        aligns = ("LEFT",) * (len(table.columns) - 1) + ("RIGHT",)
        with page.table(
            col_widths=table.widths, text_align=aligns, headings_style=head, line_height=4.2,
            v_align="TOP", padding=(1, 1.5, 1, 0),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        ) as made:  # fmt: skip
            for row in (table.columns, *table.rows):
                made.row([_latin(cell) for cell in row])
        if table.more:
            text(table.more, 9, colour=(92, 99, 107))
    told, command, key = summary.verifying(signer, "FILE")
    page.ln(4)
    text("Verify it", 13, style="B", gap=1)
    text(told, 10, gap=1)
    text(command, 9, style="code")
    text(key, 8.5, colour=(92, 99, 107))
    page.embed_file(basename="statement.json", bytes=b"".join(data), mime_type="application/json", compress=False)
    content = bytes(page.output())
    content += b"" if content.endswith(b"\n") else b"\n"
    return content + seal(signer, hashlib.sha256(content).hexdigest(), "%{}")


def _wrap(style: str) -> str:
    return "CHAR" if style == "code" else "WORD"


def _latin(text: str) -> str:
    """What the fonts that every reader has can show; other letters as escapes."""
    plain = text.replace("→", "to").replace("←", "from").replace("…", "...")
    return plain.encode("latin-1", "backslashreplace").decode("latin-1")
