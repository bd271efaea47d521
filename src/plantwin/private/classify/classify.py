"""Kind and class of one object, from weighed evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from plantwin.private.classify.kinds import kind_by_purpose, kind_of
from plantwin.private.classify.rules import (
    CAPS,
    IMPORTS,
    NAMES,
    PATH,
    PROSE,
    SOURCES,
    STRUCTURE,
    Lookup,
    Pairs,
    Rule,
    Subject,
    match_file_name,
    match_folder,
    rules,
    segments,
    split_words,
)
from plantwin.private.facts import Outline
from plantwin.vocabulary import SemanticClass, member

Ranking = tuple[tuple[str, float], ...]
Summary = Sequence[tuple[str, str, str, int]]
"""Detected secrets and personal data: type, group, level and count."""

_FALLBACK = {
    "code_file": "business_logic",
    "log_stream": "application_log",
    "structured_record": "dataset_snapshot",
    "config": "app_config",
    "secret_container": "credentials_file",
    "document": "general_document",
}
_LABELS = ("structure", "imports", "defines", "manifest", "path", "words")
_GROWTH = (0.0, 1.0, 1.15, 1.3, 1.35, 1.4, 1.45, 1.5, 1.5, 1.55, 1.6)
"""How points grow with the number of occurrences: repetition convinces slowly."""
_TOP = len(_GROWTH) - 1
_PROSE_BYTES = 6000
_MARKUP_TAG = re.compile(rb"<[^<>]{0,400}>")
_NAME_ALONE = 1.4
_THIN, _PLAIN = 2.8, 2.4
"""A document for whose class less speaks, and nothing that says it plainly, is a general one."""
_REASONS, _REASON_LENGTH = 4, 80


class Scores:
    """Points per class and source, with what earned them."""

    __slots__ = ("details", "points", "subject")

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.points: dict[str, list[float]] = {}
        self.details: list[tuple[str, int, float, str]] = []

    def add(self, rule: Rule, points: float, source: int, detail: str, count: int = 1) -> None:
        """Count one rule's points, when its conditions hold for this object."""
        subject = self.subject
        if subject.kind not in rule.kinds:
            return
        for condition in rule.conditions:
            if not condition(subject, count):
                return
        score = self.points.get(rule.target)
        if score is None:
            score = self.points[rule.target] = [0.0] * len(SOURCES)
        score[source] += points
        self.details.append((rule.target, source, points, detail))

    def add_words(self, table: Lookup, counts: Counter[str], source: int) -> None:
        """Count every word that the table knows."""
        for word in counts.keys() & table.keys():
            count = counts[word]
            growth = _GROWTH[count if count < _TOP else _TOP]
            for rule in table[word]:
                self.add(rule, rule.points * growth, source, word, count)

    def totals(self) -> list[tuple[str, float]]:
        """Return classes with their capped points, best first; ties are settled by name, never by luck."""
        totals = [
            (target, sum(cap if points > cap else points for points, cap in zip(score, CAPS, strict=True)))
            for target, score in self.points.items()
        ]
        totals.sort(key=lambda pair: (-pair[1], pair[0]))
        return totals


def classify(
    path: str, outline: Outline, findings: Summary, prose: bytes = b""
) -> tuple[str, Ranking, str, tuple[str, ...]]:
    """Return kind, the best three classes with points, confidence, and the deciding evidence.

    `prose` is the text of a document: the weakest evidence, and read for documents alone.
    """
    kind = kind_of(path, outline, findings)
    scores = gather(path, outline, kind, prose)
    totals = [pair for pair in scores.totals() if pair[1] > 0]
    if not totals:
        return kind, ((_FALLBACK[kind], 0.0),), "low", ()
    if kind == "document" and totals[0][1] < _THIN and not _said_plainly(scores, totals[0][0]):
        totals.sort(key=lambda pair: pair[0] != _FALLBACK[kind])
    best = totals[0][0]
    kind = kind_by_purpose(kind, best, member(SemanticClass, best).family)
    ranking = tuple((target, round(points, 2)) for target, points in totals[:3])
    return kind, ranking, _confidence(scores, totals, outline), _reasons(scores, best)


