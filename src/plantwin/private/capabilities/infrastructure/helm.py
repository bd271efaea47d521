"""Helm charts: validity rules over Chart.yaml. Templates are checked as Kubernetes manifests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.package_json import SEMVER
from plantwin.private.formats.document import Document
from plantwin.private.formats.node import MAP, NUMBER

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("helm")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a Chart.yaml."""
    root = document.root
    for key in {"apiVersion", "name", "version"} - root.map.keys():
        yield RULES.found("HELM-REQUIRED-KEY", 1, holder="The chart", key=key)
    version, app = root.at("version"), root.at("appVersion")
    if version is not None and version.scalar and not SEMVER.fullmatch(version.text):
        yield RULES.found("HELM-VERSION", root.line_of("version"))
    if app is not None and app.kind == NUMBER:
        yield RULES.found("HELM-APP-VERSION", root.line_of("appVersion"))
    for dependency in root.entries("dependencies"):
        for key in {"name", "version"} - dependency.map.keys() if dependency.kind == MAP else ():
            yield RULES.found("HELM-REQUIRED-KEY", dependency.line, holder="A dependency", key=key)
