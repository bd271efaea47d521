"""What is sent: envelopes. Each is a closed message with bounds on everything it holds.

Registration   which sets there are, and the objects that the goal names
Request        the goal, and the fields that it needs
Results        what became of each step, and what `split` and `describe` told
Repair         why the last answer was not taken as a plan: one closed word, and the step concerned
Budget         what steps would cost, or what is left to tell of each set: where a planner asks for it
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from plantwin.errors import VocabularyError
from plantwin.types.capability import CustomId, custom_id_like
from plantwin.types.goal import Goal
from plantwin.types.outcome import StepResult
from plantwin.types.plan import MAX_STEPS
from plantwin.types.sets import MAX_SETS, End, SetRelation, TwinSet, check_sets
from plantwin.types.twin import TwinEdge, TwinObject, canonical, check_graph, object_id_like, set_id_like
from plantwin.vocabulary import MAX_EDGES, CapabilityName, Kind, Left, RepairCode, ResultType

WIRE_VERSION: Final = 2
MAX_OBJECTS = 256
"""Most objects that one envelope lists; the rest are members of sets."""
MAX_TURNS = 16
"""Most answers of a planner in one session."""

MAX_OFFERS = 16
"""Most capabilities of the person's own that one session offers."""

Objects = Annotated[tuple[TwinObject, ...], Meta(max_length=MAX_OBJECTS)]
Edges = Annotated[tuple[TwinEdge, ...], Meta(max_length=MAX_OBJECTS * MAX_EDGES)]
Sets = Annotated[tuple[TwinSet, ...], Meta(max_length=MAX_SETS)]
MAX_RELATIONS = 256
"""Most relations between sets that one envelope tells."""
MAX_PRICE = 64
"""Most that a price says; what costs more says this."""
MAX_REMAINDERS = MAX_SETS + MAX_OBJECTS
"""Most sets and objects of which one envelope says what is left."""
Relations = Annotated[tuple[SetRelation, ...], Meta(max_length=MAX_RELATIONS)]


class Registration(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="registration"
):
    """The first message of a session: which sets there are, and which objects are told of by themselves."""

    version: Literal[2] = WIRE_VERSION
    sets: Sets = ()
    objects: Objects = ()

    def __post_init__(self) -> None:
        _version(self.version)
        _graph(self.objects, (), self.sets, ())


class Offer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A capability of the person's own, as a planner may see it: a random name, and closed words for what it does."""

    capability: CustomId
    like: CapabilityName
    kinds: Annotated[tuple[Kind, ...], Meta(min_length=1, max_length=len(Kind))]
    returns: ResultType

    def __post_init__(self) -> None:
        if not custom_id_like(self.capability):
            raise VocabularyError("offer.capability: not a name of this session")
        if type(self.like) is not CapabilityName or type(self.returns) is not ResultType:
            raise VocabularyError("offer: a word outside the vocabulary")
        _bounded(self.kinds, Kind, len(Kind), "offer.kinds")
        if not self.kinds or self.kinds != canonical(self.kinds):
            raise VocabularyError("offer.kinds: none, one twice or out of order")


class Request(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="request"
):
    """What is wanted, and what a planner needs to know in order to plan it."""

    version: Literal[2] = WIRE_VERSION
    goal: Goal
    sets: Sets = ()
    relations: Relations = ()
    objects: Objects = ()
    edges: Edges = ()
    offers: Annotated[tuple[Offer, ...], Meta(min_length=1, max_length=MAX_OFFERS)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        _version(self.version)
        if type(self.goal) is not Goal:
            raise VocabularyError("request.goal: not a goal")
        if self.offers is not UNSET:
            _bounded(self.offers, Offer, MAX_OFFERS, "offers")
            names = [each.capability for each in self.offers]
            if not names or names != sorted(set(names)):
                raise VocabularyError("request.offers: none, one twice or out of order")
        _graph(self.objects, self.edges, self.sets, self.relations)


class Results(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="results"
):
    """What became of each step of the last plan, and what `split` and `describe` told."""

    version: Literal[2] = WIRE_VERSION
    turn: Annotated[int, Meta(ge=1, le=MAX_TURNS)]
    steps: Annotated[tuple[StepResult, ...], Meta(max_length=MAX_STEPS)] = ()
    sets: Sets = ()
    relations: Relations = ()
    objects: Objects = ()
    edges: Edges = ()

    def __post_init__(self) -> None:
        _version(self.version)
        if type(self.turn) is not int or not 1 <= self.turn <= MAX_TURNS:
            raise VocabularyError(f"results.turn: between 1 and {MAX_TURNS}")
        _bounded(self.steps, StepResult, MAX_STEPS, "steps")
        numbers = [each.step for each in self.steps]
        if numbers != sorted(set(numbers)):
            raise VocabularyError("results.steps: a step twice or out of order")
        _graph(self.objects, self.edges, self.sets, self.relations)


class Repair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="repair"):
    """The last answer is no plan, and why: sent at most once per turn. It tells nothing of any object."""

    version: Literal[2] = WIRE_VERSION
    code: RepairCode
    step: Annotated[int, Meta(ge=1, le=MAX_STEPS)] | UnsetType = UNSET
    """Which step of the plan, from 1."""

    def __post_init__(self) -> None:
        _version(self.version)
        if self.step is not UNSET and (type(self.step) is not int or not 1 <= self.step <= MAX_STEPS):
            raise VocabularyError(f"repair.step: between 1 and {MAX_STEPS}")
        if type(self.code) is not RepairCode:
            raise VocabularyError("repair.code: not a word of RepairCode")


