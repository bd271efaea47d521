"""Settings: what a single one shows by its key, its value or both, and one walk over all those of a tree."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.detect.names import names_secret
from plantwin.private.facts import Sample
from plantwin.private.formats.ini import ENV_LINE, pair_of
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_number, plain, text_of, trees, truth, words

_LEXICON = Lexicon(__file__)
_KEYS = _LEXICON.groups("keys")

_PROTECTIONS = _LEXICON.words("protections")
_WEAKENINGS = _LEXICON.words("weakenings")
_PUBLIC = words("public publiclyaccessible publicaccess ispublic publicread allowpublicaccess")
_GRANTS = _LEXICON.words("grants")
_PRIVILEGES = words("privileged allowprivilegeescalation hostnetwork hostpid hostipc runasroot")
FLAG_GROUPS = words("features feature featureflags featureflag flags flag toggles featuretoggles experiments switches")

_INSIDE = _LEXICON.pattern("inside")
_NUMERIC = _LEXICON.pattern("numeric")
_ADDRESS = _LEXICON.pattern("address")
_PATH = re.compile(r"(?P<secret_ref>/run/secrets/)|(?P<path_literal>/(?:[\w.-]{1,80}/){1,12}[\w.-]{0,80}$)")
_WORD = _LEXICON.pattern("word")
_WORD_FIRST = frozenset("<cyxrf_tdpCYXRFTDP@aAlLiIeE!")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w{1,80})(?::?[-?][^{}]{0,80})?\}|^\$([A-Z_][A-Z0-9_]{1,80})$")
_FLAG_NAME = re.compile(r"(?:enable|use|feature|ff|toggle|allow)[_-]?\w|\w[_-]enabled$|Enabled$")
_LIMIT_NAME = _LEXICON.pattern("limit_name")
BLOCKS = frozenset({"healthcheck", "livenessProbe", "readinessProbe", "startupProbe", "secretKeyRef", "secretRef"})
"""Blocks whose presence says something, whatever they hold."""


def judge(draft: Draft, key: str, value: object, flags: bool = False) -> None:
    """Count what one setting shows: by its key, its value, or both."""
    word = plain(key)
    feature = _KEYS.get(word)
    if feature and value not in ("", None) and (len(word) > 2 or is_number(value)):  # `LR` is a country too
        draft.add(feature)
    state = truth(value)
    if state is not None:
        _judge_switch(draft, word, key, state, flags)
        return
    if type(value) is not str:
        if word not in _KEYS and is_number(value) and _LIMIT_NAME.search(key):
            draft.add("threshold")
        return
    if not value or len(value) > 500:
        return
    if value == "*" and word in _GRANTS:
        draft.add("open_permission")
        return
    if word in _WEAKENINGS and value in ("0", "1"):
        draft.add("disabled_protection", value == "1")
    elif is_number(value):
        if word not in _KEYS and _LIMIT_NAME.search(key):
            draft.add("threshold")
        elif value in ("777", "0777"):
            draft.add("open_permission")
        return
    shown = _shown(value)
    if shown and shown != feature:
        draft.add(shown)
    if "$" in value:
        for match in _VARIABLE.finditer(value):
            draft.refer("env_key", match[1] or match[2], "configures")


def _shown(value: str) -> str:
    """Return the feature that a value shows; its first character decides which expressions can match."""
    first = value[0]
    if ("$" in value or "{{" in value) and _INSIDE.search(value):
        return "secret_ref"
    if first in "0123456789*:":
        found = _NUMERIC.match(value)
    elif first == "/":
        found = _PATH.match(value)
    else:
        found = _WORD.match(value) if first in _WORD_FIRST else None
        if found is None and ("." in value or ":" in value):
            found = _ADDRESS.match(value)
    return (found.lastgroup or "") if found else ""


def _judge_switch(draft: Draft, word: str, key: str, state: bool, flags: bool) -> None:
    if word in _WEAKENINGS:
        draft.add("disabled_protection", state)
    elif word in _PROTECTIONS or (word.endswith("enabled") and word[:-7] in _PROTECTIONS):
        draft.add("disabled_protection", not state)
    elif word in _PUBLIC:
        draft.add("public_exposure", state)
    elif word in _PRIVILEGES:
        draft.add("open_permission", state)
    elif flags or _FLAG_NAME.match(key):
        draft.add("feature_flag")


MAX_LEAVES = 2000
MAX_DEPTH = 24
_MAX_OPEN = 4 * MAX_LEAVES
_LONGEST_KEY = 100


def survey(draft: Draft, root: object) -> None:
    """Walk a tree once, bounded in nodes, depth and open branches: aliases may make it far larger than its text."""
    left = MAX_LEAVES
    stack: list[tuple[str, str, object, int, bool]] = [("", "", root, 0, False)]
    while stack and left > 0:
        left -= 1
        path, key, value, depth, flags = stack.pop()
        kind = type(value)
        if kind is dict:
            if key:
                draft.name(key)
                if key in BLOCKS:
                    judge(draft, key, "{}")
            if depth < MAX_DEPTH and len(stack) < _MAX_OPEN:
                for name, child in reversed(list(value.items())[:MAX_LEAVES]):  # type: ignore[attr-defined]
                    name = name[:_LONGEST_KEY]
                    inner = flags or (type(child) is dict and plain(name) in FLAG_GROUPS)
                    stack.append((f"{path}.{name}" if path else name, name, child, depth + 1, inner))
        elif kind is list:
            if depth < MAX_DEPTH and len(stack) < _MAX_OPEN:
                for number, child in reversed(list(enumerate(value[:200]))):  # type: ignore[index]
                    stack.append((f"{path}.{number}", key, child, depth + 1, flags))
        else:
            draft.add("key")
            draft.name(key)
            judge(draft, key, value, flags)
            draft.setting(path, text_of(value))


ENVIRONMENTS = _LEXICON.words("environments")


def environment_sections(draft: Draft, tree: Tree) -> None:
    """Count sections named after environments: two make a set."""
    for level in (tree, *trees(tree)[:20]):
        found = [key for key, value in level.items() if key.lower() in ENVIRONMENTS and type(value) is dict]
        if len(found) >= 2:
            draft.add("env_section", len(found))
            return


_KEY = re.compile(r"[\w.\[\]\-/$@% ]{1,200}")
_MESSAGE = re.compile(r"[^\W\d_]{2,} [^\W\d_]|\{\d\}")
_SERVER_KEY = _LEXICON.pattern("server_key")
_MAX = 5000


def _value(raw: str) -> str:
    raw = raw.strip()
    if len(raw) > 1 and raw[0] in "\"'":
        end = raw.find(raw[0], 1)
        return raw[1:end] if end > 0 else raw[1:]
    comment = raw.find(" #")
    return raw[:comment].rstrip() if comment >= 0 else raw


def read_env(sample: Sample, draft: Draft) -> None:
    """Read variables of an environment; an empty secret is one to be filled in."""
    broken = 0
    for line in head_text(sample).split("\n")[:_MAX]:
        match = ENV_LINE.match(line)
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
        draft.add("placeholder", not value and names_secret(key))
    draft.outline.parsed = broken <= draft.features.get("key", 0)


def read_properties(sample: Sample, draft: Draft) -> None:
    """Read properties, with continued lines; message bundles among them."""
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


_SECTION = re.compile(r"[ \t]{0,20}\[{1,2}([^\]\n]{1,200})\]")
_BARE = re.compile(r"[A-Za-z_][\w.-]{0,80}(?:[ \t].{0,200})?$")

_UNIT = _LEXICON.words("unit")
_TOOLS = _LEXICON.pattern("tools")
_GIT = re.compile(r"(?:core|remote |branch |user|submodule |filter |alias|credential|url )")
_SERVER = _LEXICON.words("server")
_SHIPPER = _LEXICON.words("shipper")
_ALEMBIC = frozenset({"alembic", "loggers", "handlers", "formatters"})
_REQUIRED = words("requires build_requires tool_requires test_requires")


def read_ini(sample: Sample, draft: Draft) -> None:
    """Read sections with keys and values; continued lines belong to the key above."""
    reader = _Sections(draft)
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if body and body[0] in "#;":
            draft.add("todo", "TODO" in body or "FIXME" in body)
        elif body:
            reader.read(line, body)
    _judge_sections(draft, reader.names)
    draft.outline.parsed = reader.broken <= reader.keys + len(reader.names)


class _Sections:
    """Where the reader is: the section, and whether continued lines are packages."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.names: list[str] = []
        self.section = ""
        self.keys = self.broken = 0
        self.packages = False

    def read(self, line: str, body: str) -> None:
        indented = line[0] in " \t"
        header = None if indented else _SECTION.match(line)
        if header:
            self.section = header[1].strip()
            self.names.append(self.section)
            self.draft.name(self.section)
            self.packages = False
        elif indented and self.packages:
            _requirement(self.draft, body)
        else:
            self.packages = False
            pair = pair_of(body)
            if self.section in _REQUIRED and body[0].isalnum():
                name, _, version = body.partition("/")
                self.draft.pin(name, version or "*")
                self.keys += 1
            elif pair is None or (indented and self.keys and not self._nested(pair[0])):
                self.broken += not (indented or _BARE.match(body))
            else:
                self._pair(*pair)

    def _nested(self, key: str) -> bool:
        """Return whether an indented line is a key, as Git writes them, and does not continue a value."""
        return key.isidentifier() or self.section.startswith(("remote", "branch", "user"))

    def _pair(self, key: str, value: str) -> None:
        draft, section = self.draft, self.section
        self.keys += 1
        draft.add("key")
        draft.name(key)
        draft.setting(f"{section}.{key}" if section else key, value)
        judge(draft, key, value)
        if key in ("install_requires", "deps", "requires") or section == "options.extras_require":
            self.packages = True
            _requirement(draft, value)
        if section == "metadata" and key == "name":
            draft.provide("package", value)
        _unit_value(draft, section, key, value)