def gather(path: str, outline: Outline, kind: str, prose: bytes = b"") -> Scores:
    """Collect all evidence that speaks for any class of this kind."""
    table = rules()
    used = Counter(segments(outline.calls))
    scores = Scores(Subject(outline.features, outline.format, kind, used))
    for rule in table.feature.get("format." + outline.format, ()):
        scores.add(rule, rule.points, STRUCTURE, outline.format)
    for feature, count in outline.features.items():
        if count > 0:
            growth = _GROWTH[count if count < _TOP else _TOP]
            for rule in table.feature.get(feature, ()):
                scores.add(rule, rule.points * growth, STRUCTURE, f"{count} {feature}", count)
    if outline.names:
        scores.add_words(table.name, _word_counts(outline.names, table.name_pairs), NAMES)
    if outline.calls:
        scores.add_words(table.imported, used, IMPORTS)
    if outline.headings:
        scores.add_words(table.heading, _word_counts(outline.headings, table.heading_pairs), PROSE)
    if prose and kind == "document":
        if outline.format == "html":
            prose = _MARKUP_TAG.sub(b"", prose[: 2 * _PROSE_BYTES])
        text = prose[:_PROSE_BYTES].decode("ascii", "ignore")
        scores.add_words(table.text, _word_counts([text], table.text_pairs), PROSE)
    folder, _, name = path.rpartition("/")
    for match in match_file_name(name):
        scores.add(*match)
    for match in match_folder(folder) if folder else ():
        scores.add(*match)
    if kind == "document":
        _temper(scores)
    return scores


def _temper(scores: Scores) -> None:
    """Lower what a document's name says: it supports what the text shows; alone it is little more than a guess."""
    for score in scores.points.values():
        if score[PATH] > _NAME_ALONE and sum(score) - score[PATH] < _NAME_ALONE / 3:
            score[PATH] = _NAME_ALONE


def _said_plainly(scores: Scores, best: str) -> bool:
    """Whether one piece of evidence says the class outright, as a heading does; several hints are a guess."""
    return any(target == best and points >= _PLAIN for target, _, points, _ in scores.details)


def _word_counts(names: Sequence[str], pairs: Pairs) -> Counter[str]:
    """Count each word of the names, and each known pair of neighbours."""
    words = split_words(names)
    counts = Counter(words)
    for first in counts.keys() & pairs.keys():
        start = -1
        for _ in range(counts[first]):
            start = words.index(first, start + 1)
            if start + 1 < len(words) and words[start + 1] in pairs[first]:
                counts[f"{first}_{words[start + 1]}"] += 1
    return counts


def _confidence(scores: Scores, totals: Sequence[tuple[str, float]], outline: Outline) -> str:
    """Judge from the margin, the number of sources that agree, and what speaks for others."""
    best, points = totals[0]
    second = totals[1][1] if len(totals) > 1 else 0.0
    score = scores.points[best]
    agreeing = sum(1 for value in score if value >= 1.0)
    margin = (points - second) / points
    level = 0
    if points >= 3.0 and margin >= 0.12:
        level = 1
    if points >= 6.0 and margin >= 0.25 and (agreeing >= 2 or score[STRUCTURE] >= 6.0):
        level = 2
    if level and (_contradicted(scores, best) or not outline.parsed):
        level -= 1
    return ("low", "medium", "high")[level]


def _contradicted(scores: Scores, best: str) -> bool:
    """Whether a source that speaks clearly speaks for others and not at all for the best."""
    own = scores.points[best]
    for source in range(len(SOURCES)):
        if own[source] >= 0.5:
            continue
        strongest = max(score[source] for score in scores.points.values())
        if strongest >= 0.66 * CAPS[source] and strongest >= 0.33 * max(own):
            return True
    return False


def _reasons(scores: Scores, best: str) -> tuple[str, ...]:
    """Return the deciding evidence by source, strongest first, in words of the rules, never of the content."""
    own = scores.points[best]
    texts: list[tuple[float, str]] = []
    for source, label in enumerate(_LABELS):
        if own[source] < 0.5:
            continue
        details = sorted(
            {(-points, detail) for target, at, points, detail in scores.details if target == best and at == source}
        )
        words = list(dict.fromkeys(detail.replace("_", " ") for _, detail in details))[:4]
        texts.append((-min(own[source], CAPS[source]), f"{label}: {', '.join(words)}"[:_REASON_LENGTH]))
    texts.sort()
    return tuple(text for _, text in texts[:_REASONS])
