"""The trail: any change, deletion, insertion, reordering or cut is found, and at its place."""

from __future__ import annotations

import hashlib
import os

import pytest
from ledger_places import ALPHA, KEY, key, tell

from plantwin.boundary.ledger.chain import ORIGIN, Chain, keyed, pack
from plantwin.boundary.ledger.tree import EMPTY
from plantwin.errors import LedgerError
from plantwin.ledgers.verification import unpack, verify
from plantwin.types.ledger import Entry, Row


@pytest.fixture
def written(place):
    """Six lines, two of them charges."""
    ledger = place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500), entries=(Entry("envelope", b"one"),))
    ledger.note("alpha", "turn", [Entry("answer", b"two"), Entry("plan", b"three")])
    tell(ledger, ALPHA, ("b", "kind=config", 500), entries=(Entry("envelope", b"four"),))
    assert (verify(ledger).lines, verify(ledger).problem) == (6, "")
    return ledger


CHANGED = "a line was changed, put in or moved"


@pytest.mark.parametrize(
    ("statements", "lines", "problem", "at"),
    [
        (["UPDATE trail SET body = 'x' WHERE number = 3"], 2, CHANGED, 3),
        (["UPDATE trail SET kind = 'answe' WHERE number = 3"], 2, CHANGED, 3),
        (["UPDATE trail SET at = at + 1 WHERE number = 6"], 5, CHANGED, 6),
        (["UPDATE trail SET mac = body WHERE number = 1"], 0, CHANGED, 1),
        (["DELETE FROM trail WHERE number = 4"], 3, "a line is missing", 4),
        (["DELETE FROM trail WHERE number = 1"], 0, "a line is missing", 1),
        (["DELETE FROM trail WHERE number = 4", "UPDATE trail SET number = 4 WHERE number = 5"], 3, CHANGED, 4),
        (
            [
                "UPDATE trail SET number = 99 WHERE number = 3",
                "UPDATE trail SET number = 3 WHERE number = 4",
                "UPDATE trail SET number = 4 WHERE number = 99",
            ],
            2,
            CHANGED,
            3,
        ),
        (["INSERT INTO trail SELECT 7, at, kind, body, mac FROM trail WHERE number = 6"], 6, CHANGED, 7),
        (["INSERT INTO trail SELECT 0, at, kind, body, mac FROM trail WHERE number = 6"], 0, CHANGED, 0),
        (["DELETE FROM trail WHERE number > 4"], 4, "lines were cut off at the end", 5),
        (["DELETE FROM trail"], 0, "lines were cut off at the end", 1),
        (["DELETE FROM told WHERE number = 1"], 6, "the table of what was told does not agree with the trail", 0),
        (["UPDATE told SET cost = 1"], 6, "the table of what was told does not agree with the trail", 0),
        (["UPDATE told SET audience = 'beta'"], 6, "the table of what was told does not agree with the trail", 0),
        (["UPDATE told SET cost = -1"], 6, "the table of what was told does not agree with the trail", 0),
        (
            [
                "INSERT INTO told (bucket, line, key, audience, unit, cost, at) "
                "SELECT bucket, 99, key, audience, 'x', 1, at FROM told"
            ],
            6,
            "the table of what was told does not agree with the trail",
            0,
        ),
    ],
)
def test_tampering_is_found(place, written, statements, lines, problem, at):
    for statement in statements:
        place.raw(statement)
    found = verify(written)
    assert (found.lines, found.problem, found.at) == (lines, problem, at)


def test_a_ledger_shorter_than_its_anchor_takes_no_more(place, written):
    place.raw("DELETE FROM trail WHERE number > 4")
    place.raw("DELETE FROM told WHERE line > 4")
    for use in (
        lambda: tell(written, ALPHA, ("c", "kind=config", 500)),
        lambda: written.note("alpha", "turn"),
        lambda: written.inherit(key("x"), [key("a")]),
        place.open,
    ):
        with pytest.raises(LedgerError, match="less than was recorded"):
            use()


def test_a_crash_between_commit_and_anchor_leaves_it_behind_and_all_is_well(place, written):
    old = place.anchor.read_bytes()
    tell(written, ALPHA, ("c", "kind=config", 500))
    assert place.anchor.read_bytes() != old
    place.anchor.write_bytes(old)
    again = place.open()
    assert (verify(again).lines, verify(again).problem) == (7, "")
    tell(again, ALPHA, ("d", "kind=config", 500))
    assert verify(again).problem == ""
    place.raw("DELETE FROM trail WHERE number > 7")
    assert verify(again).problem == "lines were cut off at the end"


def test_an_anchor_left_behind_moves_up_when_the_ledger_is_opened(place, written):
    new = place.anchor.read_bytes()
    tell(written, ALPHA, ("c", "kind=config", 500))
    newer = place.anchor.read_bytes()
    place.anchor.write_bytes(new)
    place.open()
    assert place.anchor.read_bytes() == newer


def test_an_anchor_put_back_under_an_open_ledger_is_noticed(place, written):
    old = place.anchor.read_bytes()
    tell(written, ALPHA, ("c", "kind=config", 500))
    place.anchor.write_bytes(old)
    for use in (lambda: tell(written, ALPHA, ("d", "kind=config", 500)), lambda: written.known(ALPHA, [key("c")])):
        with pytest.raises(LedgerError, match="less than was recorded"):
            use()


