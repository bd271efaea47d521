"""The metrics are what the paper defines, and statistics agree with worked examples."""

from __future__ import annotations

import base64
import codecs
import json
import math
import sys
import urllib.parse
from importlib.util import find_spec
from statistics import NormalDist

import pytest

from plantwin.errors import InputError
from plantwin.surfaces.cli.bench import evaluation
from plantwin_evals.attempts import Attempt
from plantwin_evals.exposure import seen
from plantwin_evals.metrics import Score, leakage, lenient_score, non_disclosure, score, worst_leakage
from plantwin_evals.presidio import REGISTERED, Presidio
from plantwin_evals.redactors import REDACTORS, absent, redacted, redactor
from plantwin_evals.statistics import friedman, interval, pairs
from plantwin_evals.tables import redaction_table


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert score(["a", "b"], ["a", "b"]).f1 == 1.0
    assert score(["a", "b", "c", "d"], ["a", "b"]) == Score(0.5, 1.0)
    assert score(["a", "b", "c", "d"], ["a", "b"]).f1 == pytest.approx(2 / 3)
    assert score([], ["a"]).f1 == 0.0
    assert score(["x"], ["a"]).f1 == 0.0


def test_an_alternative_stands_for_what_it_replaces() -> None:
    alternatives = {"summarize": ("report",)}
    assert lenient_score(["report", "lint"], ["summarize", "lint"], alternatives, ()).f1 == 1.0
    # Beside what it would replace, it does no harm and no good.
    assert lenient_score(["report", "summarize"], ["summarize", "lint"], alternatives, ()) == Score(1.0, 0.5)


def test_one_alternative_does_not_stand_for_two() -> None:
    alternatives = {"a": ("x",), "b": ("x",)}
    assert lenient_score(["x"], ["a", "b"], alternatives, ()) == Score(1.0, 0.5)


def test_optional_capabilities_neither_help_nor_harm() -> None:
    assert lenient_score(["a", "extra"], ["a", "b"], {}, ("extra",)) == Score(1.0, 0.5)
    assert lenient_score(["a", "other"], ["a", "b"], {}, ("extra",)) == Score(0.5, 0.5)


def test_non_disclosure_is_a_share_of_items() -> None:
    assert non_disclosure(10, 0) == 1.0
    assert non_disclosure(10, 4) == pytest.approx(0.6)


def test_leakage_is_what_was_spent_of_all_budgets() -> None:
    assert leakage([(5, 10), (0, 30)]) == pytest.approx(0.125)
    assert worst_leakage([(5, 10), (0, 30)]) == 0.5
    assert leakage([]) == worst_leakage([]) == 0.0


def test_friedman_of_a_worked_example() -> None:
    # Three methods on four tasks, ranked alike on all of them: chi2 = n (k - 1), so W = 1.
    scores = {"a": [0.1, 0.2, 0.3, 0.1], "b": [0.4, 0.5, 0.6, 0.4], "c": [0.7, 0.8, 0.9, 0.7]}
    found = friedman(scores)
    assert found is not None
    assert found.statistic == pytest.approx(8.0)
    assert found.w == pytest.approx(1.0)
    assert found.p == pytest.approx(math.exp(-4.0))  # chi2 with two degrees of freedom


def test_friedman_needs_three_methods_that_differ() -> None:
    assert friedman({"a": [1.0, 0.0], "b": [0.0, 1.0]}) is None
    assert friedman({name: [0.5, 0.5] for name in "abc"}) is None


def test_pairs_are_corrected_for_their_number() -> None:
    reference = [0.5] * 12
    better = [0.5 + 0.01 * number for number in range(1, 13)]
    found = {pair.method: pair for pair in pairs({"ref": reference, "better": better, "same": reference}, "ref")}
    assert found["same"].p == 1.0 and found["same"].r == 0.0 and found["same"].differing == 0
    assert found["better"].statistic == 0.0  # every difference has one sign
    assert found["better"].corrected == pytest.approx(2 * found["better"].p)
    assert found["better"].p < 0.01
    assert found["better"].r == pytest.approx(0.88, abs=0.02)  # |z| = 3.06 over sqrt(12)
    # Over all tasks, also those that do not differ.
    twice = pairs({"ref": reference * 2, "half": better + reference}, "ref")[0]
    assert twice.differing == 12 and twice.r == pytest.approx(found["better"].r / math.sqrt(2))
    assert found["better"].difference == pytest.approx(0.065)


def test_the_effect_size_is_the_papers() -> None:
    # It states p = 0.079 and r = 0.230 for 58 tasks: z over the root of all tasks, not of those that differ.
    z = NormalDist().inv_cdf(1 - 0.079 / 2)
    assert z / math.sqrt(58) == pytest.approx(0.230, abs=0.001)


def test_an_interval_holds_its_mean_and_narrows_with_more_tasks() -> None:
    few = interval([0.0, 1.0] * 5)
    many = interval([0.0, 1.0] * 50)
    assert few.low < few.mean == 0.5 < few.high
    assert many.high - many.low < few.high - few.low
    assert interval([0.7] * 10) == (pytest.approx(0.7), pytest.approx(0.7), pytest.approx(0.7))
    assert interval([0.0, 1.0] * 5) == few  # the same resampling each time
    assert interval([]) == (0.0, 0.0, 0.0)


