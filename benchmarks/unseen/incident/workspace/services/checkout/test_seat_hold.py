import os
import sys
import unittest
from datetime import datetime, timedelta

sys.path.insert(0, os.path.dirname(__file__))

from seat_hold import Hold, Sailing, hold_minutes, is_expired, make_hold, release_expired


class Connection:
    def execute(self, *_):
        return None


class Pool:
    def __init__(self):
        self.out = 0

    def acquire(self):
        self.out += 1
        return Connection()

    def release(self, _):
        self.out -= 1


class SeatHoldTest(unittest.TestCase):
    def test_empty_deck_gets_longest_hold(self):
        self.assertEqual(hold_minutes(Sailing("HQ-0815", 300, 420)), 20)

    def test_full_deck_gets_short_hold(self):
        self.assertEqual(hold_minutes(Sailing("HQ-0815", 300, 420, metres_taken=420)), 8)

    def test_expiry(self):
        hold = Hold("h1", Sailing("HQ-0815", 300, 420), 2, made_at=datetime(2025, 9, 1, 10, 0))
        self.assertFalse(is_expired(hold, datetime(2025, 9, 1, 10, 15)))
        self.assertTrue(is_expired(hold, datetime(2025, 9, 1, 10, 21)))

    def test_release_gives_connection_back(self):
        pool = Pool()
        sailing = Sailing("HQ-0815", 300, 420)
        hold = make_hold(pool, "h1", sailing, 2, 5)
        self.assertEqual(release_expired(pool, [hold], datetime.utcnow() + timedelta(hours=1)), 1)
        self.assertEqual(pool.out, 0)

    def test_foot_passenger_ferry_has_no_car_deck(self):
        self.assertEqual(hold_minutes(Sailing("SV-1905", 140, 0)), 20)


if __name__ == "__main__":
    unittest.main()
