"""Goals that spell a secret in public words, and goals that only speak about credentials."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plantwin.lexicon import words
from plantwin.private.goal import project, tokens, unsecret
from plantwin.private.goal.credentials import BETWEEN, LINKS, MODIFIERS, USING, _about, _link
from plantwin.private.goal.words import FUNCTION

FOLDER = Path(__file__).parent / "goals"


def goals(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n").replace("\\t", "\t") for line in lines if line and not line.startswith("#")]


SECRETS = goals("secrets.txt")
ORDINARY = goals("ordinary.txt")
GRAMMAR = FUNCTION | MODIFIERS | LINKS | BETWEEN | USING
PLAIN = sorted(each for each in words() - GRAMMAR if each.isalpha() and not _about(each) and not _link.fullmatch(each))
"""Words of which a secret may be made without speaking of software."""


def bare(goal: str) -> str:
    return goal.replace("[", "").replace("]", "")


def spelled(goal: str) -> set[str]:
    """Words of the stretches in brackets."""
    return {word for part in re.findall(r"\[([^\]]*)\]", goal) for word in re.findall(r"[a-z]+", part.lower())}


def test_there_are_enough_of_them() -> None:
    assert len(SECRETS) >= 80 and len(ORDINARY) >= 150
    assert all(spelled(goal) and spelled(goal) <= words() for goal in SECRETS), "each would cross by itself"


@pytest.mark.parametrize("goal", SECRETS)
def test_no_secret_of_public_words_crosses(goal: str) -> None:
    crossed = tokens(project(bare(goal)))
    assert not spelled(goal) & set(crossed)
    assert {"<secret>", "<text>"} & set(crossed)
    if "<text>" not in crossed:
        assert not spelled(goal) & set(re.findall(r"[a-z]+", unsecret(bare(goal)).lower())), "nor is it read as a wish"


@pytest.mark.parametrize("goal", ORDINARY)
def test_what_only_speaks_about_a_credential_crosses(goal: str) -> None:
    assert "<secret>" not in tokens(project(goal))


CASES = [str, str.upper, str.capitalize, str.swapcase]
FRAMES = [
    "{}", "Review the config. {}", "{}. Then compare the logs", "please note: {}", "Summarize it, {}", "{}, review it",
    "\n{}\n", "({})", "First lint the code; {}; then test it",
]  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from([each for each in SECRETS if "[open water]" in each]),
    st.lists(st.sampled_from(PLAIN), min_size=2, max_size=4, unique=True),
    st.sampled_from(CASES),
    st.sampled_from(FRAMES),
)
@example("the password is [open water]", ["open", "window"], str.upper, "{}")
def test_no_variant_crosses(goal, secret, case, frame) -> None:
    text = case(bare(goal.replace("[open water]", " ".join(secret))))
    around = set(re.findall(r"[a-z]+", (frame + re.sub(r"\[[^\]]*\]", "", goal)).lower()))
    assert not (set(secret) - around) & set(tokens(project(frame.format(text))))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ORDINARY), st.sampled_from(FRAMES))
def test_no_variant_of_an_ordinary_goal_is_blanked(goal, frame) -> None:
    assert "<secret>" not in tokens(project(frame.format(goal)))
