"""Redaction by ours and by peers: what is replaced, and what is said of a peer that is not installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from plantwin.errors import InputError
from plantwin.surfaces.cli.bench import evaluation
from plantwin_evals.attempts import Attempt
from plantwin_evals.presidio import REGISTERED, Presidio
from plantwin_evals.redactors import REDACTORS, absent, redacted, redactor
from plantwin_evals.tables import redaction_table

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
