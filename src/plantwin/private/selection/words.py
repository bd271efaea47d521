"""Words of goals and objects as stems and numbers: forms of a word, words that mean alike, words that say little."""

from __future__ import annotations

import re
from array import array
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from sys import byteorder
from typing import Final
from zlib import crc32

_EVERYWHERE: Final = """
a about above all also am an and any are arg args array as async at await be been bool boolean 
but by can catch char class const constructor could cpp def default del dict did div do
does doing done double elif else endif enum eq except exports extends extern false final
float fn for foreach from func function get give go got goto had has have having he her here hers him
his how href html http https i id if impl implements in include init int into is isinstance
isn it its just kwargs lambda len let li like list ll look loop main make map me mixed mod more
most much mut my need new nil no none nor not now null num object of on one only or other our out
over own param params pass please pre print protected pub raise re return returns
s same see self set she should show so some span src static str string struct sub such super
t take tbody td tell th than that the their them then there these they thing things this
those throw tmp to too tr true try tuple type typedef typename typing ul under unsigned up us use used uses
using val value values var ve very via void volatile want was we were what when where which while who whom why
will with would www xml yield you your
"""
_ASKING: Final = """
happen happens happening somebody someone people
able actually again almost along already always although among another anyone anybody around away back become
becomes because being below best better big both bring came cannot certain come comes correctly couple current
currently day days despite different during each either else end enough even everybody everyone exactly far few first
five follow former four fully further goes hour hours however instead keep keeps kept kind know last late least left
less long longer lot made main many maybe mean means might must near never new next nobody none nonsense nothing off
often old once ones open or others otherwise our part perhaps place places place put quite rather right run runs said
second seem seems several since six small soon sort still sure ten third though three through till time times together
told towards try trying twice two until usually way ways well went whether whose whole within without work works wrong
year years yet
across after against analyse analyze anything audit bad been before between check code compare could ever
everything examine explain file files find folder going good happened here inspect last list look month ones
please project ready really repo repository review right safe something state still summarize sure tell there
thing things today unsafe want week whether why wrong yesterday
"""

STOP: Final = frozenset(_EVERYWHERE.split())
"""Words of English, of code and of markup that say nothing of what a file is about."""
POLITE: Final = frozenset(_ASKING.split())
"""Words of a goal that ask, or stand for anything."""


