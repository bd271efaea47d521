"""What comments, string literals and SQL tell: work left, generators' headers, tables, paths, hosts, secrets in logs.

Comments and strings are hostile. They yield counts, tables of well-formed SQL and paths that a call
opens, never names or classes.
"""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.meanings import OPENERS
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import Text

_LEXICON = Lexicon(__file__)

_todo = expressions.compile(rb"\b(?:TODO|FIXME|XXX|HACK)\b")
_GENERATED = _LEXICON.byte_phrases("generated")
_generated = expressions.compile(
    rb"(?m)(?:^[\s#/*;!%<-]{0,12}|\b(?:code|file|module) (?:was |is )?)generated (?:by|from|with) "
)
_telling = _LEXICON.bytes_pattern("telling").finditer
_second = expressions.compile(rb"\s*+[\w.]{1,40}+,\s?(?:name=)?\Z").match
_NAME = bytes(code if code == 95 or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))
_pathlike = _LEXICON.bytes_pattern("pathlike").finditer
_mode = expressions.compile(rb"""\s?,\s?(?:mode=)?["'][wax]""").match
_suffix = expressions.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$").search
_log_line = _LEXICON.bytes_pattern("log_line")
_literal = expressions.compile(rb"""(["'`])([^"'`\n]{0,300})\1""")
_inner = expressions.compile(rb"[#$]?\{([^{}]{1,120})\}|\$(\w{1,60})")
_secret = _LEXICON.bytes_pattern("secret")
_SECRET_WORDS = (b"passw", b"passphrase", b"secret", b"key", b"token", b"card", b"cvv", b"ssn", b"credential")
MAX_STRING = 20_000

_tables = _LEXICON.bytes_pattern("tables")
_common = _LEXICON.bytes_pattern("common")
_from_inside = _LEXICON.bytes_pattern("from_inside")
_not_tables = frozenset(b"select values set dual lateral unnest where the a table only with".split())


def read_comments(builder: OutlineBuilder, text: Text) -> None:
    """Count notes of work left, and see a generator's header."""
    if text.comments:
        joined = b"\n".join(text.comments)
        if b"TODO" in joined or b"FIXME" in joined or b"XXX" in joined or b"HACK" in joined:
            builder.count("todo", len(_todo.findall(joined)))
        first = joined[:600].lower()
        if b"generated" in first or b"do not " in first:
            # a comment far down the file is no header
            top = text.raw[:2000].lower()
            if any(mark in first and mark in top for mark in _GENERATED) or (
                _generated.search(first) and _generated.search(top)
            ):
                builder.count("generated_marker")
    if b"<<<<<<< " in text.raw and b"\n>>>>>>> " in text.raw:
        builder.count("merge_conflict")


def read_strings(builder: OutlineBuilder, text: Text) -> None:
    """Tables of SQL in strings, hosts and absolute paths, and files that the code opens or renders."""
    joined = b"\0" + b"\0".join(text.tokens)
    migrates = "migrat" in builder.path.lower()
    for found in _telling(joined):
        kind = found.lastgroup
        if kind == "host":
            builder.count("host_literal")
        elif kind == "path":
            builder.count("path_literal")
        else:
            builder.count("db_call")
            start = found.start() + 1
            end = joined.find(b"\0", start)
            read_tables(builder, joined[start : end if end > 0 else len(joined)][:MAX_STRING], provide=migrates)
    if not builder.opens and b"emplate" not in text.code and b"ender" not in text.code:
        return
    code = text.code
    for found in _pathlike(code):
        reason = OPENERS.get(_opener(code[max(0, found.start() - 80) : found.start()]))
        if reason:
            _path(builder, found[1], reason, code[found.end() : found.end() + 12])


def _opener(before: bytes) -> bytes:
    """The last part of the name that takes the literal: of a call with it as first or second argument, or of a key."""
    head, bracket, between = before.rpartition(b"(")
    before = head if bracket and (not between.strip() or _second(between)) else before.rstrip(b" =:")
    return before.rstrip(b"!").translate(_NAME).rpartition(b" ")[2]


def _path(builder: OutlineBuilder, target: bytes, reason: str, following: bytes) -> None:
    """A literal relative path; a bare word is a name, not a path."""
    name = decode(target)
    if reason == "renders" and builder.ecosystem == "php" and "/" not in name:
        name = name.replace(".", "/") + ".blade.php"
    if not (_suffix(name) or "/" in name):
        return
    if reason == "reads" and _mode(following):
        reason = "writes"
    builder.refer("path", name, reason)


def read_logs(builder: OutlineBuilder, text: Text) -> None:
    """Count log and print statements that name a secret, in code or interpolated, not in plain words."""
    features = builder.features
    if "log_call" not in features and "print_call" not in features:
        return
    lowered = text.raw.lower()
    if not any(word in lowered for word in _SECRET_WORDS):
        return
    times = 0
    for rest in _log_line.findall(b"\n" + text.raw):
        if not _secret.search(rest):
            continue
        code = _literal.sub(_interpolated, rest)
        if _secret.search(code.partition(b" #")[0].partition(b"//")[0]):
            times += 1
    builder.count("sensitive_log", times)


def _interpolated(match: re.Match[bytes]) -> bytes:
    """A literal, reduced to what is filled into it."""
    return b" ".join(first or second for first, second in _inner.findall(match[2]))


