"""Who is asking: login, session tokens, and the way from a token back to a customer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import jwt
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from shop.auth import legacy
from shop.db import execute, one

log = logging.getLogger(__name__)
hasher = PasswordHasher()


class InvalidLogin(Exception):
    """Unknown address or wrong password; the caller must not learn which."""


class AuthService:
    def __init__(self, connect: Callable, secret: str, sessions: dict, allow_legacy: bool) -> None:
        self._connect = connect
        self._secret = secret
        self._ttl = timedelta(minutes=sessions["ttl_minutes"])
        self._algorithm = sessions["algorithm"]
        self._allow_legacy = allow_legacy

    def login(self, email: str, password: str) -> str:
        connection = self._connect()
        customer = one(connection, "SELECT id, password_hash, legacy_hash FROM customers WHERE email = %s", (email,))
        if customer is None or not self._matches(connection, customer, password):
            log.warning("failed login for %s", email)
            raise InvalidLogin
        expires = datetime.now(timezone.utc) + self._ttl
        return jwt.encode({"sub": str(customer["id"]), "exp": expires}, self._secret, algorithm=self._algorithm)

    def customer_of(self, header: str) -> dict | None:
        if not header.startswith("Bearer "):
            return None
        try:
            claims = jwt.decode(header[7:], self._secret, algorithms=[self._algorithm])
        except jwt.InvalidTokenError:
            return None
        return one(self._connect(), "SELECT id, email, client FROM customers WHERE id = %s", (int(claims["sub"]),))

    def _matches(self, connection, customer: dict, password: str) -> bool:
        if customer["password_hash"]:
            try:
                return hasher.verify(customer["password_hash"], password)
            except VerifyMismatchError:
                return False
        if self._allow_legacy and legacy.matches(password, customer["legacy_hash"]):
            execute(connection, "UPDATE customers SET password_hash = %s WHERE id = %s", (hasher.hash(password), customer["id"]))
            return True
        return False
