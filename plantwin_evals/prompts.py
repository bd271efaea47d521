"""Prompts of the baselines that send files: everything in one text, as a tool without a twin would send it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plantwin.types.capability import Catalog

RULES = """You plan work over a folder. Answer with one JSON object and nothing else:
{"steps": [{"id": "s1", "capability": "...", "inputs": ["..."]}]}
Inputs are ids of files, or ids of earlier steps whose results a capability takes. Use only capabilities of the catalog,
two to five of them as a rule, and only files that matter."""


def prompt(goal: str, texts: Mapping[str, str], history: str, names: Mapping[str, str], catalog: Catalog) -> str:
    """The goal, the catalog, the history and every file under its id and name."""
    ids: dict[str, list[str]] = {}
    for id_, path in names.items():
        ids.setdefault(path, []).append(id_)
    parts = [RULES, f"# Goal\n{goal}", "# Catalog", *catalogued(catalog)]
    if history:
        parts.append(f"# History\n{history}")
    parts.append("# Files")
    for path, text in texts.items():
        parts.append(f"## {path} (id {', '.join(sorted(ids.get(path, ()))) or 'none'})\n{text}")
    return "\n\n".join(parts) + "\n"


def catalogued(catalog: Catalog) -> Iterable[str]:
    """Each capability in a line."""
    for each in catalog.values():
        kinds = ", ".join(sorted(each.kinds))
        many = f"{each.least} to {each.most}" if each.least != each.most else f"{each.least}"
        yield f"- {each.word}: {each.doc} Takes {many} of: {kinds}."
