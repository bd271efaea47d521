"""Promise 2: what leaves depends on vocabulary values alone."""

from __future__ import annotations

from collections import Counter

import msgspec
from generated import dress, environments
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.boundary.identity import Issuer
from plantwin.boundary.wire import encode
from plantwin.private.opening import registration
from plantwin.private.project import build

TEXTS = st.lists(st.text(max_size=12), min_size=20, max_size=20).map(lambda texts: texts * 10)


def without_ids(twin):
    """A twin up to its ids and order: objects by values, edges by the values they join."""
    values = {}
    groups: dict[str, list[str]] = {}
    for each in twin.objects:
        fields = msgspec.to_builtins(each)
        identity, component = fields.pop("object_id"), fields.pop("component", None)
        values[identity] = msgspec.json.encode(fields, order="sorted")
        if component:
            groups.setdefault(component, []).append(values[identity])
    edges = Counter(
        (values[edge.source], str(edge.edge), str(edge.reason), values.get(edge.target, b"")) for edge in twin.edges
    )
    return Counter(values.values()), Counter(tuple(sorted(group)) for group in groups.values()), edges


@settings(max_examples=80, deadline=None)
@given(environments(), TEXTS, TEXTS)
def test_other_private_text_gives_the_same_twin(environment, texts, others):
    one, _ = build(*dress(environment, texts), Issuer())
    other, _ = build(*dress(environment, others), Issuer())
    assert without_ids(one) == without_ids(other)


@settings(max_examples=60, deadline=None)
@given(environments(), TEXTS, TEXTS)
def test_other_private_text_gives_bytes_that_differ_in_ids_alone(environment, texts, others):
    sent = []
    for private in (texts, others):
        twin, objects = build(*dress(environment, private), Issuer())
        data = encode(registration(twin)).data
        for identity, record in objects.items():
            data = data.replace(identity.encode(), f"#{record.number}".encode())
        message = msgspec.json.decode(data)
        message["objects"].sort(key=lambda each: each["object_id"])
        sent.append(msgspec.json.encode(message, order="sorted"))
    assert sent[0] == sent[1]


def test_ids_are_fresh_in_every_session_and_order_is_shuffled():
    objects = [
        {
            "kind": "config", "semantic_class": "app_config", "family": "configuration", "role": "production",
            "sensitivity": "low", "freshness": "today", "size_bucket": "small", "confidence": "high",
        }
    ] * 30  # fmt: skip
    records, _ = dress((objects, [0] * 30, []), [f"text {n}" for n in range(400)])
    seen: set[str] = set()
    orders = set()
    for _ in range(20):
        twin, back = build(list(records), [], Issuer())
        ids = {each.object_id for each in twin.objects}
        assert len(ids) == 30
        assert not ids & seen
        seen |= ids
        orders.add(tuple(back[each.object_id].number for each in twin.objects))
    assert len(orders) == 20
