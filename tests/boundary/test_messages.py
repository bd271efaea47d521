"""Requests, results, goals and outcomes: if one exists, it is valid."""

from __future__ import annotations

import pytest
from builders import AUTH, CATALOG, PAY, capability, edge, held

from plantwin.boundary.wire import decode_envelope, encode
from plantwin.errors import VocabularyError, WireError
from plantwin.types.capability import Catalog
from plantwin.types.envelope import MAX_TURNS, Request, Results
from plantwin.types.goal import MAX_MENTIONS, Goal
from plantwin.types.outcome import Outcome, StepResult
from plantwin.vocabulary import (
    Affected,
    CapabilityName,
    Examined,
    Family,
    Findings,
    Kind,
    OutcomeTag,
    ResultType,
    SemanticClass,
    Severity,
    StepStatus,
)

DONE = Outcome(status=StepStatus.DONE)


def test_requests_and_results_read_back_as_they_were_written():
    goal = Goal(intents=(CapabilityName.COMPARE,), families=(Family.LOGS,), objects=(AUTH,))
    request = Request(goal=goal, objects=(held(AUTH).object, held(PAY).object), edges=(edge(),))
    outcome = Outcome(status=StepStatus.DONE, severity=Severity.HIGH, count=Findings.FEW, tags=(OutcomeTag.INJECTION,))
    results = Results(turn=1, steps=(StepResult(step=1, outcome=outcome), StepResult(step=2, outcome=DONE)))
    for envelope in (request, results):
        assert decode_envelope(encode(envelope).data) == envelope


@pytest.mark.parametrize(
    "fields",
    [
        {"intents": ("compare",)},
        {"intents": [CapabilityName.COMPARE]},
        {"intents": (CapabilityName.SUMMARIZE, CapabilityName.COMPARE)},
        {"intents": tuple(sorted(CapabilityName))[:9]},
        {"families": (Family.LOGS, Family.LOGS)},
        {"families": tuple(sorted(Family))[:7]},
        {"objects": ("Acme payroll",)},
        {"objects": [AUTH]},
        {"objects": (PAY, AUTH)},
        {"objects": tuple(f"artifact_aaaaaaa{letter}" for letter in "abcdefghijklmnopq")},
    ],
)
def test_a_wrong_goal_cannot_be_built(fields):
    assert MAX_MENTIONS == 16
    with pytest.raises(VocabularyError) as refused:
        Goal(**fields)
    assert "Acme" not in str(refused.value)


@pytest.mark.parametrize(
    "fields",
    [{"status": "done"}, {"severity": "high"}, {"count": 3}, {"tags": ()}, {"tags": [OutcomeTag.INJECTION]},
     {"tags": ("injection",)}, {"tags": tuple(sorted(OutcomeTag))[:5]},
     {"tags": (OutcomeTag.WEAK_CRYPTO, OutcomeTag.INJECTION)},
     {"status": StepStatus.REJECTED, "severity": Severity.LOW},
     {"status": StepStatus.ESCALATED, "count": Findings.NONE},
     {"status": StepStatus.REJECTED, "tags": (OutcomeTag.INJECTION,)}, {"examined": "all"},
     {"affected": Examined.ALL}, {"status": StepStatus.ESCALATED, "examined": Examined.NONE},
     {"status": StepStatus.REJECTED, "affected": Affected.NONE}],
)  # fmt: skip
def test_a_wrong_outcome_cannot_be_built(fields):
    with pytest.raises(VocabularyError):
        Outcome(**{"status": StepStatus.DONE, **fields})


def test_what_an_outcome_tells_is_named_piece_by_piece():
    assert DONE.units("lint") == ("lint.status=done",)
    of_a_set = {"examined": Examined.MOST, "affected": Affected.FEW}
    full = Outcome(
        status=StepStatus.DONE, severity=Severity.LOW, count=Findings.ONE, tags=(OutcomeTag.INJECTION,), **of_a_set
    )
    told = ("status=done", "examined=most", "severity=low", "affected=few", "count=one", "tag=injection")
    assert full.units("lint") == tuple(f"lint.{word}" for word in told)
    assert full.units("lint", "v1")[0] == "lint.status=done@v1"


@pytest.mark.parametrize("fields", [{"step": 0}, {"step": 33}, {"step": True}, {"step": "s1"}, {"outcome": "done"}])
def test_a_wrong_result_cannot_be_built(fields):
    with pytest.raises(VocabularyError):
        StepResult(**{"step": 1, "outcome": DONE, **fields})


def test_wrong_envelopes_cannot_be_built():
    with pytest.raises(VocabularyError):
        Request(goal="compare them")  # type: ignore[arg-type]
    one = StepResult(step=1, outcome=DONE)
    for fields in ({"turn": 0}, {"turn": MAX_TURNS + 1}, {"turn": True}, {"steps": (one, one)}, {"steps": [one]}):
        with pytest.raises(VocabularyError):
            Results(**{"turn": 1, **fields})
    with pytest.raises(WireError, match="not an envelope"):
        encode(one)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fields",
    [{"name": "lint"}, {"returns": "findings"}, {"risk": "low"}, {"least": 3, "most": 2}, {"kinds": frozenset()},
     {"required_fields": ("path",)}, {"programs": True}, {"project": True}, {"takes": frozenset({ResultType.FIELDS})},
     {"name": CapabilityName.SPLIT, "own": "mine", "wire": "custom_aaaaaaaa"}],
)  # fmt: skip
def test_a_wrong_capability_cannot_be_built(fields):
    with pytest.raises(VocabularyError):
        capability(**{"name": CapabilityName.LINT, **fields})


def test_a_capability_says_what_it_accepts():
    audit = capability(families=frozenset({Family.APPLICATION}), classes=frozenset({SemanticClass.CLI_TOOL}))
    assert audit.accepts(Kind.CODE_FILE, SemanticClass.PAYMENT_MODULE)
    assert audit.accepts(Kind.CODE_FILE, SemanticClass.CLI_TOOL)
    assert not audit.accepts(Kind.CODE_FILE, SemanticClass.TEST_SUITE)
    assert not audit.accepts(Kind.DOCUMENT, SemanticClass.PAYMENT_MODULE)
    assert capability().accepts(Kind.CONFIG, SemanticClass.APP_CONFIG)


def test_a_catalog_is_closed():
    assert CATALOG["compare"].returns is ResultType.COMPARISON
    assert len(CATALOG) == len(list(CATALOG)) == 7
    assert CATALOG.get("delete_everything") is None
    with pytest.raises(VocabularyError):
        Catalog((capability(), capability(doc="A safer one.")))
    with pytest.raises(VocabularyError):
        Catalog(("security_audit",))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        CATALOG["lint"] = capability()  # type: ignore[index]
