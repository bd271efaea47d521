"""Containers: Dockerfiles, Kubernetes manifests, Compose files and Helm charts."""

from __future__ import annotations

import json
import re

from plantwin.private.classify.readers.draft import Draft, image, script
from plantwin.private.classify.readers.settings import judge
from plantwin.private.facts import Sample
from plantwin.private.formats.dockerfile import INSTRUCTIONS, instructions
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, tree_of, trees

_LEXICON = Lexicon(__file__)
_KINDS = _LEXICON.groups("kinds")
_REFERENCES: dict[str, tuple[str, str]] = _LEXICON.tables["references"]
_MAX_NODES = 3000


def manifest(draft: Draft, tree: Tree) -> bool:
    """Read a resource, or a list of them."""
    kind = text_of(tree["kind"])
    if not kind[:1].isupper() or len(kind) > 60:
        return False
    if kind.endswith("List") and type(tree.get("items")) is list:
        for item in trees(tree["items"])[:100]:
            if "kind" in item:
                manifest(draft, item)
        return True
    metadata = tree.get("metadata")
    name = text_of(metadata.get("name")) if is_tree(metadata) else ""
    if name and "{" not in name:
        draft.provide("k8s", f"{kind}/{name}")
        draft.name(name)
    draft.name(kind)
    spec = tree.get("spec")
    draft.add(
        "public_exposure", kind == "Service" and is_tree(spec) and spec.get("type") in ("LoadBalancer", "NodePort")
    )
    draft.add(_KINDS.get(kind, "key" if kind in ("ConfigMap", "Secret") else "workload"))
    if kind == "Kustomization":
        _kustomization(draft, tree)
    if kind == "CronJob":
        draft.add("schedule", is_tree(spec) and "schedule" in spec)
    _walk(draft, tree)
    return True


def _kustomization(draft: Draft, tree: Tree) -> None:
    for group in ("resources", "bases", "components", "patchesStrategicMerge", "crds", "configurations"):
        for target in strings(tree.get(group)):
            draft.refer_path(target, "configures")
    for patch in trees(tree.get("patches")):
        draft.refer_path(patch.get("path"), "configures")
    for generator in trees(tree.get("configMapGenerator")) + trees(tree.get("secretGenerator")):
        for target in strings(generator.get("files")) + strings(generator.get("envs")):
            draft.refer_path(target.rpartition("=")[2], "configures")


def _walk(draft: Draft, root: object) -> None:
    """Read images, probes, limits and references to other resources, wherever they sit."""
    stack: list[object] = [root]
    left = _MAX_NODES
    while stack and left:
        left -= 1
        node = stack.pop()
        if type(node) is list:
            stack.extend(reversed(node[:200]))
        elif is_tree(node):
            _node(draft, node)
            stack.extend(value for value in reversed(list(node.values())[:200]) if type(value) in (dict, list))


def _node(draft: Draft, node: Tree) -> None:
    if "image" in node and "name" in node:
        image(draft, node["image"])
    limits = node.get("resources")
    if is_tree(limits) and ("limits" in limits or "requests" in limits):
        draft.add("resource_limit")
    for key, (kind, reason) in _REFERENCES.items():
        target = node.get(key)
        if is_tree(target):
            named = text_of(target.get("name") or target.get("claimName"))
            if named and "{" not in named:
                draft.refer("k8s", f"{text_of(target.get('kind')) or kind}/{named}", reason)
    secret = node.get("secretName")
    if type(secret) is str and "{" not in secret:
        draft.refer("k8s", f"Secret/{secret}", "configures")
    service = node.get("serviceName")
    if type(service) is str and "{" not in service:
        draft.refer("k8s", f"Service/{service}", "runs")


_SIGNS = _LEXICON.words("signs")


def compose(draft: Draft, tree: Tree) -> bool:
    """Read `services` whose members look like containers."""
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
        draft.add(feature, len(tree_of(declared)))
    for group in ("secrets", "configs"):
        for declaration in trees(tree.get(group)):
            draft.add("secret_ref", group == "secrets")
            draft.refer_path(declaration.get("file"), "configures")
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
    for file in files if type(files) is list else [files]:
        draft.refer_path(file.get("path") if is_tree(file) else file, "configures")
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


_VALUES = _LEXICON.words("values")


