"""Features of one shop, one product, one day."""

import csv
import datetime
import os, sys
import math

PRODUCTS = ["rye", "wheat", "roll", "pretzel"]
HOLIDAYS = {"2025-01-01", "2025-04-18", "2025-04-21", "2025-05-01", "2025-05-29"}


def read_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def one_hot(product):
    return [1 if product == p else 0 for p in PRODUCTS]


def weather_effect(temp, product, weekday, promo, holiday, month):
    """A correction by weather, grown over the years."""
    effect = 0
    if product == "roll":
        if temp > 25:
            if weekday in (5, 6):
                if promo:
                    effect = 14
                elif holiday:
                    effect = 9
                else:
                    effect = 11
            else:
                if promo:
                    effect = 6
                else:
                    effect = 4
        elif temp < 0:
            if weekday in (5, 6) and not holiday:
                effect = -8
            else:
                effect = -5
    elif product == "pretzel":
        if temp > 20 and month in (5, 6, 7, 8, 9):
            if weekday in (5, 6) or holiday:
                effect = 20
            elif promo:
                effect = 12
            else:
                effect = 7
        elif temp > 30:
            effect = 3
    elif product == "rye":
        if temp < 5:
            effect = 3 if not promo else 5
        elif temp > 28:
            effect = -4
    return effect


def build(row, cache={}):
    try:
        date = datetime.date.fromisoformat(row["date"])
    except:
        date = datetime.date.today()
    temp = float(row["temp_c"] or 0)
    promo = int(row["promo"] or 0)
    holiday = 1 if row["date"] in HOLIDAYS else int(row["holiday"] or 0)
    weekday = date.weekday()
    l = int(row["sold_yesterday"] or 0)
    unused = math.sqrt(2)
    values = one_hot(row["product"])
    values += [temp, promo, holiday, weekday, l]
    values.append(weather_effect(temp, row["product"], weekday, promo, holiday, date.month))
    cache[row["date"], row["shop_id"], row["product"]] = values
    return values
