"""A person's own capabilities: random names on the wire, closed words for what they do, stable units in the ledger."""

from __future__ import annotations

import json
import re

import builders
import msgspec
import pytest
from builders import AUTH, CATALOG, PAY, capability, channel, held, units

from plantwin.boundary.budget import Weighted
from plantwin.boundary.release import Release
from plantwin.boundary.wire import decode_envelope, encode
from plantwin.errors import VocabularyError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.types.capability import Catalog, custom_id_like
from plantwin.types.envelope import MAX_OFFERS, Offer, Request
from plantwin.types.goal import Goal
from plantwin.types.identity import Issuer
from plantwin.types.plan import Plan, Step
from plantwin.types.schema import OFFER_BITS, capacity, wire_schema
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import CapabilityName, Kind, ResultType

ONE, TWO = "custom_aaaaaaaa", "custom_bbbbbbbb"


def offer(**fields):
    values = {
        "capability": ONE,
        "like": CapabilityName.LINT,
        "kinds": (Kind.CODE_FILE,),
        "returns": ResultType.FINDINGS,
    }
    return Offer(**{**values, **fields})


def own(name="house_style", wire=ONE, **fields):
    return capability(CapabilityName.LINT, own=name, wire=wire, **fields)


def keeper(ledger, *capabilities):
    catalog = Catalog([*CATALOG.values(), *capabilities])
    return builders.keeper(
        ledger, catalog=catalog, shown={AUTH: held(AUTH), PAY: held(PAY)}, accountant=Weighted(scale=10)
    )


def gated(keeper, *steps):
    plan = Plan(steps=steps)
    return [keeper.gate(plan, position, frozenset()) for position in plan.order()]


def test_names_of_a_session_are_random_and_of_one_form():
    issuer = Issuer()
    names = {issuer.capability_id() for _ in range(200)}
    assert len(names) == 200
    assert all(map(custom_id_like, names))
    assert not custom_id_like("custom_short")
    assert not custom_id_like(b"custom_aaaaaaaa")


@pytest.mark.parametrize(
    "fields",
    [{"capability": "house_style"}, {"capability": "lint"}, {"like": "lint"}, {"returns": "findings"}, {"kinds": ()},
     {"kinds": [Kind.CODE_FILE]}, {"kinds": ("code_file",)}, {"kinds": (Kind.CONFIG, Kind.CODE_FILE)},
     {"kinds": (Kind.CONFIG, Kind.CONFIG)}],
)  # fmt: skip
def test_an_offer_outside_the_vocabulary_does_not_exist(fields):
    with pytest.raises(VocabularyError):
        offer(**fields)


def test_offers_are_bounded_and_in_one_order():
    Request(goal=Goal(), offers=(offer(), offer(capability=TWO)))
    many = tuple(
        offer(capability=f"custom_{'abcdefgh'[n % 8]}{'abcdefgh'[n // 8]}aaaaaa") for n in range(MAX_OFFERS + 1)
    )
    for wrong in ((), (offer(), offer()), (offer(capability=TWO), offer()), many, [offer()], ("x",)):
        with pytest.raises(VocabularyError):
            Request(goal=Goal(), offers=wrong)


def test_a_request_without_offers_does_not_mention_them():
    assert b"offers" not in encode(Request(goal=Goal())).data
    data = encode(Request(goal=Goal(), offers=(offer(),))).data
    assert json.loads(data)["offers"] == [
        {"capability": ONE, "like": "lint", "kinds": ["code_file"], "returns": "findings"}
    ]
    assert decode_envelope(data) == Request(goal=Goal(), offers=(offer(),))
    for wrong in (data.replace(b"custom_aaaaaaaa", b"house_style_tool"), data.replace(b'"offers":[', b'"offers":[1,')):
        with pytest.raises(WireError):
            decode_envelope(wrong)


def test_the_schema_states_what_an_offer_can_carry():
    offered = wire_schema()["$defs"]["Offer"]
    assert set(offered["properties"]) == set(OFFER_BITS)
    assert offered["x-capacity-bits"] == round(sum(OFFER_BITS.values()), 2)
    assert capacity()["request"] > capacity()["goal"]["total"] + MAX_OFFERS * sum(OFFER_BITS.values())


