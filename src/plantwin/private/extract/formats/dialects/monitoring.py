"""Watching systems: alert rules, scrape settings, dashboards, collectors."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees

_MAX = 300


def rules(draft: Draft, tree: Tree) -> bool:
    """Prometheus or Loki rule groups."""
    found = [rule for group in trees(tree["groups"]) for rule in trees(group.get("rules")) if "expr" in rule]
    for rule in found[:_MAX]:
        draft.add("infra_monitoring")
        draft.add("threshold", "alert" in rule)
        draft.name(text_of(rule.get("alert") or rule.get("record")))
    return bool(found)


def prometheus(draft: Draft, tree: Tree) -> bool:
    """Scrape settings."""
    for job in trees(tree["scrape_configs"])[:_MAX]:
        draft.add("infra_monitoring")
        draft.name(text_of(job.get("job_name")))
    for target in strings(tree.get("rule_files")):
        draft.refer_path(target, "configures")
    return "infra_monitoring" in draft.features


def alertmanager(draft: Draft, tree: Tree) -> bool:
    """Where alerts go."""
    if not is_tree(tree["route"]):
        return False
    for receiver in trees(tree["receivers"])[:_MAX]:
        draft.add("infra_monitoring")
        draft.name(text_of(receiver.get("name")))
    return True


def dashboard(draft: Draft, tree: Tree) -> bool:
    """A Grafana-like dashboard."""
    inner = tree.get("dashboard")
    body = inner if is_tree(inner) else tree
    panels = [each for each in trees(body.get("panels")) if "type" in each or "targets" in each]
    if not panels:
        return False
    draft.add("infra_monitoring", len(panels))
    for panel in panels[:_MAX]:
        draft.name(text_of(panel.get("title")))
    return True


def collector(draft: Draft, tree: Tree) -> bool:
    """An OpenTelemetry-like collector."""
    if not is_tree(tree["receivers"]) or not is_tree(tree["exporters"]):
        return False
    draft.add("infra_monitoring", len(tree["receivers"]) + len(tree["exporters"]))
    return True


def datasources(draft: Draft, tree: Tree) -> bool:
    """Provisioned data sources of dashboards."""
    found = [each for each in trees(tree["datasources"]) if "type" in each]
    draft.add("infra_monitoring", len(found))
    return bool(found)


def shipper(draft: Draft, tree: Tree) -> bool:
    """An agent that takes records or measurements in at named places and hands them on to others."""
    taken, given = (tree.get(one) or tree.get(other) for one, other in (("sources", "inputs"), ("sinks", "outputs")))
    if not is_tree(taken) or not is_tree(given):
        return False
    typed = all("type" in each for part in (taken, given) for each in part.values() if is_tree(each))
    listed = all(trees(each) for part in (taken, given) for each in part.values())
    if not (typed and "sinks" in tree) and not (listed and ("agent" in tree or "inputs" in tree)):
        return False
    draft.add("infra_monitoring", len(taken) + len(given))
    for part in (taken, given):
        for key in list(part)[:_MAX]:
            draft.name(key)
    return True


def beat(draft: Draft, tree: Tree) -> bool:
    """A shipper that writes its parts as dotted keys."""
    draft.add("infra_monitoring", sum("." in key for key in tree))
    return True