def clean_table_name(name: bytes) -> str:
    """Return a table's name without its quotes."""
    return decode(name.translate(None, b"\"`[]'")).strip(".;$")


def read_tables(builder: OutlineBuilder, sql: bytes, *, provide: bool) -> None:
    """Refer to the tables that are read, written or referred to; those that are created are provided on request."""
    if b"(" in sql:
        sql = _from_inside.sub(b"", sql)
    local = {name.lower() for name in _common.findall(sql)} if b"AS" in sql or b"as" in sql else set()
    made: list[str] = []
    for match in _tables.finditer(sql):
        kind = match.lastgroup or ""
        found = [match[kind]]
        if kind == "reads" and match["from"]:
            found.insert(0, match["from"].split(None, 1)[0].rstrip(b","))
        for raw in found:
            name = clean_table_name(raw)
            lowered = name.lower().encode()
            if not name or lowered in _not_tables or lowered in local or name[0].isdigit():
                continue
            if kind == "creates":
                made.append(name)
                if provide:
                    builder.provide("table", name)
                    builder.name(name)
            elif name not in made:
                reason = "writes" if kind in ("writes", "updates") else "reads"
                builder.refer("table", name, reason)


_COUNTED = _LEXICON.byte_phrases("counted")
_INDEX = expressions.compile(rb"\[(?:\w{1,2}\]|\w{1,20}+ ?[-+%*/<>]|[-:])")
_INDEX_ROUND = expressions.compile(rb"\([ijkn](?:[-+]1)?\)")
"""A place in a sequence that is a variable or computed."""
_NESTED = _LEXICON.bytes_pattern("nested")
_DECISION = _LEXICON.bytes_pattern("decision")
_REFUSAL = _LEXICON.bytes_pattern("refusal")
_BUSY = _LEXICON.words("busy")
_LOOK = 6000
"""What the first bytes of code do, the rest does too."""
_DENSE = 45
"""Bytes of code per spelling of computation below which code computes."""
_SENT = _LEXICON.bytes_pattern("sent")
_SORTS: dict[str, frozenset[bytes]] = {
    "payment_call": frozenset(b"amount currency card iban charge refund capture payout payment installment".split()),
    "mail_call": frozenset(b"channel chat_id subject recipient recipients text sms webhook phone to_addresses".split()),
    "auth_call": frozenset(b"redirect_uri code_verifier code_challenge id_token authorization_code nonce".split()),
}
_ENOUGH = {"payment_call": 1, "mail_call": 2, "auth_call": 2}
_PURPOSES: dict[str, frozenset[str]] = {
    "payment_call": frozenset(
        ("charge", "refund", "capture", "payout", "payment", "pay", "chargeback", "debit", "settle")
    ),
    "mail_call": frozenset(
        ("notify", "notifier", "notification", "alert", "mail", "email", "sms", "message", "digest")
    ),
    "auth_call": frozenset(("login", "logout", "authorize", "signin", "authenticate", "oauth", "oidc", "sso")),
}
_PAYS = _LEXICON.pattern("pays")
_NO_TILL = _LEXICON.words("no_till")
_ERASES = expressions.compile(r"forget|erase|anonymi[sz]|pseudonymi[sz]|redact|gdpr|dsar|scrub|mask|subject_access")
_TILL = expressions.compile(r"charge|refund|captur|payout|invoice|payment|pay|billing|debit")
_PERSONAL = _LEXICON.bytes_pattern("personal")
_word = expressions.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def read_statements(builder: OutlineBuilder, text: Text) -> None:
    """Add what the statements show."""
    if builder.ecosystem == "shell":
        return
    code = text.code[:_LOOK]
    features = builder.features
    if "function" in features and len(code) >= 200 and not features.keys() & _BUSY:
        found = sum(map(code.count, _COUNTED)) + len(_INDEX.findall(code))
        if builder.ecosystem == "generic":
            found += len(_INDEX_ROUND.findall(code))
        if found >= 5:
            found += 4 * len(_NESTED.findall(code))
            if found * _DENSE >= len(code):
                builder.count("computation", found)
        decisions = len(_DECISION.findall(code)) + len(_REFUSAL.findall(code))
        if decisions >= 2:
            builder.count("rule_check", decisions)
    if "http_call" in features:
        _sent(builder, text.raw)
    if "function" not in features:
        return
    named = "\n".join(builder.names).lower()
    if _TILL.search(named) and not features.keys() & _NO_TILL:
        paid = sum(1 for name in builder.names if _PAYS.search(name))
        if paid >= 2 and paid * 2 >= len(builder.names):
            builder.count("payment_call", paid)
    if _ERASES.search(named) and len(set(_PERSONAL.findall(code.lower()))) >= 2:
        builder.count("privacy_call")


def _sent(builder: OutlineBuilder, raw: bytes) -> None:
    """What a client of another system is for: the names that it defines, and the fields that it sends."""
    words = {word.lower() for name in builder.names for word in _word.findall(name)}
    fields = {field.lower() for field in _SENT.findall(raw[:12000])}
    for feature, known in _SORTS.items():
        sent, named = len(fields & known), len(words & _PURPOSES[feature])
        if (named and sent + named > _ENOUGH[feature]) or (sent >= 3 and feature != "mail_call"):
            builder.count(feature, sent + named)