# Sensitive items are found in what was sent, however they are written, and not where they do not stand

SECRET = "pk_nu8Yq2/Rr+T=4Wz"
NAME = "Dunmore Orvik"


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        SECRET.upper(),
        json.dumps({"key": SECRET}),
        urllib.parse.quote(SECRET),
        urllib.parse.quote(SECRET, safe=""),
        SECRET.encode().hex(),
        codecs.encode(SECRET, "rot13"),
        SECRET[::-1],
        "pk-nu8Yq2 Rr T 4Wz",
    ],
)
def test_an_item_is_seen_in_common_encodings(written: str) -> None:
    assert seen(f"some text {written} and more".encode(), SECRET)


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_an_item_is_seen_in_a_text_that_is_encoded_as_a_whole(before: str) -> None:
    assert seen(base64.b64encode(f"{before}{SECRET} and more".encode()), SECRET)


@pytest.mark.parametrize(
    "written", ["dunmore orvik", "Dunmore-Orvik", "DunmoreOrvik", "Dunmoore Orvik", "Dunmore Orviks"]
)
def test_a_name_is_seen_when_something_very_like_it_is_there(written: str) -> None:
    assert seen(f"the invoices of {written} for May".encode(), NAME, text=True)


def test_what_is_not_there_is_not_seen() -> None:
    payload = json.dumps({"objects": [{"object_id": "artifact_x7k2", "kind": "document"}] * 40}).encode()
    assert not seen(payload, SECRET)
    assert not seen(payload, NAME, text=True)
    assert not seen(b"the dunes and more of the work in orbit", NAME, text=True)
    assert not seen(b"", NAME, text=True)


# Redaction by ours and by peers: what is replaced, and what is said of a peer that is not installed

PEER = "redacted-presidio"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the peer is not installed, also where it is."""
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)


def attempt(mode: str, **members: object) -> Attempt:
    made = Attempt(
        configuration=f"{mode} + offline",
        planner="offline",
        mode=mode,
        domain="coding",
        task="coding-1",
        group="stated",
    )
    for name, value in members.items():
        setattr(made, name, value)
    return made


def test_every_redactor_is_a_mode_of_the_command_line() -> None:
    assert set(REDACTORS) < set(evaluation.MODES)


def test_ours_replaces_what_it_finds_and_says_how_long_it_took() -> None:
    texts = {"notes.md": "Write to marla.quent@harrow.example today."}
    done = redacted("redacted", texts, "Ask marla.quent@harrow.example", "")
    assert "marla" not in done.texts["notes.md"] + done.goal
    assert done.texts["notes.md"].startswith("Write to <") and done.seconds > 0
    # What was redacted before is not redacted again, and counts with the time that it took.
    assert redacted("redacted", texts, "Ask marla.quent@harrow.example", "") == done


@pytest.mark.usefixtures("without")
def test_a_peer_that_is_not_installed_is_told_by_name() -> None:
    assert absent("redacted") == "" and absent("twin") == ""
    assert absent(PEER) == 'presidio-analyzer is not installed (pip install "plantwin[presidio]")'
    redactor.cache_clear()
    with pytest.raises(InputError, match="redacted-presidio is not run: presidio-analyzer is not installed"):
        redacted(PEER, {"a": "b"}, "", "")


@pytest.mark.usefixtures("without")
def test_the_table_lists_what_ran_and_what_did_not() -> None:
    ran = attempt("redacted", sensitive=4, seen=["one"], sent=1200, redactor="ours", seconds={"redact": 0.05})
    ours, peer = redaction_table([ran, attempt("twin")]).rows
    assert ours == ("redacted", "ours", 0.75, 1200, "50", "1 tasks")
    assert peer[:5] == (PEER, None, None, None, None) and peer[5].startswith("not run: presidio-analyzer is not")


def test_ends_of_addresses_keep_their_length() -> None:
    assert all(len(reserved) == len(stands) for reserved, stands in REGISTERED.items())


def test_the_peer_itself_or_why_it_does_not_run() -> None:
    peer = Presidio()
    if find_spec("presidio_analyzer") is None:
        assert peer.absent().startswith("presidio-analyzer is not installed")
        return
    assert peer.absent() == "" and peer.described().startswith("presidio-analyzer 2.")
    text = "Mail ünal.quent@harrow.example, call +1 415 555 0132, pay with 4111 1111 1111 1111."
    done = peer.redact(text, "notes.md")
    assert done.startswith("Mail <EMAIL_ADDRESS>, call <") and done.endswith(">.")
    assert not any(each in done for each in ("quent", "555", "1111"))
    assert "quent@harrow.example" in Presidio(registered=False).redact(text, "notes.md")
    assert peer.redact("", "") == "" and peer.redact("Nothing here", "") == "Nothing here"
