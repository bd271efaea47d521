"""Which planners there are: whom each tells, where it is, whether it can be reached, and what it has been used for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from plantwin.cloud.endpoint import endpoint_of
from plantwin.cloud.planner import Planner, sends
from plantwin.cloud.registry import PROVIDERS, Registry, address_of, brought
from plantwin.cloud.remote import Remote
from plantwin.cloud.use import Use
from plantwin.errors import PlanTwinError

ANY: Final = "MODEL"
"""Stands for a model in the name of a provider."""


@dataclass(frozen=True)
class Row:
    """One planner."""

    name: str
    audience: str = ""
    locality: str = ""
    problem: str = ""
    """Why it cannot be used as it is; empty when nothing is known against it."""
    reachable: bool | None = None
    """None where it was not looked at."""
    sends: bool = True
    """Whether what it is told may reach anybody."""
    use: Use = field(default_factory=Use)


def roster(registry: Registry, *, check: bool = False) -> Iterator[Row]:
    """The built-in ones, the person's own, the providers, and those of other packages.

    `check`: ask remote servers too whether they answer; nothing of any twin is sent for that.
    """
    uses = registry.uses.all()
    seen: set[str] = set()
    names = ["offline", "local", *registry.settings.planners, *(f"{each}:{ANY}" for each in PROVIDERS)]
    for name in names:
        mine = [
            each for each in uses if each == name or (name.endswith(f":{ANY}") and each.startswith(name[: -len(ANY)]))
        ]
        seen |= set(mine)
        yield _row(registry, name, check, _sum([uses[each] for each in mine]))
    for name in sorted(brought()):
        yield Row(name, use=uses.get(name, Use()))
        seen.add(name)
    for name in sorted(set(uses) - seen):  # used by address, or no longer configured
        yield Row(name, use=uses[name])


def _row(registry: Registry, name: str, check: bool, use: Use) -> Row:
    try:
        planner: Planner = registry.planner(name)
    except PlanTwinError as error:
        return Row(name, *_whom(name), str(error), use=use)
    problem, reachable = "", None
    if isinstance(planner, Remote) and (check or planner.locality == "local"):
        problem = planner.reachable()
        reachable = not problem
    return Row(name, planner.audience, planner.locality, problem, reachable, sends(planner), use)


def _whom(name: str) -> tuple[str, str]:
    """Audience and locality of a provider that cannot be used yet."""
    provider = PROVIDERS.get(name.partition(":")[0])
    try:
        endpoint = endpoint_of(address_of(provider)) if provider else None
        return (endpoint.audience, "local" if endpoint.local else "remote") if endpoint else ("", "")
    except PlanTwinError:
        return "", ""


def _sum(uses: list[Use]) -> Use:
    return Use(
        sum(each.requests for each in uses),
        sum(each.input_tokens for each in uses),
        sum(each.output_tokens for each in uses),
        sum(each.cost for each in uses),
    )
