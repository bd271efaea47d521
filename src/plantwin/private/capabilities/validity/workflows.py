"""Pipelines of GitHub and GitLab: jobs, steps, and what they refer to."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import LIST, MAP, Node, walk
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.capabilities.validity.place import Place
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_TOP = words("name on run-name env defaults jobs permissions concurrency true")
_JOB = words(
    "name needs if permissions runs-on environment concurrency outputs env defaults steps timeout-minutes strategy "
    "continue-on-error container services uses with secrets snapshot"
)
_STEP = words("id if name uses run working-directory shell with env continue-on-error timeout-minutes")
_EVENTS = words(
    "branch_protection_rule check_run check_suite create delete deployment deployment_status discussion discussion_comment fork "
    "gollum issue_comment issues label merge_group milestone page_build public pull_request pull_request_review "
    "pull_request_review_comment pull_request_target push registry_package release repository_dispatch schedule status watch "
    "workflow_call workflow_dispatch workflow_run project project_card project_column image_version"
)
_RIGHTS = words(
    "actions attestations checks contents deployments discussions id-token issues models packages pages pull-requests repository-projects security-events statuses artifact-metadata"
)
_NEEDS = re.compile(r"\$\{\{[^}]{0,300}?\bneeds\.([\w-]{1,100})")
_STEPS = re.compile(r"\$\{\{[^}]{0,300}?\bsteps\.([\w-]{1,100})\.")
_MATRIX = re.compile(r"\$\{\{[^}]{0,300}?\bmatrix\.([\w-]{1,100})")
_GITLAB = words(
    "after_script allow_failure artifacts before_script cache coverage dast_configuration dependencies environment except extends hooks "
    "identity id_tokens image inherit interruptible manual_confirmation needs only pages parallel publish release resource_group retry rules run script "
    "secrets services stage start_in tags timeout trigger variables when"
)
_GITLAB_TOP = words(
    "default include stages variables workflow image services before_script after_script cache spec pages types"
)


def is_workflow(document: Document) -> bool:
    """Whether it is a workflow of GitHub."""
    return re.search(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml$", document.name) is not None or (
        "jobs" in document.root.map and bool({"on", "true"} & document.root.map.keys()) and document.syntax == "yaml"
    )


def is_gitlab(document: Document) -> bool:
    """Whether it is a pipeline of GitLab."""
    return (
        re.search(r"(?:^|/)(?:\.gitlab-ci|[\w.-]*\.gitlab-ci)\.ya?ml$|(?:^|/)\.gitlab/ci/.*\.ya?ml$", document.name)
        is not None
    )


def workflow(document: Document, place: Place) -> Iterator[Issue]:
    """What is wrong with a workflow."""
    root = document.root
    for key in root.map:
        if key not in _TOP and not key.startswith("x-"):
            yield _unknown(root.line_of(key), key, _TOP, "a workflow")
    trigger = root.at("on") or root.at("true")
    if trigger is None:
        yield Issue(1, _S.HIGH, _T.MISSING_PART, "actions/on", "The workflow does not say when it runs", "Add `on`.")
    else:
        yield from _trigger(trigger)
    jobs = root.at("jobs")
    if jobs is None or jobs.kind != MAP or not jobs.map:
        yield Issue(
            root.line_of("jobs"), _S.HIGH, _T.MISSING_PART, "actions/jobs", "The workflow has no jobs", "Add `jobs`."
        )
        return
    yield from _permissions(root)
    for name, job in jobs.map.items():
        yield from _job(name, job, jobs, place, document.name)
    for number, line in enumerate(document.source.text.split("\n")[:20_000], start=1):
        if (
            line.count("${{") > line.count("}}")
            and not line.lstrip().startswith("#")
            and not re.search(r"[|>]-?\s*$", line)
        ):
            following = document.source.text.split("\n")[number : number + 3]
            if not any("}}" in each for each in following):
                yield Issue(
                    number,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "actions/expression",
                    "An expression is never closed",
                    "Add `}}`.",
                )


def _unknown(line: int, key: str, known: frozenset[str], where: str) -> Issue:
    near = difflib.get_close_matches(key, known, 1, 0.75)
    return Issue(
        line,
        _S.HIGH,
        _T.INVALID_VALUES,
        "actions/unknown-key",
        f"`{key[:60]}` is no key of {where}",
        f"Did you mean `{near[0]}`?" if near else "Remove it.",
    )


def _trigger(trigger: Node) -> Iterator[Issue]:
    named = [(each, trigger.line_of(each)) for each in trigger.map] or [
        (each.text, each.line) for each in (trigger.items or [trigger])
    ]
    for event, line in named:
        if event and event not in _EVENTS:
            near = difflib.get_close_matches(event, _EVENTS, 1, 0.7)
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "actions/event",
                f"`{event[:60]}` is no event",
                f"Did you mean `{near[0]}`?" if near else "Correct it.",
            )
    for each in trigger.entries("schedule"):
        cron = each.at("cron")
        if cron is not None and cron.scalar and (fault := moments.cron_fault(cron.text)):
            yield Issue(cron.line, _S.HIGH, _T.INVALID_VALUES, "cron", f"The schedule is none: {fault}", "Correct it.")
    for event in ("push", "pull_request"):
        rules = trigger.at(event)
        if rules is None:
            continue
        for kind in ("branches", "paths", "tags"):
            if kind in rules.map and f"{kind}-ignore" in rules.map:
                yield Issue(
                    rules.line_of(kind),
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "actions/filter",
                    f"`{event}` has both {kind} and {kind}-ignore",
                    "Keep one of them.",
                )


def _permissions(holder: Node) -> Iterator[Issue]:
    rights = holder.at("permissions")
    for name, value in rights.map.items() if rights is not None else ():
        if rights is not None and name not in _RIGHTS:
            yield Issue(
                rights.line_of(name),
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "actions/permissions",
                f"`{name[:60]}` is no permission",
                "Correct it.",
            )
        elif rights is not None and value.text not in ("read", "write", "none"):
            yield Issue(
                rights.line_of(name),
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "actions/permissions",
                f"Permission `{name}` must be read, write or none",
                "Correct it.",
            )


def _job(name: str, job: Node, jobs: Node, place: Place, path: str) -> Iterator[Issue]:
    line = jobs.line_of(name)
    if job.kind != MAP:
        yield Issue(
            line, _S.HIGH, _T.MISSING_PART, "actions/job", f"Job `{name}` says nothing", "Add runs-on and steps."
        )
        return
    for key in job.map:
        if key not in _JOB:
            yield _unknown(job.line_of(key), key, _JOB, f"job `{name}`")
    yield from _permissions(job)
    needed = [(each.text, each.line) for each in job.entries("needs")]
    for other, at in needed:
        if other not in jobs.map:
            yield Issue(
                at,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "actions/needs",
                f"Job `{name}` needs `{other}`, which does not exist",
                "Correct the name.",
            )
    if "uses" in job.map:
        if {"steps", "runs-on"} & job.map.keys():
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "actions/job",
                f"Job `{name}` calls a workflow and has steps of its own",
                "Keep one.",
            )
        return
    for key in ("runs-on", "steps"):
        if key not in job.map:
            yield Issue(line, _S.HIGH, _T.MISSING_PART, "actions/job", f"Job `{name}` has no {key}", "Add it.")
    yield from _steps(name, job, {other for other, _ in needed}, place, path)


def _steps(name: str, job: Node, needed: set[str], place: Place, path: str) -> Iterator[Issue]:
    ids: set[str] = set()
    every = {step.value("id") for step in job.entries("steps")}
    matrix = job.at("strategy", "matrix")
    axes = set(matrix.map) if matrix is not None and matrix.kind == MAP else set()
    if matrix is not None:
        axes |= {key for extra in matrix.entries("include") for key in extra.map}
    dynamic = (matrix is not None and matrix.kind != MAP) or any(
        "$" in each.text for each in (matrix.entries("include") if matrix else [])
    )
    for step in job.entries("steps"):
        if step.kind != MAP:
            yield Issue(
                step.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "actions/step",
                f"A step of `{name}` is not a map",
                "Write `- run:` or `- uses:`.",
            )
            continue
        for key in step.map:
            if key not in _STEP:
                yield _unknown(step.line_of(key), key, _STEP, "a step")
        both = {"run", "uses"} & step.map.keys()
        if len(both) != 1:
            what = "neither run nor uses" if not both else "both run and uses"
            yield Issue(
                step.line,
                _S.HIGH,
                _T.MISSING_PART if not both else _T.INVALID_VALUES,
                "actions/step",
                f"A step of `{name}` has {what}",
                "It needs exactly one.",
            )
        uses = step.value("uses")
        if (
            uses.startswith("./")
            and place.known
            and place.missing(".", f"{uses}/action.yml")
            and place.missing(".", f"{uses}/action.yaml")
            and place.missing(".", uses, folder=True)
        ):
            yield Issue(
                step.line_of("uses"),
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "actions/uses",
                f"A step of `{name}` uses an action that is not there",
                "Correct the path.",
            )
        elif uses and not uses.startswith(("./", "docker://", "$")) and "@" not in uses:
            yield Issue(
                step.line_of("uses"),
                _S.HIGH,
                _T.MISSING_PART,
                "actions/uses",
                f"`{uses[:80]}` has no version",
                "Add @ and a tag or commit.",
            )
        if uses and "with" in step.map and step.map["with"].kind not in (MAP, "null"):
            yield Issue(
                step.line_of("with"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "actions/with",
                f"`with` of a step of `{name}` is not a map",
                "Write keys below it.",
            )
        id_ = step.value("id")
        if id_ and id_ in ids:
            yield Issue(
                step.line_of("id"),
                _S.HIGH,
                _T.DUPLICATION,
                "actions/id",
                f"Two steps of `{name}` have the id `{id_}`",
                "Rename one.",
            )
        ids.add(id_)
        yield from _expressions(name, step, needed, every, axes if not dynamic else None)


def _expressions(name: str, step: Node, needed: set[str], ids: set[str], axes: set[str] | None) -> Iterator[Issue]:
    for _, line, node in walk(step):
        if "${{" not in node.text:
            continue
        for other in _NEEDS.findall(node.text[:20_000]):
            if other not in needed:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "actions/needs",
                    f"Job `{name}` reads the outputs of `{other}` without needing it",
                    "Add it to needs.",
                )
        for other in _STEPS.findall(node.text[:20_000]):
            if other not in ids:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "actions/steps",
                    f"No step of `{name}` has the id `{other}`",
                    "Correct it.",
                )
        for axis in _MATRIX.findall(node.text[:20_000]):
            if axes is not None and axis not in axes:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "actions/matrix",
                    f"The matrix of `{name}` has no `{axis}`",
                    "Correct it.",
                )


def gitlab(document: Document) -> Iterator[Issue]:
    """What is wrong with a pipeline of GitLab."""
    root = document.root
    jobs = {name: node for name, node in root.map.items() if name not in _GITLAB_TOP and node.kind == MAP}
    included = "include" in root.map or "/" in document.name.removeprefix(".gitlab-ci.yml")
    stages = root.at("stages")
    known = {each.text for each in stages.items} if stages is not None else {"build", "test", "deploy"}
    known |= {".pre", ".post"}
    if root.map and not jobs and not included:
        yield Issue(1, _S.HIGH, _T.MISSING_PART, "gitlab/jobs", "The pipeline has no jobs", "Add one.")
    for name, job in jobs.items():
        line = root.line_of(name)
        for key in job.map:
            near = difflib.get_close_matches(key, _GITLAB, 1, 0.8) if key not in _GITLAB else []
            if near and not name.startswith("."):
                yield Issue(
                    job.line_of(key),
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "gitlab/unknown-key",
                    f"`{key[:60]}` is no key of job `{name}`",
                    f"Did you mean `{near[0]}`?",
                )
        if not name.startswith(".") and not {"script", "trigger", "extends", "run"} & job.map.keys() and job.tag == "":
            yield Issue(
                line, _S.HIGH, _T.MISSING_PART, "gitlab/script", f"Job `{name}` has no script", "Add script or trigger."
            )
        stage = job.at("stage")
        if stage is not None and stage.scalar and stage.text not in known and not included and "$" not in stage.text:
            yield Issue(
                job.line_of("stage"),
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "gitlab/stage",
                f"Job `{name}` is in stage `{stage.text}`, which is not declared",
                "Add it to stages.",
            )
        if "rules" in job.map and {"only", "except"} & job.map.keys():
            yield Issue(
                job.line_of("rules"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "gitlab/rules",
                f"Job `{name}` has both rules and only or except",
                "Keep rules.",
            )
        for key in ("extends", "needs", "dependencies"):
            for each in job.entries(key):
                other = each.value("job") if each.kind == MAP else each.text
                foreign = each.kind == MAP and ({"project", "pipeline"} & each.map.keys())
                if other and other not in root.map and not included and not foreign and "$" not in other:
                    yield Issue(
                        each.line,
                        _S.HIGH,
                        _T.BROKEN_REFERENCE,
                        f"gitlab/{key}",
                        f"Job `{name}` refers to `{other}`, which does not exist",
                        "Correct the name.",
                    )
        script = job.at("script")
        for each in script.items if script is not None and script.kind == LIST else []:
            if each.kind == MAP:
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "gitlab/script",
                    f"A line of the script of `{name}` is read as a key and a value",
                    "Quote the line: it holds a colon.",
                )
