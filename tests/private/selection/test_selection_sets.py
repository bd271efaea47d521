"""Cells and sets: whatever is computed from what is told of sets speaks of at least `k` objects."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from plantwin.private.facts import Record, Relation
from plantwin.private.selection.cells import Accounting, cut
from plantwin.private.selection.sets import SessionSets
from plantwin.types.identity import Issuer
from plantwin.types.sets import MAX_SETS
from plantwin.vocabulary import Dimension, Family, Kind, Role, SemanticClass, SetSize, Share

CLASSES = (SemanticClass.API_HANDLER, SemanticClass.PAYMENT_MODULE, SemanticClass.TEST_SUITE, SemanticClass.README)
KINDS = (Kind.CODE_FILE, Kind.CONFIG)
HIDDEN = "pii"
"""What marks records of which only the kind may be told, in these tests."""


def record(number, kind=KINDS[0], leaf=CLASSES[0], role=Role.PRODUCTION, component="", **values):
    given = {"sensitivity": "low", "freshness": "recent", "size_bucket": "small", "confidence": "high", **values}
    return Record(
        number=number, path=f"f{number}", kind=kind, semantic_class=leaf, family=leaf.family, role=role,
        component=component, **given,
    )  # fmt: skip


def closed(each):
    return HIDDEN in each.sensitivity_causes


ROWS = st.tuples(
    st.sampled_from(KINDS), st.sampled_from(CLASSES), st.sampled_from([Role.PRODUCTION, Role.TEST]),
    st.sampled_from(["", "web", "api", "jobs"]), st.booleans(), st.sampled_from(["", "production", "staging"]),
)  # fmt: skip


@st.composite
def folders(draw):
    """Folders in which most values are shared by many: rows, each some times over."""
    rows = draw(st.lists(st.tuples(ROWS, st.integers(1, 14)), max_size=12))
    every = [row for row, times in rows for _ in range(times)]
    return [
        record(
            number, kind, leaf, role, component, sensitivity_causes=(HIDDEN,) if hidden else (), environment=environment
        )
        for number, (kind, leaf, role, component, hidden, environment) in enumerate(every)
    ]


def numbers(records):
    return frozenset(each.number for each in records)


def partition(cells):
    return {numbers(cell.members) for cell in cells}


def hidden(records):
    return numbers(each for each in records if closed(each))


def session(cells, relations=(), objects=None, rank=None):
    accounting = Accounting(
        lambda label: "/".join(label).encode(),
        lambda some: str(sorted(numbers(some))),
        hidden(each for cell in cells for each in cell.members),
    )
    return SessionSets(cells, relations, accounting, Issuer(), rank or {}, objects or {})


quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@quick
@given(folders(), st.integers(2, 8), st.randoms(use_true_random=False))
def test_cells_cover_all_once_are_large_enough_and_follow_from_the_folder_alone(records, k, rng):
    cells = cut(records, k, hidden(records))
    assert sorted(each.number for cell in cells for each in cell.members) == [each.number for each in records]
    assert all(len(cell.members) >= min(k, len(records)) for cell in cells)
    assert len({cell.label for cell in cells}) == len(cells), "an account of its own"
    shuffled = rng.sample(records, len(records))
    assert partition(cut(shuffled, k, hidden(shuffled))) == partition(cells)
    assert {cell.label for cell in cut(shuffled, k, hidden(shuffled))} == {cell.label for cell in cells}


@quick
@given(folders(), st.integers(2, 8), ROWS)
def test_of_closed_records_nothing_but_the_kind_decides(records, k, other):
    _, leaf, role, component, _, environment = other
    changed = [
        replace(
            each,
            semantic_class=leaf,
            family=leaf.family,
            role=role,
            component=component,
            sensitivity="high",
            environment=environment,
        )
        if closed(each)
        else each
        for each in records
    ]
    cells = cut(records, k, hidden(records))
    assert partition(cut(changed, k, hidden(changed))) == partition(cells)
    told = [
        sorted((each.set.size, str(each.set.kind), str(each.set.classes), str(each.set.sensitivity), str(each.set.role),
                str(each.set.semantic_class), str(each.set.contains),
                str(each.set.environment)) for each in session(made).for_goal((), (), 24))
        for made in (cells, cut(changed, k, hidden(changed)))
    ]  # fmt: skip
    assert told[0] == told[1]


@quick
@given(folders(), st.integers(2, 8), st.sampled_from([1, 3, 24]), st.data())
def test_no_two_sets_that_can_ever_be_told_differ_in_fewer_than_k(records, k, most, data):
    """First cuts for different goals, and whatever can be split from them, one after the other."""
    cells = cut(records, k, hidden(records))
    every = set()
    for families in ((), (Family.APPLICATION,), tuple({leaf.family for leaf in CLASSES})):
        made = session(cells)
        sets = made.for_goal(families, (), most)
        assert sorted(each.number for one in sets for each in made.members(one.id)) == sorted(numbers(records))
        for by in data.draw(st.sampled_from(list(permutations(Dimension, 3)))):
            sets += tuple(piece for one in sets for piece in made.split(one.id, by))
        every |= {numbers(made.members(one.id)) for one in sets}
        for one in sets:
            assert one.count == len(made.members(one.id))
            assert one.set.size.least <= one.count
            assert {f"{'/'.join(cell.label)}".encode() for cell in cells if set(cell.members) <= set(
                made.members(one.id))} == set(one.cells)  # fmt: skip
    if len(records) >= k:
        for one in every:
            for other in every:
                assert not 0 < len(one & other) < k
                assert not 0 < len(one - other) < k


def test_fewer_than_k_objects_are_one_set_and_none_are_none():
    (cell,) = cut([record(1), record(2, KINDS[1])], 5)
    assert (len(cell.members), repr(cell)) == (2, "<Cell private>")
    (only,) = session([cell]).for_goal((), (), 24)
    assert (only.set.size, only.count, bool(only.set.kind)) == (SetSize.FEW, 2, False)
    assert cut([], 5) == []
    assert session([]).for_goal((), (), 24) == ()


def folder(components=("web", "api"), size=12, **values):
    parts = [component for component in components for _ in range(size)]
    return [record(number, component=part, **values) for number, part in enumerate(parts)]


def test_sets_are_finer_where_the_goal_is_about_them_and_never_more_than_asked_for():
    records = [*folder(), *(record(100 + n, leaf=CLASSES[1]) for n in range(9))]
    records += [record(200 + n, role=Role.TEST) for n in range(9)]
    records += [record(300 + n, KINDS[1], CLASSES[3]) for n in range(9)]
    cells = cut(records, 5)

    def sizes(families, most):
        return sorted(each.count for each in session(cells).for_goal(families, (), most))

    assert sizes((), 24) == [9, 9, 33]
    assert sizes((Family.APPLICATION,), 24) == [9, 9, 9, 24], "by role too"
    assert sizes((Family.APPLICATION,), 2) == [9, 42]
    # Where there is room for one cut, it is made where the goal fits best.
    best = session(cells, rank={300: 0}).for_goal((), (), 3)
    assert sorted(each.count for each in best) == [9, 9, 33]


def test_a_split_is_along_one_dimension_and_says_where_it_comes_from():
    made = session(cut(folder(), 5))
    (whole,) = made.for_goal((), (), 24)
    pieces = made.split(whole.id, Dimension.COMPONENT)
    assert {piece.set.within for piece in pieces} == {whole.id}
    assert len({piece.set.component for piece in pieces}) == 2
    assert whole.set.component is pieces[0].set.named
    again = made.split(whole.id, Dimension.COMPONENT)
    assert {piece.set.component for piece in again} == {piece.set.component for piece in pieces}, "one id in a session"
    assert [len(made.split(whole.id, by)) for by in (Dimension.FAMILY, Dimension.ROLE)] == [1, 1]
    assert pieces[0].version in {piece.version for piece in again}
    assert whole.id in made and "set_zzzzzzzz" not in made
    assert "private" in repr(made)


def test_no_more_sets_are_made_than_an_envelope_lists():
    made = session(cut(folder([f"part{n}" for n in range(90)], 10), 5))
    (whole,) = made.for_goal((), (), 24)
    pieces = made.split(whole.id, Dimension.COMPONENT)
    assert len(pieces) == MAX_SETS - 1
    assert sum(piece.count for piece in pieces) == whole.count
    assert sum(not piece.set.component for piece in pieces) == 1, "the rest stay together"
    assert made.split(whole.id, Dimension.COMPONENT) == ()


def test_a_set_that_the_goal_names_is_cut_by_nothing_and_paid_for_by_all_cells_it_lies_in():
    records = folder()
    made = session(cut(records, 5))
    named = [record for record in records if record.number in (3, 2, 15)]
    sets = made.for_goal((), [named], 24)
    (one,) = [each for each in sets if each.set.named]
    assert (one.set.size, one.count, len(one.cells)) == (SetSize.FEW, 3, 2)
    assert made.split(one.id, Dimension.COMPONENT) == ()
    assert made.accounts(named) == one.cells


def test_a_single_value_holds_for_all_and_shares_say_how_many():
    tags = {"contains": (("endpoints", "few"),), "lacks": ("tests",), "readiness": "ready"}
    records = [record(n, **(tags if n < 3 else {"sensitivity": "high", "readiness": "blocked"})) for n in range(6)]
    records += [record(10 + n, leaf=CLASSES[1], sensitivity_causes=(HIDDEN,)) for n in range(1)]
    (one,) = session(cut(records, 5, hidden(records))).for_goal((), (), 24)
    told = one.set
    assert (told.kind, told.sensitivity, told.ready) == (Kind.CODE_FILE, "high", Share.SOME)
    assert [(each.tag, each.share) for each in told.contains] == [("endpoints", Share.SOME)]
    assert [(each.absence, each.share) for each in told.lacks] == [("tests", Share.SOME)]
    assert [(each.semantic_class, each.share) for each in told.classes] == [(CLASSES[0], Share.MOST)], "not the hidden"
    assert not any((told.semantic_class, told.family, told.role, told.freshness))


@pytest.mark.parametrize("reason", ["imports", "copy"])
def test_relations_join_sets_and_objects_that_are_told_alone(reason):
    code = [record(n) for n in range(6)]
    texts = [record(10 + n, KINDS[1], CLASSES[3]) for n in range(6)]
    edge = "depends_on" if reason == "imports" else "similar_to"
    relations = [Relation(source=n, edge=edge, reason=reason, target=10 + n) for n in range(4)]
    relations += [Relation(source=0, edge="requires_capability", reason="runtime", target=-1)]
    relations += [Relation(source=0, edge=edge, reason=reason, target=99)]
    made = session(cut([*code, *texts], 5), relations, {0: "artifact_aaaaaaaa", 11: "artifact_bbbbbbbb"})
    sets = made.for_goal((), (), 24)
    by_kind = {each.set.kind: each for each in sets}
    joined = [relation for each in sets for relation in each.relations if relation.target in {s.id for s in sets}]
    if reason == "imports":
        (one,) = joined
        assert (one.source, one.target, one.share) == (by_kind["code_file"].id, by_kind["config"].id, Share.MOST)
        assert {(each.source, each.target) for each in made.object_relations} == {
            ("artifact_aaaaaaaa", by_kind["config"].id)
        }
        assert any(each.target == "artifact_bbbbbbbb" for each in by_kind["code_file"].relations)
    else:
        assert [each.source < each.target for each in joined] == [True], "what holds both ways is told once"
    assert [each.id for each in sets] == sorted(each.id for each in sets)


def test_members_that_fit_the_goal_best_come_first():
    records = folder()
    random.Random(7).shuffle(records)
    made = session(cut(records, 5), rank={20: 0, 4: 1})
    (one,) = made.for_goal((), (), 24)
    assert [each.number for each in made.members(one.id)][:2] == [20, 4]
    assert made.version(records[:2]) == str(sorted(numbers(records[:2])))
