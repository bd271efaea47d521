"""Keys and values by line: dotenv and Java properties."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import judge
from plantwin.private.extract.formats.leaves import ENVIRONMENTS
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_ENV = re.compile(r"[ \t]{0,20}(?:export[ \t]{1,8})?([A-Za-z_][\w.-]{0,120})[ \t]{0,20}=[ \t]{0,20}(.{0,4000})")
_SEPARATOR = re.compile(r"[=:]")
_KEY = re.compile(r"[\w.\[\]\-/$@% ]{1,200}")
_MESSAGE = re.compile(r"[^\W\d_]{2,} [^\W\d_]|\{\d\}")
_SECRET = re.compile(r"secret|passw|token|api_?key|private_?key|credential", re.IGNORECASE)
_SERVER_KEY = re.compile(
    r"(?:net|vm|kernel|fs)\.\w|innodb_|autovacuum|wal_|max_wal|min_wal|log_min_|log_(?:directory|destination"
    r"|statement|line)"
    r"|shared_buffers$|work_mem$|maintenance_work_mem$|effective_|max_connections$|max_worker|listen_addresses$"
    r"|archive_"
    r"|hot_standby|bind-address$|max_allowed_packet$|skip-|query_cache|table_open|key_buffer|slow_query|server-id$"
    r"|maxmemory|appendonly$|(?:num|log|zookeeper|offsets|default|auto|broker|listeners|advertised|inter)\.[\w.]{3,60}$"
    r"|(?:network|discovery|cluster|path|node|xpack|bootstrap)\.[\w.]{2,60}$|my(?:hostname|domain|origin"
    r"|networks)$|smtpd?_|virtual_"
    r"|worker_class$|(?:pool|client|server)_(?:mode|tls|idle|lifetime)|default_pool_size$|pm\.?|php_"
)
"""Settings that database, mail, message and system servers own."""
_MAX = 5000


def _value(raw: str) -> str:
    raw = raw.strip()
    if len(raw) > 1 and raw[0] in "\"'":
        end = raw.find(raw[0], 1)
        return raw[1:end] if end > 0 else raw[1:]
    comment = raw.find(" #")
    return raw[:comment].rstrip() if comment >= 0 else raw


def pair_of(line: str) -> tuple[str, str] | None:
    """Key and value around the first separator."""
    match = _SEPARATOR.search(line, 0, 300)
    if match is None:
        return None
    key = line[: match.start()].strip()
    return (key, line[match.end() : match.end() + 4000].strip()) if key else None


def read_env(sample: Sample, draft: Draft) -> None:
    """Variables of an environment; an empty secret is one to be filled in."""
    broken = 0
    for line in head_text(sample).split("\n")[:_MAX]:
        match = _ENV.match(line)
        if match is None:
            body = line.strip()
            broken += bool(body) and not body.startswith(("#", ";"))
            draft.add("todo", body.startswith("#") and ("TODO" in body or "FIXME" in body))
            continue
        key, value = match[1], _value(match[2])
        draft.add("key")
        draft.name(key)
        draft.provide("env_key", key)
        draft.setting(key, value)
        judge(draft, key, value)
        draft.add("placeholder", not value and _SECRET.search(key) is not None)
    draft.outline.parsed = broken <= draft.features.get("key", 0)


def read_properties(sample: Sample, draft: Draft) -> None:
    """Properties, with continued lines; message bundles among them."""
    text = head_text(sample)
    if "\\\n" in text:
        text = text.replace("\\\n", " ")
    broken = messages = served = 0
    profiles: set[str] = set()
    for line in text.split("\n")[:_MAX]:
        if not line or line.lstrip()[:1] in ("#", "!", ""):
            continue
        pair = pair_of(line)
        if pair is None or _KEY.fullmatch(pair[0]) is None:
            broken += 1
            continue
        key, value = pair
        draft.add("key")
        draft.name(key)
        draft.setting(key, value)
        judge(draft, key.rsplit(".", 1)[-1], value)
        messages += _MESSAGE.search(value[:200]) is not None
        served += _SERVER_KEY.match(key) is not None
        profile = key.partition(".")[0].strip("% ").lower()
        if profile in ENVIRONMENTS:
            profiles.add(profile)
    keys = draft.features.get("key", 0)
    draft.add("env_section", len(profiles) if len(profiles) > 1 else 0)
    if served >= 2 and served * 5 >= keys * 2:
        draft.add("server_directive", served)
    if keys >= 3 and (messages * 2 > keys or (messages and draft.path.endswith(".ftl"))):
        draft.add("translation", keys)
    draft.outline.parsed = broken <= keys
