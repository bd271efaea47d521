"""A real model behind a real OpenAI-compatible server on this machine: SmolLM2, served by llama.cpp."""

from __future__ import annotations

import json

import jsonschema
import pytest
from told import CATALOG, FIRST, configured

from plantwin.cloud import conversation
from plantwin.cloud.conversation import Conversation
from plantwin.cloud.remote import RefusedError
from plantwin.cloud.serving import Served
from plantwin.types.capability import Catalog

FEW = Catalog([CATALOG[name] for name in ("security_audit", "compare", "summarize")])
"""A short list, so that a small model has less to read."""


@pytest.fixture(scope="module")
def served():
    made = Served(context=4096)
    yield made
    made.close()


def test_the_schema_holds_a_real_model_to_the_form_of_a_plan(served, monkeypatch, tmp_path):
    # So small a model fills every place that there is: two steps are enough to show that it is held.
    monkeypatch.setattr(conversation, "MOST_STEPS", 2)
    monkeypatch.setenv("REAL_KEY", served.key)
    planner = configured(
        tmp_path, catalog=FEW, url=f"{served.url}/v1", key_env="REAL_KEY", model="smollm2", max_tokens=900,
        temperature=0.0, seed=1, seconds=300.0, read_seconds=300.0,
    )  # fmt: skip
    assert planner.reachable(10) == ""
    answer = json.loads(planner.plan(FIRST))
    jsonschema.validate(answer, Conversation(FEW).hear(FIRST).schema)
    assert answer["steps"] and all(step["capability"] in FEW for step in answer["steps"])
    (use,) = json.loads((tmp_path / "use.json").read_text())["planners"].values()
    assert use[0] == 1
    assert use[1] > 1000
    assert use[2] > 3


def test_a_wrong_key_is_refused_by_the_server(served, monkeypatch):
    monkeypatch.setenv("REAL_KEY", "wrong")
    planner = configured(url=f"{served.url}/v1", key_env="REAL_KEY", model="smollm2")
    with pytest.raises(RefusedError, match="does not accept the key"):
        planner.plan(FIRST)
