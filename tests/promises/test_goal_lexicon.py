"""Whatever the goal, every token that leaves is public, a blank, an id, or a word that the person added."""

from __future__ import annotations

import json
import string
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plantwin.boundary.wire import encode
from plantwin.lexicon import homonyms, lookalikes, terms, words
from plantwin.private.goal import Span, Why, credentials, project, tokens
from plantwin.types.envelope import Request
from plantwin.types.goal import BLANKS, MARKS, MAX_TOKENS, Goal
from plantwin.types.schema import wire_schema
from tables import value_of

ROOT = Path(__file__).parents[2]
DATA = ROOT / "scripts" / "lexicon_data"
ID = "artifact_aaaaaaaa"
ADDED = frozenset(["zanzibar", "quill"])

GIVEN = value_of(__file__, "given")
SURNAMES = """
smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson
thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young
allen king wright scott torres nguyen hill flores green adams nelson baker rivera campbell mitchell carter roberts
gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers gutierrez
ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james
bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers ross foster jenkins park stone fox hunt
knight marsh wolfe bush mueller schmidt schneider fischer weber rossi ferrari dubois lefebvre tanaka suzuki wang zhang
chen singh kumar sharma
"""
PLACES = """
london paris berlin madrid rome vienna lisbon dublin oslo stockholm helsinki warsaw prague budapest athens moscow kyiv
istanbul cairo nairobi lagos johannesburg mumbai delhi tokyo osaka beijing shanghai seoul singapore sydney melbourne
toronto vancouver montreal chicago boston houston dallas austin denver seattle portland phoenix miami atlanta detroit
france germany spain italy austria portugal ireland norway sweden finland poland hungary greece russia ukraine turkey
egypt kenya nigeria india japan china korea australia canada mexico brazil argentina chile peru texas california
florida springfield riverside bath reading orange mobile nice
"""
COMPANIES = """
google microsoft amazon apple facebook netflix nvidia intel oracle salesforce adobe cisco dell lenovo samsung sony
huawei siemens bosch toyota honda tesla ford boeing airbus walmart costco tesco ikea nike adidas pepsi nestle unilever
visa mastercard paypal stripe square hsbc barclays allianz pfizer bayer exxon chevron verizon vodafone comcast disney
spotify twitter uber airbnb shopify ebay alibaba tencent deloitte accenture palantir snowflake slack zoom acme
"""
CODENAMES = (
    "phoenix titan atlas apollo falcon eagle tiger dragon mercury jupiter orion thunder diamond emerald crimson cobra"
)


def kept(reason: str | None = None) -> set[str]:
    table = tomllib.loads((DATA / "kept.toml").read_text())
    return {word for key, text in table.items() if reason in (None, key) for word in text.split()}


def allowed(token: str, ids: frozenset[str] = frozenset()) -> bool:
    return token in words() or token in BLANKS or token in MARKS or token in ids or token[1:] in ADDED


@pytest.mark.parametrize(
    "names", [GIVEN, SURNAMES, PLACES, COMPANIES, CODENAMES], ids=["given", "surname", "place", "firm", "code"]
)
def test_no_name_is_in_the_lexicon_but_those_kept_for_a_reason(names):
    found = set(names.split()) & words()
    assert found <= kept("technology") | kept("ordinary") | kept("verbs")
    assert len(found) <= 4, found
    assert not found & terms()
    assert found <= homonyms() | kept("verbs")


@pytest.mark.parametrize("name", sorted(set((GIVEN + SURNAMES).split())))
def test_no_name_of_a_person_passes_with_a_capital(name):
    for goal in (f"{name.capitalize()} wants a report", f"Ask {name.capitalize()} for it", f"{name.upper()}'s report"):
        assert name not in tokens(project(goal)), goal


@pytest.mark.parametrize("name", sorted(lookalikes() | set((GIVEN + SURNAMES + PLACES + COMPANIES).split())))
def test_no_name_crosses_as_the_word_that_it_looks_like(name):
    crossed = tokens(project(f"ask {name} for it"))[1:-2]
    assert (len(crossed) == 1 and crossed[0] in BLANKS) or (crossed == (name,) and name in words())


