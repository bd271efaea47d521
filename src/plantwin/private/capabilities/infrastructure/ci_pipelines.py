"""Pipelines of GitHub Actions (security and validity rules) and GitLab CI (validity rules)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.dockerfile import COMMANDS
from plantwin.private.capabilities.infrastructure.keys import did_you_mean, known_keys
from plantwin.private.formats.document import MAP, Document, Node, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

SECURITY = Rules("github_actions")
VALIDITY = Rules("github_actions_validity")
_WORKFLOW = known_keys("github_actions", "workflow")
"""Keys of a workflow; YAML 1.1 reads `on` as true."""
_JOB = known_keys("github_actions", "job")
_STEP = known_keys("github_actions", "step")
_UNTRUSTED = re.compile(
    r"\$\{\{[^}]{0,200}\bgithub\.(?:event\.(?:issue|pull_request|comment|review|discussion|head_commit|commits|pages"
    r"|workflow_run)(?!\.base\.ref\b)[\w.\[\]*]{0,80}\.(?:title|body|message|name|email|ref|label|head_branch|page_name)|head_ref)\b"
)
_NEEDS = re.compile(r"\$\{\{[^}]{0,300}?(?<![\w.-])needs\.([\w-]{1,100})")
_STEPS = re.compile(r"\$\{\{[^}]{0,300}?(?<![\w.-])steps\.([\w-]{1,100})\.")
_MATRIX = re.compile(r"\$\{\{[^}]{0,300}?(?<![\w.-])matrix\.([\w-]{1,100})")


_WITH_SECRETS = re.compile(
    r"\b(?:pull_request_target|issues|issue_comment|discussion|discussion_comment|workflow_run)\b"
)
"""Triggers by which strangers start a workflow that has the secrets of the project."""


def is_workflow(document: Document) -> bool:
    """Return whether a document is a workflow of GitHub, Gitea or Forgejo."""
    return re.search(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$", document.name) is not None or (
        "jobs" in document.root.map and bool({"on", "true"} & document.root.map.keys()) and document.syntax == "yaml"
    )


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of a workflow."""
    piped = re.compile(COMMANDS.by_id["SHELL-PIPE-TO-SHELL"].pattern)
    target = "pull_request_target" in document.source.text
    for path, line, node in walk(document.root):
        key = next((part for part in reversed(path) if not part.isdigit()), "")
        if key in ("run", "script") and _UNTRUSTED.search(node.text):
            # From a fork, `pull_request` gets no secrets and may only read.
            severity = None if _WITH_SECRETS.search(document.source.text) else Severity.MEDIUM
            yield SECURITY.found("GHA-SCRIPT-INJECTION", line, severity=severity, path=".".join(path))
        elif key == "permissions" and node.text == "write-all":
            yield SECURITY.found("GHA-WRITE-ALL", line)
        elif target and key == "ref" and "github.event.pull_request.head" in node.text:
            yield SECURITY.found("GHA-PULL-REQUEST-TARGET", line)
        elif key == "run" and piped.search(node.text):
            yield COMMANDS.found("SHELL-PIPE-TO-SHELL", line, severity=Severity.LOW)


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a workflow: keys, triggers, jobs, steps and references between them."""
    root = document.root
    yield from _unknown_keys(root, _WORKFLOW, "a workflow")
    if not {"on", "true"} & root.map.keys():
        yield VALIDITY.found("GHA-REQUIRED-KEY", 1, holder="The workflow", key="on")
    jobs = root.at("jobs")
    if jobs is None or not jobs.map:
        yield VALIDITY.found("GHA-REQUIRED-KEY", root.line_of("jobs"), holder="The workflow", key="jobs")
        return
    for name, job in jobs.map.items():
        yield from _validate_job(name, job, jobs, project)


def _unknown_keys(node: Node, known: frozenset[str], where: str) -> Iterator[Finding]:
    for key in node.map:
        if key not in known and not (known is _WORKFLOW and key.startswith("x-")):
            suggestion = did_you_mean(key, known, 0.75, "Remove it.")
            yield VALIDITY.found("GHA-UNKNOWN-KEY", node.line_of(key), key=key[:60], where=where, suggestion=suggestion)


def _validate_job(name: str, job: Node, jobs: Node, project: Project) -> Iterator[Finding]:
    line, holder = jobs.line_of(name), f"Job `{name}`"
    if job.kind != MAP:
        yield VALIDITY.found("GHA-REQUIRED-KEY", line, holder=holder, key="runs-on")
        return
    yield from _unknown_keys(job, _JOB, f"job `{name}`")
    needed = [(item.text, item.line) for item in job.entries("needs")]
    for other, at in needed:
        if other not in jobs.map:
            yield VALIDITY.found("GHA-UNKNOWN-REFERENCE", at, holder=holder, what="job", name=other)
    if "uses" in job.map:
        return
    for key in ("runs-on", "steps"):
        if key not in job.map:
            yield VALIDITY.found("GHA-REQUIRED-KEY", line, holder=holder, key=key)
    for step in job.entries("steps"):
        if step.kind == MAP:
            yield from _validate_step(step, holder, project)
    yield from _validate_expressions(job, holder, {other for other, _ in needed})


def _validate_step(step: Node, holder: str, project: Project) -> Iterator[Finding]:
    yield from _unknown_keys(step, _STEP, "a step")
    uses, missing = step.value("uses"), project.folder.missing
    if not {"run", "uses"} & step.map.keys():
        yield VALIDITY.found("GHA-REQUIRED-KEY", step.line, holder=f"A step of {holder}", key="run or uses")
    if uses.startswith("./"):
        files = (f"{uses}/action.yml", f"{uses}/action.yaml")
        if all(missing(".", file) for file in files) and missing(".", uses, folder=True):
            yield VALIDITY.found("GHA-UNKNOWN-REFERENCE", step.line_of("uses"), holder=holder, what="action", name=uses)


def _validate_expressions(job: Node, holder: str, needed: set[str]) -> Iterator[Finding]:
    """Find expressions that read jobs, steps or matrix axes that do not exist."""
    steps = [step for step in job.entries("steps") if step.kind == MAP]
    matrix = job.at("strategy", "matrix") or Node(MAP, 0)
    extra = matrix.entries("include")
    known = {
        "job": needed,
        "step": {step.value("id") for step in steps},
        "matrix axis": set(matrix.map) | {key for item in extra for key in item.map},
    }
    computed = matrix.kind != MAP or any("$" in item.text for item in extra)
    for step in steps:
        for _, line, node in walk(step):
            if "${{" not in node.text:
                continue
            for what, pattern in (("job", _NEEDS), ("step", _STEPS), ("matrix axis", _MATRIX)):
                if what == "matrix axis" and computed:
                    continue
                for name in pattern.findall(node.text[:20_000]):
                    if name not in known[what]:  # the expression is empty, and the job runs
                        values = {"holder": holder, "what": what, "name": name}
                        yield VALIDITY.found("GHA-UNKNOWN-REFERENCE", line, severity=Severity.MEDIUM, **values)


GITLAB = Rules("gitlab_ci")
_GITLAB_GLOBAL = known_keys("gitlab_ci", "global")


def is_gitlab_ci(document: Document) -> bool:
    """Return whether a document is a pipeline of GitLab."""
    pattern = r"(?:^|/)(?:\.gitlab-ci|[\w.-]*\.gitlab-ci)\.ya?ml$|(?:^|/)\.gitlab/ci/.*\.ya?ml$"
    return re.search(pattern, document.name) is not None


def validate_gitlab(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a pipeline."""
    root = document.root
    jobs = {name: node for name, node in root.map.items() if name not in _GITLAB_GLOBAL and node.kind == MAP}
    whole = "include" not in root.map and "/" not in document.name.removeprefix(".gitlab-ci.yml")
    listed = root.at("stages")
    stages = {stage.text for stage in listed.items} if listed is not None else {"build", "test", "deploy"}
    stages |= {".pre", ".post"}
    if root.map and not jobs and whole:
        yield GITLAB.found("GITLAB-REQUIRED-KEY", 1, holder="The pipeline", key="job")
    for name, job in jobs.items():
        runs = {"script", "trigger", "extends", "run"} & job.map.keys() or job.tag
        if not name.startswith(".") and not runs:
            yield GITLAB.found("GITLAB-REQUIRED-KEY", root.line_of(name), holder=f"Job `{name}`", key="script")
        stage = job.at("stage")
        known = stage is None or not stage.scalar or "$" in stage.text or stage.text in stages
        if whole and stage is not None and not known:
            yield GITLAB.found("GITLAB-STAGE", job.line_of("stage"), job=name, stage=stage.text)
        for key in ("extends", "needs", "dependencies") if whole else ():
            for item in job.entries(key):
                other = item.value("job") if item.kind == MAP else item.text
                elsewhere = {"project", "pipeline"} & item.map.keys()
                if other and other not in root.map and not elsewhere and "$" not in other:
                    yield GITLAB.found("GITLAB-UNKNOWN-JOB", item.line, job=name, other=other, key=key)
