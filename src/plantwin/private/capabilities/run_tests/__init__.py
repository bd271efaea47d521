"""The tests of a folder, run on a copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

CAPABILITY = Capability(
    name=CapabilityName.RUN_TESTS,
    doc="Runs test suites, or the tests of objects, on a copy of the folder, and follows failures to modules.",
    example="Run the tests of the payment module and say which module the failures lead to.",
    kinds=frozenset({Kind.CODE_FILE}),
    takes=frozenset({ResultType.DEPENDENCIES, ResultType.FINDINGS, ResultType.MEASURES}),
    returns=ResultType.TEST_RESULTS,
    tags=frozenset(
        {
            OutcomeTag.TESTS_PASS,
            OutcomeTag.TESTS_FAIL,
            OutcomeTag.NO_TESTS,
            OutcomeTag.TOOL_MISSING,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.HIGH,
    approval=True,
    seconds=600.0,
    surroundings=True,
    project=True,
)


def run(job: Job) -> Result:
    """Run the tests of the inputs."""
    from plantwin.private.capabilities.run_tests.check import checked

    return checked(job)
