"""The detector, built once."""

from __future__ import annotations

import pytest

from plantwin.private.detect import Detector, detector, engine, stream

SMALL = 64 << 10


@pytest.fixture(scope="session")
def found() -> Detector:
    return detector()


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> int:
    """Segments that are small enough to have many of them."""
    for module in (engine, stream):
        monkeypatch.setattr(module, "SEGMENT", SMALL)
    return SMALL
