"""Shared fixtures. The file also puts the top folder on the path."""

import pytest


@pytest.fixture
def small_basket():
    return [
        {"variety": "runner-bean", "packets": 2, "price": 2.50},
        {"variety": "kale", "packets": 1, "price": 1.80},
    ]


@pytest.fixture
def big_basket():
    return [
        {"variety": "runner-bean", "packets": 40, "price": 2.50},
        {"variety": "kale", "packets": 20, "price": 1.80},
        {"variety": "wild-meadow", "packets": 5, "price": 12.00},
    ]


@pytest.fixture
def shelf():
    return {"runner-bean": 60, "kale": 12, "wild-meadow": 5}