def _requirement(draft: Draft, text: str) -> None:
    from plantwin.private.classify.readers.packages import requirement

    if text and not text.startswith(("-", "{", "#", ".")):
        requirement(draft, text.rpartition(": ")[2])


def _judge_sections(draft: Draft, sections: list[str]) -> None:
    units = sum(section in _UNIT for section in sections)
    if units and units * 2 >= len(sections):
        draft.add("server_directive", units)
        draft.add("workload", sections.count("Service") + sections.count("Container"))
        draft.add("scheduled", sections.count("Timer"))
        return
    shippers = sum(section.upper() in _SHIPPER for section in sections)
    if shippers >= 2 and shippers * 3 >= len(sections) * 2:
        draft.add("infra_monitoring", shippers)
        return
    tools = sum(_TOOLS.match(section) is not None or _GIT.match(section) is not None for section in sections)
    named = sum(section in _SERVER for section in sections)
    if len(_ALEMBIC.intersection(sections)) >= 2:
        draft.add("tool_section", len(sections))
    elif tools and tools * 2 >= len(sections):
        draft.add("tool_section", tools)
    elif named:
        draft.add("server_directive", named)
    if draft.outline.format == "ini" and _inventory(draft, sections):
        return
    environments = sum(section.lower().rpartition(":")[2] in ENVIRONMENTS for section in sections)
    draft.add("env_section", environments if environments > 1 else 0)
    if "profile default" in sections or any(section.startswith("profile ") for section in sections):
        draft.add("infra_access", len(sections))


