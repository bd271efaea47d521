"""Kind and class of one object, from weighed evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

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
    convention_of,
    match_file_name,
    match_folder,
    rules,
    segments,
    split_words,
)
from plantwin.private.facts import Outline
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import SemanticClass, member

_LEXICON = Lexicon(__file__)

FORMAT_KINDS = _LEXICON.groups("format_kinds")

_MAYBE_LOG = frozenset(("text", "jsonl", "json", "csv", "tsv", "properties", "ini"))
_TREES = frozenset(("json", "yaml", "xml", "toml"))
_SETTINGS = frozenset(("env", "json", "yaml", "ini", "properties", "toml", "xml", "text", "hcl", "csv", "tsv"))
_ROWS = ("row", "finding_record", "metric_field")
_SET_UP = _LEXICON.phrases("set_up")
_HOLDER = _LEXICON.pattern("holder")
_LONE_SECRET = _LEXICON.pattern("lone_secret")
_TEMPLATE = re.compile(r"[._\-](?:example|sample|template|dist|default|tmpl|tpl|defaults|j2)(?:[._\-]|$)")
_SECRET_KEY = _LEXICON.pattern("secret_key")
_REAL = 8
_FEW = 40
_LISTED = frozenset(("ini", "properties", "env", "toml"))
_LOGIN_KEYS = _LEXICON.words("login_keys")
_UNREAL = _LEXICON.pattern("unreal")
_SETTING_FAMILIES = frozenset(("infrastructure", "dependencies", "configuration"))
_SETTING_CLASSES = frozenset(("build_manifest", "ci_pipeline", "task_runner", "deploy_manifest", "container_build"))
_DATA_CLASSES = frozenset(("test_fixture", "experiment_metrics", "security_report", "incident_record", "database_dump"))
_KEY_FILES = frozenset(("private_key", "private_key_id", "client_email"))
_WHO = _LEXICON.words("who")
_WHERE = _LEXICON.words("where")
_RESULT = _LEXICON.words("result")
_ACCESS = _LEXICON.words("access")
_APPLICATION = frozenset(("client_id", "client_secret"))
_CLIENT_SETTINGS = 14
_CLIENT = frozenset(("clusters", "contexts", "users"))


def kind_of(path: str, outline: Outline, findings: Sequence[tuple[str, str, str, int]]) -> str:
    """One of the six kinds."""
    form, features = outline.format, outline.features
    kind = FORMAT_KINDS.get(form, "document")
    if form in _SETTINGS and holds_credentials(path, outline, findings):
        return "secret_container"
    if form in _MAYBE_LOG and (_logged(outline) or _trail(outline)):
        return "log_stream"
    if form in _TREES:
        if form == "json" and features.keys() & {"private_key", "public_key"}:
            return "secret_container"
        if form == "xml" and "log_build" in features:
            return "log_stream"
        return "code_file" if form == "json" and "test_function" in features else _tree_kind(form, features)
    if "word_list" in features:
        return "structured_record"
    if form == "html" and "prose_page" in features:
        return "document"
    if form == "sql" and features.get("insert_rows", 0) >= 5 and "create_table" in features:
        return "structured_record"
    if form == "pem" and "certificate" in features and "private_key" not in features:
        return "secret_container"
    return kind


def kind_by_purpose(kind: str, semantic_class: str, family: str) -> str:
    """Kind follows purpose, not syntax: what sets, declares or builds is config in any language."""
    if kind == "code_file" and (family in _SETTING_FAMILIES or semantic_class in _SETTING_CLASSES):
        return "config"
    if kind in ("code_file", "config", "document") and semantic_class == "test_fixture":
        return "structured_record"
    if kind in ("code_file", "config") and semantic_class in _DATA_CLASSES:
        return "structured_record"
    if kind == "structured_record" and (family == "contracts" or semantic_class == "localization"):
        return "config"
    return kind


def _logged(outline: Outline) -> bool:
    """Whether at least half of the lines are log records."""
    records = outline.features.get("log_line", 0)
    rows = outline.features.get("row", 0)
    if outline.format == "json":
        # Its records were counted as records, over however many lines each is spread.
        return records >= 1 and records * 2 >= rows
    return records >= 2 and records * 2 >= max(rows, min(outline.lines, 400))


def _trail(outline: Outline) -> bool:
    """Rows that say when, who, from where and with what result: an exported trail of sign-ins or changes."""
    if "time_field" not in outline.features or outline.format == "text":
        return False
    words = set(split_words(outline.names))
    if not (words & _WHO and words & _WHERE):
        return False
    return bool(words & _RESULT or ("status" in words and words & _ACCESS))


def _tree_kind(form: str, features: Mapping[str, int]) -> str:
    """JSON, YAML, XML or TOML: data when it has rows, findings or measurements and nothing that sets up software."""
    if form == "toml" or (any(feature in features for feature in _SET_UP) and "finding_record" not in features):
        return "config"
    return "structured_record" if any(feature in features for feature in _ROWS) else "config"


def holds_credentials(path: str, outline: Outline, findings: Sequence[tuple[str, str, str, int]]) -> bool:
    """Whether keeping credentials is the purpose: by its name or by the share of secrets among its settings."""
    secrets = sum(count for _, group, level, count in findings if group == "secret" and level != "low")
    form = outline.format
    lower = path.lower()
    base = lower.rpartition("/")[2]
    if _TEMPLATE.search(base):
        return False
    if form == "env":
        return bool(secrets or _real_values(outline))
    if "task" in outline.features and form == "yaml":
        return False  # Steps that set a password up are not its place.
    if form in ("csv", "tsv") and _records(outline.features):
        return False
    if form in ("text", "csv", "tsv") and 0 < outline.lines <= outline.features.get("login_line", 0) * 4:
        return True
    if form in _LISTED and _logins(lower, outline):
        return True
    if form == "text" and 0 < outline.lines <= 2 and _LONE_SECRET.fullmatch(base):
        return True
    if not secrets:
        return False
    if form in ("text", "csv"):
        return bool(_HOLDER.search(base)) and outline.lines <= 40 * secrets
    keys = outline.names
    if _APPLICATION.issubset(keys) and len(outline.settings) <= _CLIENT_SETTINGS:
        return True
    if _CLIENT.issubset(keys) or _KEY_FILES.issubset(keys) or "kubeconfig" in base or base in (".npmrc", ".pypirc"):
        return True
    if any(provision.name.startswith("Secret/") for provision in outline.provides):
        return True
    settings = len(outline.settings) or len(keys)
    named = sum(1 for key, _ in outline.settings if _SECRET_KEY.search(key.rpartition(".")[2]))
    if _HOLDER.search(base) and form != "hcl":
        return max(secrets, named) * 5 >= settings
    return settings <= 24 and (secrets * 2 >= settings or (named >= 2 and named * 2 >= settings))


def _records(features: Mapping[str, int]) -> bool:
    """Rows about people or things that also have a column with a secret: records, and not a list of logins."""
    return features.get("person_field", 0) >= 2 or features.get("column", 0) > _WIDE


def _logins(path: str, outline: Outline) -> bool:
    """Nothing but names, places and passwords, the latter in the open."""
    settings = outline.settings
    if not 0 < len(settings) <= _FEW:
        return False
    keys = [key.lower().rpartition(".")[2] for key, _ in settings]
    secret = sum(1 for key in keys if _SECRET_KEY.search(key))
    if not all(_SECRET_KEY.search(key) or key in _LOGIN_KEYS for key in keys):
        return False
    least = 5 if _HOLDER.search("/".join(path.split("/")[-2:])) or "/.aws/" in f"/{path}" else 3
    return secret * least >= len(keys) and _real_values(outline) * 2 >= secret


def _real_values(outline: Outline) -> int:
    """Settings named like secrets that hold something other than a placeholder or a reference."""
    return sum(
        1
        for key, value in outline.settings
        if len(value) >= _REAL and _SECRET_KEY.search(key) and not _UNREAL.search(value)
    )


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
_DOCUMENTATION = re.compile(r"(?:^|/)(?:docs?|documentation|guides?|manual|handbook)/")
"""Where pages lie that explain how to use something, unless they say otherwise."""
_WIDE = 8
_PROSE_BYTES = 6000
_MARKUP_TAG = re.compile(rb"<[^<>]{0,400}>")
_NAME_ALONE = 1.4
_THIN, _PLAIN = 2.8, 2.4
"""A document for whose class less speaks, and nothing that says it plainly, is a general one."""
_REASONS, _REASON_LENGTH = 4, 80
_CONVENTION = 10.0
"""Points of a class that follows from a convention."""


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
    known = convention_of(path, outline.format)
    if known and (kind != "secret_container" or known.semantic_class == "lock_file"):  # hashes look like keys
        return known.kind, ((known.semantic_class, _CONVENTION),), "high", ("path: by convention",)
    scores = gather(path, outline, kind, prose)
    totals = [pair for pair in scores.totals() if pair[1] > 0]
    if not totals:
        return kind, ((_FALLBACK[kind], 0.0),), "low", ()
    if kind == "document" and totals[0][1] < _THIN and not _said_plainly(scores, totals[0][0]):
        general = "user_guide" if _DOCUMENTATION.search(path) and "user_guide" in scores.points else _FALLBACK[kind]
        totals.sort(key=lambda pair: pair[0] != general)
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
