"""No capability is an oracle: however it is asked, nothing is learned that the ledger has not charged.

What a unit is worth in bits is the size of its vocabulary. With these worths the words of an outcome are a code in
which every outcome is at least as long as it is telling (the sum over all outcomes of 2 to the minus its charge is at
most one), so that the information in any number of outcomes is at most the charge, as long as each new one is charged.
"""

from __future__ import annotations

import hashlib
from math import comb, log2

import pytest
from oracle import BITS, OTHERS, SECRET, Attack, Inside, Session, calls, held, information
from oracle_variants import KINDS, LEAVES, SPECIAL, around, content

from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Result
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Step
from plantwin.vocabulary import (
    MAX_OUTCOME_TAGS,
    CapabilityName,
    Findings,
    Kind,
    OutcomeTag,
    ResultType,
    SemanticClass,
    Severity,
    StepStatus,
)

BUILT_IN = {**catalog("coarse"), **catalog()}
for telling in TELLING:
    BUILT_IN.pop(telling)
VARIANTS = 16
LEAKY = 64
MOST = {"process_project": 3, "run_tests": 1}
"""Questions to those that take long; there are twelve for the others."""
NOTHING_TO_DO = {"run_tests"}
"""What needs a whole folder, which this attack has not."""
FLOAT = 1e-9


@pytest.fixture
def ledgers(tmp_path):
    """Fresh ledgers that keep what is charged in memory."""
    real = SqliteLedger(tmp_path / "ledger" / "ledger.db", b"k" * 32)
    yield lambda: Rehearsal(real)
    real.close()


def test_the_charge_of_an_outcome_is_at_least_its_information():
    """Kraft's inequality over every outcome that the wire can carry for a step that ran."""
    statuses = len(StepStatus) * 2 ** -BITS["status"]
    severity = 1 + len(Severity) * 2 ** -BITS["severity"]
    count = 1 + len(Findings) * 2 ** -BITS["count"]
    tags = sum(comb(len(OutcomeTag), size) * 2 ** (-size * BITS["tag"]) for size in range(MAX_OUTCOME_TAGS + 1))
    assert statuses * severity * count * tags <= 1 + FLOAT


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_no_built_in_tells_more_than_is_charged(name, ledgers):
    capability = BUILT_IN[name]
    listed = Catalog([*catalog().values(), *(each for each in catalog("coarse").values() if each.name == name)])
    ran = False
    special = SPECIAL.get(name)
    for kind in (special[0],) if special else KINDS:
        leaves = (special[1],) if special else LEAVES[kind]
        leaf = next((each for each in leaves if capability.accepts(kind, each)), None)
        if leaf is None:
            continue
        memory: dict[object, Result] = {}
        shown = {id_: held(id_, kind, leaf) for id_ in (SECRET, *OTHERS[:2])}

        def session(number, shown=shown, kind=kind, leaf=leaf, memory=memory):
            numbers = {SECRET: number, OTHERS[0]: 0, OTHERS[1]: VARIANTS - 1}
            inputs = {}
            for id_ in shown:
                ending, text = content(kind, numbers[id_], name)
                fields = {"kind": kind.value, "semantic_class": leaf.value, "data": text.encode()}
                inputs[id_] = Input(name=f"{id_}{ending}", **fields)
            near = around([each.name for each in inputs.values()], kind, leaf, number)
            return Session(ledgers(), listed, shown, Inside(inputs, function, memory, near))

        transcripts, charges = Attack(
            session, VARIANTS, calls(listed, name, OTHERS[:2])[: MOST.get(name, 12)]
        ).learned()
        learned = information(transcripts)
        assert learned <= sum(charges) / len(charges) + FLOAT, (kind, learned, charges)
        assert log2(len(set(transcripts))) <= max(charges) + FLOAT
        for number, transcript in enumerate(transcripts):
            alike = transcripts.count(transcript)
            assert log2(VARIANTS / alike) <= charges[number] + FLOAT
            ran = ran or any(each[-1].status in (StepStatus.DONE, StepStatus.PARTIAL) for _, each in transcript)
    assert ran or name in NOTHING_TO_DO, "nothing was told at all: the attack proves nothing"


LEAK = Capability(
    name=CapabilityName.COMPARE,
    doc="Leaks.",
    example="",
    least=1,
    most=3,
    takes=frozenset((ResultType.COMPARISON,)),
    returns=ResultType.COMPARISON,
    tags=frozenset(OutcomeTag),
)
SEVERITIES, COUNTS, TAGS = tuple(Severity), tuple(Findings), tuple(OutcomeTag)