class StepPrice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most that the outcome of a step can cost: it follows from the plan and the prices, and from no object."""

    step: Annotated[int, Meta(ge=1, le=MAX_STEPS)]
    price: Annotated[int, Meta(ge=0, le=MAX_PRICE)]
    """Rounded up to whole units, for one object alone; the members of a set share it."""

    def __post_init__(self) -> None:
        if type(self.step) is not int or not 1 <= self.step <= MAX_STEPS:
            raise VocabularyError(f"price.step: between 1 and {MAX_STEPS}")
        if type(self.price) is not int or not 0 <= self.price <= MAX_PRICE:
            raise VocabularyError(f"price.price: between 0 and {MAX_PRICE}")


class Remainder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of what may be told of a set, or of an object by itself, is left."""

    of: End
    left: Left

    def __post_init__(self) -> None:
        if not set_id_like(self.of) and not object_id_like(self.of):
            raise VocabularyError("remainder: neither a set nor an object")
        if type(self.left) is not Left:
            raise VocabularyError("remainder.left: not a word of Left")


class Budget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="budget"):
    """What a planner may still do: asked for between two plans."""

    version: Literal[2] = WIRE_VERSION
    turns: Annotated[int, Meta(ge=0, le=MAX_TURNS)]
    """Plans that this session still takes."""
    steps: Annotated[tuple[StepPrice, ...], Meta(max_length=MAX_STEPS)] = ()
    remainders: Annotated[tuple[Remainder, ...], Meta(max_length=MAX_REMAINDERS)] = ()

    def __post_init__(self) -> None:
        _version(self.version)
        if type(self.turns) is not int or not 0 <= self.turns <= MAX_TURNS:
            raise VocabularyError(f"budget.turns: between 0 and {MAX_TURNS}")
        _bounded(self.steps, StepPrice, MAX_STEPS, "steps")
        _bounded(self.remainders, Remainder, MAX_REMAINDERS, "remainders")
        ids = [each.of for each in self.remainders]
        if [each.step for each in self.steps] != list(range(1, len(self.steps) + 1)) or ids != sorted(set(ids)):
            raise VocabularyError("budget: one twice or out of order")


Envelope = Registration | Request | Results | Repair | Budget


def _version(version: object) -> None:
    if type(version) is not int or version != WIRE_VERSION:
        raise VocabularyError("envelope: not of this version")


def _graph(
    objects: tuple[TwinObject, ...],
    edges: tuple[TwinEdge, ...],
    sets: tuple[TwinSet, ...],
    relations: tuple[SetRelation, ...],
) -> None:
    _bounded(objects, TwinObject, MAX_OBJECTS, "objects")
    _bounded(edges, TwinEdge, MAX_OBJECTS * MAX_EDGES, "edges")
    _bounded(sets, TwinSet, MAX_SETS, "sets")
    _bounded(relations, SetRelation, MAX_RELATIONS, "relations")
    check_graph(objects, edges)
    check_sets(sets, relations, (each.object_id for each in objects))


def _bounded(values: object, of: type, most: int, field: str) -> None:
    if type(values) is not tuple or len(values) > most or any(type(each) is not of for each in values):
        raise VocabularyError(f"{field}: not at most {most} of {of.__name__}")
