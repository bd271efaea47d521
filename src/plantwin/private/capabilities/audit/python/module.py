"""One Python module: parsed once, walked once, with bandit's findings beside ours."""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.audit.python import auth, peer, routes, settings, sinks
from plantwin.private.capabilities.audit.python.scope import Module
from plantwin.vocabulary import OutcomeTag

LIMIT = 1 << 20
"""A module larger than this is generated; its first part is examined by line rules alone."""
_PRECEDENCE = {OutcomeTag.WEAK_CRYPTO: (OutcomeTag.WEAK_AUTHENTICATION,)}


class Examined(NamedTuple):
    """The weaknesses of a module, and whether bandit could look at it too."""

    issues: list[Issue]
    peer: bool

    def __repr__(self) -> str:
        return "<Examined private>"


def examined(text: str, path: str) -> Examined | None:
    """The weaknesses of a module; None when it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    module = Module(tree, path)
    try:
        module.walk((*sinks.RULES, *auth.RULES, *settings.RULES))
        routes.unguarded(module)
    except RecursionError:
        return None
    beside = _peer(text)
    return Examined(merged(module.issues + (beside or [])), beside is not None)


def _peer(text: str) -> list[Issue] | None:
    """bandit's findings; None where it fails, whatever the reason: its plug-ins raise what they like."""
    try:
        return peer.issues(text.encode("utf-8", "replace"))
    except MemoryError:
        raise
    except Exception:
        return None


def merged(found: list[Issue]) -> list[Issue]:
    """One issue for one cause: of several of a sort on one line, the worst."""
    from plantwin.private.capabilities.audit.issue import LEVELS

    best: dict[tuple[int, OutcomeTag], Issue] = {}
    for each in found:
        key = (each.line, each.tag)
        known = best.get(key)
        if known is None or LEVELS.index(each.severity) > LEVELS.index(known.severity):
            best[key] = each
    for line, tag in list(best):
        if any((line, other) in best for other in _PRECEDENCE.get(tag, ())):
            del best[line, tag]
    return sorted(best.values())
