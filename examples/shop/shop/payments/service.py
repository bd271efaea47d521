"""Charges and refunds. Every movement of money is one row of `payments`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date, timedelta

from shop.db import execute, one
from shop.payments.quillfjord_gateway import GatewayError, QuillfjordGateway

log = logging.getLogger(__name__)


class Declined(Exception):
    """The card was refused."""


class RefundRefused(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PaymentService:
    def __init__(self, connect: Callable, gateway: QuillfjordGateway, refund_window_days: int) -> None:
        self._connect = connect
        self._gateway = gateway
        self._window = timedelta(days=refund_window_days)

    def charge(self, order_id: int, card: dict) -> dict:
        connection = self._connect()
        order = one(connection, "SELECT id, total, status FROM orders WHERE id = %s", (order_id,))
        log.info("charging order %s with card %s", order_id, card["number"])
        try:
            reference = self._gateway.charge(order["total"], card)
        except GatewayError as error:
            raise Declined from error
        execute(connection, "INSERT INTO payments (order_id, amount, reference) VALUES (%s, %s, %s)", (order_id, order["total"], reference))
        execute(connection, "UPDATE orders SET status = 'paid' WHERE id = %s", (order_id,))
        return {"reference": reference}

    def refund(self, order_id: int, today: date | None = None) -> dict:
        connection = self._connect()
        payment = one(connection, "SELECT amount, reference, paid_on FROM payments WHERE order_id = %s AND amount > 0", (order_id,))
        if payment is None:
            raise RefundRefused("not paid")
        if (today or date.today()) - payment["paid_on"] > self._window:
            raise RefundRefused("too late")
        reference = self._gateway.refund(payment["reference"], payment["amount"])
        execute(connection, "INSERT INTO payments (order_id, amount, reference) VALUES (%s, %s, %s)", (order_id, -payment["amount"], reference))
        return {"reference": reference}
