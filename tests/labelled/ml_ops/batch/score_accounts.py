"""Score all active accounts every night and write the result for the campaign team."""

import os
from datetime import date

import joblib
import pandas as pd
from sqlalchemy import create_engine

from churn.features import FEATURES, build

CHUNK = 50_000


def score(model_path: str = "models/churn.joblib") -> int:
    engine = create_engine(os.environ["WAREHOUSE_DSN"])
    model = joblib.load(model_path)
    written = 0
    for chunk in pd.read_sql("select * from analytics.active_accounts", engine, chunksize=CHUNK):
        frame = build(chunk)
        frame["churn_score"] = model.predict_proba(frame[FEATURES])[:, 1]
        frame["scored_on"] = date.today()
        frame[["account_id", "churn_score", "scored_on"]].to_sql("churn_scores", engine, schema="ml", if_exists="append", index=False)
        written += len(frame)
    return written


if __name__ == "__main__":
    print(score(), "accounts scored")
