"""Labels for the packing table."""

import os
import re
import json, datetime
from seedshop import stock


def address_label(order, lines=[]):
    lines.append(order["name"])
    lines.append(order["street"])
    lines.append(order["town"] + " " + order["postcode"])
    if order.get("country") != None:
        lines.append(order["country"])
    l = "\n".join(lines)
    return l


def variety_label(variety, packets, shelf):
    left = stock.available(shelf, variety)
    text = f"Tarnholt Seeds"
    text = text + "\n" + variety.replace("-", " ").title()
    text = text + "\n%d packets" % packets
    if left == 0:
        text = text + "\nLAST ONES"
    return text


def sow_by(variety, today=datetime.date.today()):
    try:
        months = {"kale": 6, "runner-bean": 4, "leek": 5}[variety]
    except:
        months = 3
    month = today.month + months
    unused = month * 2
    return datetime.date(today.year, month, 1)


def print_all(orders, shelf):
    for order in orders:
        print(address_label(order))
        for line in order["basket"]:
            print(variety_label(line["variety"], line["packets"], shelf))
            if sow_by(line["variety"]) == None: print("no date")
