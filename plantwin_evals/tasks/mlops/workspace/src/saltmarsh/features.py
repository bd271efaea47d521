"""From a claim to a vector of numbers: the same code in training and in serving."""

import math

NUMBERS = ("vehicle_age", "claim_amount", "prior_claims", "days_since_policy", "photos", "narrative_length")
CHANNELS = ("broker", "web", "phone", "app")
REGIONS = ("north", "coast", "midland", "islands")


class MissingColumn(KeyError):
    """A claim without a column that the model needs."""


def log_amount(amount):
    """Amounts are skewed; nothing below one counts."""
    return math.log(max(amount, 1.0))


def one_hot(value, known):
    """One place for each known word, all zero for an unknown one."""
    return [1.0 if value == each else 0.0 for each in known]


def vectorize(claim):
    """The vector of one claim, given as a mapping of texts."""
    for name in (*NUMBERS, "channel", "region"):
        if name not in claim:
            raise MissingColumn(name)
    values = []
    for name in NUMBERS:
        # photos is empty for claims from the app: see docs/model_card.md
        if claim[name] == "" and name == "photos":
            values.append(0.0)
            continue
        values.append(float(claim[name]))
    values[1] = log_amount(values[1])
    return values + one_hot(claim["channel"], CHANNELS) + one_hot(claim["region"], REGIONS)


def risky_start(claim, days=40):
    """Whether the policy is younger than the claim allows for."""
    return int(claim["days_since_policy"]) < days
