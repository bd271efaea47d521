"""Promise 2: what leaves depends on vocabulary values alone."""

from __future__ import annotations

import json
import re
from collections import Counter

import msgspec
import pytest
from generated import ONE_WAY, WORDS, dress, environments, told
from generated import without_ids as wire_without_ids
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.config.settings import Settings
from plantwin.private.project import build
from plantwin.session import run
from plantwin.types.identity import Issuer
from plantwin.vocabulary import MAX_EDGES, EdgeReason
from plantwin.workspace import Workspace

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


def test_chance_decides_only_between_objects_that_nothing_tells_apart():
    """Of two copies with the same values one is joined to a third object by more: which is which is no draw."""
    words = {field: str(next(iter(vocabulary))) for field, vocabulary in WORDS.items()}
    handler, client = (
        {"semantic_class": leaf, "family": "application", **words} for leaf in ("api_handler", "api_client")
    )
    edges = [(0, EdgeReason.COPY, 1), (0, EdgeReason.COPY, 2), (0, EdgeReason.DIVERGED, 1)]
    dressed = dress(([handler, client, client], [0, 0, 1], edges), [""] * 200)
    first = without_ids(build(*dressed, Issuer())[0])
    assert all(without_ids(build(*dressed, Issuer())[0]) == first for _ in range(20))


@settings(max_examples=60, deadline=None)
@given(environments(16, ONE_WAY, MAX_EDGES), TEXTS, TEXTS, st.integers(2, 4), st.randoms(use_true_random=False))
def test_other_private_text_gives_bytes_that_differ_in_ids_alone(environment, texts, others, k, mixed):
    """Sets, relations, splits and outcomes over sets and parts included; files sort differently by other names.

    Of more relations than may be told of one set, those that are alike are drawn by chance: here there are no more.
    """
    sent = []
    for private in (texts, others):
        records, relations = dress(environment, private)
        mixed.shuffle(records)
        mixed.shuffle(relations)
        sent.append(wire_without_ids(*told(records, relations, k)))
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


class Listening:
    """A planner that keeps what it is sent and wants nothing done."""

    name = audience = "acme"
    locality = "remote"

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def plan(self, envelopes):
        self.heard += [envelope.data for envelope in envelopes]
        return b'{"done":true}'


def nameless(data):
    """An envelope without ids, its rows in one order."""
    message = json.loads(re.sub(rb"\b(artifact|set|component|session|request)_[a-z2-7]+", rb"\1", data))
    rows = {
        key: sorted(json.dumps(row, sort_keys=True) for row in message[key])
        for key in message
        if type(message[key]) is list
    }
    return json.dumps({**message, **rows}, sort_keys=True)


@pytest.mark.parametrize("mode", ["sets", "objects"])
@pytest.mark.parametrize("goal", ["check all settings", "is anything unsafe here?"])
def test_with_a_goal_that_speaks_of_none_of_them_other_names_and_contents_give_the_same_bytes(tmp_path, mode, goal):
    """What a goal does choose by names and contents, docs/selection.md states as what the choice may tell."""
    sent = []
    for number, (stem, word) in enumerate((("harrow", "quiver"), ("tallow", "mantle"))):
        root = tmp_path / str(number) / "work"
        root.mkdir(parents=True)
        for place in range(8):
            (root / f"{stem}{place}.toml").write_text(f'[server]\nport = 808{place}\nhost = "{word}"\n')
            (root / f"{word}{place}.md").write_text(f"# {stem.title()} {place}\n\nNotes on {stem}.\n")
        settings = Settings(twin=msgspec.structs.replace(Settings().twin, mode=mode))
        workspace = Workspace(root, settings=settings, state=tmp_path / f"state{number}", jobs=1)
        planner = Listening()
        try:
            assert run(goal, workspace, planner).error == ""
        finally:
            workspace.close()
        sent.append([nameless(data) for data in planner.heard])
    assert sent[0] == sent[1] and sent[0]
