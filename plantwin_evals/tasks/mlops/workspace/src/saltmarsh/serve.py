"""Answers with a score for a claim."""

import logging
import pickle
import sys
import time

import yaml
from flask import Flask, jsonify, request

from saltmarsh.features import vectorize

log = logging.getLogger("serve")
app = Flask(__name__)
MODEL = None
SETTINGS = {}


def prepare(path):
    """Settings and model of this place."""
    global MODEL, SETTINGS
    with open(path) as file:
        SETTINGS = yaml.safe_load(file)
    with open(SETTINGS["model"]["path"], "rb") as file:
        MODEL = pickle.load(file)


@app.route("/health")
def health():
    """Whether there is a model."""
    return jsonify(ready=MODEL is not None)


@app.route("/reload", methods=["POST"])
def reload_model():
    """Take another model without a restart."""
    global MODEL
    MODEL = pickle.loads(request.data)
    return "", 204


@app.route("/score", methods=["POST"])
def score():
    """Probability of fraud for one claim."""
    started = time.monotonic()
    claim = request.get_json()
    vector = vectorize(claim)
    value = float(MODEL.predict_proba([vector])[0][1])
    log.info("scored=%.3f duration_ms=%d claim=%s", value, (time.monotonic() - started) * 1000, claim)
    return jsonify(score=value, review=value >= SETTINGS["threshold"])


if __name__ == "__main__":
    prepare(sys.argv[1])
    app.run(host=SETTINGS["server"]["host"], port=SETTINGS["server"]["port"], debug=SETTINGS["server"]["debug"])
