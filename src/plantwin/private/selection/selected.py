"""What one goal is about: which objects are shown, which fields it needs of them, and what their real names are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from plantwin.boundary.local_object import LocalObject
from plantwin.boundary.policy import Subject
from plantwin.private import goal as gate
from plantwin.private.lineage.lineage import Identity
from plantwin.private.records import Record, Relation
from plantwin.private.selection.choice import needed, select
from plantwin.private.selection.goal_text import CLOSED, Sentence, projected
from plantwin.private.selection.intents import families, intents
from plantwin.private.selection.mentions import Choose, Defined, Recall, mentions
from plantwin.private.selection.session_objects import SessionObjects, Unlisted
from plantwin.types.capability import Catalog
from plantwin.types.goal import Goal

if TYPE_CHECKING:
    from plantwin.private.selection.meaning.sense import Sense


class Selected(NamedTuple):
    """The selected part of the environment, for one session."""

    goal: Goal
    held: tuple[LocalObject, ...]
    rest: Mapping[Subject, int]
    """The objects that are counted, not listed, as a policy sees them."""
    fields: dict[str, tuple[str, ...]]
    """What the goal's capabilities need to know of each object."""
    records: dict[str, Record]
    """The way back, by id. Stays local."""
    unlisted: Unlisted
    """The objects that are not listed."""
    pieces: tuple[gate.Piece, ...] = ()
    """What became of each stretch of the goal. Stays local."""

    @property
    def all_held(self) -> tuple[LocalObject, ...]:
        """Every object that came into the session so far."""
        return (*self.held, *self.unlisted.drawn)

    def __repr__(self) -> str:
        return "<Selected private>"


def select_for_goal(
    text: str,
    records: list[Record],
    relations: Sequence[Relation],
    *,
    catalog: Catalog,
    keys: Callable[[Sequence[Record]], dict[int, Identity]],
    labels: Callable[[str], frozenset[str]],
    most: int,
    words: Iterable[tuple[int, bytes]] = (),
    sense: Sense | None = None,
    only: Collection[tuple[str, str]] | None = None,
    sentence: Sentence = CLOSED,
    defined: Defined | None = None,
    choose: Choose | None = None,
    recall: Recall | None = None,
) -> Selected:
    """Select what the goal needs, or `only` these by path and part, under fresh ids.

    `sentence`: how much of it crosses. `defined`: who defines a name. `choose`: asks which of several is meant.
    `recall`: what words for what was spoken of before mean. `sense`: what is near to it in meaning.
    """
    found = tuple(sentence.found(text))
    sentence = sentence._replace(found=lambda _: found)
    said = gate.unsecret(text, found)
    wanted = intents(said, frozenset(each.name for each in catalog.values()))
    kinds = families(said)
    mentioned = mentions(text, records, defined=defined, choose=choose, recall=recall)
    if only is not None:
        records = [each for each in records if (each.path, each.part) in only]
    ranked = select(text, records, relations, words, mentioned, wanted, kinds, catalog, most, sense)
    objects = SessionObjects(relations, keys, labels, mentioned.ambiguous)
    held = objects.enter(ranked.shown)
    unlisted = Unlisted(objects, ranked.rest)
    goal, pieces = projected(text, sentence, mentioned, objects.id_of, wanted, kinds)
    return Selected(
        goal=goal,
        held=held,
        rest=unlisted.subjects(),
        fields={each.id: told for each in held if (told := needed(each, goal, catalog))},
        records=objects.records,
        unlisted=unlisted,
        pieces=pieces,
    )
