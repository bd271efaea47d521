"""From sentences to statements: what binds, whom, to what, and when not."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.capabilities.terms.passages import Passage
from plantwin.private.capabilities.terms.phrases import (
    ADVICE,
    BAN,
    DEFINITION,
    DUTY,
    KINDS,
    LIMIT,
    NEED,
    OPEN,
    PERMISSION,
    WARNING,
    Hit,
    hits,
)  # fmt: skip
from plantwin.private.capabilities.terms.quantities import EXACT, days, quantities
from plantwin.private.capabilities.terms.statement import Statement

MOST = 4000
"""Statements of one object."""

_DEFINITION = re.compile(
    r"^(?:As used (?:in|herein)[^,]{0,60}, )?(?:the term )?[\"“„«]\s?([^\"”“»\n]{2,80}?)\s?[\"”“»](?:,? \(?(?:or|and|oder|ou|o) [\"“„][^\"”\n]{2,60}[\"”]\)?)?"
    r"[^\"“.]{0,40}?\s(?:means?|shall mean|refers? to|shall refer to|denotes?|stands? for|is defined as|has the meaning|bedeutet|bezeichnet|désigne|signifie|significa)\b"
    r"|^(?:the term )?([A-Z][\w -]{2,50}?) (?:means|shall mean|is defined as|bezeichnet|désigne)\b"
)
_PARTY = re.compile(
    r"\(\s?(?:(?:hereinafter|collectively|each|nachfolgend|ci-après)[^\"“„)]{0,40})?(?:the |der |die |das )?[\"“„]\s?(?:the |der |die |das |le |la )?([A-Z][^\"”“\n]{1,40}?)[\"”“]\s?\)"
)
_OPEN = re.compile(
    r"\b(?:TODO|TBD|TBC|FIXME|XXX)\b|\b(?:to be (?:decided|defined|determined|agreed|confirmed)|still open|open (?:question|point|issue)s?|unresolved|noch (?:offen|zu klären)|à définir|por definir)\b|\?\?\?"
)
_CONDITION = re.compile(
    r"(?:^|[\s,(])(if|unless|when(?:ever)?|where|in case|in the event|provided that|except(?: (?:if|when|where|that|as|for))?|as long as|once|until|subject to|only if"
    r"|wenn|falls|sofern|sobald|es sei denn|außer|si|lorsque|sauf|à moins que|cuando|salvo|excepto|a menos que)\s", re.IGNORECASE,
)  # fmt: skip
_LEADING = re.compile(
    r"^(?:and |or |but |then |also |however,? |therefore,? |furthermore,? |in addition,? |note that |please note that |a note: |"
    r"und |oder |et |ou |y |o |that |which |und )+", re.IGNORECASE,
)  # fmt: skip
_NUMBERED = re.compile(r"^(?:\[?[A-Z]{1,5}-?\d{1,4}(?:\.\d{1,3})*\]?|\d{1,3}(?:\.\d{1,3})*)[.:)]?\s+")
_PRONOUN = re.compile(
    r"^(?:it|they|he|she|this|these|that|those|which|who|er|sie|es|il|elle|ils|elles|)$", re.IGNORECASE
)
_ACTING = re.compile(
    r"\b(?:you|users?|clients?|customers?|licensees?|licensors?|part(?:y|ies)|servers?|implementations?|implementers?|applications?|developers?|administrators?|admins?|operators?|"
    r"staff|employees?|employers?|recipients?|contributors?|maintainers?|members?|vendors?|suppliers?|processors?|controllers?|tenants?|landlords?|sellers?|buyers?|providers?|consumers?|senders?|receivers?|agents?|owners?|"
    r"authors?|distributors?|company|contractors?|subscribers?|participants?|managers?|we|reviewers?|services?|systems?|nobody|anyone|everyone|no one|visitors?|"
    r"kunden?|nutzer|anbieter|auftraggeber|auftragnehmer|mieter|vermieter|parteien?|mitarbeiter|verkäufer|käufer|server|"
    r"clients?|utilisateurs?|fournisseurs?|parties?|prestataires?|locataires?|vous|usuarios?|proveedor(?:es)?|partes?|clientes?|usted)\b",
    re.IGNORECASE,
)  # fmt: skip
_GUESS = re.compile(
    r"\s(?:also |not |well |even |sometimes |still |now |already |just |then |only )?(?:have been|be (?:that|a|an|the|because|due|possible|fine|good|enough|able|useful|helpful|needed|worth|interested|more|less|too|slow|easier|better|wrong|confus\w+|tempted|surpris\w+|cases?|some|other)\b|cause|contain|result|need|happen|occur|vary|differ|seem|appear|want|wish|find|notice|encounter|lead|break|fail|help|get|see|work|look|suffice|have noticed|know|recogni[sz]e|prefer|depend|like|hopefully|change|affect|raise|remember|think|expect|come|take|be seen|sound|exist|become|remain|lose|consider|observe|experience|not (?:work|know|have|be able|need|want|exist|support|contain|appear|matter|happen|apply))\b",
    re.IGNORECASE,
)  # fmt: skip
_HOPE = re.compile(
    r"\s(?:now |then |also |just |already |still )?(?:be (?:fine|enough|ok|okay|good|sufficient|familiar|happy|obvious|clear|self)\b|work\b|see\b|look\b|suffice|appear\b|have (?:been|received|seen|gotten|a\b)|get you|do the trick|help\b|give you)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\s(?:only |also )?be \w{2,20}(?:ed|en|wn|ut|nt|ld|pt)\b")
_PAST = re.compile(
    r"\s(?:have been|have had|be the case|be said|be noted|be admitted|confess|say\b|admit\b)", re.IGNORECASE
)
_FIRST_PERSON = re.compile(r"(?:^|[\s,])(?:I|we|let's|one)$", re.IGNORECASE)
_KEYWORDS = re.compile(r"key ?words? [\"“]MUST|interpreted as described in|RFC ?2119|BCP ?14", re.IGNORECASE)
_BEFORE_DATE = re.compile(
    r"(?:\bby|no later than|not later than|before|until|due(?: on| by)?|deadline(?: is|:)?|bis(?: zum)?|spätestens(?: am)?|au plus tard le|avant le|a más tardar el|antes del|expires? on|ends? on|gone by)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"(?:within|no later than|not later than|in less than|innerhalb(?: von)?|binnen|spätestens (?:nach|innerhalb)|dans un délai de|sous|au plus tard|dentro de|en un plazo de|a más tardar)\s(?:\w+\s){0,3}$",
    re.IGNORECASE,
)
_NOBODY = re.compile(
    r"(?:^|[,;]\s)(?:in )?(?:no|nothing|neither|nobody|no one|none|kein\w{0,2}|niemand|aucune?|ning\wn[ao]?)\b[^,;]*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:with|without|in|of|under|by|for|as|including|excluding|such|other|at|on|mit|ohne|avec|sans|con|sin)\b",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:\s(?:within|of|for|after|at|most|least|up|to|by|in|than|no|not|more|less|over|under|is|are|a|the|until|before))+$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"(?:^|\s)(?:if|when|whenever|unless|until|whether|once|provided that|wenn|falls|sofern|ob|si|cuando|lorsque)\s([^,;]*)$",
    re.IGNORECASE,
)
"""A clause that only supposes, up to the phrase in question."""
_LISTED = re.compile(r"\b(?:MUST|SHALL|SHOULD|MAY|REQUIRED|OPTIONAL|RECOMMENDED)\b")


class Manner(NamedTuple):
    """How a text speaks."""

    language: str
    binding: bool
    """Whether its purpose is to bind: requirements, policies, contracts, licences, standards."""
    keywords: bool
    """Whether only words in capitals bind, as it says itself."""
    parties: tuple[str, ...] = ()


def manner(language: str, binding: bool, passages: list[Passage]) -> Manner:
    """How these sentences speak."""
    parties: dict[str, None] = {}
    keywords = False
    capital = 0
    for each in passages[:20_000]:
        keywords = keywords or _KEYWORDS.search(each.text) is not None
        capital += "MUST" in each.text or "SHALL" in each.text or "SHOULD" in each.text
        for match in _PARTY.finditer(each.text):
            if len(parties) < 12 and not re.search(
                r"Agreement|Terms|Services?$|Licen[cs]e|Software|Data|Product", match[1]
            ):
                parties.setdefault(match[1].strip())
    return Manner(language, binding or (keywords and capital > 3), keywords and capital > 3, tuple(parties))


def statements(label: str, passages: list[Passage], how: Manner) -> list[Statement]:
    """What these sentences state, in order."""
    found: list[Statement] = []
    lead: tuple[Statement, int] | None = None
    subject = ""
    for each in passages:
        if len(found) >= MOST:
            break
        made = _stated(label, each, how, subject)
        if not made and lead is not None and each.item and each.block - lead[1] <= 40 and len(each.text) > 3:
            head = lead[0]
            made = [_inherited(label, each, head)]
        elif not each.item or made:
            lead = None if not each.item else lead
        found += made
        last = next((one for one in reversed(made) if one.kind in (DUTY, BAN, PERMISSION, ADVICE)), None)
        if last is not None:
            subject = last.subject or subject
            if each.text.rstrip().endswith(":"):
                lead = (last, each.block)
    return found


def _inherited(label: str, each: Passage, head: Statement) -> Statement:
    """An item below `The client must:`."""
    dates = days(each.text)
    return head._replace(
        label=label, line=each.line, object=each.text[:300], text=f"{head.subject} {head.words}: {each.text}"[:600],
        condition="", quantities=tuple(quantities(each.text, dates)), days=tuple(dates), deadline=False,
    )  # fmt: skip


def _stated(label: str, each: Passage, how: Manner, subject: str) -> list[Statement]:
    text = _NUMBERED.sub("", each.text)
    if len(text) < 8 or text.endswith("?") or (_KEYWORDS.search(text) and len(set(_LISTED.findall(text))) > 2):
        return []
    dates = days(text)
    numbers = quantities(text, dates)
    base = Statement(
        kind=LIMIT, label=label, line=each.line, subject="", words="", object="", text=text[:600], section=each.section,
        quantities=tuple(numbers), days=tuple(dates),
    )  # fmt: skip
    defined = _DEFINITION.search(text[:400])
    if defined is not None:
        name = (defined[1] or defined[2]).strip()
        return [base._replace(kind=DEFINITION, subject=name, words="means", object=text[defined.end() :][:300].strip())]
    made: list[Statement] = []
    opened = _OPEN.search(text)
    if opened is not None:
        made.append(base._replace(kind=OPEN, words=opened[0], object=text[:300]))
    if len(text.split()) < 3:
        return made
    marks = [hit for hit in hits(how.language, text) if _counts(hit, text, how)]
    marks = _distinct(marks)
    for position, hit in enumerate(marks):
        end = marks[position + 1].start if position + 1 < len(marks) else len(text)
        made.append(_one(base, text, hit, end, subject, how, position == 0, len(marks) == 1))
        subject = made[-1].subject or subject
    if not marks and opened is None:
        made += _limit(base, text, how)
    return made


def _distinct(marks: list[Hit]) -> list[Hit]:
    """A loose phrase beside a firm one adds nothing."""
    firm = [hit for hit in marks if not hit.loose]
    chosen = firm or marks[:1]
    kept: list[Hit] = []
    for hit in chosen:
        if not kept or hit.start - kept[-1].end > 8:
            kept.append(hit)
    return kept[:4]


def _counts(hit: Hit, text: str, how: Manner) -> bool:
    """Whether a phrase binds here."""
    word = text[hit.start : hit.end]
    before, after = text[: hit.start], text[hit.end :]
    supposed = _SUPPOSED.search(before)
    if supposed is not None and (supposed.start() > 0 or len(supposed[1].split()) < 4):
        return False
    loud = sum(map(str.isupper, text)) > 0.5 * len(text)
    if loud and (hit.kind in (ADVICE, NEED) or hit.loose or word.startswith("REQUIRED")):
        return False
    capital = word.isupper() and len(word) > 2 and not loud
    if capital:
        return True
    if how.keywords:
        return False
    if word[:1].isupper() and before.strip() and hit.kind is PERMISSION:
        return False  # the month
    if hit.kind in (DUTY, BAN) and not hit.loose:
        return _PAST.match(after) is None
    if hit.kind == NEED:
        return _needs(before, after, word, how)
    if hit.kind in (ADVICE, WARNING):
        if _FIRST_PERSON.search(before.rstrip()) or _HOPE.match(after):
            return False
        return how.binding or _GUESS.match(after) is None or _ACTING.search(before[-60:]) is not None
    if not hit.loose:
        return True
    return _loosely(hit, word.lower(), before, after, how)


def _needs(before: str, after: str, word: str, how: Manner) -> bool:
    if re.search(r"(?:\bto|not|n't|that|may|might|can|as)\s*$", before) or re.match(
        r"\s(?:by|for the|in order)\b", after
    ):
        return False
    if word.lower().endswith("required"):
        return len(before.split()) >= 1
    return (
        how.binding
        or bool(
            re.match(
                r"\s(?:at least|a |an |the |\w+ ?(?:>=|≥|\d)|Python|Node|Java|Go |PHP|Ruby|GNU|approval|written|that )",
                after,
            )
        )
        or not before.strip()
    )


def _loosely(hit: Hit, word: str, before: str, after: str, how: Manner) -> bool:
    acting = _ACTING.search(before[-70:]) is not None or any(each in before for each in how.parties)
    if hit.kind == PERMISSION:
        if _GUESS.match(after):
            return False
        if word in ("can", "kann", "können", "peut", "peuvent", "puede", "pueden"):
            return how.binding and acting
        return acting or (how.binding and _PASSIVE.match(after) is not None) or word.startswith("hereby")
    if hit.kind == BAN:
        return how.binding and acting and word not in ("do not", "does not") and not _GUESS.match(after)
    if word in ("will",):
        return how.binding and acting and bool(how.parties) and not _GUESS.match(after)
    if word.startswith(("has", "have", "need")):
        return (
            (how.binding or acting)
            and not _FIRST_PERSON.search(before.rstrip())
            and not re.search(r"\b(?:don't|not|would|might|may|could|if you|you'll|had)\s*$", before)
        )
    return how.binding and (
        word.endswith(("payable", "due", "be")) or bool(re.search(r"\d|\b(?:years?|months?|days?)\b", after))
    )


def _one(
    base: Statement, text: str, hit: Hit, end: int, subject: str, how: Manner, first: bool, alone: bool
) -> Statement:
    said = text[hit.end : end].strip(" ,")
    condition = ""
    before = text[: hit.start]
    head = _CONDITION.match(before)
    if head is not None and head.start() == 0 and "," in before:
        condition, _, before = before.partition(",") if before.count(",") == 1 else before.rpartition(",")
    tail = _CONDITION.search(said)
    if tail is not None and tail.start() > 3:
        condition = condition or said[tail.start() :].strip(" ,.;")
        said = said[: tail.start()]
    who = _subject(before) or ("" if first and not before.strip() else subject)
    if _PRONOUN.match(who):
        who = subject if subject and not _PRONOUN.match(who or "x") else who or subject
    deadline = any(_BEFORE_DATE.search(text[: day.start]) for day in base.days) or any(
        each.dimension == "time" and _SPAN.search(text[: each.start]) for each in base.quantities
    )
    numbers, dates = base.quantities, base.days
    if not alone:
        numbers = tuple(each for each in numbers if hit.start <= each.start < end)
        dates = tuple(each for each in dates if hit.start <= each.start < end)
    kind = BAN if hit.kind in (DUTY, PERMISSION) and _NOBODY.search(before) else hit.kind
    low = who.lower()
    party = next((each for each in how.parties if each.lower() in low), "")
    if not party and how.parties and re.search(r"\b(?:both|each|either|all|the) part(?:y|ies)\b", low):
        party = "both"
    return base._replace(
        kind=kind, subject=who, words=hit.words, object=said.strip(" .;,")[:300], condition=condition[:200],
        party=party, quantities=numbers, days=dates, deadline=deadline,
    )  # fmt: skip


def _subject(before: str) -> str:
    part = re.split(r"[;:—]|\s(?:–|--)\s", before)[-1] if not before.rstrip().endswith(":") else before
    pieces = [each for each in re.split(r",\s", part) if each.strip()]
    if not pieces:
        return ""
    chosen = pieces.pop()
    while pieces and (_ASIDE.match(chosen) or (len(chosen.split()) < 2 and not _ACTING.search(chosen))):
        chosen = pieces.pop()
    chosen = _LEADING.sub("", chosen.strip())
    chosen = re.sub(r"\s(?:which|that|who|and|or|und|et|y)$", "", chosen).strip(' ,*_"“(')
    words = chosen.split()
    return " ".join(words[-14:])[:120]


def _limit(base: Statement, text: str, how: Manner) -> list[Statement]:
    """A sentence without such words that names a limit; in a text that binds, any span, share or sum."""
    bounded = [each for each in base.quantities if each.bound != EXACT and each.dimension != "number"]
    spans = [each for each in base.quantities if each.dimension in ("time", "share", "data", "usd", "eur", "gbp")]
    dated = [each for each in base.days if _BEFORE_DATE.search(text[: each.start]) is not None]
    told = bounded or dated or (spans if how.binding else [])
    if not told or (not how.binding and not bounded and not dated):
        return []
    place = min(each.start for each in told)
    return [
        base._replace(
            subject=_DANGLING.sub("", _subject(text[:place])),
            object=text[:300],
            deadline=bool(dated)
            or any(each.dimension == "time" and _SPAN.search(text[: each.start]) for each in bounded),
        )
    ]


ORDER = {kind: number for number, kind in enumerate(KINDS)}
