import pytest

from perks import db, settings


@pytest.fixture
def database(tmp_path, monkeypatch):
    """An empty database with today's tables."""
    monkeypatch.setattr(settings, "DATABASE_URL", f"sqlite:///{tmp_path / 'perks.db'}")
    with db.connection() as conn:
        conn.executescript(
            """
            CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, email TEXT, birthday TEXT, password_hash TEXT);
            CREATE TABLE points_entries (id INTEGER PRIMARY KEY, member_id INT, order_id TEXT, points INT, booked_on TEXT);
            CREATE TABLE vouchers (code TEXT, member_id INT, value_cents INT, partner TEXT, valid_until TEXT, state TEXT);
            """
        )
    return db
