"""Pipelines of data and models: dbt, DVC, expectations, Kedro, MLflow, workflow definitions."""

from __future__ import annotations

from plantwin.private.classify.readers.commands import script
from plantwin.private.classify.readers.draft import Draft
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, trees, words

_MAX = 300


def dvc(draft: Draft, tree: Tree) -> bool:
    """Read dvc.yaml: stages with commands, dependencies and outputs."""
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
    for file in value[:100] if type(value) is list else ():
        target = file if type(file) is str else next(iter(file), "") if type(file) is dict else ""
        if "/" in target or target.endswith((".py", ".csv", ".json", ".yaml", ".yml", ".parquet", ".pkl")):
            draft.refer_path(target, reason)


def tasks(draft: Draft, tree: Tree) -> bool:
    """Read workflow tasks, or the tasks of a runner (`cmds`)."""
    group = tree["tasks"]
    members = trees(group)
    if is_tree(group) and any("cmds" in task or "cmd" in task or "deps" in task for task in members):
        for name, body in list(group.items())[:_MAX]:
            draft.add("task")
            draft.name(name)
            if is_tree(body):
                script(draft, body.get("cmds") or body.get("cmd"), "path")
        return True
    steps = [
        task for task in members if task.keys() & {"task_key", "operator", "depends_on", "dependencies", "upstream"}
    ]
    if not steps or len(steps) * 2 < len(members):
        if any(task.keys() & {"command", "label"} and "type" in task for task in members):
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
    """Read an MLproject file."""
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
    """Read a Kedro-like data catalog: every entry has a type and a place."""
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


_PROJECT = words(
    "model-paths source-paths seed-paths test-paths macro-paths snapshot-paths analysis-paths target-path "
    "clean-targets profile models config-version vars on-run-start"
)


def project(draft: Draft, tree: Tree) -> bool:
    """Read dbt_project.yml."""
    if len(tree.keys() & _PROJECT) < 3:
        return False
    draft.add("pipeline_step")
    draft.name(text_of(tree["name"]))
    draft.provide("dbt_project", text_of(tree["name"]))
    for group in ("model-paths", "source-paths", "seed-paths", "macro-paths", "snapshot-paths", "test-paths"):
        for path in strings(tree.get(group)):
            draft.name(path)
    return True


def properties(draft: Draft, tree: Tree) -> bool:
    """Read schema.yml: models, sources, seeds, with columns and tests."""
    models = [model for group in ("models", "seeds", "snapshots") for model in _named(tree.get(group))]
    sources = [source for source in _named(tree.get("sources")) if "tables" in source]
    if not (sources or ("version" in tree and models) or any("columns" in model for model in models)):
        return False
    for model in models[:_MAX]:
        draft.name(text_of(model["name"]))
        draft.refer("dbt", text_of(model["name"]), "documents")
        draft.add("schema_def")
        _columns(draft, model)
    for source in sources[:_MAX]:
        name = text_of(source["name"])
        draft.name(name)
        draft.add("data_check", "freshness" in source or "loaded_at_field" in source)
        for table in _named(source["tables"])[:_MAX]:
            draft.add("dbt_source")
            draft.name(text_of(table["name"]))
            draft.provide("dbt_source", f"{name}.{text_of(table['name'])}")
            draft.provide("table", text_of(table.get("identifier") or table["name"]))
            _columns(draft, table)
    draft.add("data_check", len(trees(tree.get("unit_tests"))))
    return True


def _named(value: object) -> list[Tree]:
    return [entry for entry in trees(value) if text_of(entry.get("name"))] if type(value) is list else []


def _columns(draft: Draft, owner: Tree) -> None:
    _tests(draft, owner)
    for column in trees(owner.get("columns"))[:_MAX]:
        draft.add("column")
        draft.name(text_of(column.get("name")))
        _tests(draft, column)


def _tests(draft: Draft, owner: Tree) -> None:
    tests = owner.get("tests") or owner.get("data_tests")
    for test in tests[:50] if type(tests) is list else ():
        draft.add("data_check")
        relation = test.get("relationships") if is_tree(test) else None
        if is_tree(relation):
            draft.add("foreign_key")
            target = text_of(relation.get("to"))
            if target.startswith("ref("):
                draft.refer("dbt", target[4:].strip("\"') "), "reads")