def leak(_):
    """The worst capability there can be: every word of its outcome is a hash of all that it was given."""

    def run(job):
        seen = hashlib.sha256(repr([(each.data, each.result) for each in job.inputs]).encode()).digest()
        words = [TAGS[byte % len(TAGS)].value for byte in seen[3:6]]
        outcome = {
            "status": ("done", "partial")[seen[0] % 2],
            "severity": SEVERITIES[seen[1] % len(SEVERITIES)].value,
            "count": COUNTS[seen[2] % len(COUNTS)].value,
            "tags": words[: seen[6] % 4],
        }
        return Result(outcome=outcome, facts={"seen": seen.hex()})

    return run


def leaky(ledgers, others):
    shown = {id_: held(id_, Kind.CODE_FILE, SemanticClass.CLI_TOOL) for id_ in (SECRET, *others)}

    def session(number):
        content = {id_: f"known {id_}".encode() for id_ in others} | {SECRET: f"secret {number}".encode()}
        inputs = {id_: Input(name=id_, data=data) for id_, data in content.items()}
        return Session(ledgers(), Catalog([LEAK]), shown, Inside(inputs, leak))

    return session


def test_even_a_capability_made_to_leak_tells_no_more_than_is_charged(ledgers):
    questions = calls(Catalog([LEAK]), "compare", OTHERS)
    assert len(questions) > 30
    transcripts, charges = Attack(leaky(ledgers, OTHERS), LEAKY, questions).learned()
    assert len(set(transcripts)) == LEAKY  # it does leak: the attacker finds the secret
    assert information(transcripts) <= sum(charges) / len(charges)


def free(session, questions):
    """Outcomes that cost nothing though they were not told before, over this order of questions."""
    told = set()
    found = 0
    for call in questions:
        heard, cost = session.ask(call)
        ran = [each for each in heard if each.status not in (StepStatus.REJECTED, StepStatus.ESCALATED)]
        found += bool(ran) and not cost and call not in told
        told.add(call)
    return found


def single(*inputs):
    return (Step(id="s1", capability="compare", inputs=inputs),)


def test_nothing_new_is_free_and_what_was_told_is(ledgers):
    one, two, three = OTHERS
    pairs = [single(first, second) for first in (SECRET, *OTHERS) for second in (SECRET, *OTHERS) if first != second]
    singles = [single(each) for each in (SECRET, *OTHERS)]
    nested = [
        (*single(SECRET), Step(id="s2", capability="compare", inputs=("s1",))),
        (*single(SECRET), Step(id="s2", capability="compare", inputs=("s1", one))),
        (*single(SECRET, two), Step(id="s2", capability="compare", inputs=("s1", three))),
    ]
    session = leaky(ledgers, OTHERS)(5)
    order = [*singles, *pairs, *nested]
    for call in order:
        first, cost = session.ask(call)
        if first[-1].status is StepStatus.REJECTED:
            continue  # its budget is used up: it tells nothing, whatever the content
        assert cost > 0, call
        again, cost = session.ask(call)
        assert (again, cost) == (first, 0) or again[-1].status is StepStatus.REJECTED


def test_the_attack_would_see_it_if_pairs_were_free(ledgers, monkeypatch):
    """With units that do not say what they are about, some combinations are told for nothing."""
    pairs = [single(first, second) for first in (SECRET, *OTHERS) for second in (SECRET, *OTHERS) if first != second]

    def plain(job_run):
        def run(job):
            seen = hashlib.sha256(repr([each.data for each in job.inputs]).encode()).digest()
            return Result(outcome={"status": ("done", "partial")[seen[0] % 2]})

        return run

    def session():
        shown = {id_: held(id_, Kind.CODE_FILE, SemanticClass.CLI_TOOL) for id_ in (SECRET, *OTHERS)}
        inputs = {id_: Input(name=id_, data=id_.encode()) for id_ in shown}
        return Session(ledgers(), Catalog([LEAK]), shown, Inside(inputs, plain))

    assert free(session(), pairs) == 0
    units = Outcome.units
    monkeypatch.setattr(Outcome, "units", lambda outcome, capability, telling: units(outcome, capability))
    assert free(session(), pairs) > 0


def test_budgets_end_every_attack(ledgers):
    """However long it asks, what one object can ever tell is bounded by its threshold."""
    session = leaky(ledgers, OTHERS)(7)
    dearest = max(BITS.values()) / 0.5  # bits for one point of budget, at most
    for _ in range(3):
        for call in calls(Catalog([LEAK]), "compare", OTHERS):
            session.ask(call)
    assert session.charged() <= 4 * 20 * dearest
