import numpy as np
import pandas as pd
import pytest


@pytest.fixture(scope="session")
def accounts() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = 200
    return pd.DataFrame(
        {
            "account_id": np.arange(rows),
            "opened_on": pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 600, rows), "D"),
            "as_of": pd.Timestamp("2024-01-01"),
            "spend_90d": rng.gamma(2.0, 50.0, rows),
            "spend_prev_90d": rng.gamma(2.0, 50.0, rows),
            "tickets_90d": rng.poisson(1.0, rows),
            "plan": rng.choice(["annual", "monthly"], rows),
            "churned": rng.random(rows) < 0.1,
        }
    )


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket", lambda *a, **k: (_ for _ in ()).throw(OSError("network")))