def test_the_lexicon_has_its_size_and_form():
    assert 20_000 <= len(words()) <= 40_000
    assert terms() < words() and homonyms() < words()
    assert not terms() & homonyms()
    assert not lookalikes() & words() and {"waters", "wells", "united", "jared"} <= lookalikes()
    assert all(word.isascii() and word.isalnum() and word == word.lower() for word in words())


def test_what_ships_agrees_with_its_data():
    ran = subprocess.run(
        [sys.executable, ROOT / "scripts" / "lexicon", "--check"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout.strip()) == (0, "the lexicon is sound")


WEIRD = st.one_of(
    st.text(max_size=300),
    st.text(alphabet=string.printable, max_size=300),
    st.text(alphabet="aA Bb.'\"`-/\\@:;,!?\n<>+*#$%_019\u200b\u0456\uff41\u202e\u0301\ud800", max_size=200),
    st.lists(st.sampled_from(sorted(words())[::40] + GIVEN.split() + ["the", "password", "is", "Key", "\n", "'", '"']))
    .map(" ".join),
)  # fmt: skip


def spans(ids):
    made = st.tuples(st.integers(-5, 320), st.integers(-5, 320), st.sampled_from(ids))
    return st.lists(made.map(lambda each: Span(each[0], each[1], (each[2],), Why.DETECTED)), max_size=4)


@settings(max_examples=300, deadline=None)
@given(WEIRD, spans([ID]), spans(list(BLANKS)))
@example("the password is \u212aey", [], [])
@example("İstanbul ﬁle ǅ ß", [], [])
def test_every_outbound_token_is_in_the_closed_language(text, references, found):
    pieces = project(text, references=references, found=found, added=ADDED)
    text_out = tokens(pieces)
    assert len(text_out) <= MAX_TOKENS
    assert all(allowed(each, frozenset([ID])) for each in text_out)
    goal = Goal(mode="lexicon", text=text_out, objects=(ID,))
    sent = encode(Request(goal=goal)).data
    assert json.loads(sent)["goal"]["text"] == list(text_out)
    assert pieces == project(text, references=references, found=found, added=ADDED), "deterministic"
    places = [(each.start, each.end) for each in pieces]
    assert places == sorted(places) and all(0 <= start <= end <= len(text) for start, end in places)


@settings(max_examples=100, deadline=None)
@example("AIDING!AIDING!ENCRYPT", 0, 1)
@given(WEIRD, st.integers(0, 300), st.integers(1, 40))
def test_no_part_of_what_is_found_passes(text, start, size):
    """Letters of a found stretch never decide a token: exchanging them changes nothing.

    But for a stretch that is itself a word for a credential: what follows one is blanked all the same.
    """
    end = min(start + size, len(text))
    if any(word.start() < end and word.end() > start for word in credentials._noun.finditer(text)):
        return
    if start >= end or not all(letter.isalpha() and letter.isascii() for letter in text[start:end]):
        return
    found = [Span(start, end, ("<secret>",), Why.DETECTED)]
    other = text[:start] + "q" * (end - start) + text[end:]
    assert tokens(project(text, found=found)) == tokens(project(other, found=found)) or "q" in text[max(0, start - 1) :]


def test_the_schema_accepts_a_goal_and_refuses_a_private_word():
    goal = {
        "mode": "lexicon",
        "text": ["review", "<name>", "+quill", ID, "."],
        "intents": [],
        "families": [],
        "objects": [ID],
    }
    message = {"message": "request", "version": 2, "goal": goal, "objects": [], "edges": []}
    jsonschema.validate(message, wire_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**message, "goal": {**goal, "text": ["marlowe"]}}, wire_schema())


@pytest.mark.parametrize(
    "text",
    ["a" * 4000, "'" * 4000, "`" * 4000, '" ' * 2000, "12 a " * 800, "one " * 1000, "password is " * 333, "-" * 4000,
     "a-" * 2000, "a." * 2000, "\u0301" * 4000, "x\n" * 2000, "1." * 2000, "pin " * 1000, "/*" * 2000],
)  # fmt: skip
def test_no_goal_is_slow(text):
    began = time.process_time()
    project(text)
    assert time.process_time() - began < 0.5
