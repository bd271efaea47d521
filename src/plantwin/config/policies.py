"""Which policy governs: one that ships, or the person's own file. Whatever is wrong with it is a `PolicyError`."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from plantwin.boundary.policy import CedarPolicy, ruling
from plantwin.config.policy_text import read, schema, schema_text
from plantwin.config.settings import Settings, own_text
from plantwin.errors import PolicyError
from plantwin.types.capability import Capability
from plantwin.types.local import Subject
from plantwin.types.policy import Decided, Evaluated, Party, Statement

NAMES: Final = ("default", "strict", "team", "local-only")
"""The policies that ship."""


def policy_from_text(
    text: str, origin: str = "policy", clock: Callable[[], time.struct_time] = time.localtime
) -> CedarPolicy:
    """A policy from its text; `origin` names it in messages."""
    statements, problems = read(text)
    if problems:
        more = f" (and {len(problems) - 1} more: plantwin policy check)" if len(problems) > 1 else ""
        raise PolicyError(f"{origin}: {problems[0]}{more}")
    version = hashlib.sha256(f"{schema_text()}\0{text}".encode()).hexdigest()
    return CedarPolicy(statements, schema(), version, clock)


@cache
def policy_named(name: str) -> CedarPolicy:
    """One that ships, read once."""
    return policy_from_text(shipped(name), name)


def policy_from_file(path: Path) -> CedarPolicy:
    """The person's own."""
    return policy_from_text(own_text(path, PolicyError), path.name)


def policy_of(settings: Settings) -> CedarPolicy:
    """The one that the person's configuration chooses."""
    chosen = settings.policy
    return policy_from_file(Path(chosen.file)) if chosen.file else policy_named(chosen.name)


def shipped(name: str) -> str:
    """The text of a policy that ships."""
    if name not in NAMES:
        raise PolicyError(f"no policy of this name ships: use {', '.join(NAMES)}, or give a file")
    return files(__package__).joinpath("policies", f"{name}.cedar").read_text("utf-8")


class Explanation(NamedTuple):
    """Why a capability is allowed on an object or not."""

    decided: Decided
    without: Evaluated
    """Without a person's approval."""
    approved: Evaluated
    """With it."""
    statements: tuple[Statement, ...]
    """The policies that decided, as they are written."""


def explain(
    policy: CedarPolicy,
    party: Party,
    capability: Capability,
    subject: Subject,
    *,
    goal_mode: str = "intent",
    sandboxed: bool = True,
) -> Explanation:
    """The decision with everything that led to it."""
    without, approved = policy.evaluate(party, capability, subject, goal_mode=goal_mode, sandboxed=sandboxed)
    named = {*without.policies, *approved.policies}
    deciding = tuple(each for each in policy.statements if each.id in named)
    return Explanation(ruling(without, approved), without, approved, deciding)
