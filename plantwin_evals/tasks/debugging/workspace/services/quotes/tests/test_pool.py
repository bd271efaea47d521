import pytest

from services.quotes.pool import Pool, PoolTimeout


def test_given_back_is_taken_again():
    pool = Pool(object, size=1, timeout=0.05)
    first = pool.take()
    pool.give(first)
    assert pool.take() is first


def test_refused_when_empty():
    pool = Pool(object, size=1, timeout=0.05)
    pool.take()
    with pytest.raises(PoolTimeout):
        pool.take()
