"""One pass of the multi-pattern engine, an exact confirmation around each hit, then resolution."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plantwin.private.detect.allow import FOLDER, MARK, Candidate, Policy, commented, resolve, subordinate
from plantwin.private.detect.assignment import assignments, judge
from plantwin.private.detect.compiled import Compiled
from plantwin.private.detect.context import Context, controls, reconsidered
from plantwin.private.detect.names import cells, naming, placeholder, reference, word
from plantwin.private.detect.numbers import numbers
from plantwin.private.detect.rules import Rule
from plantwin.private.detect.summary import Summary, count, counted, rows_of
from plantwin.private.detect.tokens import mapped, services, tokens
from plantwin.private.detect.views import spliced, wrapped
from plantwin.private.facts import Finding

if TYPE_CHECKING:
    from plantwin.private.detect.column_findings import ColumnFinding
    from plantwin.private.detect.stream import Stream


_LEFT = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-$"
_QUOTES = b"\"'`"
_POINTER = re.compile(rb"@[\w:+]{1,20}/")
"""A resource by its name."""


def declared(
    rule: Rule, pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads name and value in the rule's form around a hit."""
    reach, tail = rule.reach, rule.tail

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place, limit = max(after, end - reach), end + tail
        found: list[Candidate] = []
        while match := pattern.search(data, place, limit):
            if match.start() > end:
                break
            start, stop = match.span("v")
            place = max(stop, match.start() + 1)
            # The pattern starts at the telling part, which keeps it cheap; the name may begin before that.
            head = data[max(0, match.start("n") - 40) : match.start("n")]
            name = naming(head[len(head.rstrip(_LEFT)) :] + match["n"])
            quoted = data[start - 1] in _QUOTES or not context.code
            value = data[start:stop]
            judged = None if word(value) or _POINTER.match(value) else judge(name, value, b"=", quoted, context)
            if judged is not None:
                type_ = "password" if name.kind == "password" else rule.type
                found.append(Candidate(start, stop, type_, "secret", judged, True))
        return found, max(place, end) if found else end

    return confirm


KEYS: tuple[tuple[str, str, bytes], ...] = (
    ("date_of_birth", "high", rb"dob|birth_?date|date_?of_?birth|birth_?day|born"),
    ("us_ssn", "high", rb"ssn|social_?security(?:_?(?:no|number))?"),
    ("diagnosis", "medium", rb"diagnosis|blood_?type|allerg(?:y|ies)|medications?|condition"),
    ("person_attribute", "medium", rb"gender|ethnicity|religion|nationality|marital_?status|salary|income"),
    (
        "postal_address",
        "medium",
        rb"street|address|address_?(?:line)?_?[12]?|(?:home|billing|shipping|mailing)[_\-]?address|zip|zip_?code"
        rb"|post(?:al)?_?code",
    ),
    ("location", "low", rb"city|town"),
    (
        "person_name",
        "medium",
        rb"(?:first|last|full|given|family|middle|sur|fore|maiden|customer|patient|employee|contact|person|nick"
        rb"|holder|cardholder|billing|shipping|recipient|sender|owner|guest|candidate|student|mother|father"
        rb"|spouse)[_ \-]?name|name",
    ),
)
_KEY = re.compile(
    rb"(?i)"
    rb"(?<![\w.$\-])(?:"
    + b"|".join(b"(?P<k%d>%s)" % (place, words) for place, (_, _, words) in enumerate(KEYS))
    + rb")"
    rb"[\"'>\\]{0,3}[ \t]{0,4}(?:=>|[=:>])[ \t]{0,4}(?P<q>\\?[\"']|)"
)
_QUOTED = re.compile(rb"[^\"'\\\n<>{}$]{1,120}")
_BARE = re.compile(rb"[^\"'\\\n<>{}$;,|\t()\[\]]{1,80}")
_NAME = re.compile(
    rb"(?:[A-Z\xc3-\xd0][\w.'\x80-\xf4\-]{0,24}|[a-z]{2,3})(?:[ ,]{1,2}"
    rb"(?:[A-Z\xc3-\xd0][\w.'\x80-\xf4\-]{0,24}|(?:van|von|de|der|den|la|bin|al|di|da|dos|y|e)\b)){0,4}"
)
_ADDRESS = re.compile(rb"(?![\w.\-]{0,60}(?::\d{2,5}\b|(?:\.\d{1,3}){2}|/)|[a-z]{2,12}:)(?=.{0,80}\d).{4,120}", re.S)
_DATE = re.compile(
    rb"(?:\d{1,4}[\-/. ](?:\d{1,2}|[A-Za-z]{3,9})[\-/. ]\d{1,4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4}"
    rb"|\d{8})\b"
)
_WORDS = re.compile(rb"[\w\x80-\xff .,'/+\-]{1,60}")
_SHAPES = {
    "person_name": _NAME,
    "postal_address": _ADDRESS,
    "date_of_birth": _DATE,
    "us_ssn": re.compile(rb"\d{3}-?\d{2}-?\d{4}"),
    # No setting on which another depends: `condition: metrics.enabled`.
    "diagnosis": re.compile(rb"(?![a-z][\w\-]{0,60}\.[A-Za-z])[\w\x80-\xff .,'/+\-]{1,60}\Z"),
}


