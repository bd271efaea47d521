"""Turn raw account rows into the feature table; used by training and by scoring alike."""

import numpy as np
import pandas as pd

TARGET = "churned"
FEATURES = ["tenure_months", "tickets_90d", "spend_90d", "spend_trend", "is_annual"]


def build(raw: pd.DataFrame) -> pd.DataFrame:
    frame = raw.drop_duplicates("account_id").copy()
    frame["tenure_months"] = (frame["as_of"] - frame["opened_on"]).dt.days // 30
    frame["spend_90d"] = frame["spend_90d"].clip(lower=0).fillna(0.0)
    frame["spend_trend"] = np.log1p(frame["spend_90d"]) - np.log1p(frame["spend_prev_90d"].fillna(0.0))
    frame["tickets_90d"] = frame["tickets_90d"].fillna(0).astype(int)
    frame["is_annual"] = frame["plan"].eq("annual")
    return frame


def load(path: str) -> pd.DataFrame:
    return build(pd.read_parquet(path))