SHORTEST: Final = 3
_KEPT: Final = 4
"""Letters that a stem keeps at least."""
_ENDINGS: Final = (
    "izations", "isations", "ization", "isation", "abilities", "ability", "ations", "ators", "ating", "ation", "ative",
    "ities", "izing", "ising", "izers", "ments", "ates", "ated", "ator", "able", "ible", "ized", "ised", "izes", "ises",
    "izer", "ment", "ness", "ings", "ions", "ate", "ing", "ion", "ers", "ies", "ied", "ity", "ize", "ise", "ous", "ors",
    "ed", "er", "or", "es", "ly", "s", "e", "y",
)  # fmt: skip
_LASTS: Final = frozenset(each[-1] for each in _ENDINGS)
_BY_SIZE: Final = tuple(
    (-size, frozenset(each for each in _ENDINGS if len(each) == size))
    for size in sorted({len(each) for each in _ENDINGS}, reverse=True)
)
_ODD: Final = """
absorption:absorb acceptance:accept accessibility:accessible admission:admit allergen:allergy allergens:allergy
allergic:allergy allergies:allergy allowance:allow analyse:analysis analyses:analysis analyze:analysis
analyzed:analysis appearance:appear applicant:apply applicants:apply applied:apply applies:apply approval:approve
approvals:approve arrival:arrive arrivals:arrive assistance:assist assistant:assist assumption:assume assurance:assure
attendance:attend attendee:attend attendees:attend author:authorship authors:authorship began:begin begun:begin
bills:bill bought:buy broke:break broken:break brought:bring built:build burnt:burn buyer:buy buyers:buy came:come
caught:catch children:child choice:choose choices:choose chose:choose chosen:choose clearance:clear collision:collide
completion:complete conclusion:conclude consumption:consume conversion:convert conversions:convert copied:copy
copies:copy copying:copy crises:crisis dealt:deal deception:deceive decision:decide decisions:decide deletion:delete
deletions:delete denial:deny departure:depart dependence:depend dependencies:depend dependency:depend
description:describe descriptions:describe diagnose:diagnosis diagnoses:diagnosis difference:differ division:divide
driven:drive drove:drive eaten:eat employee:employ employees:employ employer:employ erosion:erode exclusion:exclude
exclusions:exclude existence:exist expansion:expand expenditure:expense expenses:expense explosion:explode
extension:extend failure:fail failures:fail fallen:fall fed:feed feet:foot fell:fall felt:feel flew:fly flight:fly
flown:fly forgot:forget forgotten:forget fought:fight frequencies:frequency froze:freeze frozen:freeze gave:give
given:give gone:go grew:grow grown:grow growth:grow guidance:guide heard:hear held:hold hid:hide hidden:hide
hypotheses:hypothesis inclusion:include indices:index insurance:insure insured:insure insurer:insure
introduction:introduce intrusion:intrude invasion:invade invitation:invite invitations:invite invitee:invite kept:keep
knew:know known:know latencies:latency left:leave lent:lend loss:lose losses:lose lost:lose maintenance:maintain
matrices:matrix men:man met:meet mice:mouse occurrence:occur omission:omit paid:pay payer:pay payers:pay paying:pay
payment:pay payments:pay people:person perception:perceive performance:perform permission:permit permissions:permit
permitted:permit persons:person preference:prefer prescription:prescribe prescriptions:prescribe presumption:presume
proposal:propose proposals:propose ran:run reception:receive reduction:reduce reference:refer refusal:refuse
registrant:register registrants:register registration:register registrations:register removal:remove removals:remove
renewal:renew renewals:renew rental:rent rentals:rent residence:reside resident:reside resistance:resist
resolution:resolve resolutions:resolve resumption:resume revolution:revolve rose:rise sale:sell sales:sell seller:sell
sellers:sell sent:send shipped:ship shown:show sold:sell solution:solve solutions:solve speech:speak spent:spend
spoke:speak spoken:speak stole:steal stolen:steal stood:stand stuck:stick submission:submit submitted:submit
subscription:subscribe subscriptions:subscribe suspension:suspend swept:sweep taken:take taught:teach teeth:tooth
tenancy:tenant thieves:thief threw:throw thrown:throw told:tell took:take tore:tear torn:tear transcript:transcribe
transcription:transcribe transcripts:transcribe transmission:transmit vertices:vertex went:go withdrawal:withdraw
withdrawals:withdraw withdrawn:withdraw withdrew:withdraw women:woman won:win worn:wear written:write wrote:write
"""
_FORMS: Final = dict(each.split(":") for each in _ODD.split())


def stem(word: str) -> str:
    """A word without its endings, roughly."""
    word = _FORMS.get(word, word)
    while len(word) > SHORTEST and word[-1] in _LASTS and word[-2:] != "ss":
        kept = len(word) - _KEPT
        for size, endings in _BY_SIZE:
            if -size <= kept and word[size:] in endings:
                word = word[:size]
                break
        else:
            return word[:-1] if len(word) == _KEPT and word[-1] == "s" else word
    # `cancelled` and `cancel`, `install` and `instal`
    if len(word) > _KEPT and word[-1] == word[-2] and word[-1] not in "saeiou":
        return word[:-1]
    return word


MEANINGS: Final = Path(__file__).with_name("meanings.txt")


def meanings() -> tuple[tuple[str, ...], ...]:
    """Each is a row of words with one meaning; a word may be in several."""
    lines = MEANINGS.read_text(encoding="ascii").splitlines()
    return tuple(tuple(line.split()) for line in lines if not line.startswith("#"))


