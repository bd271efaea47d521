"""Which technology a file belongs to, and which functions check it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.infrastructure import (
    ansible,
    ci_pipelines,
    cloud,
    compose,
    dockerfile,
    kubernetes,
    manifests,
    nginx,
    systemd,
    terraform,
)
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.formats.document import Document

Check = Callable[[Document, Project], Iterator[Finding]]


class Technology(NamedTuple):
    """A kind of file with its checks."""

    name: str
    recognizes: Callable[[Document], bool]
    audit: Check | None = None
    validate: Check | None = None
    plain_values: bool = True
    """Whether the rules over values of any file apply to it as well."""


def _named(*names: str) -> Callable[[Document], bool]:
    return lambda document: document.name.rpartition("/")[2].lower() in names


def _syntax(name: str) -> Callable[[Document], bool]:
    return lambda document: document.syntax == name


def _is_openapi(document: Document) -> bool:
    keys = document.root.map.keys()
    return document.syntax in ("yaml", "json") and "paths" in keys and bool({"openapi", "swagger"} & keys)


def _validate_openapi(document: Document, project: Project) -> Iterator[Finding]:
    from plantwin.private.capabilities.check_api_contract.openapi import findings

    yield from findings(document)


TECHNOLOGIES = (
    Technology("Compose", compose.is_compose, compose.audit, compose.validate),
    Technology("GitLab CI", ci_pipelines.is_gitlab_ci, None, ci_pipelines.validate_gitlab),
    Technology("GitHub Actions", ci_pipelines.is_workflow, ci_pipelines.audit, ci_pipelines.validate),
    Technology("OpenAPI", _is_openapi, None, _validate_openapi, plain_values=False),
    Technology("CloudFormation", cloud.is_cloudformation, cloud.audit),
    Technology("Kubernetes", kubernetes.is_kubernetes, kubernetes.audit, kubernetes.validate),
    Technology("Ansible", ansible.is_ansible, ansible.audit),
    Technology("package.json", _named("package.json"), None, manifests.validate_package_json),
    Technology("pyproject.toml", _named("pyproject.toml"), None, manifests.validate_pyproject),
    Technology("Helm chart", _named("chart.yaml", "chart.yml"), None, manifests.validate_chart),
    Technology("Dockerfile", _syntax("dockerfile"), dockerfile.audit, dockerfile.validate, plain_values=False),
    Technology("nginx", nginx.is_nginx, nginx.audit, nginx.validate, plain_values=False),
    Technology("server", nginx.is_server, nginx.audit_server, plain_values=False),
    Technology("Terraform", _syntax("hcl"), cloud.audit, terraform.validate),
    Technology("systemd", _syntax("systemd"), None, systemd.validate),
    Technology("crontab", _syntax("crontab"), plain_values=False),
)  # fmt: skip
"""In the order in which they are tried."""


def technology(document: Document) -> Technology:
    """Return the technology of a document; a plain settings file is named by its syntax and has no checks."""
    found = (known for known in TECHNOLOGIES if known.recognizes(document))
    return next(found, Technology(document.syntax, lambda document: True))
