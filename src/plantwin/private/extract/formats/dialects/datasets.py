"""Pipelines of data and models: DVC, expectations, Kedro, MLflow, workflow definitions."""

from __future__ import annotations

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees

_MAX = 300


def expectations(draft: Draft, tree: Tree) -> bool:
    """A suite of expectations on data."""
    found = [each for each in trees(tree.get("expectations")) if "expectation_type" in each or "type" in each]
    if not found:
        return False
    for each in found[:_MAX]:
        draft.add("data_check")
        draft.call(text_of(each.get("expectation_type") or each.get("type")))
        arguments = each.get("kwargs")
        if is_tree(arguments):
            draft.name(text_of(arguments.get("column")))
    return True


def dvc(draft: Draft, tree: Tree) -> bool:
    """dvc.yaml: stages with commands, dependencies and outputs."""
    stages = tree["stages"]
    members = {name: body for name, body in stages.items() if is_tree(body)} if is_tree(stages) else {}
    if not any("cmd" in body or "do" in body for body in members.values()):
        return False
    for name, body in list(members.items())[:_MAX]:
        draft.add("pipeline_step")
        draft.name(name)
        inner = body.get("do")
        step = inner if is_tree(inner) else body
        script(draft, step.get("cmd"), "path")
        _files(draft, step.get("deps"), "reads")
        _files(draft, step.get("params"), "configures")
        for key in ("outs", "metrics", "plots"):
            _files(draft, step.get(key), "writes")
    return True


def _files(draft: Draft, value: object, reason: str) -> None:
    for each in value[:100] if type(value) is list else ():
        target = each if type(each) is str else next(iter(each), "") if type(each) is dict else ""
        if "/" in target or target.endswith((".py", ".csv", ".json", ".yaml", ".yml", ".parquet", ".pkl")):
            draft.refer_path(target, reason)


def dvc_file(draft: Draft, tree: Tree) -> bool:
    """A tracked data file's card."""
    outs = [each for each in trees(tree["outs"]) if "path" in each and ("md5" in each or "hash" in each)]
    for each in outs:
        draft.add("locked")
        draft.refer_path(each["path"], "configures")
    return bool(outs)


def annotated(draft: Draft, tree: Tree) -> bool:
    """Pictures with labelled regions."""
    regions = trees(tree["annotations"])
    draft.add("row", len(regions))
    draft.add("annotation", bool(regions))
    return bool(regions)


def graph(draft: Draft, tree: Tree) -> bool:
    """A workflow as a graph: nodes with types, and edges."""
    nodes = [each for each in trees(tree["nodes"]) if "id" in each or "name" in each]
    if not nodes or not all("type" in each or "operator" in each or "unique_id" in each for each in nodes[:20]):
        return False
    draft.add("pipeline_step", len(nodes))
    for node in nodes[:_MAX]:
        draft.name(text_of(node.get("name") or node.get("id")))
    return True


def tasks(draft: Draft, tree: Tree) -> bool:
    """Workflow tasks, or the tasks of a runner (`cmds`)."""
    group = tree["tasks"]
    members = trees(group)
    if is_tree(group) and any("cmds" in each or "cmd" in each or "deps" in each for each in members):
        for name, body in list(group.items())[:_MAX]:
            draft.add("task")
            draft.name(name)
            if is_tree(body):
                script(draft, body.get("cmds") or body.get("cmd"), "path")
        return True
    steps = [
        each for each in members if each.keys() & {"task_key", "operator", "depends_on", "dependencies", "upstream"}
    ]
    if not steps or len(steps) * 2 < len(members):
        if any(each.keys() & {"command", "label"} and "type" in each for each in members):
            draft.add("task", len(members))
            draft.add("tool_section")
            return True
        return False
    draft.add("pipeline_step", len(members))
    draft.add("schedule", "schedule" in tree or "schedule_interval" in tree)
    for step in members[:_MAX]:
        draft.name(text_of(step.get("task_key") or step.get("name") or step.get("id")))
        for value in (step, *trees(step)):
            for key in ("notebook_path", "python_file", "script", "sql_file"):
                draft.refer_path(value.get(key), "runs")
    return True


def mlproject(draft: Draft, tree: Tree) -> bool:
    """An MLproject file."""
    points = tree["entry_points"]
    if not is_tree(points):
        return False
    for name, body in list(points.items())[:_MAX]:
        draft.add("pipeline_step")
        draft.name(name)
        if is_tree(body):
            script(draft, body.get("command"), "path")
            for word in text_of(body.get("command")).split()[:20]:
                if word.endswith((".py", ".sh")):
                    draft.refer_path(word, "runs")
    for key in ("conda_env", "python_env", "docker_env"):
        draft.refer_path(tree.get(key), "configures")
    return True


def catalog(draft: Draft, tree: Tree) -> bool:
    """A Kedro-like data catalog: every entry has a type and a place."""
    entries = [
        body
        for body in trees(tree)
        if "type" in body and body.keys() & {"filepath", "table_name", "sql", "path", "sql_table"}
    ]
    if not entries or len(entries) * 3 < len(tree) * 2:
        return False
    draft.add("pipeline_step", len(entries))
    for body in entries[:_MAX]:
        draft.refer_path(body.get("filepath") or body.get("path"), "reads", "root_path")
        draft.refer("table", text_of(body.get("table_name")), "reads")
    draft.add("column", sum(len(strings(body.get("columns"))) for body in entries))
    return True
