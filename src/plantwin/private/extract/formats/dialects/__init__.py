"""What a settings tree is: recognised by its keys in their places, never by its file name.

A dialect is a row: the keys that its root must hold, and the function that reads it. The function
answers whether it is really its own; the first that says so names the document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from plantwin.private.extract.formats.dialects.events import event_list
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, environment_sections, is_tree, trees
from plantwin.private.extract.formats.records import describe_records
from plantwin.private.extract.formats.survey import survey

Dialect = Callable[[Draft, Tree], bool]

_ROWS: tuple[tuple[str, str], ...] = (
    # keys of the root, reader
    ("apiVersion kind", "kubernetes.manifest"),
    ("services", "compose.compose"),
    ("apiVersion name version", "helm.chart"),
    ("image", "helm.values"),
    ("replicaCount", "helm.values"),
    ("on jobs", "ci.actions"),
    ("runs name", "ci.action"),
    ("version jobs", "ci.circle"),
    ("steps", "ci.azure"),
    ("stages", "ci.azure"),
    ("jobs", "ci.azure"),
    ("pipelines", "ci.bitbucket"),
    ("script language", "ci.travis"),
    ("stages", "ci.gitlab"),
    ("pipeline", "ci.jenkins"),
    ("openapi", "interfaces.openapi"),
    ("swagger", "interfaces.openapi"),
    ("asyncapi", "interfaces.openapi"),
    ("title baseUri", "interfaces.resources"),
    ("title version", "interfaces.resources"),
    ("title", "interfaces.resources"),
    ("info item", "interfaces.postman"),
    ("log", "interfaces.har"),
    ("$schema", "schemas.json_schema"),
    ("type properties", "schemas.json_schema"),
    ("type fields", "schemas.avro"),
    ("name type fields", "schemas.avro"),
    ("models", "dbt.properties"),
    ("sources", "dbt.properties"),
    ("seeds", "dbt.properties"),
    ("snapshots", "dbt.properties"),
    ("name profile", "dbt.project"),
    ("expectation_suite_name", "datasets.expectations"),
    ("expectations", "datasets.expectations"),
    ("stages", "datasets.dvc"),
    ("outs", "datasets.dvc_file"),
    ("nodes edges", "datasets.graph"),
    ("consumer provider interactions", "interfaces.pact"),
    ("_type resources", "interfaces.pact"),
    ("request response", "interfaces.stub"),
    ("http_interactions", "interfaces.stub"),
    ("interactions", "interfaces.stub"),
    ("keys", "security.key_set"),
    ("builders", "cloud.machine_image"),
    ("runcmd", "cloud.first_boot"),
    ("package_update", "cloud.first_boot"),
    ("write_files", "cloud.first_boot"),
    ("images annotations", "datasets.annotated"),
    ("containerDefinitions", "compose.task_definition"),
    ("pins version", "locks.resolved"),
    ("Packages R", "locks.resolved"),
    ("jsc", "tools.known"),
    ("tasks", "datasets.tasks"),
    ("entry_points", "datasets.mlproject"),
    ("AWSTemplateFormatVersion", "cloud.cloudformation"),
    ("Resources", "cloud.cloudformation"),
    ("service provider functions", "cloud.serverless"),
    ("service provider", "cloud.serverless"),
    ("$schema resources", "cloud.azure_template"),
    ("terraform_version", "cloud.terraform_state"),
    ("resource", "cloud.terraform_json"),
    ("variable", "cloud.terraform_json"),
    ("Statement", "cloud.policy"),
    ("runtime name config", "cloud.pulumi"),
    ("name runtime", "cloud.pulumi"),
    ("groups", "monitoring.rules"),
    ("scrape_configs", "monitoring.prometheus"),
    ("route receivers", "monitoring.alertmanager"),
    ("panels", "monitoring.dashboard"),
    ("dashboard", "monitoring.dashboard"),
    ("receivers exporters", "monitoring.collector"),
    ("sources sinks", "monitoring.shipper"),
    ("inputs outputs", "monitoring.shipper"),
    ("filebeat.inputs", "monitoring.beat"),
    ("metricbeat.modules", "monitoring.beat"),
    ("heartbeat.monitors", "monitoring.beat"),
    ("packetbeat.interfaces", "monitoring.beat"),
    ("values _postman_variable_scope", "interfaces.postman_environment"),
    ("name values", "interfaces.postman_environment"),
    ("apiVersion datasources", "monitoring.datasources"),
    ("detection logsource", "security.sigma"),
    ("rules", "security.semgrep"),
    ("runs $schema", "security.sarif"),
    ("runs version", "security.sarif"),
    ("Results SchemaVersion", "security.trivy"),
    ("Results", "security.trivy"),
    ("vulnerabilities", "security.audit"),
    ("advisories", "security.audit"),
    ("results", "security.results"),
    ("site", "security.zap"),
    ("issues", "security.results"),
    ("findings", "security.results"),
    ("matches", "security.results"),
    ("lockfileVersion", "locks.npm_lock"),
    ("_meta default", "locks.pipfile_lock"),
    ("content-hash packages", "locks.composer_lock"),
    ("package", "locks.package_tables"),
    ("project", "manifests.pyproject"),
    ("build-system", "manifests.pyproject"),
    ("tool", "manifests.pyproject"),
    ("package", "manifests.cargo"),
    ("workspace", "manifests.cargo"),
    ("name version", "manifests.package_json"),
    ("dependencies", "manifests.package_json"),
    ("devDependencies", "manifests.package_json"),
    ("require", "manifests.composer"),
    ("packages", "manifests.pipfile"),
    ("workspaces", "manifests.package_json"),
    ("scripts", "manifests.package_json"),
    ("repos", "tools.pre_commit"),
    ("compilerOptions", "tools.known"),
    ("type features", "catalogs.geojson"),
    ("cff-version", "catalogs.citation"),
    ("nbformat cells", "catalogs.notebook"),
    ("users", "kubernetes.kubeconfig"),
    ("Records", "events.cloud_trail"),
)


@cache
def _dialects() -> tuple[tuple[frozenset[str], str], ...]:
    return tuple((frozenset(keys.split()), reader) for keys, reader in _ROWS)


@cache
def _function(reader: str) -> Dialect:
    module, _, function = reader.partition(".")
    found: Dialect = getattr(import_module(f"{__name__}.{module}"), function)
    return found


def recognise(draft: Draft, documents: list[object]) -> None:
    """Outline decoded documents: by the dialect of each, as data, or as plain settings."""
    for document in documents:
        if is_tree(document):
            _recognise_tree(draft, document)
        elif type(document) is list:
            _recognise_list(draft, document)
        elif type(document) is str and document and len(documents) == 1:
            # A lone scalar is what YAML makes of prose.
            draft.outline.parsed = draft.outline.parsed and draft.outline.format == "json"


def _recognise_tree(draft: Draft, tree: Tree) -> None:
    keys = tree.keys()
    for required, reader in _dialects():
        if required <= keys and _function(reader)(draft, tree):
            break
    else:
        if not _function("tools.known")(draft, tree) and not _function("ci.gitlab")(draft, tree):
            environment_sections(draft, tree)
            if _function("catalogs.plain_catalog")(draft, tree):
                return
    survey(draft, tree)


def _recognise_list(draft: Draft, items: list[object]) -> None:
    rows = trees(items)
    if not rows:
        survey(draft, items)
        return
    for reader in ("ansible.playbook", "security.rule_list", "schemas.avro_list", "cloud.parameter_list"):
        if _function(reader)(draft, rows[0]):
            for row in rows[1:200]:
                _function(reader)(draft, row)
            survey(draft, items)
            return
    if _function("security.finding_list")(draft, {"": items}):
        return
    event_list(draft, rows)
    describe_records(draft, rows, total=len(items))