def chart(draft: Draft, tree: Tree) -> bool:
    """Read Chart.yaml: `apiVersion: v1|v2` with a name and a version, and no kind."""
    if tree["apiVersion"] not in ("v1", "v2") or "kind" in tree:
        return False
    draft.add("workload")
    draft.provide("package", text_of(tree["name"]))
    draft.name(text_of(tree["name"]))
    for dependency in trees(tree.get("dependencies")):
        draft.pin(text_of(dependency.get("name")), text_of(dependency.get("version")))
        draft.refer_path(text_of(dependency.get("repository")).removeprefix("file://"), "builds")
    return True


def values(draft: Draft, tree: Tree) -> bool:
    """Read values.yaml: at least three of the keys that charts share."""
    if len(tree.keys() & _VALUES) < 3:
        return False
    draft.add("workload")
    draft.add("resource_limit", bool(tree.get("resources")))
    for holder in (tree, *trees(tree)):
        picture = holder.get("image")
        if is_tree(picture) and "repository" in picture:
            tag = text_of(picture.get("tag"))
            image(draft, f"{text_of(picture['repository'])}:{tag}" if tag else picture["repository"])
        else:
            image(draft, picture)
    return True


_FLAG = re.compile(r"--(\w[\w-]{0,30})(?:=(\S{0,200}))?\s{1,40}")
_NAMED = re.compile(r"\s+as\s+([\w.-]{1,80})\s*$", re.IGNORECASE)


def read_dockerfile(sample: Sample, draft: Draft) -> None:
    """Read every instruction in order; stages refer to each other by name and are not images."""
    text = head_text(sample)
    draft.add("todo", text.count("# TODO") + text.count("# FIXME"))
    stages: set[str] = set()
    broken = 0
    for found in instructions(text):
        if found.name not in INSTRUCTIONS or not found.rest:
            broken += 1
            continue
        draft.add("build_step")
        _instruction(draft, found.name, found.rest, stages)
    draft.outline.parsed = "build_step" in draft.features and broken <= draft.features["build_step"]


def _instruction(draft: Draft, word: str, rest: str, stages: set[str]) -> None:
    flags: dict[str, str] = {}
    while flag := _FLAG.match(rest):
        flags[flag[1]] = flag[2] or ""
        rest = rest[flag.end() :]
    if word == "FROM":
        named = _NAMED.search(rest[:400])
        source = rest.split()[0] if rest else ""
        if source not in stages and source != "scratch":
            image(draft, source)
        if named:
            stages.add(named[1])
            draft.name(named[1])
    elif word in ("COPY", "ADD"):
        if "from" not in flags:
            for target in _words(rest.partition("\n")[0])[:-1]:
                draft.refer_path(target, "builds")
    elif word == "RUN":
        script(draft, rest, "path")
        draft.add("insecure_call", "--no-check-certificate" in rest or "curl -k" in rest)
        draft.add("open_permission", "chmod 777" in rest or "chmod -R 777" in rest)
        draft.add("secret_ref", "mount" in flags and "type=secret" in flags["mount"])
    elif word in ("CMD", "ENTRYPOINT"):
        _command(draft, _words(rest))
    elif word == "HEALTHCHECK":
        draft.add("health_check", not rest.upper().startswith("NONE"))
    elif word in ("ENV", "ARG"):
        for pair in _pairs(rest):
            draft.add("key")
            draft.name(pair[0])
            draft.setting(pair[0], pair[1])
            judge(draft, *pair)
    elif word == "USER":
        draft.add("open_permission", rest in ("root", "0"))
    elif word == "EXPOSE":
        draft.add("server_directive")


def _words(rest: str) -> list[str]:
    """Return arguments, in shell or in JSON form."""
    if rest.startswith("["):
        try:
            found = json.loads(rest)
        except (ValueError, RecursionError):
            return []
        return [word for word in found if type(word) is str][:100]
    return rest.split()[:100]


def _pairs(rest: str) -> list[tuple[str, str]]:
    if "=" not in rest:
        key, _, value = rest.partition(" ")
        return [(key, value.strip())] if key else []
    return [
        (key, value.strip("\"'")) for word in rest.split()[:100] for key, mark, value in [word.partition("=")] if mark
    ]


def _command(draft: Draft, words: list[str]) -> None:
    for number, word in enumerate(words[:20]):
        if word.endswith((".sh", ".py", ".js", ".rb", ".mjs", ".jar")):
            draft.refer_path(word.removeprefix("/app/").removeprefix("/usr/src/app/").removeprefix("/"), "runs")
        elif word == "-m" and number + 1 < len(words):
            draft.refer("python", words[number + 1], "runs")
        elif ":" in word and word.partition(":")[0].replace(".", "_").isidentifier():
            draft.refer("python", word.partition(":")[0], "runs")
