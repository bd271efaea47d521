"""Rules that detect, findings that scanners report, keys, certificates and firewalls."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import READ
from plantwin.private.formats.values import Tree, is_tree, text_of, trees, words

_LEXICON = Lexicon(__file__)
_SEVERITY = words("severity level risk risklevel issue_severity riskdesc riskcode cvss cvssscore priority")
_WHERE = _LEXICON.words("where")
_MAX = 500


def audit(draft: Draft, tree: Tree) -> bool:
    """Read audits of dependencies."""
    members = trees(tree.get("vulnerabilities") or tree.get("advisories"))
    found = [finding for finding in members if _is_finding(finding) or "via" in finding]
    draft.add("finding_record", len(found))
    for finding in found[:_MAX]:
        draft.name(text_of(finding.get("name") or finding.get("module_name")))
    return bool(found)


def results(draft: Draft, tree: Tree) -> bool:
    """Read a list of findings under a common key."""
    members = trees(tree.get("results") or tree.get("issues") or tree.get("findings") or tree.get("matches"))
    return _findings(draft, members)


def finding_list(draft: Draft, tree: Tree) -> bool:
    """Read a bare list of findings."""
    return _findings(draft, trees(next(iter(tree.values()))))


def _findings(draft: Draft, members: list[Tree]) -> bool:
    found = [finding for finding in members if _is_finding(finding)]
    if not found or len(found) * 2 < len(members):
        return False
    draft.add("finding_record", len(found))
    for finding in found[:_MAX]:
        for key in ("check_id", "ruleId", "rule_id", "test_id", "id"):
            draft.name(text_of(finding.get(key)))
    return True


def _is_finding(row: Tree) -> bool:
    """Return whether a row has a severity with a place or an identifier, at the first or second level."""
    keys = {key.lower().replace("-", "") for key in row}
    for value in row.values():
        if is_tree(value):
            keys.update(key.lower() for key in list(value)[:20])
    if "message" in keys and keys & {"timestamp", "time", "ts", "@timestamp"}:
        return False
    return bool(keys & _SEVERITY) and len(keys & _WHERE) >= 2


def key_set(draft: Draft, tree: Tree) -> bool:
    """Read a key or a set of them as tokens are checked with: private where the secret exponent is there."""
    found = [{name.lower(): value for name, value in key.items()} for key in (tree, *trees(tree.get("keys")))]
    keys = [key for key in found if "kty" in key]
    for key in keys:
        draft.add("private_key" if key.get("d") or key.get("k") else "public_key")
        draft.name(text_of(key.get("kid")))
    return bool(keys)


_BEGIN = re.compile(
    rb"-----BEGIN ([A-Z0-9 ]{1,60})-----|^(ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S{1,30}) A{3}", re.MULTILINE
)


def read_pem(sample: Sample, draft: Draft) -> None:
    """Read one name per armoured block: `private key`, `certificate`, `public key` and so on."""
    data = sample.head[:READ]
    if b"\x00" in data[:64]:
        data = data.replace(b"\x00", b"")
    for number, match in enumerate(_BEGIN.finditer(data)):
        label = (match[1] or b"PUBLIC KEY").decode("ascii").lower()
        kind = "private key" if "private key" in label else label
        draft.name(kind)
        draft.add("key")
        draft.add("infra_access", number == 0)
    draft.outline.parsed = "key" in draft.features
