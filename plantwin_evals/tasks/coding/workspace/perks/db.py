"""A thin layer over the driver. Everything that reads or writes goes through here."""

import contextlib
import sqlite3

from perks import settings


class NotFound(LookupError):
    """No such row."""


@contextlib.contextmanager
def connection():
    """One transaction: committed at the end, rolled back on an exception."""
    conn = sqlite3.connect(settings.DATABASE_URL.removeprefix("sqlite:///"))
    conn.row_factory = sqlite3.Row
    try:
        yield conn
        conn.commit()
    except Exception:
        conn.rollback()
        raise
    finally:
        conn.close()


def fetch_one(sql, params=()):
    """The first row; NotFound where there is none."""
    with connection() as conn:
        row = conn.execute(sql, params).fetchone()
    if row is None:
        raise NotFound(sql)
    return row


def fetch_all(sql, params=()):
    """All rows."""
    with connection() as conn:
        return conn.execute(sql, params).fetchall()


def execute(sql, params=()):
    """How many rows were changed."""
    with connection() as conn:
        return conn.execute(sql, params).rowcount
