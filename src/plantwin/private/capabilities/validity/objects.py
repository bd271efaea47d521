"""Objects that manifests of Kubernetes declare."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import MAP, Node
from plantwin.private.extract.formats.words import words

WORKLOADS = words("Deployment StatefulSet DaemonSet ReplicaSet Job CronJob Pod ReplicationController")


class Thing(NamedTuple):
    """One declared object, and the file that it is in."""

    document: Document
    node: Node
    kind: str
    name: str

    def __repr__(self) -> str:
        return "<Thing private>"

    @property
    def pod(self) -> Node | None:
        """The description of its pods."""
        if self.kind == "Pod":
            return self.node.at("spec")
        inner = (
            ("spec", "jobTemplate", "spec", "template", "spec")
            if self.kind == "CronJob"
            else ("spec", "template", "spec")
        )
        return self.node.at(*inner)

    @property
    def labels(self) -> dict[str, str]:
        """The labels of its pods."""
        if self.kind == "Pod":
            found = self.node.at("metadata", "labels")
        elif self.kind == "CronJob":
            found = self.node.at("spec", "jobTemplate", "spec", "template", "metadata", "labels")
        else:
            found = self.node.at("spec", "template", "metadata", "labels")
        return {key: node.text for key, node in found.map.items()} if found is not None else {}


def things(document: Document) -> list[Thing]:
    """The objects that a file declares."""
    found = []
    for root in document.roots:
        nodes = root.entries("items") if root.value("kind") == "List" else [root]
        for node in nodes:
            if node.kind == MAP and ("kind" in node.map and ("apiVersion" in node.map or "metadata" in node.map)):
                found.append(Thing(document, node, node.value("kind"), node.value("metadata", "name")))
    if any(
        re.match(
            r"(?:kustomize|argoproj|skaffold|kind\.x|kubeadm|audit|client|config\.)", each.node.value("apiVersion")
        )
        for each in found
    ):
        found = [each for each in found if each.kind not in ("Kustomization", "Config", "Cluster")]
    return found
