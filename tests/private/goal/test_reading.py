"""How requests are read: misspelt, shortened, and in other languages. Names and paths keep their letters."""

from __future__ import annotations

from plantwin.private.goal import project, read, tokens
from tables import cases


@cases("typed", "meant")
def test_a_request_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert " ".join(read(typed, lambda _: False).split()) == meant


@cases("typed")
def test_what_is_no_misspelling_stays(typed: str) -> None:
    assert read(typed, lambda _: False) == typed


def test_what_names_something_here_stays() -> None:
    assert read("review migratoins", {"migratoins"}.__contains__) == "review migratoins"


@cases("typed")
def test_a_secret_in_words_is_one_in_every_language_and_spelling(typed: str) -> None:
    crossed = tokens(project(read(typed, lambda _: False)))
    assert "<secret>" in crossed and not {"open", "water"} & set(crossed)
