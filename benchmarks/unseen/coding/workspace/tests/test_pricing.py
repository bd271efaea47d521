"""Prices."""

import pytest

from seedshop import pricing


def test_small_basket_by_letter(small_basket):
    # 6.80 + 1.95 postage, and VAT
    assert pricing.basket_total(small_basket) == pytest.approx(10.50)


def test_no_discount_for_few():
    assert pricing.bulk_discount(10) == 0.0


def test_discount_starts_at_twenty_five():
    # "from 25 packets on", says the catalogue
    assert pricing.bulk_discount(25) == 0.05


def test_discount_for_many():
    assert pricing.bulk_discount(120) == 0.15


def test_big_basket_goes_free(big_basket):
    total = pricing.basket_total(big_basket)
    assert total == pytest.approx(211.68)


def test_trade_pays_no_vat(big_basket):
    assert pricing.basket_total(big_basket, customer="trade") < pricing.basket_total(big_basket)


def test_abroad(small_basket):
    assert pricing.basket_total(small_basket, country="NO") == pytest.approx(17.80)


def test_gift_is_never_negative(small_basket):
    assert pricing.basket_total(small_basket, coupon="GIFT50") >= 0
