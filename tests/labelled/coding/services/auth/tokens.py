"""Issue and verify the short-lived access tokens of the parcel API."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import jwt

from services.auth.errors import ExpiredSession, UnknownUser
from services.auth.store import UserStore

ACCESS_TTL = timedelta(minutes=15)
REFRESH_TTL = timedelta(days=14)


@dataclass(frozen=True)
class Principal:
    user_id: int
    scopes: frozenset[str]


class TokenIssuer:
    def __init__(self, store: UserStore, signing_key: bytes, audience: str) -> None:
        self._store = store
        self._key = signing_key
        self._audience = audience

    def login(self, email: str, password: str) -> tuple[str, str]:
        user = self._store.find_by_email(email)
        if user is None or not user.check_password(password):
            raise UnknownUser
        refresh = secrets.token_urlsafe(32)
        self._store.save_refresh(user.id, refresh, datetime.now(timezone.utc) + REFRESH_TTL)
        return self._access(user.id, user.scopes), refresh

    def verify(self, token: str) -> Principal:
        try:
            claims = jwt.decode(token, self._key, algorithms=["HS256"], audience=self._audience)
        except jwt.ExpiredSignatureError as error:
            raise ExpiredSession from error
        return Principal(int(claims["sub"]), frozenset(claims["scope"].split()))

    def refresh(self, user_id: int, presented: str) -> str:
        stored = self._store.load_refresh(user_id)
        if stored is None or not hmac.compare_digest(stored.value, presented):
            raise UnknownUser
        return self._access(user_id, stored.scopes)

    def _access(self, user_id: int, scopes: list[str]) -> str:
        now = datetime.now(timezone.utc)
        claims = {"sub": str(user_id), "aud": self._audience, "iat": now, "exp": now + ACCESS_TTL, "scope": " ".join(scopes)}
        return jwt.encode(claims, self._key, algorithm="HS256")