def test_a_release_lists_offers_by_their_random_names(ledger):
    release = Release(channel(ledger))
    release.registration([held(AUTH)])
    sent = json.loads(release.request(Goal(), {}, (offer(capability=TWO), offer())).data)
    assert [each["capability"] for each in sent["offers"]] == [ONE, TWO]
    assert "offers" not in json.loads(release.request(Goal(), {}).data)


def test_what_is_ones_own_can_never_stand_for_a_built_in():
    assert own().word == ONE
    assert (own().unit, capability().unit) == ("own.lint", "security_audit")
    for fields in ({"wire": "lint"}, {"own": "", "wire": ONE}, {"own": "x", "name": CapabilityName.DESCRIBE}):
        with pytest.raises(VocabularyError):
            msgspec.structs.replace(own(), **fields).__post_init__()
    for wrong in ([own(), own()], [own(), own(wire=TWO)], [own(wire="")], [own(), own("other")]):
        with pytest.raises(VocabularyError):
            Catalog([*CATALOG.values(), *wrong])
    both = Catalog([capability(CapabilityName.LINT), own(), own("other", TWO)])
    assert [each.word for each in both.alike("lint")] == ["lint", ONE, TWO]
    assert list(both) == ["lint", ONE, TWO]


def test_a_step_is_charged_under_its_stable_word_and_recorded_with_its_name(ledger):
    gate = keeper(ledger, own(), own("other", TWO))
    (first,) = gated(gate, Step(id="s1", capability=ONE, inputs=(AUTH,)))
    assert isinstance(first, Allowed)
    told = units(ledger) - {"confidence=sure"}
    assert all(re.fullmatch(r"own\.lint\.(status|severity|count|tag)=\w+@[0-9a-f]{16}", unit) for unit in told)
    assert not any("custom" in unit for unit in told)
    # Another of one's own that does the same sort of thing says something else.
    (second,) = gated(gate, Step(id="s1", capability=TWO, inputs=(AUTH,)))
    assert dict(second.spent)[AUTH] == 2500
    # The verdict on the first also told that the local side is sure of the object.
    assert dict(first.spent)[AUTH] == 2500 + 500
    # It may say something else in the next session, of the same content: it is paid for again.
    (third,) = gated(keeper(ledger, own(wire=TWO)), Step(id="s1", capability=TWO, inputs=(AUTH,)))
    assert dict(third.spent)[AUTH] == 2500
    bodies = [json.loads(line.body) for line in read_lines(ledger) if line.kind == "verdict"]
    assert [body["own"] for body in bodies] == ["house_style", "other", "house_style"]


def test_what_is_told_of_a_pair_says_nothing_of_another(ledger):
    gate = keeper(ledger)
    single = Step(id="s1", capability="security_audit", inputs=(AUTH,))
    pair = Step(id="s1", capability="security_audit", inputs=(AUTH, PAY))
    other = Step(id="s1", capability="security_audit", inputs=(PAY, AUTH))
    costs = [sum(cost for _, cost in gated(gate, each)[0].spent) for each in (single, single, pair, other, pair)]
    # The first verdict on each of them also says that the local side is sure of it.
    assert costs == [2500 + 500, 0, 5000 + 500, 5000, 0]
    assert {unit for unit in units(ledger) if "@" not in unit} == {
        "confidence=sure", "security_audit.status=done", "security_audit.severity=high", "security_audit.count=few",
        "security_audit.tag=injection", "security_audit.tag=weak_crypto",
    }  # fmt: skip


def test_a_result_used_twice_is_followed_once(ledger):
    """Every step uses two earlier ones twice over: without care, following them would take for ever."""
    merged = capability(
        CapabilityName.COMPARE, least=2, most=2, takes=frozenset({ResultType.FINDINGS}), returns=ResultType.FINDINGS
    )
    steps = [Step(id=f"s{n}", capability="security_audit", inputs=(each,)) for n, each in enumerate((AUTH, PAY))]
    steps += [Step(id=f"s{n}", capability="compare", inputs=(f"s{n - 2}", f"s{n - 1}")) for n in range(2, 32)]
    shown = {each: held(each) for each in (AUTH, PAY)}
    gate = builders.keeper(ledger, catalog=Catalog([capability(), merged]), shown=shown, accountant=Weighted(scale=100))
    assert [len(verdict.spent) for verdict in gated(gate, *steps)] == [1, 1] + [2] * 30
