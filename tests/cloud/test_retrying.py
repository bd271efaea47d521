"""Pauses grow, are random, follow the server within bounds, and end."""

from __future__ import annotations

import email.utils
import time

import pytest

from plantwin.cloud.transport import AGAIN, LONGEST, pause


def test_pauses_grow_with_jitter_and_are_bounded():
    for attempt in range(40):
        backoff = min(LONGEST, 0.5 * 2**attempt)
        found = [pause(attempt, {}) for _ in range(20)]
        assert all(backoff / 2 <= each <= backoff for each in found)
        assert len(set(found)) > 1


@pytest.mark.parametrize(
    ("headers", "least"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.0),
        ({"retry-after-ms": "3000", "retry-after": "9"}, 3.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "inf"}, 0.0),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "x" * 100}, 0.0),
        ({"retry-after": "3600"}, None),
        ({"retry-after-ms": "999999"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 99999 07:28:00 GMT"}, 0.0),
        ({"retry-after": email.utils.formatdate(time.time() + 86400, usegmt=True)}, None),
    ],
)
def test_the_server_is_heard_within_bounds(headers, least):
    found = pause(0, headers)
    if least is None:
        assert found is None
    else:
        assert least <= found <= max(least, 0.5)


def test_only_codes_that_may_pass_are_tried_again():
    assert {408, 409, 425, 429, 500, 502, 503, 504, 529} == AGAIN
