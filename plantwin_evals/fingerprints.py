"""What sessions told of each object of a folder: by itself, and through the sets that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET

from plantwin.session_context import SessionContext
from plantwin.types.prices import statement_of
from plantwin.types.sets import TwinSet
from plantwin.vocabulary import FACETS, SemanticClass, Share, member
from plantwin_evals.reidentification import SET, Case, Units, units_of
from plantwin_evals.workspace import EvaluationWorkspace, Known

_SINGLE = ("kind", "family", "semantic_class", "role", "freshness")
_MANY = ("contains=", "lacks=")
_APART = ("edge", "component", "labels", "nothing", "reason", "word", "within", "named", "read_by_code")
"""Fields whose values are names of one ledger or session, or no values of the object."""


def fingerprints(workspace: EvaluationWorkspace, objects: Sequence[Known], audience: str) -> list[Case]:
    """What is true of each object, and what an audience was told of it.

    A unit `set=…` stands for being in a set that was told: who knows the folder may know how it is cut.
    """
    listening = workspace.settings.audience(audience)
    told = workspace.ledger.known(listening, [known.held.key for known in objects])
    through = _through_sets([each for each in workspace.contexts if each.audience.name == listening.name])
    cases = []
    for known in objects:
        words = through.get(known.record.number, set())
        truth = units_of(known.held.object)
        truth |= {_of_all(unit) for unit in truth if unit.startswith(_MANY)}
        truth |= {unit for unit in words if unit.startswith(SET)}
        cases.append(Case(truth, plain(frozenset(map(statement_of, told[known.held.key].units))) | words))
    return cases


def _through_sets(contexts: Iterable[SessionContext]) -> dict[int, set[str]]:
    """The words of every set that has an object, and which sets those are, by the object's number."""
    found: dict[int, set[str]] = {}
    for context in contexts:
        for set_id, told in context.release.told.items():
            words = {f"{SET}{set_id}", *words_of(told)}
            for record in context.members(set_id):
                found.setdefault(record.number, set()).update(words)
    return found


def words_of(told: TwinSet) -> Iterator[str]:
    """What was told of all members of a set, as units of each. What some of them have says nothing of any one."""
    for field in _SINGLE:
        value = getattr(told, field)
        if value is not UNSET:
            yield f"{field}={value}"
    if told.semantic_class:
        yield f"family={told.semantic_class.family}"
    yield from (_of_all(f"contains={part.tag}") for part in told.contains or () if part.share is Share.ALL)
    yield from (_of_all(f"lacks={part.absence}") for part in told.lacks or () if part.share is Share.ALL)
    for field in FACETS:
        yield from (f"{field}={part.word}" for part in getattr(told, field) or () if part.share is Share.ALL)


def _of_all(unit: str) -> str:
    """A unit that all members of a set share: a member may have others of its field, which were not told."""
    field, _, value = unit.partition("=")
    return f"{field}:{value}=all"


def plain(units: Units) -> Units:
    """Fields of the object alone: neither outcomes of steps nor names of one ledger."""
    kept = set()
    for unit in units:
        field, _, value = unit.partition("=")
        if "." in field or field in _APART:
            continue
        kept.add(unit)
        if field == "semantic_class":
            kept.add(f"family={member(SemanticClass, value).family}")
    return frozenset(kept)
