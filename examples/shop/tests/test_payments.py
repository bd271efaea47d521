from datetime import date

import pytest

from shop.payments.service import PaymentService, RefundRefused


class FakeGateway:
    def refund(self, reference, amount):
        return f"refund-of-{reference}"


@pytest.fixture
def payments(monkeypatch):
    paid = {"amount": 120, "reference": "ch_1", "paid_on": date(2024, 9, 1)}
    monkeypatch.setattr("shop.payments.service.one", lambda connection, sql, parameters: paid)
    monkeypatch.setattr("shop.payments.service.execute", lambda connection, sql, parameters: None)
    return PaymentService(lambda: None, FakeGateway(), refund_window_days=14)


def test_a_refund_within_the_window_is_paid_out(payments):
    assert payments.refund(1, today=date(2024, 9, 10)) == {"reference": "refund-of-ch_1"}


def test_a_late_refund_is_refused(payments):
    with pytest.raises(RefundRefused, match="too late"):
        payments.refund(1, today=date(2024, 9, 20))
