"""Words by which texts oblige, forbid, advise and permit, in four languages, and how sure each is."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from plantwin.private.extract.formats.words import words

DUTY, BAN, ADVICE, WARNING, PERMISSION, NEED, DEFINITION, LIMIT, OPEN = (
    "duty", "prohibition", "advice", "advice against", "permission", "requirement", "definition", "limit", "open point",
)  # fmt: skip
KINDS = (DUTY, BAN, NEED, LIMIT, ADVICE, WARNING, PERMISSION, DEFINITION, OPEN)


class Phrase(NamedTuple):
    """One way to say it."""

    kind: str
    pattern: str
    loose: bool = False
    """Often means something else: counts where the text binds, or its subject is someone who acts."""


_ENGLISH = (
    Phrase(
        PERMISSION,
        r"(?:do|does|is|are|need)(?: not|n't) (?:have|need|required|obliged|obligated) to|need not|(?:is|are) not required(?: to)?|(?:is|are) optional|(?-i:OPTIONAL)",
    ),
    Phrase(
        BAN,
        r"(?:must|shall)(?: not|n't| never)|mustn't|cannot be used to|under no circumstances (?:may|shall|must|should|will)?",
    ),
    Phrase(BAN, r"may not|may never|may neither|may only"),
    Phrase(
        BAN,
        r"(?:is|are|be|being) (?:(?:strictly|expressly|hereby) )?(?:prohibited|forbidden|disallowed|not (?:permitted|allowed))(?: (?:from|to))?|(?:agrees?|undertakes?) not to|not be entitled to|has no right to|shall have no right to",
    ),
    Phrase(BAN, r"(?:will|can|do|does) not|cannot|can only|never", True),
    Phrase(
        WARNING,
        r"(?:should(?: not|n't| never)|ought not to|(?-i:NOT RECOMMENDED)|(?:is|are) (?:not recommended|discouraged|deprecated))",
    ),
    Phrase(
        DUTY,
        r"must|shall|(?:is|are|be) (?:hereby |also )?(?:required|obliged|obligated|bound) to|(?:is|are|be) mandatory|(?:agrees?|undertakes?|covenants?|warrants?|commits?) (?:to|that)|(?:is|are) responsible for|(?:is|are) liable (?:for|to)|(?:have|has) the (?:duty|obligation) to|it is mandatory(?: to)?|(?-i:REQUIRED)",
    ),
    Phrase(
        DUTY,
        r"(?:has|have|needs?) to|(?:is|are) to be|will|(?:is|are) payable|(?:is|are) due|(?:is|are) kept|(?:is|are) erased|(?:is|are) deleted|(?:is|are) retained",
        True,
    ),
    Phrase(NEED, r"requires?|(?:is|are|be) (?:also )?required"),
    Phrase(
        ADVICE,
        r"(?:is|are) (?:strongly |highly )?(?:recommended|advised|encouraged)(?: (?:to|that))?|(?-i:RECOMMENDED)|ought to|(?-i:SHOULD)",
    ),
    Phrase(ADVICE, r"should"),
    Phrase(
        PERMISSION,
        r"(?:is|are|be) (?:hereby |also )?(?:permitted|allowed|granted)(?: to)?|(?:is|are|be) (?:hereby |also )?(?:entitled|free|authori[sz]ed) to|(?:has|have|reserves?|retains?) the (?:sole )?right to|(?-i:MAY)",
    ),
    Phrase(PERMISSION, r"may|hereby grants?|can", True),
)
_GERMAN = (
    Phrase(BAN, r"(?:darf|dürfen)\b[^.;,]{0,70}?\b(?:nicht|keine?[nmrs]?|niemals|nur)|(?:ist|sind) (?:\w+ ){0,2}(?:verboten|untersagt|unzulässig|nicht (?:gestattet|erlaubt|zulässig))|(?:muss|müssen) nicht mehr"),
    Phrase(WARNING, r"soll(?:te|ten|en)?\b[^.;,]{0,60}?\b(?:nicht|keine?[nmrs]?)"),
    Phrase(DUTY, r"muss|müssen|(?:ist|sind) (?:\w+ ){0,3}?verpflichtet|verpflichte[tn]? sich|(?:hat|haben)(?= [^.;,]{3,80} zu [a-zäöü]{3,20}en\b)|(?:ist|sind)(?= [^.;,]{0,60}zu [a-zäöü]{3,20}en\b)|(?:ist|sind) (?:erforderlich|zwingend|vorgeschrieben)"),
    Phrase(ADVICE, r"soll(?:te|ten|en)?|(?:wird|werden) empfohlen|empfiehlt sich"),
    Phrase(PERMISSION, r"darf|dürfen|(?:ist|sind) (?:\w+ ){0,2}(?:berechtigt|befugt|erlaubt|gestattet)|kann|können", True),
)  # fmt: skip
_FRENCH = (
    Phrase(BAN, r"ne (?:doi(?:t|vent)|devr(?:a|ont)|peu(?:t|vent)) (?:pas|jamais|en aucun cas|être)|(?:est|sont) (?:strictement )?(?:interdite?s?|prohibée?s?)|il est interdit|n'est pas (?:autorisée?|permise?)"),
    Phrase(WARNING, r"ne devrai(?:t|ent) pas"),
    Phrase(DUTY, r"doi(?:t|vent)|devr(?:a|ont)|(?:est|sont) (?:tenue?s?|obligée?s?) (?:de|à|d')|s'engagent? à|(?:est|sont) (?:obligatoires?|requise?s?)|il faut"),
    Phrase(ADVICE, r"devrai(?:t|ent)|(?:est|sont) recommandée?s?|il est recommandé"),
    Phrase(PERMISSION, r"peu(?:t|vent)|(?:est|sont) (?:autorisée?s?|libres?) (?:à|de)|a le droit de", True),
)  # fmt: skip
_SPANISH = (
    Phrase(BAN, r"no (?:debe(?:n|rá|rán)?|puede[n]?|podrá[n]?)|(?:está|están|queda|quedan) (?:terminantemente )?prohibid[oa]s?|se prohíbe[n]?|no se permite[n]?"),
    Phrase(WARNING, r"no debería[n]?"),
    Phrase(DUTY, r"debe(?:n|rá|rán)?|(?:está|están) obligad[oa]s? a|se comprometen? a|se (?:requiere|exige)n?|es obligatorio|tendrán? que|tienen? que"),
    Phrase(ADVICE, r"debería[n]?|se recomienda[n]?"),
    Phrase(PERMISSION, r"puede[n]?|podrá[n]?|(?:está|están) autorizad[oa]s? a|tienen? derecho a", True),
)  # fmt: skip
LANGUAGES = {"English": _ENGLISH, "German": _GERMAN, "French": _FRENCH, "Spanish": _SPANISH}
_COMMON = {
    "English": words(
        "the of and to is in that for with are be this by as on it you or not from which will must if may shall no an has have should"
    ),
    "German": words("der die das und ist nicht ein eine zu den mit von auf für sich dem des werden wird bei oder sind"),
    "French": words("le la les des et est une un dans pour que qui sur par pas du au aux être sont avec ce cette"),
    "Spanish": words("el los las y es una un en para que por con del se su al como más no son lo esta este"),
}
_WORD = re.compile(r"[^\W\d_]{2,20}")


class Hit(NamedTuple):
    """A phrase in a sentence."""

    kind: str
    loose: bool
    start: int
    end: int
    words: str


def _compiled(phrases: tuple[Phrase, ...]) -> re.Pattern[str]:
    named = "|".join(f"(?P<p{number}>{each.pattern})" for number, each in enumerate(phrases))
    return re.compile(rf"(?<![\w'’-])(?:{named})(?![\w'’-])", re.IGNORECASE)


_PATTERNS = {language: _compiled(phrases) for language, phrases in LANGUAGES.items()}


def language_of(text: str) -> str:
    """The language that most small words of a text are of; English where nothing tells."""
    said = Counter(word.lower() for word in _WORD.findall(text[:60_000]))
    counts = {language: sum(said[word] for word in common) for language, common in _COMMON.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] > max(1, counts["English"] * 1.2) else "English"


def hits(language: str, sentence: str) -> list[Hit]:
    """Every phrase in a sentence, in order."""
    found: list[Hit] = []
    for match in _PATTERNS[language].finditer(sentence):
        each = LANGUAGES[language][int((match.lastgroup or "p0")[1:])]
        found.append(Hit(each.kind, each.loose, match.start(), match.end(), " ".join(match[0].split())))
        if len(found) == 8:
            break
    return found