def fields(
    _rule: Rule, _pattern: re.Pattern[bytes]
) -> Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]:
    """A function that reads key and value around a hit."""

    def confirm(data: bytes, end: int, after: int, context: Context) -> tuple[list[Candidate], int]:
        place = max(after, end - 56)
        found: list[Candidate] = []
        while match := _KEY.search(data, place, end):
            place = match.end()
            start = place
            value = (_QUOTED if match["q"] else _BARE).match(data, start, start + 120)
            if value is None or (context.code and not match["q"]):
                continue
            number = int((match.lastgroup or "k0")[1:]) if match.lastgroup != "q" else _which(match)
            type_, confidence, _ = KEYS[number]
            stop = _fit(type_, value[0].rstrip(), match[0])
            if stop:
                bare = match[number + 1].lower() == b"name"
                sure = "low" if context.code or bare else confidence
                found.append(Candidate(start, start + stop, type_, "personal", sure))
                place = start + stop
        return found, max(place, end)

    return confirm


def _which(match: re.Match[bytes]) -> int:
    return next(place for place in range(len(KEYS)) if match[f"k{place}"] is not None)


def _fit(type_: str, value: bytes, key: bytes) -> int:
    """How much of the value fits its key; 0 when it is something else."""
    if len(value) < 2 or word(value):
        return 0
    shape = _SHAPES.get(type_)
    match = (shape or _WORDS).match(value)
    # The shape is the cheapest to tell, and most values fail it.
    if match is None or ((shape is None or type_ == "person_name") and match.end() != len(value)):
        return 0
    if type_ == "person_name" and (
        re.search(rb"\d|_", value) or (b" " not in value and re.search(rb"[a-z][A-Z]", value))
    ):
        return 0
    return 0 if placeholder(value, shape=False) or reference(value) else match.end()


Make = Callable[[Rule, "re.Pattern[bytes]"], Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]]

HANDLERS: dict[str, Make] = {
    "token": tokens,
    "assignment": assignments,
    "declared": declared,
    "number": numbers,
    "field": fields,
    "service": services,
    "mapped": mapped,
}


SEGMENT = 1 << 20
"""Input is cut here, wherever chunks end, so that findings do not depend on chunking."""
MARGIN = 16 << 10
"""What a segment sees of its neighbours: more than the longest value with its context."""
ROWS = 2_000
"""So many rows of a table tell what its columns hold."""

STRUCTURED = (".csv", ".tsv", ".tab", ".psv", ".sql", ".dump")
"""Files whose columns count, beside what stands in their cells."""
STRUCTURE = 64 << 10
"""So many of their bytes tell."""

ORDER_MARK = b"\xef\xbb\xbf"
UNMARKED = b"\n\n\n"
"""What sentences are read after, instead of a byte order mark."""
NEAR = 256
"""Bytes around a value in which a control byte tells that it stands in no text."""

VIEWS = {"spliced": spliced}
Confirm = Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]
"""Data, end of the hit and where earlier work ended to candidates and where this work ended."""


