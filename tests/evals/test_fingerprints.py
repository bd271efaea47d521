"""What was told of an object through its set is what holds for every member."""

from __future__ import annotations

from plantwin.types.sets import AbsenceShare, ClassShare, TagShare, TwinSet
from plantwin.vocabulary import Absence, ContentTag, Kind, SemanticClass, Sensitivity, SetSize, Share
from plantwin_evals.fingerprints import plain, words_of


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
