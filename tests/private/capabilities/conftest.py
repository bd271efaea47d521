"""Capabilities, run as the worker runs them but in this process."""

from __future__ import annotations

import pytest
from capability_inputs import Run, shop

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Job, Result, Surroundings
from plantwin.vocabulary import Severity


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a capability on inputs, or on names of the example shop. What it tells always passes the boundary whole."""
    # Compiling the detector's rules once is enough.
    compiled = str(tmp_path_factory.mktemp("rules"))

    def call(
        capability: str, *inputs: Input | str, surroundings: Surroundings | None = None, **options: object
    ) -> Result:
        given = tuple(shop(one) if isinstance(one, str) else one for one in inputs)
        held = surroundings or Surroundings()
        # Of what a developer may have installed besides, no test speaks unless it says so.
        own: dict[str, object] = {"engines": {}} if capability == "check_accessibility" else {}
        job = Job(capability=capability, inputs=given, options={"rules": compiled, **own, **options}, surroundings=held)
        result = function(capability)(job)
        assert sanitize(result.outcome, catalog()[capability]).dropped == ()
        assert all(finding.severity in set(Severity) for finding in result.findings)
        assert {finding.tag for finding in result.findings} <= {tag.value for tag in catalog()[capability].tags}
        return result

    return call
