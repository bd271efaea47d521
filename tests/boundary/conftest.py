"""Makes the builders beside the tests importable, and opens a ledger."""

import sys
from pathlib import Path

import pytest

from plantwin.ledgers.sqlite import SqliteLedger

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def ledger(tmp_path):
    opened = SqliteLedger(tmp_path / "ledger" / "ledger.db", b"k" * 32)
    yield opened
    opened.close()
