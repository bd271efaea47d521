"""Train the churn classifier and store it with its metrics."""

import argparse
import json
from pathlib import Path

import joblib
import mlflow
import pandas as pd
import yaml
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from churn.features import FEATURES, TARGET, build


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path("configs/base.yaml"))
    parser.add_argument("--data", type=Path, default=Path("data/accounts.parquet"))
    args = parser.parse_args()
    settings = yaml.safe_load(args.config.read_text())

    frame = build(pd.read_parquet(args.data))
    train, valid = train_test_split(frame, test_size=settings["valid_share"], random_state=settings["seed"], stratify=frame[TARGET])

    mlflow.set_experiment("churn")
    with mlflow.start_run():
        mlflow.log_params(settings["model"])
        model = HistGradientBoostingClassifier(**settings["model"], random_state=settings["seed"])
        model.fit(train[FEATURES], train[TARGET])
        auc = roc_auc_score(valid[TARGET], model.predict_proba(valid[FEATURES])[:, 1])
        mlflow.log_metric("valid_auc", auc)
    joblib.dump(model, "models/churn.joblib")
    Path("metrics.json").write_text(json.dumps({"valid_auc": round(float(auc), 4)}))


if __name__ == "__main__":
    main()