class Detector:
    """Finds sensitive spans. Holds no data between calls; one per process and thread."""

    def __init__(self, compiled: Compiled, policy: Policy | None = None) -> None:
        self._compiled = compiled
        self._of_thread = threading.local()
        self._policy = policy or Policy()
        self._outside = frozenset(rule.type for rule in compiled.rules if rule.origin == FOLDER)
        self._confirms: list[Confirm | None] = [None] * len(compiled.rules)
        self.hits = 0
        """How many places the noisy rules looked at in the last block: what they cost."""
        self._noisy = frozenset(number for number, rule in enumerate(compiled.rules) if rule.noisy)
        self._unwraps = any(rule.handler == "wrapped" for rule in compiled.rules)
        self._views = frozenset(number for number, rule in enumerate(compiled.rules) if rule.handler in VIEWS)

    def __repr__(self) -> str:
        return f"<Detector {len(self._compiled.rules)} rules>"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules it runs, without their examples."""
        return self._compiled.rules

    def scan(self, data: bytes, *, path: str = "") -> list[Finding]:
        """Every finding in data: sorted, not overlapping, with byte offsets."""
        context = Context.of(path, data[:MARGIN])
        if len(data) <= SEGMENT and not context.wide:
            return self.resolved(self.candidates(data, context))
        from plantwin.private.detect.stream import Stream

        stream = Stream(self, path=path, limit=len(data) + 1)
        stream.feed(data)
        return stream.finish()

    def survey(self, data: bytes, *, path: str = "") -> Summary:
        """Type, group, confidence and count: as `scan` finds them, without paying for more once there are many."""
        context = Context.of(path, data[:MARGIN])._replace(seen={})
        if len(data) <= SEGMENT and not context.wide:
            counts = counted(self.resolved(self.candidates(data, context, rows=ROWS)))
            self.count_columns(counts, data, path)
            return rows_of(counts)
        stream = self.stream(path, summary=True)
        stream.feed(data)
        stream.finish()
        return stream.summary()

    def columns(self, data: bytes, path: str = "") -> list[ColumnFinding]:
        """One finding for each sensitive column of a table, key of JSON, or column that a dump fills."""
        from plantwin.private.detect.column_findings import columns

        found = (
            column._replace(allowed=self._policy.of_column(column.type, path)) for column in columns(self, data, path)
        )
        return [finding for finding in found if not self._policy.off(finding.type)]

    def count_columns(self, counts: Counter[tuple[str, str, str]], head: bytes, path: str) -> None:
        """Add the columns of a table or dump that its cells one by one do not show: names, check digits."""
        if not path.lower().endswith(STRUCTURED):
            return
        known = {type_ for type_, _, confidence in counts if confidence != "low"}
        for column in self.columns(head[:STRUCTURE], path):
            if column.confidence != "low" and column.type not in known:
                count(counts, column.type, column.group, column.confidence, column.allowed, column.filled)

    def stream(self, path: str = "", *, limit: int = 100_000, summary: bool = False) -> Stream:
        """A scan over chunks. With `summary`, findings are counted and not kept."""
        from plantwin.private.detect.stream import Stream

        return Stream(self, path=path, limit=limit, summary=summary)

    def candidates(
        self,
        data: bytes,
        context: Context,
        *,
        quiet: bool = False,
        nested: bool = False,
        first: bool = True,
        rows: int = 1 << 31,
    ) -> list[Candidate]:
        """Confirmed candidates of one block, overlapping and unsorted. A nested reading looks for secrets only."""
        hits = self._hits(data, quiet)
        self.hits = sum(number in self._noisy for number, _ in hits) if hits else 0
        found: list[Candidate] = []
        if hits:
            done: dict[int, int] = {}
            confirms = self._confirms
            skipped = self._views if nested else ()
            for number, end in hits:
                after = done.get(number, 0)
                if end <= after or number in skipped:
                    continue
                confirm = confirms[number] or self._confirm(number)
                new, done[number] = confirm(data, end, after, context)
                if new:
                    found += new
        if self._unwraps and not nested and not context.lock:
            found += wrapped(self, data, context)
        if context.prose and not quiet and not nested:
            from plantwin.private.detect.numbers import written
            from plantwin.private.detect.prose import prose

            found += prose(UNMARKED + data[len(UNMARKED) :] if data.startswith(ORDER_MARK) else data)
            found += written(data, context)
        if context.table is not None and not quiet and not nested:
            found += cells(data, context.table, first=first, rows=rows)
        if found and not nested:
            found = reconsidered(data, found, context)
            if context.binary:
                found = [finding for finding in found if _stands_out(data, finding, context)]
            if self._policy:
                found = self._policy.applied(data, found, context.path)
            if MARK in data:
                found = commented(data, found)
        return found

    def resolved(self, found: list[Candidate]) -> list[Finding]:
        """Findings from candidates. Rules from inside the observed folder add to them and take nothing away."""
        if not self._outside:
            return resolve(found)
        ours = [finding for finding in found if finding.type not in self._outside]
        return subordinate(resolve(ours), [finding for finding in found if finding.type in self._outside])

    def _hits(self, data: bytes, quiet: bool) -> list[tuple[int, int]]:
        hits: list[tuple[int, int]] = []
        append = hits.append
        database, owners = self._compiled.quiet if quiet else self._compiled.full

        def on_match(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            append((owners[number], end))

        database.scan(data, match_event_handler=on_match, scratch=self._scratch(database))
        return hits

    def _scratch(self, database: Any) -> Any:
        """Return working memory for this thread: the engine refuses two scans at once in one.

        The main thread has that of the database, which was made before a worker was confined.
        """
        if threading.current_thread() is threading.main_thread():
            return None
        import hyperscan

        own: dict[Any, Any] = self._of_thread.__dict__
        return own.get(id(database)) or own.setdefault(id(database), hyperscan.Scratch(database))

    def _confirm(self, number: int) -> Confirm:
        """Make a rule's confirming function when it is first hit: most never are."""
        rule = self._compiled.rules[number]
        if rule.handler in VIEWS:
            confirm = VIEWS[rule.handler](self)
        else:
            confirm = HANDLERS.get(rule.handler, tokens)(rule, re.compile(rule.expression.encode()))
        self._confirms[number] = confirm
        return confirm


def _stands_out(data: bytes, found: Candidate, context: Context) -> bool:
    """Whether a candidate in a binary input is one: in a stretch of text, or by a format that proves itself."""
    if not controls(data[max(0, found.start - NEAR) : found.end + NEAR]):
        return True
    if found.group != "secret":
        return found.confidence != "low"
    return not found.generic and (found.confidence == "high" or (context.test and found.confidence == "medium"))
