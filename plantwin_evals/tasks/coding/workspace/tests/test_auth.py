import time

import pytest

from perks import auth


def test_token_comes_back():
    assert auth.verify(auth.sign({"sub": 4, "exp": time.time() + 60}))["sub"] == 4


def test_changed_token():
    token = auth.sign({"sub": 4, "exp": time.time() + 60})
    with pytest.raises(ValueError):
        auth.verify(token[:-1] + ("0" if token[-1] != "0" else "1"))
