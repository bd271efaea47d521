"""Appointments, with a connection that remembers what it was told."""

import sys
import types
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.modules.setdefault("psycopg2", types.ModuleType("psycopg2"))

from app import appointments


def test_slots_beyond_32_bits_are_refused():
    with pytest.raises(ValueError):
        appointments.move(1, 2**31)


def test_open_slots_are_numbers():
    class Cursor:
        def execute(self, statement, values):
            self.statement = statement

        def fetchall(self):
            return [(4,), (7,)]

    assert appointments.open_slots(Cursor(), "2026-11-16") == [4, 7]