def test_an_anchor_of_another_trail_is_found(place, written, tmp_path):
    chain = Chain(KEY)
    place.anchor.write_bytes(chain.seal(chain.open(place.anchor.read_bytes())._replace(mac=bytes(32))))
    assert verify(written)[2:] == ("the anchor was set on another trail", 6)
    with pytest.raises(LedgerError, match="less than was recorded"):
        place.open()


@pytest.mark.parametrize("damage", [b"", b"x" * 72, b"x" * 500])
def test_a_forged_anchor_is_refused(place, written, damage):
    place.anchor.write_bytes(damage)
    assert verify(written).problem.startswith("the ledger's anchor was changed")
    for use in (lambda: written.note("alpha", "turn"), place.open):
        with pytest.raises(LedgerError, match="anchor was changed"):
            use()


def test_an_old_copy_with_its_anchor_is_not_in_agreement_with_a_head_noted_elsewhere(sqlite_place):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500))
    early = verify(ledger).head
    ledger.close()
    old = sqlite_place.path.read_bytes(), sqlite_place.anchor.read_bytes()
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("c", "kind=config", 500))
    head = verify(ledger).head
    assert verify(ledger, expect=head).problem == verify(ledger, expect=early).problem == ""
    assert verify(ledger, expect=ORIGIN.hex()).problem == ""
    ledger.close()
    sqlite_place.path.write_bytes(old[0])
    sqlite_place.anchor.write_bytes(old[1])
    ledger = sqlite_place.open()
    assert verify(ledger, expect=early).problem == ""
    assert verify(ledger, expect=head).problem.startswith("the head that was noted is not in the trail")


def test_verification_goes_on_while_others_write(place, written):
    other = place.open()
    read, reads = written.read, []

    def reading(work):
        reads.append(work)
        tell(other, ALPHA, (f"w{len(reads)}", "kind=config", 500))
        return read(work)

    written.read = reading
    found = verify(written)
    assert (found.lines, found.problem) == (6, "") and len(reads) > 1
    written.read = read
    assert (verify(written).lines, verify(written).problem) == (6 + len(reads), "")


def test_values_of_a_type_that_was_never_written_are_a_change(sqlite_place):
    ledger = sqlite_place.open()
    tell(ledger, ALPHA, ("a", "kind=config", 500), entries=(Entry("plan", b"x"),))
    sqlite_place.raw("UPDATE told SET cost = 'much'")
    assert verify(ledger).problem == "the table of what was told does not agree with the trail"
    sqlite_place.raw("UPDATE trail SET at = 'never' WHERE number = 2")
    assert verify(ledger)[2:] == (CHANGED, 2)


def test_lines_are_framed_without_ambiguity():
    chain = Chain(KEY)
    macs = {
        chain.mac(ORIGIN, 1, 1.0, "ab", b"c"),
        chain.mac(ORIGIN, 1, 1.0, "a", b"bc"),
        chain.mac(ORIGIN, 1, 1.0, "abc", b""),
        chain.mac(ORIGIN, 2, 1.0, "ab", b"c"),
        chain.mac(ORIGIN, 1, 2.0, "ab", b"c"),
        chain.mac(b"x" * 32, 1, 1.0, "ab", b"c"),
        Chain(bytes(32)).mac(ORIGIN, 1, 1.0, "ab", b"c"),
    }
    assert len(macs) == 7
    rows = {
        chain.link(EMPTY, [(1, 1, b"k", "ab", "c", 1, 1.0)]),
        chain.link(EMPTY, [(1, 1, b"k", "a", "bc", 1, 1.0)]),
        chain.link(EMPTY, [(1, 1, b"ka", "b", "c", 1, 1.0)]),
        chain.link(EMPTY, [(1, 2, b"k", "ab", "c", 1, 1.0)]),
        chain.link(EMPTY, [(1, 1, b"k", "ab", "c", 2, 1.0)]),
        chain.link(EMPTY, [(1, 1, b"k", "ab", "c", 1, 2.0)]),
    }
    assert len(rows) == 6


@pytest.mark.parametrize("size", [0, 1, 55, 64, 1000])
def test_the_quick_mac_is_the_standard_one(size):
    data = os.urandom(size)
    mac = keyed(KEY, 16)
    assert mac(data) == mac(data) == hashlib.blake2b(data, key=KEY, digest_size=16).digest()


def test_the_body_of_a_charge_reads_back():
    rows = [Row(os.urandom(32), "alpha", "kind=config", 500, 0.1 + number) for number in range(3)]
    assert unpack(pack(rows)) == [tuple(row) for row in rows]


def test_progress_is_told_every_thousand_lines_and_at_the_end(sqlite_place):
    ledger, heard = sqlite_place.open(), []
    ledger.note("alpha", "turn", [Entry("plan", b"")] * 2500)
    found = verify(ledger, heard.append)
    assert (found.lines, found.problem, heard) == (2500, "", [1000, 2000, 2500])
