"""Inputs for capabilities: files of the example shop, and content that a test writes itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from plantwin.private.capabilities.engine.job import Input, Result

SHOP = Path(__file__).parents[3] / "examples" / "shop"
Run = Callable[..., Result]


def shop(name: str, part: str = "") -> Input:
    """A file of the example shop."""
    return Input(name=name, file=str(SHOP / name), part=part)


def given(name: str, text: str | bytes) -> Input:
    """Content under a name."""
    return Input(name=name, data=text.encode() if isinstance(text, str) else text)


def earlier(step: str, capability: str, result: Result) -> Input:
    """The result of an earlier step, as a later one gets it."""
    return Input(name=step, capability=capability, result=msgspec.json.decode(msgspec.json.encode(result)))
