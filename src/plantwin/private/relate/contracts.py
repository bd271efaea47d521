"""specifies: handlers and the contract that they implement, where one component has just one."""

from __future__ import annotations

from plantwin.private.relate.bonds import Bonds
from plantwin.private.relate.tables import Tables

_MOST = 24
"""Handlers joined to one contract."""


def contracts(tables: Tables, bonds: Bonds, names: list[str]) -> None:
    """Join handlers to the only API contract of their component, or to the only one there is."""
    found: dict[str, list[int]] = {}
    handlers: list[int] = []
    for position, facts in enumerate(tables.facts):
        kind = tables.semantic_class(position)
        if facts.role in ("production", "template") and kind == "api_contract":
            found.setdefault(names[position], []).append(position)
        elif facts.role == "production" and kind == "api_handler" and facts.confidence != "low":
            handlers.append(position)
    every = [each for group in found.values() for each in group]
    told: dict[int, int] = {}
    for handler in handlers:
        own = found.get(names[handler], every)
        if len(own) == 1 and told.get(own[0], 0) < _MOST:
            where = "of the same component" if names[handler] in found else "of this project"
            told[own[0]] = told.get(own[0], 0) + bonds.add(handler, "specifies", own[0], f"the only contract {where}")
