"""Compare last week's inputs and scores with the training reference; alert on drift."""

import os

import numpy as np
import pandas as pd
import requests

PSI_WARN, PSI_ALERT = 0.1, 0.25


def psi(reference: pd.Series, current: pd.Series, bins: int = 10) -> float:
    edges = np.unique(np.quantile(reference.dropna(), np.linspace(0, 1, bins + 1)))
    expected = np.histogram(reference, edges)[0] / len(reference) + 1e-6
    actual = np.histogram(current, edges)[0] / max(len(current), 1) + 1e-6
    return float(((actual - expected) * np.log(actual / expected)).sum())


def check(reference: pd.DataFrame, current: pd.DataFrame) -> dict[str, float]:
    drift = {column: psi(reference[column], current[column]) for column in reference.columns}
    worst = max(drift.values())
    if worst > PSI_WARN:
        level = "alert" if worst > PSI_ALERT else "warning"
        requests.post(os.environ["ALERT_URL"], json={"level": level, "drift": drift}, timeout=10)
    return drift


if __name__ == "__main__":
    print(check(pd.read_parquet("reference/features.parquet"), pd.read_parquet("s3://scoring/last_week.parquet")))
