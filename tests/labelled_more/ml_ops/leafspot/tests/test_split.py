import pytest

from leafspot.split import by_group


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_groups_never_straddle(share):
    rows = [{"estate": f"e{i % 7}", "n": i} for i in range(200)]
    a, b = by_group(rows, "estate", share, seed=3)
    assert {r["estate"] for r in a}.isdisjoint(r["estate"] for r in b)
    assert len(a) + len(b) == 200


def test_same_seed_same_split():
    rows = [{"estate": str(i), "n": i} for i in range(30)]
    assert by_group(rows, "estate", 0.3, seed=1) == by_group(rows, "estate", 0.3, seed=1)


def test_empty():
    with pytest.raises(ValueError, match="no groups"):
        by_group([], "estate", 0.3, seed=1)
