"""dbt: project, properties of models and sources."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees
from plantwin.private.extract.formats.words import words

_PROJECT = words(
    "model-paths source-paths seed-paths test-paths macro-paths snapshot-paths analysis-paths target-path "
    "clean-targets profile models config-version vars on-run-start"
)
_MAX = 300


def project(draft: Draft, tree: Tree) -> bool:
    """dbt_project.yml."""
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
    """schema.yml: models, sources, seeds, with columns and tests."""
    models = [each for group in ("models", "seeds", "snapshots") for each in _named(tree.get(group))]
    sources = [each for each in _named(tree.get("sources")) if "tables" in each]
    if not (sources or ("version" in tree and models) or any("columns" in each for each in models)):
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
    return [each for each in trees(value) if text_of(each.get("name"))] if type(value) is list else []


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
