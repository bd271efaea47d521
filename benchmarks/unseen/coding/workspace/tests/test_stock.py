"""The shelf."""

import pytest

from seedshop import stock


def test_reserve_takes_packets(shelf, small_basket):
    stock.reserve(shelf, small_basket)
    assert shelf["runner-bean"] == 58
    assert shelf["kale"] == 11


def test_reserve_is_all_or_nothing(shelf, big_basket):
    with pytest.raises(stock.OutOfStock):
        stock.reserve(shelf, big_basket)
    assert shelf == {"runner-bean": 60, "kale": 12, "wild-meadow": 5}


def test_put_back(shelf, small_basket):
    before = dict(shelf)
    stock.put_back(stock.reserve(shelf, small_basket), small_basket)
    assert shelf == before


def test_unknown_variety(shelf):
    assert stock.available(shelf, "parsnip") == 0


def test_low(shelf):
    assert stock.low(shelf) == ["wild-meadow"]
