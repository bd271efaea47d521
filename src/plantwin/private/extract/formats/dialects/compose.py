"""Compose files: services, what they are built from and what they are given."""

from __future__ import annotations

from plantwin.private.extract.formats.dialects.images import image
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees
from plantwin.private.extract.formats.words import words

_SIGNS = words(
    "image build ports volumes environment env_file depends_on command entrypoint networks healthcheck deploy "
    "restart expose container_name extends profiles"
)


def compose(draft: Draft, tree: Tree) -> bool:
    """`services` whose members look like containers."""
    services = tree["services"]
    if not is_tree(services):
        return False
    members = {name: body for name, body in services.items() if is_tree(body) and body.keys() & _SIGNS}
    if not members or not any("image" in body or "build" in body or "extends" in body for body in members.values()):
        return False
    for name, body in members.items():
        draft.add("compose_service")
        draft.name(name)
        draft.provide("service", name)
        _service(draft, body)
    for group, feature in (("volumes", "infra_storage"), ("networks", "infra_network")):
        declared = tree.get(group)
        draft.add(feature, len(declared) if is_tree(declared) else 0)
    for group in ("secrets", "configs"):
        for each in trees(tree.get(group)):
            draft.add("secret_ref", group == "secrets")
            draft.refer_path(each.get("file"), "configures")
    for included in strings(tree.get("include")):
        draft.refer_path(included, "configures")
    return True


def _service(draft: Draft, body: Tree) -> None:
    image(draft, body.get("image"))
    build = body.get("build")
    if is_tree(build):
        context = text_of(build.get("context")) or "."
        dockerfile = text_of(build.get("dockerfile")) or "Dockerfile"
        draft.refer_path(f"{context.rstrip('/')}/{dockerfile}", "builds")
        draft.provide("container", text_of(body.get("image")).partition(":")[0])
    elif type(build) is str:
        draft.refer_path(f"{build.rstrip('/')}/Dockerfile", "builds")
    files = body.get("env_file")
    for each in files if type(files) is list else [files]:
        draft.refer_path(each.get("path") if is_tree(each) else each, "configures")
    needs = body.get("depends_on")
    for name in strings(needs) or (list(needs) if is_tree(needs) else []):
        draft.refer("service", name, "runs")
    for volume in strings(body.get("volumes")):
        source = volume.partition(":")[0]
        if source.startswith("."):
            draft.refer_path(source, "configures")
    for port in strings(body.get("ports")):
        parts = port.split(":")
        draft.add("public_exposure", len(parts) == 2 or parts[0] == "0.0.0.0")  # noqa: S104 - recognised, not bound
    draft.add("secret_ref", len(strings(body.get("secrets"))))
    for command in (body.get("command"), body.get("entrypoint")):
        for word in " ".join(strings(command)).split()[:20]:
            if word.endswith((".sh", ".py", ".js")):
                draft.refer_path(word, "runs")
    extended = body.get("extends")
    draft.refer_path(extended.get("file") if is_tree(extended) else None, "configures")
    deploy = body.get("deploy")
    if is_tree(deploy) and "resources" in deploy:
        draft.add("resource_limit")
    environment = body.get("environment")
    for pair in strings(environment):
        draft.name(pair.partition("=")[0])


def task_definition(draft: Draft, tree: Tree) -> bool:
    """Containers of one task, as a cloud's scheduler runs them."""
    containers = [each for each in trees(tree["containerDefinitions"]) if "image" in each]
    for each in containers:
        draft.add("workload")
        draft.name(text_of(each.get("name")))
        image(draft, each.get("image"))
    return bool(containers)
