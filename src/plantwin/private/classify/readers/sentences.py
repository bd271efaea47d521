"""What sentences bind, date and define: by form, not by topic. Bounded expressions over plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)
_DATE = _LEXICON.pattern("date")
_MODALS = _LEXICON.phrases("modals")
_MODAL = _LEXICON.pattern("modal")
_SENTENCE = re.compile(r"[.;:!?|]\s|\n\s{0,40}\n|\n\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s")
_PARTY = _LEXICON.pattern("party")
_SUBJECT = _LEXICON.pattern("subject")
_IDS = _LEXICON.phrases("ids")
_REQUIREMENT_ID = _LEXICON.pattern("requirement_id")
_STORY = re.compile(r"\bAs an? [\w -]{2,60},? I (?:want|need|can)\b")
_LIMITS = ("by ", "before ", "within ", "later than ", "due ", "deadline", "until ", "at least ")
_DEADLINE = _LEXICON.pattern("deadline")
_DEFINITION = _LEXICON.pattern("definition")
_MOMENT = _LEXICON.pattern("moment")
_TIME_SPAN = _LEXICON.pattern("time_span")
_TODO = re.compile(r"^[ \t]{0,12}[-*+] \[ \] (?:TODO\b)?|\b(?:TODO|FIXME|TBD|XXX)\b", re.MULTILINE)
_DECISIONS = ("Decision", "Decided", "Resolution", "DECISION", "AGREED", "Agreed")
_DECISION = _LEXICON.pattern("decision")
_VERSION = _LEXICON.pattern("version")
_LICENCES = _LEXICON.phrases("licences")
_MOODS = _LEXICON.groups("moods")
_CUT = re.compile(r"[.!?:;>] |\n")
_FIRST = re.compile(r"[A-Za-z][A-Za-z'-]*")
_MARKS = " \t>*+•|#-0123456789.)[]_"
_BEFORE = frozenset(("first", "then", "now", "next", "finally", "please", "and", "otherwise", "afterwards"))
_WHEN = frozenset(("to", "if", "when", "before", "after", "once"))
_FORBIDS = _LEXICON.phrases("forbids")
_BOUND = _LEXICON.pattern("bound")
_INLINE = _LEXICON.pattern("inline")
_WEEK = _LEXICON.pattern("week")
_MAX = 2000
_LOOK = 64 << 10
"""Most text that is searched for sentences."""
_SPOKEN = 16 << 10
"""Most text whose mood is listened to: it does not change later."""


def is_version(heading: str) -> bool:
    """Return whether a heading is a version, with or without its date."""
    return _VERSION.fullmatch(heading.strip()[:120]) is not None


def _hits(text: str, literals: tuple[str, ...]) -> Iterator[int]:
    """Yield where literals occur: plain searches are an order faster than expressions, which only confirm."""
    for literal in literals:
        at = text.find(literal)
        left = _MAX
        while at >= 0 and left:
            left -= 1
            yield at
            at = text.find(literal, at + len(literal))


def describe_prose(draft: Draft, text: str) -> None:
    """Count dates, duties, deadlines, definitions, moments and notes in text without its code."""
    text = text[:_LOOK]
    lowered = text.lower()
    _dates(draft, text)
    _duties(draft, text)
    if any(mark in text for mark in _IDS):
        draft.add("requirement", sum(1 for _ in _REQUIREMENT_ID.finditer(text)))
    if "As a" in text:
        draft.add("requirement", sum(1 for _ in _STORY.finditer(text)))
    draft.add("deadline", sum(_DEADLINE.match(text, at) is not None for at in _hits(lowered, _LIMITS)))
    if " mean" in text or "refers to" in text or "defined as" in text or "has the meaning" in text:
        draft.add("definition_clause", sum(1 for _ in _DEFINITION.finditer(text)))
    moments = {text.rfind("\n", 0, at) for at in _hits(text, (":",)) if text[at - 1 : at + 2 : 2].isdigit()}
    timed = sum(_MOMENT.match(text, start + 1) is not None for start in moments)
    spans = sum(_TIME_SPAN.match(text, start + 1) is not None for start in moments)
    timed -= spans
    draft.add("timetable", spans if spans >= 2 else 0)
    draft.add("timeline", timed if timed >= 2 else 0)
    if timed >= 2:
        draft.add("mishap", mishaps(" ".join(draft.outline.headings).lower() + "\n" + lowered))
    if "requirement" in draft.features or "obligation" in draft.features:
        describe_pact(draft, text)
    _moods(draft, text)
    if any(mark in text for mark in ("TODO", "FIXME", "TBD", "XXX", "[ ]")):
        draft.add("todo", sum(1 for _ in _TODO.finditer(text)))
    if any(mark in text for mark in _DECISIONS):
        draft.add("decision", sum(1 for _ in _DECISION.finditer(text)))


def _moods(draft: Draft, text: str) -> None:
    """Read how the text speaks to its reader: by which verbs its sentences open, and whether they permit or forbid."""
    for piece in _CUT.split(text[:_SPOKEN])[:_MAX]:
        mood = _mood(piece.lstrip(_MARKS)[:80].lower())
        if mood:
            draft.add(mood)
    lowered = text[:_SPOKEN].lower()
    bound = {
        lowered.rfind(". ", 0, at)
        for at in _hits(lowered, _FORBIDS)
        if lowered[at] != " " or _BOUND.search(lowered[max(0, at - 60) : at])
    }
    draft.add("prohibition", len(bound))
    if "`" in text:
        draft.add("command", sum(1 for _ in _INLINE.finditer(text[:_SPOKEN])))
    lines = sum(1 for _ in _WEEK.finditer(text[:_SPOKEN]))
    draft.add("timetable", lines if lines >= 3 else 0)


def _mood(sentence: str) -> str:
    """Return what the first verb of an order asks for; what only leads up to it is passed over."""
    first = _FIRST.match(sentence)
    if first is None:
        return ""
    if first[0] in _BEFORE:
        first = _FIRST.search(sentence, first.end())
    elif first[0] in _WHEN and (comma := sentence.find(", ")) > 0:
        first = _FIRST.search(sentence, comma)
    if first is None:
        return ""
    word = first[0]
    rest = sentence[first.end() : first.end() + 5]
    if word in ("do", "go", "sign", "log"):
        # "Do not", "go to", "sign in", "log in".
        return _MOODS[word] if rest.startswith((" not", " to", " in")) else ""
    return _MOODS.get(word, "")


def _dates(draft: Draft, text: str) -> None:
    """Count dates: every full date has its year, so only years are looked around."""
    found: set[int] = set()
    for at in _hits(text, ("20", "19")):
        for match in _DATE.finditer(text, max(0, at - 22), at + 12):
            if match.start() <= at < match.end():
                found.add(match.start())
    draft.add("date", len(found))


def _duties(draft: Draft, text: str) -> None:
    """Count modal verbs by the subject before them: a party (an obligation) or a thing (a requirement)."""
    for at in _hits(text, _MODALS):
        if _MODAL.match(text, at) is None:
            continue
        before = text[max(0, at - 200) : at]
        start = 0
        for boundary in _SENTENCE.finditer(before):
            start = boundary.end()
        clause = before[start:].replace("\n", " ").strip()
        if _PARTY.search(clause):
            draft.add("obligation")
        elif _SUBJECT.match(clause):
            draft.add("requirement")


def describe_licence(draft: Draft, text: str) -> None:
    """Count the known phrases of licences, whatever the line breaks."""
    flat = " ".join(text[:12_000].lower().split()).replace("“", '"').replace("”", '"').replace(", version", " version")
    draft.add("license_text", sum(phrase in flat for phrase in _LICENCES))


_OPENING = 1500
"""Sides are named at the beginning."""
_PACT_LOOK = 16 << 10
_TITLE = _LEXICON.pattern("title")
_TITLED = 80
_NOT_TITLE = _LEXICON.pattern("not_title")
_BETWEEN = _LEXICON.pattern("between")
_SIGNED = _LEXICON.pattern("signed")
_MUTUAL = _LEXICON.pattern("mutual")
_HAPPENED = _LEXICON.pattern("happened")
_TOLD = re.compile(r"\b(?:called|confirmed|stopped|opened|closed|switched|found|saw|told|restored|lost|had been)\b")
"""Words of what people did or met, in the past: they tell of a mishap where one is named."""
_LEAST = 2


def describe_pact(draft: Draft, text: str) -> None:
    """Count the sorts of signs of an agreement: its title and another, or all three others."""
    opening = text[:_OPENING]
    title = draft.outline.headings[0][:_TITLED] if draft.outline.headings else ""
    titled = _TITLE.search(title) is not None and _NOT_TITLE.search(title) is None
    signs = (
        (_BETWEEN.search(opening) is not None)
        + (_SIGNED.search(opening) is not None or _SIGNED.search(text[-_OPENING:]) is not None)
        + (_MUTUAL.search(text[:_PACT_LOOK]) is not None)
    )
    if signs + titled >= (_LEAST if titled else _LEAST + 1):
        draft.add("pact", signs + titled)


def mishaps(text: str) -> int:
    """Return how many different words of mishaps a text in lower case holds: a list of times without any is a plan."""
    found = {match[0] for match in _HAPPENED.finditer(text, 0, _PACT_LOOK)}
    if len(found) >= _LEAST or (found and _TOLD.search(text, 0, _PACT_LOOK)):
        return len(found)
    return 0
