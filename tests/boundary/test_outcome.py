"""Π_out: only closed words pass; whatever else a result holds is dropped, recorded and never quoted."""

from __future__ import annotations

import json

import msgspec
import pytest
from builders import capability
from hypothesis import given
from hypothesis import strategies as st

from plantwin.boundary.outcome import sanitize
from plantwin.types.envelope import Results
from plantwin.types.outcome import Outcome, StepResult
from plantwin.vocabulary import Findings, OutcomeTag, Severity, StepStatus

AUDIT = capability()


def test_closed_words_pass():
    outcome, dropped = sanitize(
        {"status": "partial", "severity": "high", "count": "many", "tags": ["weak_crypto", "injection", "injection"]},
        AUDIT,
    )
    assert outcome == Outcome(
        status=StepStatus.PARTIAL,
        severity=Severity.HIGH,
        count=Findings.MANY,
        tags=(OutcomeTag.INJECTION, OutcomeTag.WEAK_CRYPTO),
    )
    assert dropped == ()


@pytest.mark.parametrize(
    ("raw", "dropped"),
    [
        ("the password is hunter2", "result: not a table"),
        ({"status": "done", "password": "hunter2"}, "result: 1 unexpected keys"),
        ({"status": "done", "severity": "hunter2"}, "severity: not a word of Severity"),
        ({"status": "done", "count": 17}, "count: not a word of Findings"),
        ({"status": "done", "tags": "hunter2"}, "tags: not a list"),
        ({"status": "done", "tags": ["hunter2"]}, "tags: one that this capability may not tell"),
        ({"status": "done", "tags": [["injection"]]}, "tags: one that this capability may not tell"),
        ({"status": "done", "tags": ["exposed_service"]}, "tags: one that this capability may not tell"),
        ({"status": "rejected"}, "status: not that of a step that ran"),
        ({}, "status: not that of a step that ran"),
    ],
)
def test_anything_else_is_dropped(raw, dropped):
    outcome, codes = sanitize(raw, AUDIT)
    assert dropped in codes
    assert outcome.status in (StepStatus.DONE, StepStatus.FAILED)
    assert "hunter2" not in repr(codes) + repr(outcome)


def test_more_tags_than_may_pass_are_dropped():
    every = capability(tags=frozenset(OutcomeTag))
    outcome, codes = sanitize({"status": "done", "tags": [str(tag) for tag in OutcomeTag]}, every)
    assert isinstance(outcome.tags, tuple)
    assert len(outcome.tags) == 4
    assert "tags: more than may pass" in codes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON | st.fixed_dictionaries({"status": JSON, "severity": JSON, "count": JSON, "tags": JSON, "x": JSON}))
def test_whatever_a_result_holds_only_vocabulary_leaves(raw):
    outcome, _ = sanitize(raw, AUDIT)
    words = {str(word) for vocabulary in (StepStatus, Severity, Findings, OutcomeTag) for word in vocabulary}
    told = json.loads(msgspec.json.encode(Results(turn=1, steps=(StepResult(step=1, outcome=outcome),))))
    inside = told["steps"][0]["outcome"]
    assert {inside.pop("status"), *inside.pop("tags", ()), *inside.values()} <= words
