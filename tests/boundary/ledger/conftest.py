"""The same ledger in both databases: `place` opens it, again and again, and lets a test lay hands on it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ledger_places import PostgresPlace, SqlitePlace
from ledger_server import Server


@pytest.fixture(scope="session")
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture
def sqlite_place(tmp_path):
    with SqlitePlace(tmp_path / "ledger") as made:
        yield made


@pytest.fixture
def postgres_place(server, tmp_path):
    with PostgresPlace(server, tmp_path / "ledger") as made:
        yield made


@pytest.fixture(params=["sqlite", "postgres"])
def place(request):
    return request.getfixturevalue(f"{request.param}_place")
