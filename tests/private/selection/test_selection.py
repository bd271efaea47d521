"""What is shown: the goal's words find objects by name, place, content and nearness; a vague goal gets a spread."""

from __future__ import annotations

import pytest

from plantwin.private.capabilities import catalog
from plantwin.private.facts import Record, Relation
from plantwin.private.index import PARTS
from plantwin.private.selection.choice import select
from plantwin.private.selection.intents import families, intents
from plantwin.private.selection.lexical import MOST, wanted
from plantwin.private.selection.mentions import mentions
from plantwin.private.selection.words import MOST as KEPT
from plantwin.private.selection.words import POLITE, STOP, alike, meanings, number, parts, read, stem, terms

CATALOG = catalog()
ABLE = frozenset(each.name for each in CATALOG.values())


def record(number_, path, **values):
    given = {
        "kind": "code_file",
        "semantic_class": "utility_library",
        "family": "library",
        "role": "production",
        "sensitivity": "low",
        "freshness": "stale",
        "size_bucket": "small",
        "confidence": "high",
        **values,
    }
    return Record(number=number_ * PARTS, path=path, **given)


def chosen(goal, records, texts=None, relations=(), most=10):
    words = [(each.number // PARTS, terms((texts or {}).get(each.path, "").encode(), [])) for each in records]
    wanted, kinds = intents(goal, ABLE), families(goal)
    return select(goal, records, relations, words, mentions(goal, records), wanted, kinds, CATALOG, most)


def many(number_=300, **values):
    return [record(each, f"lib/part{each % 17}/piece_{each}.py", **values) for each in range(1, number_ + 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("retries", "retry"), ("addresses", "address"), ("pods", "pod"), ("resizing", "resize"), ("services", "service")],
)
def test_forms_of_a_word_are_one(one, other):
    assert number(one) == number(other)


def test_a_stem_keeps_enough_to_tell_words_apart():
    assert [stem(each) for each in ("class", "use", "ion", "bus")] == ["class", "use", "ion", "bus"]


def test_identifiers_are_divided_and_words_with_digits_left_out():
    assert parts(b"parseHTTPReply") == ["parse", "http", "reply"] or "http" in STOP
    assert parts(b"AKIA1ABCDEF") == []
    assert parts(b"x" * 500) == []
    assert parts(b"the") == []


def test_what_is_kept_of_a_file_is_bounded_sorted_and_holds_no_text():
    text = " ".join(f"word{chr(97 + a)}{chr(97 + b)}" for a in range(26) for b in range(26)).encode()
    kept = terms(text, ["settleInvoice"])
    numbers = list(read(kept))
    assert len(numbers) == KEPT
    assert numbers == sorted(set(numbers))
    assert {number("settle"), number("invoice")} <= set(numbers)
    assert b"word" not in kept
    assert terms(b"", []) == b""
    assert list(read(kept + b"\0")) == numbers
    names = [f"{chr(97 + a)}{chr(97 + b)}qqk" for a in range(26) for b in range(26)]
    assert len(read(terms(b"other", names))) == KEPT


@pytest.mark.parametrize("data", [b"\xff\xfe\0\x80" * 4000, b"A" * 100_000, b"1a" * 50_000, "äöü ß".encode() * 9000])
def test_hostile_content_is_taken_as_it_comes(data):
    assert len(read(terms(data, ["\udcff", "é" * 9000]))) <= KEPT


def test_the_end_of_a_long_file_counts_too():
    text = b"filler " * 4000 + b"quarantine"
    assert number("quarantine") in read(terms(text, []))


def test_a_goal_is_words_with_weights():
    found = {each.word: each for each in wanted("Please review how people sign in, and the unpaid invoices")}
    assert found["invoices"].weight == 1.0
    assert found["review"].weight < 0.2
    assert number("login") in found["signin"].numbers
    assert found["invoices"].numbers[number("billing")] < 1.0
    assert wanted("") == ()
    letters = [f"{chr(97 + a)}{chr(97 + b)}zzqx" for a in range(26) for b in range(26)]
    assert len(wanted(" ".join(letters))) == MOST


def test_meanings_are_lower_case_words_and_mutual():
    assert all(word.isascii() and word.islower() for line in meanings() for word in line)
    found = alike()
    assert all(each in found[other] for each, others in found.items() for other in others)
    assert not STOP & {"invoice", "login"}
    assert "please" in POLITE


def test_content_finds_an_object_whose_name_says_nothing():
    records = [*many(), record(999, "x/a.py")]
    shown = chosen(
        "Why are overdue invoices reminded twice?", records, {"x/a.py": "def remind(overdue): invoice"}
    ).shown
    assert shown[0].path == "x/a.py"


def test_a_name_finds_an_object_by_the_beginning_of_a_word():
    records = [*many(), record(999, "firmware/thermo.c"), record(998, "ops/sshd.conf")]
    assert chosen("Why is the thermometer wrong?", records).shown[0].path == "firmware/thermo.c"
    assert "ops/sshd.conf" in [each.path for each in chosen("harden ssh", records).shown]


def test_words_that_mean_the_same_find_an_object_after_the_word_itself():
    records = [*many(), record(998, "a/authenticate.py"), record(999, "a/login.py")]
    shown = [each.path for each in chosen("where does the login happen", records).shown]
    assert shown[:2] == ["a/login.py", "a/authenticate.py"]


def test_what_lies_beside_a_match_is_shown_too():
    records = [*many(), record(998, "q/dunning.py"), record(999, "q/zzz.py")]
    edge = Relation(source=999 * PARTS, edge="depends_on", reason="imports", target=998 * PARTS)
    tool = Relation(source=998 * PARTS, edge="requires_capability", reason="runtime", target=-1)
    shown = [each.path for each in chosen("explain the dunning", records, relations=(edge, tool)).shown]
    assert "q/zzz.py" in shown


def test_what_a_goal_names_is_always_shown():
    records = [*many(), record(999, "deep/down/odd.cfg", kind="config", role="vendored")]
    for _ in range(3):
        assert chosen("compare the login with deep/down/odd.cfg", records, most=1).shown[0].number == 999 * PARTS


def test_a_name_that_fits_most_of_a_folder_does_not_flood_it():
    records = [record(each, f"svc{each}/worker.py") for each in range(1, 200)]
    records.append(record(999, "billing/dunning.py"))
    shown = chosen("why does the worker send the dunning twice", records, {"billing/dunning.py": "dunning"}).shown
    assert "billing/dunning.py" in [each.path for each in shown]


def test_rare_fitness_counts_more_than_common_fitness():
    log = record(999, "z/out.log", kind="log_stream", semantic_class="error_log", family="logs")
    assert log.number in [each.number for each in chosen("what went wrong in the logs?", [*many(), log]).shown]


def test_a_vague_goal_gets_a_spread_with_what_stands_out():
    records = many()
    special = [
        record(901, "a/.env", kind="secret_container", semantic_class="credentials_file", family="credentials",
               sensitivity="high", contains=(("credentials", "few"),)),
        record(902, "b/app.log", kind="log_stream", semantic_class="error_log", family="logs",
               contains=(("error_lines", "many"),)),
        record(903, "c/deploy.yaml", kind="config", semantic_class="deploy_manifest", family="delivery"),
        record(904, "d/api.yaml", kind="config", semantic_class="api_contract", family="contracts"),
        record(905, "e/guide.md", kind="document", semantic_class="user_guide", family="guides", role="example"),
    ]  # fmt: skip
    ranked = chosen("how is it going?", [*records, *special], most=12)
    assert {each.number for each in special} <= {each.number for each in ranked.shown}
    assert len(ranked.shown) == 12
    assert len(ranked.rest) == len(records) + len(special) - 12
    assert repr(ranked) == "<Ranked private>"


def test_copies_in_one_folder_do_not_fill_a_vague_choice():
    records = [record(each, f"bulk/{each}.py") for each in range(1, 100)]
    records += [record(each, f"other{each}/x.py") for each in range(100, 105)]
    shown = [each.path for each in chosen("tell me more", records, most=8).shown]
    assert sum(path.startswith("bulk/") for path in shown) <= 5


def test_ties_are_broken_at_random_and_nothing_is_lost():
    records = many(60)
    first = {tuple(each.number for each in chosen("hello", records, most=5).shown) for _ in range(8)}
    assert len(first) > 1
    few = chosen("hello", records[:3], most=40)
    assert (len(few.shown), few.rest) == (3, [])
    assert chosen("hello", [], most=40).shown == []