def _inventory(draft: Draft, sections: list[str]) -> bool:
    """Read groups of hosts, as Ansible lists them."""
    groups = sum(section.endswith((":vars", ":children")) for section in sections)
    hosts = sum(
        key.rpartition(".")[2].startswith("ansible_") or " ansible_" in key for key, _ in draft.outline.settings
    )
    if not groups and not hosts:
        return False
    draft.add("infra_compute", max(len(sections), hosts))
    return True


def _unit_value(draft: Draft, section: str, key: str, value: str) -> None:
    """Read what a unit starts, needs and when."""
    if section not in _UNIT:
        if section == "alembic" and key == "script_location":
            draft.refer_path(value, "configures")
        return
    if key in ("OnCalendar", "OnUnitActiveSec", "OnBootSec"):
        draft.add("schedule")
    elif key in ("MemoryMax", "CPUQuota", "LimitNOFILE", "TasksMax", "MemoryLimit"):
        draft.add("resource_limit")
    elif key in ("EnvironmentFile", "LoadCredential"):
        draft.add("secret_ref", key == "LoadCredential")
        draft.add("path_literal")
    elif key in ("Requires", "After", "Wants", "Unit", "BindsTo"):
        for unit in value.split()[:20]:
            draft.refer("systemd", unit, "runs")
    elif key.startswith("Exec"):
        draft.add("command")
        for word in value.split()[:10]:
            if word.endswith((".sh", ".py", ".js", ".rb")):
                draft.refer("shell", word.rpartition("/")[2], "runs")
