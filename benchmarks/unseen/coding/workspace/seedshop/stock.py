"""How many packets are on the shelf."""

from seedshop import storage


class OutOfStock(Exception):
    pass


def available(shelf, variety):
    return shelf.get(variety, 0)


def reserve(shelf, basket):
    """Take the packets of a basket off the shelf, or none of them."""
    for line in basket:
        if available(shelf, line["variety"]) < line["packets"]:
            raise OutOfStock(line["variety"])
    for line in basket:
        shelf[line["variety"]] -= line["packets"]
    return shelf


def put_back(shelf, basket):
    for line in basket:
        shelf[line["variety"]] = available(shelf, line["variety"]) + line["packets"]
    return shelf


def load_shelf(connection):
    rows = storage.all_rows(connection, "shelf")
    return {row[0]: row[1] for row in rows}


def low(shelf, least=10):
    """The varieties that should be ordered again."""
    return sorted(name for name, packets in shelf.items() if packets < least)
