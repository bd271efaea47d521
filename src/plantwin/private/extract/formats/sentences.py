"""What sentences bind, date and define: by form, not by topic. Bounded expressions over plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.pacts import describe_pact, mishaps

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\.?"
)
_DATE = re.compile(
    r"\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? (?:19|20)\d{{2}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d{{2}})\b"
)
_MODALS = (
    "shall",
    "must",
    "should",
    "SHALL",
    "MUST",
    "SHOULD",
    "agree",
    "undertake",
    "obliged to",
    "may not",
    "REQUIRED",
)
_MODAL = re.compile(
    r"(?<![A-Za-z])(?:shall|must|should|SHALL|MUST|SHOULD|agrees? to|undertakes? to|obliged to|may not|REQUIRED)\b"
)
_SENTENCE = re.compile(r"[.;:!?|]\s|\n\s{0,40}\n|\n\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s")
_PARTY = re.compile(
    r"(?:\b(?:[Tt]he|[Ee]ach|[Ee]ither|[Nn]either|[Aa]ny|[Bb]oth|[Nn]o|[Aa]ll) )?\b(?:Part(?:y|ies)|Supplier|Customer"
    r"|Client|Licensee|Licensor"
    r"|Contractor|Employees?|Employer|Vendor|Tenant|Landlord|Company|Recipient|Processor|Controller|Buyer|Seller"
    r"|Consultant"
    r"|Subscriber|Provider|Discloser|Borrower|Lender|Insurer|Agency|Distributor|Staff|Personnel|You|We|Members?"
    r"|Workers|Managers?"
    r"|[Ee]mployees|[Ss]taff|[Cc]ontractors|[Ww]orkforce|borrower|lender|tenant|landlord|lessor|lessee|licensee|licensor"
    r"|insurer|employer|grantor|grantee|purchaser|undersigned|part(?:y|ies))\b[\w ,'’()-]{0,60}$"
)
_SUBJECT = re.compile(
    r"^[\s>*+•|-]{0,8}(?:\*\*)?(?:[A-Z]{1,6}-?\d{1,5}\S{0,8}\s{0,4})?(?:\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s{1,4})?(?:\*\*)?"
    r"(?:The|A|An|Each|All|Every|Any|It|This|When|If|On|No|[A-Z][\w-]{1,30})\b[^.;!?]{0,160}$"
)
_IDS = (
    "REQ",
    "NFR",
    "SRS",
    "FR-",
    "FR1",
    "SR-",
    "UR-",
    "BR-",
    "SYS-",
    "AC-",
    "AC1",
    "US-",
    "US1",
    "SEC-",
    "PERF-",
    "RQ",
)
_REQUIREMENT_ID = re.compile(
    r"^[\s>*+|#-]{0,12}(?:\*\*|`)?(?:REQ|FR|NFR|SR|UR|BR|SRS|SYS|AC|US|SEC|PERF|RQ)[-_. ]?[A-Z]{0,4}[-_.]?\d{1,5}\b",
    re.MULTILINE,
)
_STORY = re.compile(r"\bAs an? [\w -]{2,60},? I (?:want|need|can)\b")
_LIMITS = ("by ", "before ", "within ", "later than ", "due ", "deadline", "until ", "at least ")
_DEADLINE = re.compile(
    r"(?<![a-z])(?:by|before|within|later than|due(?: on| by| date:?| in)?|deadline:?|until|at least)"
    r"\s{1,4}(?:the\s{1,4})?"
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}\b|\(?\w{{1,12}}\)?[ -](?:\(\d{{1,4}}\) )?"
    r"(?:business |working |calendar )?(?:days?|hours?|weeks?|months?|years?|minutes?)\b"
    r"|end of (?:day|month|quarter|year|Q\d))",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"[\"“'‘*]{1,3}[A-Z][\w ’'-]{1,60}[\"”'’*]{1,3},?\s{1,4}(?:means|shall mean|has the meaning|refers to"
    r"|is defined as)\b"
)
_MOMENT = re.compile(
    r"^[\s>*+|-]{0,12}(?:\*\*|`|\[)?(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:UTC|GMT|CEST|CET|PST"
    r"|EST|Z|am|pm|AM|PM))?"
    r"(?:\*\*|`|\])?\s{0,4}(?:[-–—:|]|\s)\s{0,4}\S",
    re.MULTILINE,
)
_SPAN = re.compile(
    r"[\s>*+|-]{0,12}(?:\*\*)?\d{1,2}:\d{2}\s{0,2}(?:[-–—]{1,2}|to|till|until)\s{0,2}\d{1,2}:\d{2}", re.IGNORECASE
)
"""From one time to another: when something takes place, not when it happened."""
_TODO = re.compile(r"^[ \t]{0,12}[-*+] \[ \] (?:TODO\b)?|\b(?:TODO|FIXME|TBD|XXX)\b", re.MULTILINE)
_DECISIONS = ("Decision", "Decided", "Resolution", "DECISION", "AGREED", "Agreed")
_DECISION = re.compile(
    r"^[\s>*+-]{0,8}(?:\*\*)?(?:Decision|Decided|Resolution|DECISION|AGREED|Agreed)(?:\*\*)?:", re.MULTILINE
)
_VERSION = re.compile(
    r"(?:version |release |v"
    r"|\[v?)?\d{1,4}\.\d{1,5}(?:\.[\w-]{1,20}){0,4}\]?(?:\([^()\n]{0,200}\))?\s{0,4}(?:[-–—(,:/]?\s{0,4}"
    r"\(?(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\w{3,9}\.? \d{1,2},? \d{4}|\d{1,2} \w{3,9},? \d{4}|unreleased|in development"
    r"|TBD|\w{3,9} \d{4})\)?)?"
    r"|\[?unreleased\]?",
    re.IGNORECASE,
)
_LICENCES: tuple[str, ...] = (
    "permission is hereby granted, free of charge",
    "redistribution and use in source and binary forms",
    'the software is provided "as is"',
    "this software is provided by the copyright holders",
    "apache license version 2.0",
    "terms and conditions for use, reproduction, and distribution",
    "gnu general public license version",
    "gnu lesser general public license",
    "gnu affero general public license",
    "everyone is permitted to copy and distribute verbatim copies",
    "mozilla public license version",
    "eclipse public license",
    "this is free and unencumbered software released into the public domain",
    "permission to use, copy, modify, and/or distribute this software",
    "creative commons attribution",
    "boost software license",
    "cc0 1.0 universal",
)
_VERBS: dict[str, str] = {
    "instruction": "open press choose click select tap enter type drag hold turn plug slide insert connect"
    " download install "
    "launch sign scroll switch save close pick fill charge attach unscrew hit swipe tick untick go double-click"
    " upload import",
    "operation": "restart check log ssh run stop start drain verify call page escalate roll revert restore scale"
    " kill confirm "
    "clear reset reboot fail inspect ask look watch drop promote disable enable rotate revoke isolate notify ping wake "
    "systemctl kubectl certbot docker psql sudo silence acknowledge",
    "norm": "use never always avoid prefer write keep name no every leave put return follow document dates indent"
    " don't "
    "good bad right wrong do",
}
_MOODS = {verb: mood for mood, verbs in _VERBS.items() for verb in verbs.split()}
"""By which verb an order opens: to press a button, to bring a machine back, to keep to a custom."""
_CUT = re.compile(r"[.!?:;>] |\n")
_FIRST = re.compile(r"[A-Za-z][A-Za-z'-]*")
_MARKS = " \t>*+•|#-0123456789.)[]_"
_BEFORE = frozenset(("first", "then", "now", "next", "finally", "please", "and", "otherwise", "afterwards"))
_WHEN = frozenset(("to", "if", "when", "before", "after", "once"))
_FORBIDS = (
    *("must not", "may not", "may only", "not permitted", "not allowed", "forbidden", "prohibited", "mandatory"),
    *("is permitted", "are permitted", "is allowed", "are allowed", "are banned", "disciplinary", "breaches of"),
    *("breach of", "violations of", "violation of", "written permission", "prior approval", "without permission"),
    *("requires approval", "requires permission", "the permission", "are granted by", "is refused", "are refused"),
    *(" may ", " must "),
)
_BOUND = re.compile(
    r"\b(?:nobody|no one|staff|employees|anyone|everyone|owners|managers?|volunteers|users|members|visitors)(?:"
    r" \w{1,20}){0,3}$"
)
_INLINE = re.compile(
    r"`(?:\$ )?(?:sudo |ssh |systemctl |kubectl |docker |psql |curl |journalctl |helm |aws |gcloud |az |git |du "
    r"|df |tail |grep |ps |top |"
    r"redis-cli |pg_\w{2,20} |select |[a-z]{2,12}ctl |[a-z][\w-]{1,20} (?:[^`\n]{0,60} )?--?[a-z])[^`\n]{0,160}`",
    re.IGNORECASE,
)
_WEEK = re.compile(
    rf"^[ \t>*+|-]{{0,8}}(?:\*\*)?(?:wk|week|KW|day|phase|sprint|Q[1-4])\b[ .]?\d{{0,2}}\b|^[\s>*+"
    rf"|-]{{0,8}}(?:\*\*)?(?:{_MONTH}"
    r"|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b(?:\*\*)?[: ]",
    re.MULTILINE,
)
_MAX = 2000
_LOOK = 64 << 10
"""Most text that is searched for sentences."""
_SPOKEN = 16 << 10
"""Most text whose mood is listened to: it does not change later."""


def is_version(heading: str) -> bool:
    """Whether a heading is a version, with or without its date."""
    return _VERSION.fullmatch(heading.strip()[:120]) is not None


def _hits(text: str, literals: tuple[str, ...]) -> Iterator[int]:
    """Where literals occur: plain searches are an order faster than expressions, which only confirm."""
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
    spans = sum(_SPAN.match(text, start + 1) is not None for start in moments)
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
    """How the text speaks to its reader: by which verbs its sentences open, and whether they permit or forbid."""
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
    """What the first verb of an order asks for; what only leads up to it is passed over."""
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
    """Every full date has its year: look around years only."""
    found: set[int] = set()
    for at in _hits(text, ("20", "19")):
        for match in _DATE.finditer(text, max(0, at - 22), at + 12):
            if match.start() <= at < match.end():
                found.add(match.start())
    draft.add("date", len(found))


def _duties(draft: Draft, text: str) -> None:
    """A modal verb binds the subject before it: a party (an obligation) or a thing (a requirement)."""
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
