import json
import os

import mlflow
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import GroupKFold

mlflow.set_experiment("gearbox-rul")
df = pd.read_feather(os.environ["IN"])
cols = [c for c in df if c.startswith(("vib_", "oil_", "temp_"))]
params = {"objective": "reg:squarederror", "eta": 0.05, "max_depth": 7, "subsample": 0.8, "tree_method": "hist"}

with mlflow.start_run():
    mlflow.log_params(params)
    rounds = []
    for k, (tr, va) in enumerate(GroupKFold(5).split(df, groups=df["turbine"])):
        a = xgb.DMatrix(df.iloc[tr][cols], df.iloc[tr]["hours_left"])
        b = xgb.DMatrix(df.iloc[va][cols], df.iloc[va]["hours_left"])
        bst = xgb.train(params, a, 2000, evals=[(b, "va")], early_stopping_rounds=50, verbose_eval=False)
        mlflow.log_metric("rmse", bst.best_score, step=k)
        rounds.append(bst.best_iteration)
    final = xgb.train(params, xgb.DMatrix(df[cols], df["hours_left"]), int(sum(rounds) / len(rounds)))
    final.save_model("gearbox.ubj")
    mlflow.log_artifact("gearbox.ubj")
    json.dump(cols, open("cols.json", "w"))
