import pytest

from perks import db


def test_first_row(database):
    database.execute("INSERT INTO members (id, name) VALUES (1, 'Test Member')")
    assert db.fetch_one("SELECT name FROM members WHERE id = ?", (1,))["name"] == "Test Member"


def test_nothing_there(database):
    with pytest.raises(db.NotFound):
        db.fetch_one("SELECT name FROM members WHERE id = ?", (99,))


def test_rolled_back(database):
    with pytest.raises(ZeroDivisionError), db.connection() as conn:
        conn.execute("INSERT INTO members (id, name) VALUES (2, 'Gone')")
        1 / 0
    assert db.fetch_all("SELECT * FROM members") == []
