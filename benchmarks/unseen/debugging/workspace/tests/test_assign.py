"""Picking a door."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import pytest

from lockers.assign import Door, NoDoor, fits, free_share, pick, release


@pytest.fixture
def doors():
    return [Door(1, "S"), Door(2, "M"), Door(3, "L"), Door(4, "S", free=False)]


def test_fits(doors):
    assert fits(10, doors[0])
    assert not fits(20, doors[0])


def test_smallest_door_is_picked(doors):
    assert pick(doors, 8).number == 1


def test_no_door(doors):
    with pytest.raises(NoDoor):
        pick(doors, 100)


def test_free_share(doors):
    assert free_share(doors) == pytest.approx(114 / 126)


def test_release(doors):
    release(doors, 4)
    assert doors[3].free


def test_extra_large():
    assert fits(110, Door(9, "XL"))
