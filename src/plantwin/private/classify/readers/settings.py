"""Settings: what a single one shows by its key, its value or both, and one walk over all those of a tree."""

from __future__ import annotations

import re

from plantwin.private.classify.lexicon import Lexicon
from plantwin.private.classify.readers.draft import Draft
from plantwin.private.formats.values import Tree, is_number, plain, text_of, trees, truth, words

_LEXICON = Lexicon("readers/settings")
_KEYS = _LEXICON.groups("keys")

_PROTECTIONS = _LEXICON.words("protections")
_WEAKENINGS = _LEXICON.words("weakenings")
_PUBLIC = words("public publiclyaccessible publicaccess ispublic publicread allowpublicaccess")
_GRANTS = _LEXICON.words("grants")
_PRIVILEGES = words("privileged allowprivilegeescalation hostnetwork hostpid hostipc runasroot")
FLAG_GROUPS = words("features feature featureflags featureflag flags flag toggles featuretoggles experiments switches")

_CONFIDENTIAL = r"(?:secret|password|passwd|passphrase|token|api_?key|credential|private_?key)"
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
    if feature and value not in ("", None):
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
