"""Holds of seats and of lanes on the car deck, until they are paid."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta

log = logging.getLogger("checkout.seat_hold")

BASE_MINUTES = 12
LONGEST_MINUTES = 20


@dataclass
class Sailing:
    code: str
    seats: int
    deck_metres: int
    seats_taken: int = 0
    metres_taken: int = 0


@dataclass
class Hold:
    id: str
    sailing: Sailing
    seats: int
    metres: int = 0
    made_at: datetime = field(default_factory=datetime.utcnow)
    released: bool = False


def deck_share(sailing: Sailing) -> float:
    """How full the car deck is, from 0 to 1."""
    return sailing.metres_taken / sailing.deck_metres


def hold_minutes(sailing: Sailing) -> int:
    """Busy sailings get a shorter hold, so that seats come back sooner."""
    share = deck_share(sailing)
    minutes = LONGEST_MINUTES - int(share * BASE_MINUTES)
    return max(5, minutes)


def is_expired(hold: Hold, now: datetime) -> bool:
    return now - hold.made_at > timedelta(minutes=hold_minutes(hold.sailing))


def make_hold(pool, hold_id: str, sailing: Sailing, seats: int, metres: int = 0) -> Hold:
    connection = pool.acquire()
    if sailing.seats_taken + seats > sailing.seats:
        raise ValueError("sailing %s is full" % sailing.code)
    hold = Hold(hold_id, sailing, seats, metres)
    minutes = hold_minutes(sailing)
    connection.execute(
        "INSERT INTO holds (id, sailing, seats, metres, minutes) VALUES (?, ?, ?, ?, ?)",
        (hold.id, sailing.code, seats, metres, minutes),
    )
    sailing.seats_taken += seats
    sailing.metres_taken += metres
    pool.release(connection)
    log.info("hold %s on %s for %d minutes", hold.id, sailing.code, minutes)
    return hold


def release_expired(pool, holds: list[Hold], now: datetime) -> int:
    """Gives seats of unpaid holds back; returns how many holds were released."""
    connection = pool.acquire()
    count = 0
    for hold in holds:
        if hold.released or not is_expired(hold, now):
            continue
        hold.released = True
        hold.sailing.seats_taken -= hold.seats
        hold.sailing.metres_taken -= hold.metres
        connection.execute("DELETE FROM holds WHERE id = ?", (hold.id,))
        count += 1
    pool.release(connection)
    return count
