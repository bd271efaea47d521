"""One connection per request; tests replace `connect` by SQLite."""

import os

import psycopg2
from psycopg2.extras import RealDictCursor


def connect():
    return psycopg2.connect(os.environ["DATABASE_URL"], cursor_factory=RealDictCursor)


def one(connection, sql: str, parameters: tuple) -> dict | None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchone()


def execute(connection, sql: str, parameters: tuple) -> None:
    with connection, connection.cursor() as cursor:
        cursor.execute(sql, parameters)
