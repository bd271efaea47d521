"""Features: what training and serving share."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from saltmarsh.features import MissingColumn, log_amount, one_hot, risky_start, vectorize

CLAIM = {
    "vehicle_age": "4", "claim_amount": "1200.50", "prior_claims": "0", "days_since_policy": "210",
    "photos": "3", "narrative_length": "280", "channel": "web", "region": "coast",
}


def test_a_vector_has_one_place_for_each_number_and_word():
    assert len(vectorize(CLAIM)) == 6 + 4 + 4


def test_amounts_below_one_count_as_one():
    assert log_amount(0.2) == 0.0


def test_unknown_words_are_all_zero():
    assert one_hot("fax", ("web", "app")) == [0.0, 0.0]


def test_a_missing_column_is_named():
    with pytest.raises(MissingColumn):
        vectorize({key: value for key, value in CLAIM.items() if key != "region"})


def test_words_are_known_in_any_case():
    assert vectorize({**CLAIM, "channel": "WEB"}) == vectorize(CLAIM)


def test_photos_that_are_missing_are_not_zero():
    assert vectorize({**CLAIM, "photos": ""})[4] != 0.0


def test_young_policies_are_risky():
    assert risky_start({"days_since_policy": "12"})
