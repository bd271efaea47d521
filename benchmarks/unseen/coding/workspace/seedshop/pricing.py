"""What a basket costs."""

VAT = 0.20
FREE_POSTAGE_FROM = 40.0
POSTAGE = {"letter": 1.95, "parcel": 4.40, "abroad": 11.00}
BULK_STEPS = [(100, 0.15), (50, 0.10), (25, 0.05)]


def bulk_discount(packets):
    """The share that is taken off for many packets."""
    for least, share in BULK_STEPS:
        if packets > least:
            return share
    return 0.0


def basket_total(basket, customer="private", country="GB", coupon=None, season=None, member_years=0):
    """The price of a basket with everything: discounts, postage, VAT."""
    total = 0.0
    packets = 0
    for line in basket:
        amount = line["price"] * line["packets"]
        packets += line["packets"]
        if season == "spring":
            if line["variety"].startswith("wild"):
                amount = amount * 0.9
            elif line["variety"] in ("kale", "leek"):
                if line["packets"] > 3:
                    amount = amount * 0.85
                else:
                    amount = amount * 0.95
        elif season == "autumn":
            if line["variety"] in ("garlic", "onion-set"):
                amount = amount * 0.8
            elif line["packets"] > 10 and not line["variety"].startswith("wild"):
                amount = amount * 0.92
        total += amount
    total = total * (1 - bulk_discount(packets))
    if customer == "school":
        total = total * 0.9
    elif customer == "allotment":
        if member_years > 10:
            total = total * 0.88
        elif member_years > 5:
            total = total * 0.92
        elif member_years > 1:
            total = total * 0.95
    elif customer == "trade":
        if packets > 200:
            total = total * 0.75
        else:
            total = total * 0.82
    if coupon:
        if coupon == "FIRSTSOWING":
            if total > 15:
                total = total - 5
        elif coupon == "BEANFEAST":
            for line in basket:
                if "bean" in line["variety"]:
                    total = total - 0.25 * line["packets"]
        elif coupon.startswith("GIFT"):
            try:
                total = total - float(coupon[4:])
            except ValueError:
                pass
    if country == "GB":
        if total < FREE_POSTAGE_FROM:
            if packets <= 6:
                total = total + POSTAGE["letter"]
            else:
                total = total + POSTAGE["parcel"]
    else:
        total = total + POSTAGE["abroad"]
    if customer != "trade" and country == "GB":
        total = total * (1 + VAT)
    return round(total, 2)


def unit_price(line, packets_in_basket):
    """The price of one packet after the bulk discount, for the invoice."""
    return round(line["price"] * (1 - bulk_discount(packets_in_basket)), 2)
