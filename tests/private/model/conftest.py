"""The small model, loaded once for all tests of it."""

from __future__ import annotations

import pytest

from plantwin.private.model.model import Model
from plantwin.weights import installed


@pytest.fixture(scope="session")
def files():
    """Weights and runtime of the `slm` extra."""
    return installed()


@pytest.fixture(scope="session")
def loaded(files):
    model = Model(*files, context=512)
    yield model
    model.close()


@pytest.fixture
def model(loaded):
    yield loaded
    loaded.deadline = float("inf")
