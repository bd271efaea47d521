"""Notebooks: code, text and stored outputs, cell by cell."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.facts import Sample
from plantwin.private.formats import json as json_format
from plantwin.private.formats.text import LIMIT, complete, head_text
from plantwin.private.formats.values import Tree, is_tree, text_of, trees

_IMPORT = re.compile(
    r"^[ \t]{0,20}(?:from[ \t]{1,8}([\w.]{1,120})[ \t]{1,8}import[ \t]{1,8}\(?([\w]{0,80})"
    r"|import[ \t]{1,8}([\w., ]{1,200}))",
    re.M,
)
_DEFINED = re.compile(r"^(?:def|class)[ \t]{1,8}(\w{1,80})", re.MULTILINE)
_READ = re.compile(r"\b(?:read_\w{2,12}|open|loadtxt|load|imread)\(\s{0,8}[\"']([^\"'\n]{1,200})[\"']")
_WRITE = re.compile(
    r"\b(?:to_(?:csv|parquet|json|excel|pickle)|savefig|save"
    r"|dump)\((?:[\w.]{1,60},\s{0,4})?\s{0,8}[\"']([^\"'\n]{1,200})[\"']"
)
_CALLS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (feature, re.compile(pattern))
    for feature, pattern in (
        ("train_call", r"\.fit\(|\.train\(|trainer\.train|\.backward\("),
        ("predict_call", r"\.predict(?:_proba)?\("),
        (
            "evaluate_call",
            r"\b(?:accuracy_score|f1_score|roc_auc_score|classification_report|confusion_matrix|cross_val_score)\(",
        ),
        ("tune_call", r"\b(?:GridSearchCV|RandomizedSearchCV|create_study)\("),
        ("dataframe_call", r"\b(?:pd|pl|spark)\.\w|\.(?:groupby|merge|pivot_table|fillna|withColumn)\("),
        ("report_call", r"\b(?:plt|sns|px|fig|ax)\.\w{1,30}\("),
        ("db_call", r"\bread_sql(?:_query)?\(|\.execute\("),
        ("model_layer", r"\bnn\.\w{1,40}\(|layers\.\w{1,40}\("),
    )
)


def read_notebook(sample: Sample, draft: Draft) -> None:
    """Read a notebook file; one that is cut short is read as far as it goes."""
    value, sound = json_format.load(head_text(sample, LIMIT), complete(sample, LIMIT))
    draft.outline.parsed = sound and is_tree(value)
    if is_tree(value):
        describe_notebook(draft, value)


def _source(cell: Tree) -> str:
    source = cell.get("source") or cell.get("input")
    if type(source) is list:
        return "".join(line for line in source[:2000] if type(line) is str)[:50_000]
    return text_of(source)[:50_000]


def describe_notebook(draft: Draft, tree: Tree) -> None:
    """Read cells of either notebook format."""
    cells = trees(tree.get("cells")) or [
        cell for sheet in trees(tree.get("worksheets")) for cell in trees(sheet.get("cells"))
    ]
    for cell in cells[:1000]:
        source = _source(cell)
        if cell.get("cell_type") == "code":
            draft.add("code_block")
            draft.add("saved_output", bool(cell.get("outputs")))
            _code(draft, source)
        elif cell.get("cell_type") in ("markdown", "heading"):
            for line in source.split("\n")[:200]:
                if line.startswith("#"):
                    draft.add("heading")
                    draft.heading(line.lstrip("# ").strip())
                elif line.strip():
                    draft.add("paragraph")
    metadata = tree.get("metadata")
    kernel = metadata.get("kernelspec") if is_tree(metadata) else None
    draft.call(text_of(kernel.get("language")) if is_tree(kernel) else "")
    draft.features.setdefault("code_block", 1)


def _code(draft: Draft, source: str) -> None:
    for match in _IMPORT.finditer(source):
        if match[1]:
            draft.refer("python", f"{match[1]}:{match[2]}" if match[2] else match[1], "imports")
            draft.call(match[1])
        else:
            for part in match[3].split(",")[:20]:
                module = part.split(" as ")[0].strip()
                draft.refer("python", module, "imports")
                draft.call(module)
    for match in _DEFINED.finditer(source):
        draft.add("function")
        draft.name(match[1])
    for match in _READ.finditer(source):
        draft.refer_path(match[1], "reads")
    for match in _WRITE.finditer(source):
        draft.refer_path(match[1], "writes")
    for feature, pattern in _CALLS:
        draft.add(feature, len(pattern.findall(source)))
    draft.add("todo", source.count("# TODO") + source.count("# FIXME"))
