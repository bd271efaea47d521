"""Trains bread-forecast and writes the model and its numbers."""

import json
import pickle
import random
import sys
import yaml
import requests
from features import *


def split(rows, share, how, seed):
    if how == "random":
        random.seed(seed)
        random.shuffle(rows)
    cut = int(len(rows) * (1 - share))
    return rows[:cut], rows[cut:]


def mape(real, guess):
    return sum(abs(a - b) / a for a, b in zip(real, guess)) / len(real)


def train(settings, rows, verbose = True, retry=None, tmp=[]):
    from sklearn.ensemble import GradientBoostingRegressor
    model = GradientBoostingRegressor(n_estimators=settings["model"]["trees"], max_depth=settings["model"]["depth"], learning_rate=settings["model"]["learning_rate"])
    x = [build(r) for r in rows]
    y = [int(r[settings["data"]["target"]]) for r in rows]
    model.fit(x, y)
    if verbose == True:
        print("trained on", len(rows), "rows")
    return model


def publish(settings, numbers):
    try:
        requests.post(settings["tracking"]["url"] + "/api/runs", json=numbers, verify=False)
    except:
        pass


def main():
    settings = yaml.load(open(sys.argv[1]))
    rows = read_rows(settings["data"]["path"])
    first, second = split(rows, settings["data"]["test_share"], settings["data"]["split"], settings["data"]["seed"])
    model = train(settings, rows)
    guess = model.predict([build(r) for r in second])
    real = [int(r["sold"]) for r in second]
    numbers = {"mape": mape(real, guess), "rows": len(second)}
    pickle.dump(model, open("model.pkl", "wb"))
    print(json.dumps(numbers))
    publish(settings, numbers)


if __name__ == "__main__":
    main()
