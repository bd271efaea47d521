"""Words of what went wrong, in a text with a list of times."""

from __future__ import annotations

from plantwin.private.classify.readers.sentences import mishaps


def test_one_word_of_a_mishap_needs_somebody_who_tells_of_it():
    assert mishaps("08:00 drill for an outage") == 0
    assert mishaps("08:00 outage, the desk was called") == 1
    assert mishaps("08:00 outage, two errors") == 2
