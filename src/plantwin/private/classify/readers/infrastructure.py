"""Declared infrastructure, what watches it, and the servers' own syntax."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.classify.readers.settings import judge
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, tree_of, trees, words

_LEXICON = Lexicon(__file__)
_TOKEN = re.compile(r"[A-Z][a-z]+\d*|[A-Z]+\d*(?![a-z])|[a-z]+\d*")
_WORDS = {feature: words(text) for feature, text in _LEXICON.tables["resources"].items()}
_MAX = 400
_known: dict[str, str] = {}


def resource_feature(kind: str) -> str:
    """Return the feature that a provider's resource type stands for."""
    feature = _known.get(kind)
    if feature is None:
        tokens = {token.lower() for token in _TOKEN.findall(kind)}
        feature = next((name for name, telling in _WORDS.items() if tokens & telling), "infra_compute")
        if len(_known) < 4096:
            _known[kind] = feature
    return feature


def _declare(draft: Draft, kind: object, name: object = "") -> None:
    word = text_of(kind)
    if word:
        draft.add(resource_feature(word[:120]))
        draft.name(word)
        draft.name(name)


def cloudformation(draft: Draft, tree: Tree) -> bool:
    """Read CloudFormation or SAM: resources with provider types."""
    resources = tree.get("Resources")
    members = {name: body for name, body in resources.items() if is_tree(body)} if is_tree(resources) else {}
    typed = [body for body in members.values() if "::" in text_of(body.get("Type"))]
    if not typed and "AWSTemplateFormatVersion" not in tree:
        return False
    for name, body in list(members.items())[:_MAX]:
        _declare(draft, body.get("Type"), name)
        inner = body.get("Properties")
        if is_tree(inner):
            for key in ("CodeUri", "DefinitionUri", "TemplateURL", "ContentUri"):
                draft.refer_path(inner.get(key), "builds")
    for group in ("Parameters", "Outputs", "Mappings"):
        declared = tree.get(group)
        draft.add("infra_variable", len(tree_of(declared)))
    return True


def serverless(draft: Draft, tree: Tree) -> bool:
    """Read serverless.yml."""
    functions = tree.get("functions")
    provider = tree["provider"]
    if not is_tree(provider) or not ("runtime" in provider or is_tree(functions)):
        return False
    for name, body in list(tree_of(functions).items())[:_MAX]:
        draft.add("infra_compute")
        draft.name(name)
        if is_tree(body):
            draft.refer_path(text_of(body.get("handler")).rpartition(".")[0], "runs")
            for event in trees(body.get("events")):
                draft.add("schedule", "schedule" in event)
    nested = tree.get("resources")
    if is_tree(nested) and is_tree(nested.get("Resources")):
        cloudformation(draft, nested)
    return True


def azure_template(draft: Draft, tree: Tree) -> bool:
    """Read ARM templates, and what Bicep compiles to."""
    if "deploymentTemplate" not in text_of(tree["$schema"]):
        return False
    for body in trees(tree["resources"])[:_MAX]:
        _declare(draft, body.get("type"), text_of(body.get("name")))
    for group in ("parameters", "outputs", "variables"):
        declared = tree.get(group)
        draft.add("infra_variable", len(tree_of(declared)))
    return True


def terraform_state(draft: Draft, tree: Tree) -> bool:
    """Read state or plan as JSON: what exists, with every attribute."""
    values = tree.get("values") or tree.get("planned_values")
    root = values.get("root_module") if is_tree(values) else None
    resources = trees(tree.get("resources")) or trees(root.get("resources") if is_tree(root) else None)
    for body in resources[:_MAX]:
        _declare(draft, body.get("type"), text_of(body.get("name")))
        draft.add("row", len(trees(body.get("instances"))))
    outputs = tree.get("outputs")
    draft.add("infra_variable", len(tree_of(outputs)))
    # State is written by the tool: its lineage and serial say so.
    draft.add("generated_marker", "lineage" in tree or "serial" in tree or "format_version" in tree)
    return True


def terraform_json(draft: Draft, tree: Tree) -> bool:
    """Read Terraform written as JSON."""
    resources, variables = tree.get("resource"), tree.get("variable")
    if not ((is_tree(resources) and all("_" in kind for kind in resources)) or is_tree(variables)):
        return False
    for kind, named in list(tree_of(resources).items())[:_MAX]:
        for name in list(named)[:50] if is_tree(named) else ():
            _declare(draft, kind, name)
    for group in ("variable", "output", "locals", "provider"):
        declared = tree.get(group)
        draft.add("infra_variable", len(tree_of(declared)))
    return True


def policy(draft: Draft, tree: Tree) -> bool:
    """Read an access policy document."""
    statements = trees([tree["Statement"]] if is_tree(tree["Statement"]) else tree["Statement"])
    if not any("Effect" in statement for statement in statements):
        return False
    draft.add("infra_access", len(statements))
    for statement in statements[:_MAX]:
        draft.name(text_of(statement.get("Sid")))
        actions = strings(statement.get("Action"))
        draft.add("open_permission", sum(action.endswith(":*") for action in actions))
    return True


