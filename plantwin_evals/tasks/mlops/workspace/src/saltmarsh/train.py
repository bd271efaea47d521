"""Fit the fraud model: python -m saltmarsh.train configs/train.yaml"""

import csv
import json
import logging
import os
import pickle
import sys

import yaml

from saltmarsh.evaluate import measure
from saltmarsh.features import vectorize
from saltmarsh.registry import upload

log = logging.getLogger("saltmarsh.train")


def load(path):
    """Vectors and labels of a snapshot."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [vectorize(row) for row in rows], [int(row["fraud"]) for row in rows]


def split(vectors, labels, share):
    """The last part is for validation; rows are in the order of the file."""
    cut = int(len(vectors) * (1 - share))
    return vectors[:cut], labels[:cut], vectors[cut:], labels[cut:]


def fit(settings, vectors, labels):
    """A boosted model with the settings of the file."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=settings["rounds"],
        max_depth=settings["depth"],
        learning_rate=settings["learning_rate"],
        random_state=settings.get("seed"),
    )
    return model.fit(vectors, labels)


def main(path):
    """Train, measure, save, upload."""
    settings = yaml.load(open(path), Loader=yaml.Loader)
    vectors, labels = load(settings["data"])
    train_x, train_y, valid_x, valid_y = split(vectors, labels, settings["validation_share"])
    model = fit(settings["model"], train_x, train_y)
    scores = [row[1] for row in model.predict_proba(valid_x)]
    metrics = measure(valid_y, scores)
    with open(f"metrics/run_{settings['run']}.json", "w") as out:
        json.dump({"run": settings["run"], **metrics}, out, indent=2)
    with open("model.pkl", "wb") as out:
        pickle.dump(model, out)
    upload("model.pkl", settings["run"], token=os.environ["REGISTRY_TOKEN"])
    log.info("run %s done", settings["run"])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main(sys.argv[1])
