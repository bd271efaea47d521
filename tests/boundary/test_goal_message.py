"""The goal as a message: if one exists, it is valid; its own words cross only by a door of their own."""

from __future__ import annotations

import json

import pytest
from builders import AUDIENCE, capability, channel, held

from plantwin.boundary.authority import Authority
from plantwin.boundary.release import WORDS, Release, _spoken
from plantwin.boundary.wire import Encoded, decode_envelope, encode, encode_verbatim
from plantwin.config.policies import policy_named
from plantwin.config.settings import load_settings
from plantwin.errors import ConfigError, PolicyError, VocabularyError, WireError
from plantwin.ledgers.records import read_lines
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.lexicon import words
from plantwin.types.capability import Catalog
from plantwin.types.envelope import Request
from plantwin.types.goal import MAX_TOKENS, MAX_VERBATIM, Goal, Verbatim
from plantwin.types.ledger import Known, Limits
from plantwin.types.policy import Party
from plantwin.types.schema import GOAL_BITS, TOKEN_BITS, capacity

A = "artifact_aaaaaaaa"
TEXT = ("review", A, "for", "<name>", ",", "+quill", ".")


def test_a_goal_with_its_text_reads_back():
    request = Request(goal=Goal(mode="lexicon", text=TEXT, objects=(A,)))
    assert decode_envelope(encode(request).data) == request
    assert Goal(mode="lexicon", text=()).text == ()


@pytest.mark.parametrize(
    "fields",
    [{"mode": "verbatim"}, {"mode": "lexicon"}, {"mode": "intent", "text": ()},
     {"mode": "lexicon", "text": ["review"]}, {"mode": "lexicon", "text": ("Marlowe",)},
     {"mode": "lexicon", "text": ("marlowe",)}, {"mode": "lexicon", "text": ("<acme>",)},
     {"mode": "lexicon", "text": ("+Quill",)}, {"mode": "lexicon", "text": (7,)},
     {"mode": "lexicon", "text": ("<name>", "<name>")}, {"mode": "lexicon", "text": (A,)},
     {"mode": "lexicon", "text": ("review",) * (MAX_TOKENS + 1)}],
)  # fmt: skip
def test_a_wrong_text_cannot_be_built(fields):
    with pytest.raises(VocabularyError) as refused:
        Goal(**fields)
    assert "arlowe" not in str(refused.value)


def test_capacity_counts_every_token():
    assert GOAL_BITS["text"] == MAX_TOKENS * TOKEN_BITS > MAX_TOKENS * 12
    assert len(words()) + 500 < 2**TOKEN_BITS
    assert capacity()["goal"]["total"] > GOAL_BITS["text"]


def test_words_are_recorded_once_for_each_audience():
    goal = Goal(mode="lexicon", text=TEXT, objects=(A,))
    assert [each.unit for each in _spoken(goal, Known())] == ["word=+quill", "word=for", "word=review"]
    assert {(each.key, each.cost) for each in _spoken(goal, Known())} == {(WORDS, 0)}
    assert [each.unit for each in _spoken(goal, Known(frozenset(["word=for", "word=review"])))] == ["word=+quill"]
    assert _spoken(Goal(), Known()) == []


def test_what_is_said_is_in_the_ledger_before_it_is_handed_out(tmp_path):
    ledger = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    made = Release(channel(ledger, limits=Limits(fields_per_hour=1)))
    for _ in range(2):
        sent = json.loads(made.request(Goal(mode="lexicon", text=TEXT, objects=(A,)), {}).data)["goal"]
        assert sent["text"] == ["review", "<path>", "for", "<name>", ",", "+quill", "."], (
            "what is not shown is not named"
        )
        assert sent["objects"] == []
    assert ledger.known(AUDIENCE, [WORDS])[WORDS] == Known(frozenset(["word=+quill", "word=for", "word=review"]), 0)
    assert ledger.standing(AUDIENCE).fields == 0, "words are no fields of any object"
    made.registration([held()])
    encoded = made.verbatim("Ask Marlowe")
    (line,) = [json.loads(line.body) for line in read_lines(ledger) if b"verbatim" in line.body]
    assert line["data"].encode() == encoded.data and made.sent[-1] is encoded
    ledger.close()


