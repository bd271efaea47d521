"""How sensitive an object is follows from what was found, by the documented rule."""

from __future__ import annotations

import pytest

from plantwin.private.detect import sensitivity

SECRET = ("github_token", "secret", "high", 1)
MAYBE = ("password", "secret", "medium", 1)
WEAK = ("password", "secret", "low", 3)
MAIL = ("email", "personal", "medium", 1)
MAILS = ("email", "personal", "medium", 3)
CARD = ("payment_card", "personal", "medium", 1)
HOST = ("internal_host", "infrastructure", "medium", 1)


@pytest.mark.parametrize(
    ("summary", "kind", "level", "causes"),
    [
        ((), "code_file", "low", ()),
        ((), "secret_container", "high", ("credential",)),
        ((SECRET,), "code_file", "high", ("credential",)),
        ((MAYBE,), "code_file", "restricted", ("credential",)),
        ((MAYBE,), "config", "high", ("credential",)),
        ((WEAK,), "config", "restricted", ("credential",)),
        ((MAIL,), "code_file", "low", ()),
        ((MAILS,), "code_file", "restricted", ("personal",)),
        ((MAIL,), "structured_record", "restricted", ("personal",)),
        ((CARD,), "log_stream", "high", ("financial",)),
        ((("diagnosis", "personal", "medium", 2),), "structured_record", "high", ("health",)),
        ((("us_ssn", "personal", "high", 1),), "document", "high", ("personal",)),
        ((HOST,), "config", "low", ()),
        ((HOST,), "log_stream", "restricted", ("infrastructure",)),
        ((("person_name", "personal", "low", 50),), "document", "low", ()),
        ((("ticket_id", "identifier", "medium", 50),), "document", "low", ()),
        ((CARD, HOST, MAIL, SECRET), "log_stream", "high", ("credential", "personal", "financial", "infrastructure")),
    ],
)
def test_rule(summary: tuple[tuple[str, str, str, int], ...], kind: str, level: str, causes: tuple[str, ...]) -> None:
    assert sensitivity(summary, kind) == (level, causes)
