import json
import sys

import pandas as pd
import pyarrow.dataset as ds
import xgboost as xgb

model, src, dst = sys.argv[1:]
bst = xgb.Booster(model_file=model)
cols = json.load(open("cols.json"))

first = True
for b in ds.dataset(src).to_batches(columns=["turbine", "window_end", *cols], batch_size=200_000):
    f = b.to_pandas()
    f["hours_left"] = bst.predict(xgb.DMatrix(f[cols])).clip(min=0).round()
    f["band"] = pd.cut(f.hours_left, [-1, 250, 1000, float("inf")], labels=["red", "amber", "green"])
    f[["turbine", "window_end", "hours_left", "band"]].to_csv(dst, mode="w" if first else "a", header=first, index=False)
    first = False
