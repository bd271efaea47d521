"""GitLab CI pipelines: validity rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import close_match, known_keys
from plantwin.private.formats.document import LIST, MAP, Document, Node

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("gitlab_ci")
_JOB = known_keys("gitlab_ci", "job")
_GLOBAL = known_keys("gitlab_ci", "global")


def is_gitlab_ci(document: Document) -> bool:
    """Return whether a document is a pipeline of GitLab."""
    pattern = r"(?:^|/)(?:\.gitlab-ci|[\w.-]*\.gitlab-ci)\.ya?ml$|(?:^|/)\.gitlab/ci/.*\.ya?ml$"
    return re.search(pattern, document.name) is not None


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a pipeline."""
    root = document.root
    jobs = {name: node for name, node in root.map.items() if name not in _GLOBAL and node.kind == MAP}
    whole = "include" not in root.map and "/" not in document.name.removeprefix(".gitlab-ci.yml")
    listed = root.at("stages")
    stages = {stage.text for stage in listed.items} if listed is not None else {"build", "test", "deploy"}
    stages |= {".pre", ".post"}
    if root.map and not jobs and whole:
        yield RULES.found("GITLAB-REQUIRED-KEY", 1, holder="The pipeline", key="job")
    for name, job in jobs.items():
        yield from _validate_job(name, job, root.line_of(name))
        stage = job.at("stage")
        known = stage is None or not stage.scalar or "$" in stage.text or stage.text in stages
        if whole and stage is not None and not known:
            yield RULES.found("GITLAB-STAGE", job.line_of("stage"), job=name, stage=stage.text)
        for key in ("extends", "needs", "dependencies") if whole else ():
            for item in job.entries(key):
                other = item.value("job") if item.kind == MAP else item.text
                elsewhere = {"project", "pipeline"} & item.map.keys()
                if other and other not in root.map and not elsewhere and "$" not in other:
                    yield RULES.found("GITLAB-UNKNOWN-JOB", item.line, job=name, other=other, key=key)


def _validate_job(name: str, job: Node, line: int) -> Iterator[Finding]:
    if not name.startswith("."):
        for key in job.map.keys() - _JOB:
            near = close_match(key, _JOB, 0.8)
            if near:
                yield RULES.found("GITLAB-UNKNOWN-KEY", job.line_of(key), job=name, key=key[:60], near=near)
        if not {"script", "trigger", "extends", "run"} & job.map.keys() and not job.tag:
            yield RULES.found("GITLAB-REQUIRED-KEY", line, holder=f"Job `{name}`", key="script")
    if "rules" in job.map and {"only", "except"} & job.map.keys():
        yield RULES.found("GITLAB-RULES-AND-ONLY", job.line_of("rules"), job=name)
    script = job.at("script")
    for command in script.items if script is not None and script.kind == LIST else []:
        if command.kind == MAP:
            yield RULES.found("GITLAB-SCRIPT-MAPPING", command.line, job=name)
