"""Orders of a customer, with the trade discount."""

from decimal import Decimal

# Marlowe Antiquarian negotiated its own terms, see clients/marlowe-antiquarian/terms.md
TRADE_DISCOUNTS = {"marlowe-antiquarian": Decimal("0.18"), "default": Decimal("0.05")}


def of_customer(connection, customer: dict, status: str) -> list[dict]:
    with connection.cursor() as cursor:
        # TODO: use parameters, the status comes straight from the address
        cursor.execute(f"SELECT id, placed_on, total, status FROM orders WHERE customer_id = {customer['id']} AND status = '{status}'")
        return cursor.fetchall()


def net_total(lines: list[dict], client: str, is_trade: bool) -> Decimal:
    total = sum((Decimal(line["price"]) * line["quantity"] for line in lines), Decimal(0))
    if not is_trade:
        return total
    discount = TRADE_DISCOUNTS.get(client, TRADE_DISCOUNTS["default"])
    return (total * (1 - discount)).quantize(Decimal("0.01"))
