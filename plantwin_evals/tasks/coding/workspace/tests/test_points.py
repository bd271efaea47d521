import datetime

import pytest

from perks import points


def test_started_euros_count():
    assert points.points_for([{"category": "books", "cents": 1299}], datetime.date(2025, 2, 3)) == 130


def test_day_of_the_book_doubles():
    assert points.points_for([{"category": "cafe", "cents": 300}], datetime.date(2025, 4, 23)) == 12


def test_balance_forgets_what_lapsed(database):
    points.credit(7, "o-1", [{"category": "books", "cents": 1000}], datetime.date(2022, 1, 5))
    points.credit(7, "o-2", [{"category": "books", "cents": 1000}], datetime.date(2025, 1, 5))
    assert points.balance(7, datetime.date(2025, 2, 1)) == 100


def test_order_is_credited_once(database):
    lines = [{"category": "books", "cents": 1000}]
    points.credit(7, "o-1", lines, datetime.date(2025, 1, 5))
    with pytest.raises(points.DuplicateCredit):
        points.credit(7, "o-1", lines, datetime.date(2025, 1, 5))
