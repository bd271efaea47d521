"""Code that answers and also asks: handlers and clients, serving and scoring."""

from __future__ import annotations

import pytest

from plantwin.private.extract.extraction import extract
from plantwin.private.facts import Sample


def named(path: str, text: str) -> str:
    data = text.encode()
    found = extract(Sample(path, len(data), data), (), digest_value=hash)
    assert found is not None
    return found.ranking[0][0]


ANSWERS = """
import urllib.request

from depot.shelf import shelf


def list_tools(request):
    return 200, shelf.all(request["query"].get("area"))


def get_tool(request, tool_id):
    tool = shelf.get(tool_id)
    if tool is None:
        return 404, {}
    return 200, tool


def lend_tool(request, tool_id):
    urllib.request.urlopen(shelf.notice(tool_id))
    return 201, shelf.lend(tool_id, request["body"]["who"])
"""
ASKS = """
import urllib.request


class Depot:
    def __init__(self, base):
        self.base = base

    def send(self, request):
        return urllib.request.urlopen(request, timeout=5).read()

    def tools(self, area):
        return self.send(urllib.request.Request(self.base + "/tools?area=" + area))
"""
SCORES = """
import json
import pickle
import urllib.request


def load(path):
    return pickle.load(open(path, "rb"))


def score(model, row):
    return model.predict_proba([row])[0][1]


def tell(url, body):
    urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode()))
"""


@pytest.mark.parametrize("path", ["server/routes.py", "depot/handlers.py", "depot/tool_views.py", "x/file1.py"])
def test_functions_that_take_a_request_and_answer_are_handlers(path):
    assert named(path, ANSWERS) == "api_handler"


@pytest.mark.parametrize("path", ["depot/remote.py", "clients/depot.py", "server/routes.py"])
def test_one_method_that_sends_a_request_is_a_client(path):
    assert named(path, ASKS) == "api_client"


def test_a_model_that_is_served_and_reports_elsewhere_is_serving():
    assert named("pipeline/serve.py", SCORES) == "model_serving"


def test_a_model_that_is_applied_and_reports_elsewhere_is_prediction():
    assert named("pipeline/nightly.py", SCORES) == "prediction_script"


def test_a_server_without_a_model_is_not_serving_one():
    assert named("depot/serve.py", ASKS) != "model_serving"
