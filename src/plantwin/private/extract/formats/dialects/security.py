"""Rules that detect, and findings that scanners report."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, text_of, trees
from plantwin.private.extract.formats.words import words

_SEVERITY = words("severity level risk risklevel issue_severity riskdesc riskcode cvss cvssscore priority")
_WHERE = words(
    "file filename path location line line_number uri url package packagename pkgname module_name component "
    "artifact cve cwe id ruleid rule_id check_id vulnerabilityid vulnerability_id test_id cveid title host"
)
_MAX = 500


def sigma(draft: Draft, tree: Tree) -> bool:
    """A Sigma rule."""
    if not is_tree(tree["detection"]) or "condition" not in tree["detection"]:
        return False
    draft.add("security_rule")
    draft.name(text_of(tree.get("title")))
    return True


def semgrep(draft: Draft, tree: Tree) -> bool:
    """Rules with patterns and messages."""
    found = [
        each
        for each in trees(tree["rules"])
        if each.keys() & {"pattern", "patterns", "pattern-either", "pattern-regex", "mode", "regex", "condition"}
        and each.keys() & {"id", "message", "severity", "description", "name"}
    ]
    for each in found[:_MAX]:
        draft.add("security_rule")
        draft.name(text_of(each.get("id") or each.get("name")))
    return bool(found)


def rule_list(draft: Draft, row: Tree) -> bool:
    """Falco: a list of rules, macros and lists."""
    if (
        row.keys() >= {"rule", "condition", "output"}
        or row.keys() >= {"macro", "condition"}
        or row.keys() >= {"list", "items"}
    ):
        draft.add("security_rule")
        draft.name(text_of(row.get("rule") or row.get("macro") or row.get("list")))
        return True
    return False


def sarif(draft: Draft, tree: Tree) -> bool:
    """Static analysis results."""
    runs = [run for run in trees(tree["runs"]) if "tool" in run and type(run.get("results")) is list]
    for run in runs:
        results = trees(run["results"])
        draft.add("finding_record", len(results))
        for result in results[:_MAX]:
            draft.name(text_of(result.get("ruleId")))
    if runs:
        draft.features.setdefault("finding_record", 1)
    return bool(runs)


def trivy(draft: Draft, tree: Tree) -> bool:
    """Image and file system scans."""
    found = 0
    for result in trees(tree["Results"]):
        for group in ("Vulnerabilities", "Misconfigurations", "Secrets"):
            members = trees(result.get(group))
            found += len(members)
            for each in members[:_MAX]:
                draft.name(text_of(each.get("PkgName") or each.get("ID")))
    draft.add("finding_record", found)
    return found > 0 or "SchemaVersion" in tree


def audit(draft: Draft, tree: Tree) -> bool:
    """Audits of dependencies."""
    members = trees(tree.get("vulnerabilities") or tree.get("advisories"))
    found = [each for each in members if _is_finding(each) or "via" in each]
    draft.add("finding_record", len(found))
    for each in found[:_MAX]:
        draft.name(text_of(each.get("name") or each.get("module_name")))
    return bool(found)


def zap(draft: Draft, tree: Tree) -> bool:
    """Alerts by site."""
    found = [alert for site in trees(tree["site"]) for alert in trees(site.get("alerts"))]
    draft.add("finding_record", len(found))
    for alert in found[:_MAX]:
        draft.name(text_of(alert.get("name")))
    return bool(found)


def results(draft: Draft, tree: Tree) -> bool:
    """A list of findings under a common key."""
    members = trees(tree.get("results") or tree.get("issues") or tree.get("findings") or tree.get("matches"))
    return _findings(draft, members)


def finding_list(draft: Draft, tree: Tree) -> bool:
    """A bare list of findings."""
    return _findings(draft, trees(next(iter(tree.values()))))


def _findings(draft: Draft, members: list[Tree]) -> bool:
    found = [each for each in members if _is_finding(each)]
    if not found or len(found) * 2 < len(members):
        return False
    draft.add("finding_record", len(found))
    for each in found[:_MAX]:
        for key in ("check_id", "ruleId", "rule_id", "test_id", "id"):
            draft.name(text_of(each.get(key)))
    return True


def _is_finding(row: Tree) -> bool:
    """A severity together with a place or an identifier, at the first or second level."""
    keys = {key.lower().replace("-", "") for key in row}
    for value in row.values():
        if is_tree(value):
            keys.update(key.lower() for key in list(value)[:20])
    if "message" in keys and keys & {"timestamp", "time", "ts", "@timestamp"}:
        return False
    return bool(keys & _SEVERITY) and len(keys & _WHERE) >= 2


def key_set(draft: Draft, tree: Tree) -> bool:
    """A set of keys as tokens are checked with: private where the secret exponent is there."""
    keys = [each for each in trees(tree["keys"]) if "kty" in each]
    for each in keys:
        draft.add("private_key" if each.keys() & {"d", "k"} else "public_key")
        draft.name(text_of(each.get("kid")))
    return bool(keys)