def test_the_goal_in_its_own_words():
    encoded = encode_verbatim(Verbatim(text='Ask Müller\n"now"\ud800'))
    assert json.loads(encoded.data) == {"message": "verbatim", "text": 'Ask Müller\n"now"?', "version": 2}
    assert encoded.data.isascii()
    with pytest.raises(WireError):
        decode_envelope(encoded.data)
    with pytest.raises(WireError):
        encode(Verbatim(text="x"))  # type: ignore[arg-type]
    with pytest.raises(WireError):
        encode_verbatim("x")  # type: ignore[arg-type]
    assert "Müller" not in repr(Verbatim(text="Müller")) + repr(encoded)
    for wrong in ("", "x" * (MAX_VERBATIM + 1), 7):
        with pytest.raises(VocabularyError):
            Verbatim(text=wrong)  # type: ignore[arg-type]
    with pytest.raises(VocabularyError):
        Verbatim(text="x", version=1)  # type: ignore[arg-type]


def test_other_bytes_do_not_pass_for_a_sentence():
    encoded = encode_verbatim(Verbatim(text="review"))
    for data in (b"private", encoded.data + b" ", b'{"message":"verbatim","text":"","version":2}', "text", b"\xff"):
        object.__setattr__(encoded, "_data", data)
        with pytest.raises(WireError):
            _ = encoded.data
    closed = encode(Request(goal=Goal()))
    object.__setattr__(closed, "_data", encode_verbatim(Verbatim(text="review")).data)
    with pytest.raises(WireError):
        _ = closed.data
    with pytest.raises(WireError):
        Encoded(b"{}", object(), verbatim=True)


REMOTE, LOCAL = Party("x", "x", "remote"), Party("x", "x", "local")


def verbatim(name, party, objects):
    authority = Authority(policy_named(name), party, Catalog([capability()]), goal_mode="verbatim")
    authority.need_verbatim({each.subject for each in objects})


@pytest.mark.parametrize("name", ["default", "strict", "team", "local-only"])
def test_the_policies_that_ship_keep_the_words_here(name):
    with pytest.raises(PolicyError):
        verbatim(name, REMOTE, [held()])


def test_a_policy_that_makes_no_difference_lets_them_cross():
    verbatim("default", LOCAL, [held()])
    with pytest.raises(PolicyError, match="nothing is permitted"):
        verbatim("default", LOCAL, [])


@pytest.mark.parametrize("party", [REMOTE, LOCAL])
def test_a_release_asks_the_policy_itself_before_the_very_words_are_handed_out(tmp_path, party):
    ledger = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    made = Release(channel(ledger, policy=policy_named("default"), party=party, goal_mode="intent"))
    made.registration([held()])
    lines = len(list(read_lines(ledger)))
    if party is REMOTE:
        with pytest.raises(PolicyError, match="own words"):
            made.verbatim("Ask Marlowe")
        assert len(list(read_lines(ledger))) == lines
    else:
        assert b"Marlowe" in made.verbatim("Ask Marlowe").data
    assert len(made.sent) == (1 if party is REMOTE else 2)
    ledger.close()


@pytest.mark.parametrize(
    "text",
    ['mode = "verbatim"', 'mode = "all"', 'words = ["X"]', 'words = ["a"]', 'words = ["acme corp"]', "words = 3"],
)
def test_settings_of_the_goal_are_checked(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(f"[goal]\n{text}\n")
    with pytest.raises(ConfigError, match="goal"):
        load_settings(path)


def test_settings_of_the_goal(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text('[goal]\nmode = "intent"\nwords = ["marlowe"]\n')
    assert load_settings(path).goal.words == ("marlowe",)
    assert load_settings(path).goal.mode == "intent"
