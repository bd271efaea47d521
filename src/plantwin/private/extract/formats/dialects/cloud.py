"""Declared infrastructure as trees: CloudFormation, SAM, Serverless, ARM, Pulumi, Terraform JSON and state, "
"policies."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees
from plantwin.private.extract.formats.words import words

_TOKEN = re.compile(r"[A-Z][a-z]+\d*|[A-Z]+\d*(?![a-z])|[a-z]+\d*")
_WORDS: dict[str, frozenset[str]] = {
    # the first that shares a word with the type wins
    "infra_monitoring": words("watch cloudwatch alarm trail cloudtrail log logs logging monitor insights dashboard"),
    "infra_access": words("iam kms secret secrets secretsmanager vault role policy cognito acm certificate key"),
    "infra_database": words(
        "rds db dynamo dynamodb sql database elasticache redshift neptune cosmos spanner bigtable postgresql mysql"
    ),
    "infra_cluster": words("eks gke aks kubernetes cluster nodegroup nodepool"),
    "infra_storage": words("s3 bucket storage efs fsx ebs volume disk ecr filestore blob backup registry"),
    "infra_network": words(
        "vpc subnet security route route53 gateway balancer balancing lb alb nlb elb dns network cloudfront front "
        "firewall waf wafv2 ip eip cdn nat listener zone record peering"
    ),
}
_MAX = 400
_known: dict[str, str] = {}


def resource_feature(kind: str) -> str:
    """The feature that a provider's resource type stands for."""
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
    """CloudFormation or SAM: resources with provider types."""
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
        draft.add("infra_variable", len(declared) if is_tree(declared) else 0)
    return True


def serverless(draft: Draft, tree: Tree) -> bool:
    """serverless.yml."""
    functions = tree.get("functions")
    provider = tree["provider"]
    if not is_tree(provider) or not ("runtime" in provider or is_tree(functions)):
        return False
    for name, body in list(functions.items())[:_MAX] if is_tree(functions) else ():
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
    """ARM templates, and what Bicep compiles to."""
    if "deploymentTemplate" not in text_of(tree["$schema"]):
        return False
    for body in trees(tree["resources"])[:_MAX]:
        _declare(draft, body.get("type"), text_of(body.get("name")))
    for group in ("parameters", "outputs", "variables"):
        declared = tree.get(group)
        draft.add("infra_variable", len(declared) if is_tree(declared) else 0)
    return True


def terraform_state(draft: Draft, tree: Tree) -> bool:
    """State or plan as JSON: what exists, with every attribute."""
    values = tree.get("values") or tree.get("planned_values")
    root = values.get("root_module") if is_tree(values) else None
    resources = trees(tree.get("resources")) or trees(root.get("resources") if is_tree(root) else None)
    for body in resources[:_MAX]:
        _declare(draft, body.get("type"), text_of(body.get("name")))
        draft.add("row", len(trees(body.get("instances"))))
    outputs = tree.get("outputs")
    draft.add("infra_variable", len(outputs) if is_tree(outputs) else 0)
    # State is written by the tool: its lineage and serial say so.
    draft.add("generated_marker", "lineage" in tree or "serial" in tree or "format_version" in tree)
    return True


def terraform_json(draft: Draft, tree: Tree) -> bool:
    """Terraform written as JSON."""
    resources, variables = tree.get("resource"), tree.get("variable")
    if not ((is_tree(resources) and all("_" in kind for kind in resources)) or is_tree(variables)):
        return False
    for kind, named in list(resources.items())[:_MAX] if is_tree(resources) else ():
        for name in list(named)[:50] if is_tree(named) else ():
            _declare(draft, kind, name)
    for group in ("variable", "output", "locals", "provider"):
        declared = tree.get(group)
        draft.add("infra_variable", len(declared) if is_tree(declared) else 0)
    return True


def policy(draft: Draft, tree: Tree) -> bool:
    """An access policy document."""
    statements = trees([tree["Statement"]] if is_tree(tree["Statement"]) else tree["Statement"])
    if not any("Effect" in each for each in statements):
        return False
    draft.add("infra_access", len(statements))
    for each in statements[:_MAX]:
        draft.name(text_of(each.get("Sid")))
        actions = strings(each.get("Action"))
        draft.add("open_permission", sum(action.endswith(":*") for action in actions))
    return True


def pulumi(draft: Draft, tree: Tree) -> bool:
    """Pulumi's project or stack file."""
    runtime = tree["runtime"]
    name = runtime.get("name") if is_tree(runtime) else runtime
    if text_of(name) not in ("nodejs", "python", "go", "dotnet", "yaml", "java"):
        return False
    draft.add("infra_variable")
    draft.name(text_of(tree["name"]))
    for each in trees(tree.get("resources"))[:_MAX]:
        _declare(draft, each.get("type"))
    return True


def parameter_list(draft: Draft, row: Tree) -> bool:
    """Stack parameters as a list of keys and values."""
    if not row.keys() >= {"ParameterKey", "ParameterValue"}:
        return False
    draft.add("infra_variable")
    draft.name(text_of(row["ParameterKey"]))
    return True


def machine_image(draft: Draft, tree: Tree) -> bool:
    """Packer: machines that are built once and started often."""
    builders = [each for each in trees(tree["builders"]) if "type" in each]
    draft.add("infra_compute", len(builders))
    return bool(builders)


def first_boot(draft: Draft, tree: Tree) -> bool:
    """What a machine does when it starts for the first time."""
    if len(tree.keys() & _FIRST_BOOT) < 2:
        return False
    draft.add("infra_compute", 2)
    return True


_FIRST_BOOT = frozenset(
    {
        "runcmd",
        "packages",
        "package_update",
        "package_upgrade",
        "users",
        "write_files",
        "bootcmd",
        "ssh_authorized_keys",
    }
    | {"hostname", "timezone", "growpart", "ssh_pwauth", "final_message", "disk_setup", "mounts", "groups", "chpasswd"}
)
