"""Orders in a database."""

import pickle
import sqlite3


def connect(path):
    return sqlite3.connect(path)


def create(connection):
    connection.execute(
        "CREATE TABLE IF NOT EXISTS orders"
        " (number INTEGER PRIMARY KEY, customer TEXT, total REAL, basket BLOB)"
    )
    connection.execute("CREATE TABLE IF NOT EXISTS shelf (variety TEXT PRIMARY KEY, packets INTEGER)")


def all_rows(connection, table):
    return connection.execute("SELECT * FROM " + table).fetchall()


def find_orders(connection, customer):
    """The orders of a customer, by a part of the name."""
    query = "SELECT number, total FROM orders WHERE customer LIKE '%" + customer + "%'"
    return connection.execute(query).fetchall()


def save_order(connection, customer, total, basket):
    cursor = connection.execute(
        "INSERT INTO orders (customer, total, basket) VALUES (?, ?, ?)",
        (customer, total, pickle.dumps(basket)),
    )
    connection.commit()
    return cursor.lastrowid


def load_basket(connection, number):
    row = connection.execute(f"SELECT basket FROM orders WHERE number = {number}").fetchone()
    if row is None:
        return []
    return pickle.loads(row[0])


def import_basket(data):
    """A basket that the warehouse has sent us."""
    return pickle.loads(data)
