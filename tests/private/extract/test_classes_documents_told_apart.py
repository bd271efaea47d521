"""Documents that resemble others: agreements and specifications, plans and incidents, little evidence and enough."""

from __future__ import annotations

import pytest

from plantwin.private.extract.extraction import extract
from plantwin.private.extract.formats.pacts import mishaps
from plantwin.private.facts import Sample


def named(path: str, text: str) -> tuple[str, str]:
    data = text.encode()
    found = extract(Sample(path, len(data), data), (), digest_value=hash)
    assert found is not None
    return found.ranking[0][0], found.confidence


LEND = """# Agreement on the loan of a barrel organ

The Society of Old Mills lends to the Museum of Sound one organ of 1902.

## Conditions

- The organ shall be tuned before each concert.
- The room must be kept above 16 degrees.
- Labels must name the Society in letters of 12 points.
- The museum shall send a report within seven days.
- The borrower must not move the organ.

Signed on 4 May 2024 for the Society.
"""
LEASE = """# Lease

between the Harbour Board ("the lessor") and the Rowing Club ("the lessee").

1. The lessee shall pay 300 a year.
2. The boats must be moved each winter.
3. The slipway must be kept clear.
4. Either side may end it with a notice of 30 days.
"""
SYSTEM = """# Requirements of the loan agreement module

Between the desk and the vault the module stands alone.

- The module shall store every agreement.
- The module must show who signed.
- The list must be sorted by date.
- An export shall be complete within five seconds.
- The borrower screen must work without a mouse.
"""


@pytest.mark.parametrize("path", ["agreements/organ-loan.md", "docs/file1.md"])
@pytest.mark.parametrize("text", [LEND, LEASE], ids=["loan", "lease"])
def test_what_binds_two_sides_is_a_contract(path, text):
    assert named(path, text)[0] == "contract_document"


@pytest.mark.parametrize("path", ["docs/loans.md", "docs/agreement.md"])
def test_what_a_system_must_do_is_a_specification(path):
    assert named(path, SYSTEM)[0] == "requirements_spec"


ROUNDS = """# Night rounds

| when | where | who |
|---|---|---|
| 18:00 to 21:00 | all halls, every hour | one person |
| 21:00 to 05:00 | the yard | two |
| 05:00 to 08:00 | the gate | one person |
"""
WINDOW = """# Sunday's window

## Plan

| time | what |
|---|---|
| 06:00 | step one (about two minutes) |
| 06:05 | step two |
| 06:20 | the new program |
| 06:40 | tea |
"""
HANDOVER = """# Handover of the shift

- The second pump was restarted twice; cause not known, errors in the log.
- The filter is ordered.

## Tonight

- 20:00 tanker expected
- 23:00 backup
"""
HAPPENED = """# Pump house, 3 June

- 02:10 Both pumps failed.
- 02:14 The night desk was alerted.
- 02:40 Pump two restarted by hand.
- 03:05 Water back at the usual level.
"""


@pytest.mark.parametrize("text", [ROUNDS, WINDOW, HANDOVER], ids=["rounds", "window", "handover"])
def test_what_has_not_happened_is_no_incident(text):
    assert named("docs/handover.md" if text is HANDOVER else "docs/file1.md", text)[0] == "meeting_notes"


def test_what_has_happened_is_an_incident():
    assert named("docs/file1.md", HAPPENED)[0] in ("incident_record", "postmortem")


def test_one_word_of_a_mishap_needs_somebody_who_tells_of_it():
    assert mishaps("08:00 drill for an outage") == 0
    assert mishaps("08:00 outage, the desk was called") == 1
    assert mishaps("08:00 outage, two errors") == 2


STATE = """# State of the carved chest

Seen on 4 May 2024 by the keeper.

| part | state | remark |
|---|---|---|
| lid | good | old repair |
| foot | fair | worm, long dead; must not be wetted |

## Advice

- Do not lift it by the lid.
"""
CHORES = """# Before the pool opens

| # | what | who |
|---|---|---|
| 1 | Limits of chlorine signed | Ada |
| 2 | Benches painted | |
"""
FIELDS = """# Rainfall data

Collected by volunteers; one row per station and day.

| column | type | meaning |
|---|---|---|
| station | text | code of the station |
| mm | number | rain in millimetres |

## Limitations

Missing values are empty.
"""


@pytest.mark.parametrize("text", [STATE, CHORES], ids=["state", "chores"])
def test_little_evidence_makes_a_general_document(text):
    assert named("reports/file1.md", text) == ("general_document", "low")


def test_a_table_that_explains_fields_is_enough_for_a_card():
    assert named("reports/file1.md", FIELDS)[0] == "dataset_card"
