"""The game gives what it must where the answer is known."""

from __future__ import annotations

import pytest

from plantwin.types.sets import AbsenceShare, ClassShare, TagShare, TwinSet
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import Absence, ContentTag, EdgeType, Kind, SemanticClass, Sensitivity, SetSize, Share
from plantwin_evals.fingerprints import plain, words_of
from plantwin_evals.reidentification import STRATEGIES, Case, linked, play, reidentified, structure_of, units_of


def _all_different(number: int) -> list[Case]:
    return [
        Case(frozenset({"kind=document", f"contains=t{each}"}), frozenset({f"contains=t{each}"}))
        for each in range(number)
    ]


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_where_all_are_alike_nobody_does_better_than_chance(strategy: str) -> None:
    alike = [Case(frozenset({"kind=config"}), frozenset({"kind=config"}))] * 40
    result = play(alike, strategy, pool=10, trials=600)
    assert result is not None and abs(result.accuracy - 0.1) < 0.03


def test_a_full_fingerprint_finds_what_is_unlike_everything_else() -> None:
    result = play(_all_different(40), "full", pool=15, trials=50)
    assert result is not None and result.accuracy == result.mrr == 1.0


def test_an_adversary_that_looks_at_the_kind_alone_learns_nothing_from_tags() -> None:
    result = play(_all_different(40), "kind", pool=10, trials=600)
    assert result is not None and abs(result.accuracy - 0.1) < 0.03


def test_what_was_not_told_does_not_help() -> None:
    silent = [Case(each.truth, frozenset()) for each in _all_different(40)]
    result = play(silent, "full", pool=10, trials=600)
    assert result is not None and abs(result.accuracy - 0.1) < 0.03


def test_of_candidates_that_fit_the_one_with_nothing_more_is_taken() -> None:
    plain = Case(frozenset({"contains=a"}), frozenset({"contains=a"}))
    more = Case(frozenset({"contains=a", "contains=b"}), frozenset({"contains=a", "contains=b"}))
    result = play([plain, more], "full", pool=2, trials=50, targets=2)
    assert result is not None and result.accuracy == 1.0


def test_too_few_files_give_no_result() -> None:
    assert play(_all_different(5), "full", pool=15, trials=10) is None
    assert linked([frozenset()] * 3, [frozenset()] * 3, pool=15, trials=10) is None


def test_of_a_set_nobody_is_picked_more_often_than_one_in_its_members() -> None:
    members = [
        Case(frozenset({"kind=config", "set=a", f"contains=t{each}"}), frozenset({"kind=config", "set=a"}))
        for each in range(5)
    ]
    others = [Case(frozenset({"kind=config", "set=b"}), frozenset({"kind=config", "set=b"})) for _ in range(15)]
    words, sets = reidentified([*members, *others])
    assert words == pytest.approx(1 / 20)
    assert sets == pytest.approx((5 * 1 / 5 + 15 * 1 / 15) / 20)


def test_of_what_was_not_told_of_nothing_is_counted() -> None:
    told, *others = _all_different(10)
    silent = [Case(each.truth, frozenset()) for each in others]
    assert reidentified([told, *silent]) == (1.0, 1.0)
    assert reidentified(silent) == (0.0, 0.0)


def test_sessions_are_linked_by_what_both_told() -> None:
    told = [frozenset({f"contains=t{each}"}) for each in range(30)]
    same = linked(told, told, pool=15, trials=200)
    nothing = linked(told, [frozenset()] * 30, pool=15, trials=2000)
    assert same is not None and same.accuracy == 1.0
    assert nothing is not None and abs(nothing.accuracy - 1 / 15) < 0.03


def test_units_are_those_that_the_ledger_counts() -> None:
    each = TwinObject(
        object_id="artifact_aaaaaaaa",
        kind=Kind.CONFIG,
        semantic_class=SemanticClass.APP_CONFIG,
        sensitivity=Sensitivity.HIGH,
        contains=(ContentTag.CREDENTIALS,),
    )
    assert units_of(each) == {
        "kind=config",
        "semantic_class=app_config",
        "family=configuration",
        "sensitivity=high",
        "contains=credentials",
    }


def test_structure_counts_edges_by_type_and_way() -> None:
    edges = [
        TwinEdge(source="artifact_aaaaaaaa", edge=EdgeType.DEPENDS_ON, target=f"artifact_bbbbbbb{last}")
        for last in "ab"
    ]
    assert structure_of("artifact_aaaaaaaa", edges) == {"degree=out.depends_on:1", "degree=out.depends_on:2"}
    assert structure_of("artifact_bbbbbbba", edges) == {"degree=in.depends_on:1"}


# What was told of an object through its set is what holds for every member


def test_single_values_and_what_all_have_are_words_of_every_member() -> None:
    told = TwinSet(
        set_id="set_aaaaaaaa",
        size=SetSize.SEVERAL,
        kind=Kind.CONFIG,
        semantic_class=SemanticClass.APP_CONFIG,
        contains=(
            TagShare(tag=ContentTag.CREDENTIALS, share=Share.ALL),
            TagShare(tag=ContentTag.THRESHOLDS, share=Share.SOME),
        ),
        lacks=(AbsenceShare(absence=Absence.TESTS, share=Share.ALL),),
    )
    assert set(words_of(told)) == {
        "kind=config",
        "semantic_class=app_config",
        "family=configuration",
        "contains:credentials=all",
        "lacks:tests=all",
    }


def test_what_some_members_are_says_nothing_of_any_one() -> None:
    told = TwinSet(
        set_id="set_aaaaaaaa",
        size=SetSize.SEVERAL,
        sensitivity=Sensitivity.HIGH,
        classes=(ClassShare(semantic_class=SemanticClass.README, share=Share.SOME),),
    )
    assert list(words_of(told)) == []


def test_outcomes_and_names_of_one_ledger_are_no_part_of_a_fingerprint() -> None:
    told = frozenset({"kind=config", "semantic_class=readme", "lint.count=few", "edge=depends_on:12", "component=set"})
    assert plain(told) == {"kind=config", "semantic_class=readme", "family=guides"}
