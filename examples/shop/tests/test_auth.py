import pytest

from shop.auth import legacy
from shop.auth.service import AuthService, InvalidLogin, hasher

SESSIONS = {"ttl_minutes": 5, "algorithm": "HS256"}


@pytest.fixture
def service(monkeypatch):
    customer = {"id": 7, "password_hash": hasher.hash("correct horse"), "legacy_hash": None, "email": "t@example.org", "client": None}
    monkeypatch.setattr("shop.auth.service.one", lambda connection, sql, parameters: customer if parameters in {("t@example.org",), (7,)} else None)
    return AuthService(lambda: None, "test-secret-that-is-long-enough-0000", SESSIONS, allow_legacy=False)


def test_a_token_leads_back_to_its_customer(service):
    token = service.login("t@example.org", "correct horse")
    assert service.customer_of(f"Bearer {token}")["id"] == 7


def test_a_wrong_password_is_refused(service):
    with pytest.raises(InvalidLogin):
        service.login("t@example.org", "battery staple")


def test_an_unknown_address_is_refused_in_the_same_way(service):
    with pytest.raises(InvalidLogin):
        service.login("nobody@example.org", "correct horse")


def test_a_forged_token_is_nobody(service):
    assert service.customer_of("Bearer a.b.c") is None


def test_old_passwords_still_match():
    assert legacy.matches("owl", legacy.digest("owl"))
