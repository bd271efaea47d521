"""Capabilities, run as the worker runs them but in this process."""

from __future__ import annotations

import pytest
from capability_inputs import Run, shop

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job, Result


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder for the detector's compiled form: compiling once is enough."""
    return str(tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="session")
def run(rules: str) -> Run:
    """Run a capability on inputs, or on names of the example shop."""

    def call(capability: str, *inputs: Input | str) -> Result:
        given = tuple(shop(each) if isinstance(each, str) else each for each in inputs)
        return function(capability)(Job(capability=capability, inputs=given, options={"rules": rules}))

    return call
