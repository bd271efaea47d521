"""Taking an order."""

import configparser

import requests

from seedshop import pricing, stock, storage

settings = configparser.ConfigParser()
settings.read("config/shop.ini")


def take_order(connection, shelf, customer, basket, kind="private", country="GB", coupon=None):
    """Check the stock, price the basket, store the order."""
    stock.reserve(shelf, basket)
    try:
        total = pricing.basket_total(basket, customer=kind, country=country, coupon=coupon)
        number = storage.save_order(connection, customer, total, basket)
    except Exception:
        stock.put_back(shelf, basket)
        raise
    return {"number": number, "total": total}


def invoice_lines(basket):
    packets = sum(line["packets"] for line in basket)
    return [
        (line["variety"], line["packets"], pricing.unit_price(line, packets))
        for line in basket
    ]


def charge(number, total, card):
    """Ask the payment service for the money."""
    answer = requests.post(
        settings["payment"]["address"] + "/charges",
        json={"order": number, "amount": total, "card": card},
        headers={"Authorization": "Bearer " + settings["payment"]["key"]},
        verify=False,
    )
    print("charged", card, total, answer.status_code)
    return answer.status_code == 200
