import datetime

import pytest

from perks import vouchers

TODAY = datetime.date(2025, 2, 14)
BASKET = [{"category": "stationery", "cents": 1500}]


def test_plain_voucher():
    voucher = {"code": "QM-1", "value_cents": 500, "valid_until": "2025-12-31"}
    assert vouchers.redeem(voucher, BASKET, {"id": 1}, None, "web", TODAY, dry_run=True) == 1000


def test_expired():
    voucher = {"code": "QM-1", "value_cents": 500, "valid_until": "2025-01-31"}
    with pytest.raises(vouchers.VoucherError):
        vouchers.redeem(voucher, BASKET, {"id": 1}, None, "web", TODAY, dry_run=True)


def test_swiss_shops_round():
    voucher = {"code": "HG1-1", "value_cents": 500, "valid_until": "2025-12-31", "partner": "HG1"}
    assert vouchers.redeem(voucher, BASKET, None, {"country": "CH"}, "shop", TODAY, dry_run=True) == 975