@cache
def alike() -> dict[str, frozenset[str]]:
    """By the stem of each word, the stems of those that mean much the same."""
    found: dict[str, set[str]] = {}
    for words in meanings():
        stems = {stem(word) for word in words}
        for each in stems:
            found.setdefault(each, set()).update(stems - {each})
    return {each: frozenset(others) for each, others in found.items()}


MOST: Final = 160
"""Words of one file that are kept at most."""
HEAD: Final = 2 << 10
TAIL: Final = 1 << 9
"""Bytes from both ends of a file in which words are looked for."""
LONGEST: Final = 24
REMEMBERED: Final = 100_000
"""Words whose number is remembered in a process at most."""

_UPPER: Final = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LETTERS = bytes(
    each if chr(each).isascii() and chr(each).isalpha() else ord("1") if chr(each).isdigit() else 32
    for each in range(256)
)
"""Digits stay part of their word, so that it can be left out; all else that is no letter divides words."""


class _Numbers(dict[bytes, tuple[int, ...]]):
    """Numbers of the words that a piece of text stands for, remembered."""

    def __missing__(self, piece: bytes) -> tuple[int, ...]:
        if piece.isalpha() and piece.islower() and SHORTEST <= len(piece) <= LONGEST:
            word = piece.decode("ascii")  # as most are
            found: tuple[int, ...] = () if word in STOP else (number(word),)
        else:
            found = tuple(map(number, parts(piece)))
        if len(self) < REMEMBERED:
            self[piece] = found
        return found


@lru_cache(REMEMBERED)
def number(word: str) -> int:
    """The number of a word: the same for all that share its stem."""
    return crc32(stem(word).encode())


def parts(piece: bytes) -> list[str]:
    """Words inside an identifier of letters: `parseHTTPReply` is three."""
    if b"1" in piece or len(piece) > 3 * LONGEST:
        return []
    pieces = [piece] if piece.islower() else _UPPER.findall(piece)
    words = [each.decode("ascii").lower() for each in pieces]
    return [each for each in words if SHORTEST <= len(each) <= LONGEST and each not in STOP]


def pieces_of(text: bytes) -> list[str]:
    """Words of a text, those inside its identifiers too, in its order."""
    return [word for piece in text.translate(_LETTERS).split() for word in parts(piece)]


_numbers = _Numbers()


def terms(data: bytes, names: list[str]) -> bytes:
    """The most telling words of a file as ascending numbers: of its beginning and end, and the names it defines."""
    text = data if len(data) <= HEAD + TAIL else data[:HEAD] + b" " + data[-TAIL:]
    called = " ".join(names[:MOST]).encode("ascii", "replace")
    pieces = set((text + b" " + called).translate(_LETTERS).split())
    found = set(chain.from_iterable(map(_numbers.__getitem__, pieces)))
    if len(found) > MOST:
        named = set(chain.from_iterable(map(_numbers.__getitem__, called.translate(_LETTERS).split())))
        found = named if len(named) >= MOST else named | _longest(pieces, found - named, MOST - len(named))
    kept = array("I", sorted(found)[:MOST])
    if byteorder == "big":
        kept.byteswap()
    return kept.tobytes()


def _longest(pieces: set[bytes], found: set[int], most: int) -> set[int]:
    """Of too many, those of the longest identifiers: they say more than short words."""
    if len(found) <= most:
        return found
    kept: set[int] = set()
    for piece in sorted(pieces, key=len, reverse=True):
        kept.update(each for each in _numbers[piece] if each in found)
        if len(kept) >= most:
            break
    return kept


def read(kept: bytes) -> array[int]:
    """Numbers that were kept."""
    found = array("I", kept[: len(kept) // 4 * 4])
    if byteorder == "big":
        found.byteswap()
    return found
