import json
import sys

import joblib
import numpy as np
import pandas as pd
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, confusion_matrix, roc_auc_score

from churn.features import FEATURES, TARGET, build

model = joblib.load("models/churn.joblib")
frame = build(pd.read_parquet(sys.argv[1]))
truth = frame[TARGET].to_numpy()
scores = model.predict_proba(frame[FEATURES])[:, 1]

report = {
    "rows": len(frame),
    "auc": roc_auc_score(truth, scores),
    "average_precision": average_precision_score(truth, scores),
    "brier": brier_score_loss(truth, scores),
    "confusion_at_0.5": confusion_matrix(truth, scores > 0.5).tolist(),
}
for segment, part in frame.groupby("segment"):
    index = frame.index.get_indexer(part.index)
    report[f"auc_{segment}"] = roc_auc_score(truth[index], scores[index])
fraction, mean = calibration_curve(truth, scores, n_bins=10)
report["calibration_gap"] = float(np.abs(fraction - mean).max())
json.dump(report, sys.stdout, indent=2)
