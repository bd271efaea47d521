"""From sentences to statements: what binds, whom, to what, and when not."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from plantwin.private.capabilities.extract_constraints.passages import Passage
from plantwin.private.capabilities.extract_constraints.quantities import EXACT, Day, Quantity, days, quantities
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside

MOST = 4000
"""Statements of one object."""
DUTY, BAN, ADVICE, WARNING, PERMISSION, NEED, DEFINITION, LIMIT, OPEN = (
    "duty", "prohibition", "advice", "advice against", "permission", "requirement", "definition", "limit", "open point",
)  # fmt: skip

_TABLES = beside(__file__, "phrases.toml")
_PATTERNS = {name: re.compile(pattern) for name, pattern in _TABLES["patterns"].items()}
_PHRASES: dict[str, list[tuple[str, bool]]] = {
    language: [(row["kind"], row.get("loose", False)) for row in rows] for language, rows in _TABLES["phrases"].items()
}
_PHRASE_PATTERNS = {
    language: re.compile(
        "(?<![\\w'’-])(?:"
        + "|".join(f"(?P<p{number}>{row['pattern']})" for number, row in enumerate(rows))
        + ")(?![\\w'’-])",
        re.IGNORECASE,
    )
    for language, rows in _TABLES["phrases"].items()
}
_COMMON = {language: words.split() for language, words in _TABLES["common_words"].items()}
_WORD = re.compile(r"[^\W\d_]{2,20}")
_DOCUMENT_NAME = re.compile(r"Agreement|Terms|Services?$|Licen[cs]e|Software|Data|Product")
_TOOL_NEEDED = re.compile(
    r"\s(?:at least|a |an |the |\w+ ?(?:>=|≥|\d)|Python|Node|Java|Go |PHP|Ruby|GNU|approval|written|that )"
)
_ABILITY = ("can", "kann", "können", "peut", "peuvent", "puede", "pueden")


@private
class Statement(NamedTuple):
    """One thing that is demanded, allowed, limited or defined, and the numbers and dates in it."""

    kind: str
    label: str
    """The object that says so."""
    line: int
    subject: str
    words: str
    """The words that bind: `must not`, `maxLength`."""
    object: str
    text: str
    condition: str = ""
    party: str = ""
    quantities: tuple[Quantity, ...] = ()
    days: tuple[Day, ...] = ()
    deadline: bool = False
    key: str = ""
    """The path of a setting, field or constant, where it is none of a sentence."""

    @property
    def numbers(self) -> str:
        """Numbers and dates, for a table."""
        return ", ".join([*(quantity.shown for quantity in self.quantities), *(day.iso for day in self.days)])


class Hit(NamedTuple):
    """A phrase in a sentence."""

    kind: str
    loose: bool
    start: int
    end: int


class Manner(NamedTuple):
    """How a text speaks."""

    language: str
    binding: bool
    """Whether its purpose is to bind: requirements, policies, contracts, licences, standards."""
    keywords: bool
    """Whether only words in capitals bind, as it says itself (RFC 2119)."""
    parties: tuple[str, ...] = ()


def language_of(text: str) -> str:
    """Return the language that most small words of a text are of; English where nothing tells."""
    said = Counter(word.lower() for word in _WORD.findall(text[:60_000]))
    counts = {language: sum(said[word] for word in common) for language, common in _COMMON.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > max(1, counts["English"] * 1.2) else "English"


def manner(language: str, binding: bool, passages: list[Passage]) -> Manner:
    """Return how these sentences speak."""
    parties: dict[str, None] = {}
    keywords = False
    capital = 0
    for passage in passages[:20_000]:
        keywords = keywords or _PATTERNS["keywords"].search(passage.text) is not None
        capital += "MUST" in passage.text or "SHALL" in passage.text or "SHOULD" in passage.text
        for match in _PATTERNS["party"].finditer(passage.text):
            if len(parties) < 12 and not _DOCUMENT_NAME.search(match[1]):
                parties.setdefault(match[1].strip())
    keywords = keywords and capital > 3
    return Manner(language, binding or keywords, keywords, tuple(parties))


def statements(label: str, passages: list[Passage], how: Manner) -> list[Statement]:
    """Return what these sentences state, in order."""
    found: list[Statement] = []
    lead: tuple[Statement, int] | None = None
    subject = ""
    for passage in passages:
        if len(found) >= MOST:
            break
        made = _stated(label, passage, how, subject)
        if not made and lead is not None and passage.item and passage.block - lead[1] <= 40 and len(passage.text) > 3:
            made = [_inherited(label, passage, lead[0])]
        elif not passage.item:
            lead = None
        found += made
        last = next(
            (statement for statement in reversed(made) if statement.kind in (DUTY, BAN, PERMISSION, ADVICE)), None
        )
        if last is not None:
            subject = last.subject or subject
            if passage.text.rstrip().endswith(":"):
                lead = (last, passage.block)
    return found


def _inherited(label: str, passage: Passage, head: Statement) -> Statement:
    """State an item below `The client must:`."""
    dates = days(passage.text)
    return head._replace(
        label=label, line=passage.line, object=passage.text[:300], condition="", deadline=False, days=tuple(dates),
        text=f"{head.subject} {head.words}: {passage.text}"[:600], quantities=tuple(quantities(passage.text, dates)),
    )  # fmt: skip


def _stated(label: str, passage: Passage, how: Manner, subject: str) -> list[Statement]:
    text = _PATTERNS["numbered"].sub("", passage.text)
    explains = _PATTERNS["keywords"].search(text) and len(set(_PATTERNS["listed"].findall(text))) > 2
    if len(text) < 8 or text.endswith("?") or explains:
        return []
    dates = days(text)
    base = Statement(
        LIMIT, label, passage.line, "", "", "", text[:600], quantities=tuple(quantities(text, dates)), days=tuple(dates)
    )
    defined = _PATTERNS["definition"].search(text[:400])
    if defined is not None:
        name = (defined[1] or defined[2]).strip()
        return [base._replace(kind=DEFINITION, subject=name, words="means", object=text[defined.end() :][:300].strip())]
    opened = _PATTERNS["open"].search(text)
    made = [base._replace(kind=OPEN, words=opened[0], object=text[:300])] if opened is not None else []
    if len(text.split()) < 3:
        return made
    hits = _binding_hits(text, how)
    for number, hit in enumerate(hits):
        end = hits[number + 1].start if number + 1 < len(hits) else len(text)
        statement = _bound_by(base, text, hit, end, subject, how)
        if len(hits) > 1:
            statement = statement._replace(
                quantities=tuple(quantity for quantity in base.quantities if hit.start <= quantity.start < end),
                days=tuple(day for day in base.days if hit.start <= day.start < end),
            )
        made.append(statement)
        subject = statement.subject or subject
    return made if hits or opened is not None else _limit(base, text, how)


def _binding_hits(text: str, how: Manner) -> list[Hit]:
    """Return the phrases that bind here. A loose phrase beside a firm one adds nothing."""
    found: list[Hit] = []
    for match in _PHRASE_PATTERNS[how.language].finditer(text):
        kind, loose = _PHRASES[how.language][int((match.lastgroup or "p0")[1:])]
        found.append(Hit(kind, loose, match.start(), match.end()))
        if len(found) == 8:
            break
    found = [hit for hit in found if _counts(hit, text, how)]
    kept: list[Hit] = []
    for hit in [hit for hit in found if not hit.loose] or found[:1]:
        if not kept or hit.start - kept[-1].end > 8:
            kept.append(hit)
    return kept[:4]


def _counts(hit: Hit, text: str, how: Manner) -> bool:
    """Return whether a phrase binds here."""
    word = text[hit.start : hit.end]
    before, after = text[: hit.start], text[hit.end :]
    supposed = _PATTERNS["supposed"].search(before)
    if supposed is not None and (supposed.start() > 0 or len(supposed[1].split()) < 4):
        return False
    loud = sum(map(str.isupper, text)) > 0.5 * len(text)
    if loud and (hit.kind in (ADVICE, NEED) or hit.loose or word.startswith("REQUIRED")):
        return False
    if word.isupper() and len(word) > 2 and not loud:
        return True
    if how.keywords or (word[:1].isupper() and before.strip() and hit.kind == PERMISSION):  # the month
        return False
    if hit.kind in (DUTY, BAN) and not hit.loose:
        return _PATTERNS["past"].match(after) is None
    if hit.kind == NEED:
        return _needs(before, after, word, how)
    if hit.kind in (ADVICE, WARNING):
        if _PATTERNS["first_person"].search(before.rstrip()) or _PATTERNS["hope"].match(after):
            return False
        return (
            how.binding or not _PATTERNS["guess"].match(after) or _PATTERNS["acting"].search(before[-60:]) is not None
        )
    return not hit.loose or _loosely(hit.kind, word.lower(), before, after, how)


def _needs(before: str, after: str, word: str, how: Manner) -> bool:
    if re.search(r"(?:\bto|not|n't|that|may|might|can|as)\s*$", before):
        return False
    if re.match(r"\s(?:by|for the|in order)\b", after):
        return False
    if word.lower().endswith("required"):
        return bool(before.strip())
    return how.binding or _TOOL_NEEDED.match(after) is not None or not before.strip()


def _loosely(kind: str, word: str, before: str, after: str, how: Manner) -> bool:
    acting = _PATTERNS["acting"].search(before[-70:]) is not None or any(party in before for party in how.parties)
    guess = _PATTERNS["guess"].match(after) is not None
    if kind == PERMISSION:
        if guess or word in _ABILITY:
            return not guess and how.binding and acting
        return acting or (how.binding and _PATTERNS["passive"].match(after) is not None) or word.startswith("hereby")
    if kind == BAN:
        return how.binding and acting and word not in ("do not", "does not") and not guess
    if word == "will":
        return how.binding and acting and bool(how.parties) and not guess
    if word.startswith(("has", "have", "need")):
        personal = _PATTERNS["first_person"].search(before.rstrip()) is not None
        negated = re.search(r"\b(?:don't|not|would|might|may|could|if you|you'll|had)\s*$", before) is not None
        return (how.binding or acting) and not personal and not negated
    spanned = re.search(r"\d|\b(?:years?|months?|days?)\b", after) is not None
    return how.binding and (word.endswith(("payable", "due", "be")) or spanned)


def _bound_by(base: Statement, text: str, hit: Hit, end: int, subject: str, how: Manner) -> Statement:
    """State what one phrase binds: whom, to what, under which condition."""
    said = text[hit.end : end].strip(" ,")
    before = text[: hit.start]
    condition = ""
    head = _PATTERNS["condition"].match(before)
    if head is not None and "," in before:
        condition, _, before = before.rpartition(",")
    tail = _PATTERNS["condition"].search(said)
    if tail is not None and tail.start() > 3:
        condition = condition or said[tail.start() :].strip(" ,.;")
        said = said[: tail.start()]
    who = _subject(before) or subject
    low = who.lower()
    party = next((party for party in how.parties if party.lower() in low), "")
    if not party and how.parties and re.search(r"\b(?:both|each|either|all|the) part(?:y|ies)\b", low):
        party = "both"
    deadline = any(_PATTERNS["before_date"].search(text[: day.start]) for day in base.days)
    return base._replace(
        kind=BAN if hit.kind in (DUTY, PERMISSION) and _PATTERNS["nobody"].search(before) else hit.kind,
        subject=who, words=" ".join(text[hit.start : hit.end].split()), object=said.strip(" .;,")[:300],
        condition=condition[:200], party=party, deadline=deadline or _has_term(base.quantities, text),
    )  # fmt: skip


def _has_term(numbers: tuple[Quantity, ...] | list[Quantity], text: str) -> bool:
    """Return whether a time is one within which something has to happen."""
    return any(
        quantity.dimension == "time" and _PATTERNS["span"].search(text[: quantity.start]) for quantity in numbers
    )


def _subject(before: str) -> str:
    part = before if before.rstrip().endswith(":") else re.split(r"[;:—]|\s(?:–|--)\s", before)[-1]
    pieces = [piece for piece in re.split(r",\s", part) if piece.strip()]
    if not pieces:
        return ""
    chosen = pieces.pop()
    while pieces and (
        _PATTERNS["aside"].match(chosen) or (len(chosen.split()) < 2 and not _PATTERNS["acting"].search(chosen))
    ):
        chosen = pieces.pop()
    chosen = _PATTERNS["leading"].sub("", chosen.strip())
    chosen = re.sub(r"\s(?:which|that|who|and|or|und|et|y)$", "", chosen).strip(' ,*_"“(')
    return " ".join(chosen.split()[-14:])[:120]


def _limit(base: Statement, text: str, how: Manner) -> list[Statement]:
    """State a limit that a sentence without such words names; in a text that binds, any span, share or sum."""
    bounded = [quantity for quantity in base.quantities if quantity.bound != EXACT and quantity.dimension != "number"]
    spans = [
        quantity for quantity in base.quantities if quantity.dimension in ("time", "share", "data", "usd", "eur", "gbp")
    ]
    dated = [day for day in base.days if _PATTERNS["before_date"].search(text[: day.start]) is not None]
    told = bounded or dated or (spans if how.binding else [])
    if not told:
        return []
    subject = _PATTERNS["dangling"].sub("", _subject(text[: min(limit.start for limit in told)]))
    return [base._replace(subject=subject, object=text[:300], deadline=bool(dated) or _has_term(bounded, text))]
