"""Where a goal spells out a secret: what stands beside a word for a credential, unless it only speaks about it.

    the password for the server is open water       noun, what it belongs to, link, secret
    change the PIN to open water · reset it to …    setting
    log in as root with password open water         no link, after words that announce one
    open water is the password · use … as the PIN   the other way round
    unlock it with open water                       no noun at all
    is the password, say open water, in the logs    words that no request is made of, in a row

"The password is hashed", "the token is in the log" and "password reset flow" speak about one: their words are of
software, or small. In doubt it is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from plantwin.lexicon import acts, terms, words
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.goal.words import FUNCTION, request_words, stems

_LEXICON = Lexicon(__file__)

MOST: Final = 30
"""Words of a secret at most."""
FAR: Final = 8
"""Words after a noun among which the link is looked for."""

_SURE: Final = (
    r"pass[ -]?(?:words?|phrases?|codes?|keys?)|passwds?|pwds?|pws?|pins?(?: codes?| numbers?)?|pass"
    r"|(?:secret|access|security|safe|code|magic|recovery|backup|master) ?(?:words?|answers?|question)"
    r"|(?:secret|access|security|recovery|backup|door|gate|alarm|entry|unlock|lock|verification|auth\w*|login) codes?"
    r"|(?:one[ -]?time|sms) codes?"
    r"|(?:otp|totp|2fa|mfa|two[ -]factor)(?: codes?)?|one[ -]time pass(?:word|code)s?|maiden name"
    r"|(?:api|secret|private|access|encryption|signing|license|ssh|deploy|master)[ -]keys?"
    r"|(?:api|access|auth|bearer|refresh|session|deploy|bot)[ -]tokens?|client secret"
    r"|(?:user(?:name|id)?|login|id) ?(?:/|and|&|\+) ?(?:pass(?:word|code|wd)?|pwd?|pin)s?|log-?in details|creds"
    r"|\w{1,20}(?:password|passwd|passphrase|passcode|apikey)|apikeys?"
)
_LONG: Final = (
    r"(?:recovery|seed|mnemonic|secret|backup|wallet|security|access) ?(?:phrases?|words|seeds?|codes)|mnemonics?"
    r"|(?:twelve|twenty[- ]four|12|24) words"
)
"""Secrets of many words, which commas may part."""
_WEAK: Final = r"seed|secrets?|tokens?|keys?|credentials?|log-?ins?|combinations?|(?<=security )answers?"
"""Words that mean something else as often: what follows is a secret only if nothing speaks against it."""
_noun = re.compile(
    r"(?i)(?:(?<![^\W_])|(?-i:(?<=[a-z])(?=[A-Z])))"
    rf"(?:(?P<long>{_LONG})|(?P<sure>{_SURE})|(?P<weak>{_WEAK}))\d{{0,3}}(?![\w-])"
)
_link = re.compile(
    r"(?i)(?:,?\s+(?:which|that)|,[^,;.!?\n]{1,60},)?\s*(?:(?:(?:now|also|currently|still|just)\s+)?"
    r"(?:is|was|are|were|be|equals?|reads?|becomes?|became|remains|stays"
    r"|(?:begin|start|end)s?\s+with|consists?\s+of|contains?)\b"
    r"(?:\s+(?:now|currently|still|just|again|simply))?[ \t]*:?|'s\b|=+>?|:=?|-+>|\(|-{1,2}(?=\s)|\.{2,})\s*"
)
_setting = re.compile(r"(?i)\b(?:chang|set|reset|updat|switch|rotat|turn)\w*(?:\s+[\w'-]{1,30}){0,4}\s+\Z")
_set = re.compile(
    r"(?i)\b(?:chang|set|reset|updat|switch|rotat|turn|revert|put)\w*\s+(?:it|that|this|them|mine)\s+(?:back\s+)?to\s+"
)
_leads = re.compile(
    r"(?i)(?:\A|[.,;:!?/(\n-]|\b(?:with|using|use|uses|enter|type|try|give|gave|by|and|via|say)"
    r"|\b(?:log|sign|logs|logged) ?(?:in|on)(?:to)?(?:\s+\S{1,40}){1,5})"
    r"\s*+(?:(?:the|a|my|our|this|his|her|their|your|new|old)\s++){0,2}\Z"
)
_alone = re.compile(r"(?i)(?:\A|[\n.:;,!?(])\W*(?:(?:the|my|our|a|new|old|current|admin|root|wifi|database|db)\s+)*\Z")
_break = re.compile(r"[ \t]*\n\s*")
_other = re.compile(
    r"(?i)(?:-|\b(?:primary|foreign|partition|sort|cache|row|dictionary|map|object|index|composite|unique|json)\s+)\Z"
)
_verb = re.compile(r"(?i)(?:-|\b(?:tests?|checks?|builds?|must|should|to|all|they|it|will|can|not|would|and|or)\s+)\Z")
_backward = re.compile(
    r"(?i)\s++(?P<link>is|was|are|were|be|being|became|as|for|=)(?:\s++(?:also|now|still))?"
    r"(?:\s++(?:the|my|our|his|her|their|your|its|a|[\w-]{1,20}'s)(?:\s++\w{1,20}){0,2})?\s++\Z"
)
_unlock = re.compile(
    r"(?i)(?<![\w.])(?:opens|ssh|unlock\w*|decrypt\w*|(?:log|sign)(?:s|ged|ging|ed|ing)? ?-?(?:in|on)|authenticat\w*)"
    r"(?:\s+[\w'@.-]{1,40}){0,4}?\s+(?:with|using|by\s+(?:saying|typing|entering))\s+"
)
_typed = re.compile(r"(?i)\b(?:type|enter|say)\s+(?P<secret>\S{1,40}(?:\s+\S{1,40}){0,11}?)\s+(?:when|if|once)\b")
_locked = re.compile(
    r"(?i)\b(?:unlock\w*|(?:de|en)crypt\w*|opens|vaults?|wallets?|protected|handshake"
    r"|(?:log|sign)(?:s|ged|ging|ed|ing)? ?-?(?:in|on))\b"
)
"""Speaks of what a secret opens."""
_spoken = re.compile(r"(?:[^.!?\n]|[.!?](?!\s|\Z))+")
_mark = re.compile(r"[,;!?\n]|[.:](?=\s|\Z)")
_piece = re.compile(r"[^\s,;!?]*[^\W_][^\s,;!?]*|[/|]")
_clause = re.compile(r"[ \t]*(?:[^,;!?.\n]|\.(?!\s|\Z)){0,400}")
_sentence = re.compile(r"\s*(?:[^!?.\n]|\.(?!\s|\Z)){0,400}")

LINKS: Final = frozenset(["is", "was", "are", "were", "be", "been", "equals", "=", ":", "->", "becomes", "became"])
SET: Final = frozenset(["set", "reset", "changed", "updated", "switched", "rotated", "turned", "moved"])
BETWEEN: Final = FUNCTION | SET | frozenset(["will", "shall", "been", "got", "given", "made", "sent"])
"""Words with which what stands between a noun and its link begins."""
USING: Final = frozenset(["use", "using", "try", "enter", "type", "typing", "set", "put", "take", "choose", "with"])
MODIFIERS: Final = _LEXICON.words("modifiers")
"""Words before what is said about a credential."""
STATES: Final = _LEXICON.words("states")
"""How a credential may be, without an article: missing, weak, hardcoded."""
ABOUT: Final = STATES | _LEXICON.words("about")
"""Words of software: what is said about a credential, and seldom one."""
_REQUESTS: Final = """
able about above across action against allow along also alternative although among another anybody anyone anything
appear artifact ask assess attacker attribute away back background because become been begin being below benchmark
better big block break bucket budget came case certain circular classify cloud come compute concurrency condition
conflict consumer contain correlate cost could coupling critical cryptography cycle date decide decision defect
definition delivery depend deprecation describe deserialization design destructive detect did different distribution
doing dump duplication during earlier either else engine entrypoint equality evaluation ever everybody everyone
everything exactly example excessive execution exist explain extract few filter find first follow forbid force four
further gave general get getting give go going great group guide happen help helper here high hold however identify
ignore impact include ingestion instead instruction integrity iteration job just keep kind know large last latency
later layer leave let like likely little locking look lookup loss lot main make many may mean measure measurement
meeting might migrate mine monitoring much myself near necessary need nesting newer newest next night nobody noise nor
note nothing notice often older oldest operator other otherwise ought outlier overall own parse partial particular
party payment people permit placeholder plan please point prediction privacy probably procedure produce protection
quickly race range reason regarding relation remain render require retention return reveal rollback run runner said
say schedule second see seem seen several shall share show since snapshot somebody someone something soon sort spec
stack still stop style stylesheet such sure suspect syntax synthetic take tell than thank third though threshold
through throw thus timestamp together took toward transform traversal tried try turn understand unless unlike
unreachable upon useful variant various very via vocabulary want way went whatever whenever wherever whether whichever
whoever whole whom whose will wish won work worse worst year yes yet yours
"""
_SPOKEN: Final = ABOUT | MODIFIERS
_STOPS: Final = FUNCTION | USING | ABOUT
_SMALL: Final = FUNCTION | ABOUT


class Stretch(NamedTuple):
    """Where what may be a secret begins and ends."""

    start: int
    end: int


def credential_words(text: str) -> Iterator[tuple[int, int]]:
    """Where words for a credential stand."""
    return (match.span() for match in _noun.finditer(text))


def secrets(text: str) -> Iterator[Stretch]:
    """Every stretch that may be a secret."""
    seen = bytearray(len(text))
    for noun in _noun.finditer(text):
        before = text[max(0, noun.start() - 120) : noun.start()]
        if not _credential(noun, before):
            continue
        seen[noun.start() : noun.end()] = b"\1" * len(noun[0])
        yield from _after(text, noun, before)
        yield from _before(text, noun)
    for found in _unlock.finditer(text):
        yield from _said(_pieces(text, found.end(), _clause), weak=True)
    for found in _typed.finditer(text) if any(seen) else ():
        yield Stretch(found.start("secret"), found.end("secret"))
    for found in _set.finditer(text) if any(seen) else ():
        yield from _said(_pieces(text, found.end(), _clause), weak=False)
    yield from _unlike_requests(text, seen)


@cache
def _of_requests() -> frozenset[str]:
    """Words that requests about software are made of."""
    small = FUNCTION | BETWEEN | USING | LINKS | frozenset(_REQUESTS.split())
    return small | _SPOKEN | request_words() | acts().keys() | terms()


def _unlike_requests(text: str, nouns: bytearray) -> Iterator[Stretch]:
    """Two or more words in a row that no request is made of, beside a word for a credential or right after it.

    However a sentence is built: forms can be thought of without end. `nouns`: which letters are of such a word.
    """
    near = False
    for sentence in _spoken.finditer(text):
        before, near = near, any(nouns[sentence.start() : sentence.end()]) or bool(_locked.search(sentence[0]))
        if not (before or near):
            continue
        run: list[re.Match[str]] = []
        for piece in _piece.finditer(text, *sentence.span()):
            parted = run and re.search("[,;:=]", text[run[-1].start() : piece.start()])
            noun = any(nouns[piece.start() : piece.end()])
            if noun or parted or all(map(_requested, _parts(piece))):
                yield from _row(run)
                run = []
            if not noun and not all(map(_requested, _parts(piece))):
                run.append(piece)
        yield from _row(run)


def _row(run: Sequence[re.Match[str]]) -> Iterator[Stretch]:
    """Words in a row, where two or more of them would cross."""
    if sum(part in words() and not _requested(part) for piece in run for part in _parts(piece)) > 1:
        yield Stretch(run[0].start(), run[-1].end())


def _parts(piece: re.Match[str]) -> list[str]:
    return _bare(piece).removesuffix("'s").split("-")


@cache
def _requested(word: str) -> bool:
    """Whether requests about software are made of such words."""
    known = _of_requests()
    return word in known or _about(word) or bool(_locked.fullmatch(word)) or any(each in known for each in stems(word))


def _credential(noun: re.Match[str], before: str) -> bool:
    """Whether it means a credential here: tests pass, and tables have keys."""
    if noun["weak"]:
        return not _other.search(before)
    return noun[0].lower() != "pass" or not _verb.search(before)


def _after(text: str, noun: re.Match[str], before: str) -> Iterator[Stretch]:
    """What follows a noun: after a link, or at once where the words before announce it."""
    reach = _sentence if noun["long"] else _clause
    if link := _link.match(text, noun.end()) or (_alone.search(before) and _break.match(text, noun.end())):
        yield from _said(_pieces(text, link.end(), reach), weak=bool(noun["weak"]))
        return
    pieces = _pieces(text, noun.end(), reach)
    leading = _leading(before, pieces[:FAR], weak=bool(noun["weak"]))
    if leading and (said := list(_said(pieces[leading:], weak=bool(noun["weak"])))):
        yield from said
        return
    plain = [_bare(piece) for piece in pieces]
    count = next((place for place, word in enumerate(plain) if word in FUNCTION), len(plain))
    several = 3 if noun[0].lower().endswith("s") else 2
    least = MOST + 1 if noun[0].lower() == "pass" else 1 if _leads.search(before) else several
    parted = any(piece[0] in ("/", "|") for piece in pieces[:FAR])
    about = 2 * sum(map(_about, plain[:count])) >= count or _ordinary(plain[:count])
    whole = not noun["weak"] or (least == 1 and 2 <= count == len(plain) and not _about(plain[0]))
    if parted or (count >= least and whole and not about):
        yield Stretch(pieces[0].start(), pieces[-1].end() if parted or noun["long"] else pieces[count - 1].end())


def _leading(before: str, pieces: Sequence[re.Match[str]], *, weak: bool) -> int:
    """How many words after a noun lead to the secret; none where they lead nowhere."""
    after = [_bare(piece) for piece in pieces]
    if not BETWEEN & set(after[:1]) and (weak or ABOUT & set(after[:1])):
        return 0
    for place, word in enumerate(after):
        if word in LINKS or pieces[place][0].endswith((":", "=")):
            return place + 1
        if word == "as" and not place and _setting.search(before):
            return 1
        if word == "to" and (after[place - 1] in SET or _setting.search(before)):
            return place + 1
    return 0


def _before(text: str, noun: re.Match[str]) -> Iterator[Stretch]:
    """What comes before "is the password" or "as the password", back to the last small word."""
    head = text[max(0, noun.start() - 400) : noun.start()]
    link = _backward.search(head)
    if not link or noun[0].lower() in ("key", "keys"):
        return
    start = max((mark.end() for mark in _mark.finditer(head, 0, link.start())), default=0)
    offset = noun.start() - len(head)
    pieces = list(_piece.finditer(text, offset + start, offset + link.start()))
    plain = [_bare(piece) for piece in pieces]
    run = next((place for place in range(len(pieces), 0, -1) if plain[place - 1] in _STOPS), 0)
    if link["link"].lower() == "for" and not USING & set(plain[run - 1 : run]):
        return  # "search everything for the password"
    if pieces := pieces[run:]:
        yield Stretch(pieces[0].start(), pieces[-1].end())


def _said(pieces: Sequence[re.Match[str]], *, weak: bool) -> Iterator[Stretch]:
    """The words after a link, unless they speak about the credential."""
    plain = [_bare(piece) for piece in pieces]
    if SET & set(plain[:1]) and plain[1:2] == ["to"]:
        pieces, plain = pieces[2:], plain[2:]
    # "The password is the one I was given: open water"
    late = next((place for place, piece in enumerate(pieces, 1) if piece[0].endswith((":", "="))), 0)
    if _ordinary(plain) and plain[late:] and not _SMALL & set(plain[late:]):
        pieces, plain = pieces[late:], plain[late:]
    quoted = plain and pieces[0][0][0] in "\"'`"
    if plain and (quoted or not (_ordinary(plain) or (weak and _loose(plain)))):
        yield Stretch(pieces[0].start(), pieces[-1].end())


def _ordinary(plain: Sequence[str]) -> bool:
    """Whether words speak about a credential: small ones lead to words of software, and those to small ones."""
    said = list(plain)
    while said and said[0] in MODIFIERS:
        said.pop(0)
    if not said:
        return True
    if said[0] in FUNCTION:
        few = len(said) <= 3 and set(said) <= FUNCTION
        return few or any(map(_about, said[1:6]))
    # Without an article a noun is no predicate: "the password is audit logs" spells one.
    return (said[0] in STATES or ABOUT.isdisjoint((said[0], said[0].removesuffix("s")))) and _runs(said)


def _runs(said: Sequence[str]) -> bool:
    """Whether words begin with one of software and go on like a sentence."""
    return _about(said[0]) and (len(said) == 1 or _requested(said[1]))


def _loose(plain: Sequence[str]) -> bool:
    """Whether public words after a word of several meanings are an ordinary sentence."""
    count = next((place for place, word in enumerate(plain) if word in FUNCTION), len(plain))
    public = all(word in words() for word in plain)
    return _runs(plain) or (public and (bool(ABOUT & set(plain[:count])) or (count < len(plain) and count < 2)))


def _about(word: str) -> bool:
    """Whether it is of software, a participle or an adverb: endpoints, hashed, correctly."""
    return word in _SPOKEN or word.removesuffix("s") in _SPOKEN or (len(word) > 3 and word.endswith(("ed", "ly")))


def _pieces(text: str, start: int, reach: re.Pattern[str]) -> list[re.Match[str]]:
    found = reach.match(text, start)
    return list(islice(_piece.finditer(text, start, found.end() if found else start), MOST))


def _bare(piece: re.Match[str]) -> str:
    return piece[0].strip(".:()[]{}'\"`*_").lower()