def pulumi(draft: Draft, tree: Tree) -> bool:
    """Read Pulumi's project or stack file."""
    runtime = tree["runtime"]
    name = runtime.get("name") if is_tree(runtime) else runtime
    if text_of(name) not in ("nodejs", "python", "go", "dotnet", "yaml", "java"):
        return False
    draft.add("infra_variable")
    draft.name(text_of(tree["name"]))
    for resource in trees(tree.get("resources"))[:_MAX]:
        _declare(draft, resource.get("type"))
    return True


_MAX_WATCHED = 300


def shipper(draft: Draft, tree: Tree) -> bool:
    """Read an agent that takes records or measurements in at named places and hands them on to others."""
    taken, given = (tree.get(one) or tree.get(other) for one, other in (("sources", "inputs"), ("sinks", "outputs")))
    if not is_tree(taken) or not is_tree(given):
        return False
    typed = all("type" in stage for part in (taken, given) for stage in part.values() if is_tree(stage))
    listed = all(trees(stage) for part in (taken, given) for stage in part.values())
    if not (typed and "sinks" in tree) and not (listed and ("agent" in tree or "inputs" in tree)):
        return False
    draft.add("infra_monitoring", len(taken) + len(given))
    for part in (taken, given):
        for key in list(part)[:_MAX_WATCHED]:
            draft.name(key)
    return True


def beat(draft: Draft, tree: Tree) -> bool:
    """Read a shipper that writes its parts as dotted keys."""
    draft.add("infra_monitoring", sum("." in key for key in tree))
    return True


_DIRECTIVE = re.compile(r"[ \t]{0,80}([A-Za-z_@$][\w.$@-]{0,80})[ \t]*(=?)[ \t]*(.{0,2000})")
_TAG = re.compile(r"[ \t]{0,80}</?([A-Za-z]\w{0,60})[ \t]*([^>]{0,400})>")
_WEAK = re.compile(r"\b(?:SSLv[23]|TLSv1(?:\.[01])?(?![.\d])|RC4|MD5|DES-CBC|NULL)\b")
_MAX_LINES = 5000

_OFF = _LEXICON.words("off")
_NETWORK = _LEXICON.words("network")

_STAGES = words("input filter output")


def read_server(sample: Sample, draft: Draft) -> None:
    """Read directives with their arguments; blocks name themselves."""
    broken = 0
    block: list[str] = []
    opened: list[str] = []
    """Blocks and tags of the outermost level."""
    for line in head_text(sample).split("\n")[:_MAX_LINES]:
        body = line.strip()
        if not body or body[0] in "#;!":
            draft.add("todo", "TODO" in body or "FIXME" in body)
            continue
        tag = _TAG.match(line)
        if tag:
            draft.add("server_directive")
            draft.name(tag[1])
            opened.append(tag[1])
            continue
        if body[0] == "}":
            if block:
                block.pop()
            continue
        match = _DIRECTIVE.match(line)
        if match is None:
            broken += 1
            continue
        name, rest = match[1], match[3].split(" #", 1)[0].strip()
        opens = rest.endswith("{") or body.endswith("{")
        _server_directive(draft, name, rest.rstrip("{;").strip(), block)
        if opens and not block:
            opened.append(name)
        if opens and len(block) < 50:
            block.append(name)
    if _shipping(opened):
        draft.add("infra_monitoring", draft.features.pop("server_directive", 1))
    draft.outline.parsed = broken <= max(
        draft.features.get(kind, 0) for kind in ("server_directive", "infra_monitoring")
    )


def _shipping(opened: list[str]) -> bool:
    """Return whether the blocks are those of a log shipper: input, filter, output, or source and match."""
    if {"input", "output"} <= set(opened):
        return _STAGES.issuperset(opened)
    return {"source", "match"} <= set(opened)


def _server_directive(draft: Draft, name: str, value: str, block: list[str]) -> None:
    draft.add("server_directive")
    draft.name(name)
    draft.setting(".".join([*block[-3:], name]), value)
    judge(draft, name, value.strip("\"'"))
    if name in _NETWORK:
        draft.add("infra_network")
    if name in _OFF and value in ("off", "no", "Off", "DetectionOnly"):
        draft.add("disabled_protection")
    elif name in ("include", "Include", "IncludeOptional", "source"):
        draft.refer_path(value, "configures")
    elif name in ("listen", "Listen", "bind", "listen_addresses"):
        draft.add("public_exposure", value.startswith(("80", "443", "0.0.0.0", "*", "'*'", "[::]")))  # noqa: S104
    elif name in ("server_name", "ServerName", "ServerAlias", "proxy_pass", "ProxyPass"):
        draft.add("host_literal", value not in ("_", "localhost", ""))
    elif "rotocol" in name or "cipher" in name.lower():
        draft.add("weak_crypto", _WEAK.search(value) is not None)
    elif name.startswith(("limit_", "client_max", "keepalive", "worker_", "max_", "MaxRequest", "Timeout", "timeout")):
        draft.add("threshold")
    elif name in ("Require", "require", "allow", "Allow", "host"):
        draft.add("open_permission", value in ("all granted", "all", "from all") or value.endswith(" trust"))
    elif name in ("rotate", "maxage", "daily", "weekly", "monthly", "expires", "log_rotation_age"):
        draft.add("retention")
