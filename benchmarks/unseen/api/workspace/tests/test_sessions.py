import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "server"))

from sessions import check_start, estimate_minutes, power_limit


class SessionsTest(unittest.TestCase):
    def test_good_message(self):
        self.assertEqual(check_start({"point_id": "VM-00017", "card": "C1", "connector": "ccs"}), [])

    def test_missing_connector(self):
        self.assertIn("missing connector", check_start({"point_id": "VM-00017", "card": "C1"}))

    def test_connector_in_capitals(self):
        self.assertEqual(check_start({"point_id": "VM-00017", "card": "C1", "connector": "CCS"}), [])

    def test_limit_is_shared(self):
        self.assertEqual(power_limit({"connector": "ccs"}, {"max_kw": 100, "cars_plugged": 2}), 50)

    def test_limit_when_first_car_arrives(self):
        self.assertEqual(power_limit({"connector": "ccs"}, {"max_kw": 100, "cars_plugged": 0}), 100)

    def test_minutes(self):
        self.assertEqual(estimate_minutes(50, 50), 60)

    def test_minutes_without_limit(self):
        self.assertIsNone(estimate_minutes(None, 50))


if __name__ == "__main__":
    unittest.main()
