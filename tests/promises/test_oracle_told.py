"""What the general attack cannot try: `describe`, which tells fields, and `run_tests`, which runs code.

`split` tells of sets; whom that tells apart is tried in `test_differencing`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import product
from math import log2
from pathlib import Path

import msgspec
import pytest
from oracle import AUDIENCE, SECRET, Session, held, information

from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.capabilities import catalog
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.facts import Record
from plantwin.types.execution import Executor
from plantwin.types.plan import Plan, Step
from plantwin.types.prices import field_of
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Freshness, Kind, Role, SemanticClass, SizeBucket

SIZES = {
    "semantic_class": len(SemanticClass),
    "family": len(SemanticClass),
    "role": len(Role),
    "freshness": len(Freshness),
    "size_bucket": len(SizeBucket),
}
VARIANTS = list(product(Freshness, SizeBucket, list(Role)[:3]))


class Nothing(Executor):
    """Runs nothing: what is asked for here is told by the gatekeeper itself."""

    sandboxed = True

    def execute(self, *_: object, **__: object) -> None:
        raise AssertionError("nothing is run for a description")


class OnObjects(SandboxExecutor, Executor):
    """Of single objects nobody is left out."""

    def execute(self, *inputs, without=frozenset(), **how):
        assert not without
        return super().execute(*inputs, **how)


@pytest.fixture
def ledgers(tmp_path):
    real = SqliteLedger(tmp_path / "ledger" / "ledger.db", b"k" * 32)
    yield lambda: Rehearsal(real)
    real.close()


def described(variant, ledgers):
    """What repeated descriptions tell of one variant, and what the ledger charged for it, in bits."""
    freshness, size, role = variant
    object_ = held(SECRET, Kind.CODE_FILE, SemanticClass.CLI_TOOL)
    told = msgspec.structs.replace(object_.object, freshness=freshness, size_bucket=size, role=role)
    shown = {SECRET: replace(object_, object=told)}
    ledger = ledgers()
    session = Session(ledger, catalog(), shown, Nothing())
    plan = Plan(steps=(Step(id="s1", capability="describe", inputs=(SECRET,)),))
    heard = []
    for _ in range(4):
        verdict = session._keeper.gate(plan, 0, frozenset())
        fields = verdict.objects if isinstance(verdict, Allowed) else ()
        heard.append((verdict.outcome.status, tuple(msgspec.json.encode(each) for each in fields)))
    units = next(iter(ledger.known(AUDIENCE, [shown[SECRET].key]).values())).units
    charged = [unit for unit in units if field_of(unit) in SIZES and not unit.startswith("semantic_class=")]
    return tuple(heard), sum(log2(SIZES[field_of(unit)]) for unit in charged)


def test_describing_tells_no_more_than_is_charged(ledgers):
    found = [described(each, ledgers) for each in VARIANTS]
    transcripts, charges = [each for each, _ in found], [each for _, each in found]
    assert len(set(transcripts)) == len(VARIANTS)  # all that was asked for is told in the end
    assert information(transcripts) <= sum(charges) / len(charges) + 1e-9
    assert log2(len(VARIANTS)) <= min(charges) + 1e-9


def test_running_tests_tells_no_more_than_is_charged(ledgers, tmp_path: Path):
    """Real tests in the real sandbox: which of them fail depends on the secret."""
    transcripts, charges = [], []
    for number in range(4):
        root = tmp_path / str(number)
        root.mkdir()
        values = [bool(number & bit) for bit in (1, 2)]
        lines = [f"def test_{place}():\n    assert {value}\n" for place, value in enumerate(values)]
        (root / "test_secret.py").write_text("\n\n".join(lines))
        record = Record(
            number=1,
            path="test_secret.py",
            part="",
            kind="code_file",
            semantic_class="test_suite",
            family="source_code",
            role="verification",
            sensitivity="low",
            freshness="today",
            size_bucket="small",
            confidence="high",
        )
        executor = OnObjects(Launcher(root), {SECRET: record}, scanned_ns=time.time_ns() + 10**9)
        assert executor.sandboxed
        shown = {SECRET: held(SECRET, Kind.CODE_FILE, SemanticClass.TEST_SUITE)}
        ledger = ledgers()
        session = Session(ledger, catalog(), shown, executor)
        call = (Step(id="s1", capability="run_tests", inputs=(SECRET,)),)
        first, cost = session.ask(call)
        assert cost > 0
        transcripts.append(first)
        charges.append(session.charged())
    assert len(set(transcripts)) > 1, "nothing depends on the secret: the attack proves nothing"
    assert information(transcripts) <= min(charges) + 1e-9
