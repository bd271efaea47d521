"""Which objects a goal speaks of, and which it may not have meant."""

from __future__ import annotations

import pytest

from plantwin.private.mentions import mentions
from plantwin.private.records import Record


def record(number, path, leaf="utility_library", role="production"):
    return Record(
        number=number, path=path, kind="code_file", semantic_class=leaf, family="library", role=role, sensitivity="low",
        freshness="stale", size_bucket="small", confidence="high",
    )  # fmt: skip


RECORDS = [
    record(1, "shop/auth/service.py", "authentication_module"),
    record(2, "shop/payments/service.py", "payment_module"),
    record(3, "shop/payments/tests/test_service.py", "test_suite", "test"),
    record(4, "deploy/staging.yaml", "deploy_manifest"),
    record(5, "deploy/production.yaml", "deploy_manifest"),
    record(6, "docs/quarterly.md", "general_document"),
    record(7, "README.md", "readme"),
]


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("Review shop/auth/service.py", {1}),
        ("Review ./shop/auth/service.py please", {1}),
        ("What is in ~/work/shop/auth/service.py?", {1}),
        ("Everything under shop/payments/", {2, 3}),
        ("compare staging.yaml with production.yaml", {4, 5}),
        ("Explain the quarterly", {6}),
        ("the authentication module", {1}),
        ("look at the auth module", {1}),
        ("payments, please", {2}),
        ("Is this safe?", set()),
        ("", set()),
        ("readme.md", {7}),
    ],
)
def test_what_a_goal_names(goal, numbers):
    assert set(mentions(goal, RECORDS).weights) == numbers


def test_a_name_that_fits_several_is_ambiguous():
    found = mentions("fix service.py", RECORDS)
    assert set(found.weights) == found.ambiguous == {1, 2}
    assert mentions("fix shop/auth/service.py", RECORDS).ambiguous == frozenset()
    assert "private" in repr(found)


def test_a_class_weighs_less_than_a_name_and_a_test_less_than_its_subject():
    weights = mentions("the test suite and the payment module and shop/auth/service.py", RECORDS).weights
    assert weights[1] > weights[2] > weights[3]


def test_a_word_that_says_what_to_do_names_a_file_only_by_its_whole_name():
    records = [record(1, "lib/secrets.py"), record(2, "lib/other.py")]
    assert mentions("find secrets", records).weights == {}
    assert set(mentions("find secrets in secrets.py", records).weights) == {1}
    assert set(mentions("find secrets in lib/secrets.py", records).weights) == {1}
