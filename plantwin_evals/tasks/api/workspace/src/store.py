"""Rows in SQLite; one connection for each thread."""

import sqlite3
import threading

_local = threading.local()


class Store:
    """A thin layer over a connection."""

    def __init__(self, path):
        self._connection = sqlite3.connect(path)
        self._connection.row_factory = sqlite3.Row

    def execute(self, statement, values=()):
        """Run a statement."""
        return self._connection.execute(statement, values)

    def one(self, statement, values=()):
        """The first row as a mapping, or nothing."""
        row = self.execute(statement, values).fetchone()
        return dict(row) if row else None

    def insert(self, table, **values):
        """Add a row and return its number."""
        names = ", ".join(values)
        marks = ", ".join("?" for _ in values)
        return self.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())).lastrowid


def store(path="thistle.db"):
    """The store of this thread."""
    if not hasattr(_local, "store"):
        _local.store = Store(path)
    return _local.store
