"""Helm: the chart's card and its values."""

from __future__ import annotations

from plantwin.private.extract.formats.dialects.images import image
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, text_of, trees
from plantwin.private.extract.formats.words import words

_VALUES = words(
    "replicaCount image service ingress resources nodeSelector tolerations affinity serviceAccount autoscaling "
    "podAnnotations securityContext podSecurityContext imagePullSecrets nameOverride fullnameOverride persistence "
    "livenessProbe readinessProbe"
)


def chart(draft: Draft, tree: Tree) -> bool:
    """Chart.yaml: `apiVersion: v1|v2` with a name and a version, and no kind."""
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
    """values.yaml: at least three of the keys that charts share."""
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
