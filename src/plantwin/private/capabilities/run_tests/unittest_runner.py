"""Run tests of `unittest` where there is no pytest, and write one line for each. A program of its own."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import time
import traceback
import unittest


def _write(**values: object) -> None:
    with open(os.environ["TRIAL_RESULTS"], "a", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (any Python)
        file.write(json.dumps(values) + "\n")


class StoppedError(BaseException):
    """A test took too long. No `except Exception` of the test catches it."""


def _stop(_signal: int, _frame: object) -> None:
    raise StoppedError("did not end in time")


def _left() -> float:
    return float(os.environ["TRIAL_UNTIL"]) - time.time()


class StreamedResult(unittest.TestResult):
    """Write every result at once."""

    began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 (its name)
        """Remember when a test begins, and stop it where it takes too long; start no other when the time is up."""
        super().startTest(test)
        self.began = time.perf_counter()
        _write(began=test.id(), file=self.file(test), line=0)
        limit = max(0.1, min(_left(), float(os.environ["TRIAL_LONGEST"])))
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, limit, limit)

    def stopTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        """Let what comes between two tests take its time; start no other when the time is up."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        super().stopTest(test)
        if _left() <= 0:
            self.stop()
            sys.stdout.write("the time is up\n")

    def file(self, test: unittest.TestCase) -> str:
        """Return where a test is written."""
        return os.path.relpath(sys.modules[type(test).__module__].__file__ or "")

    def write(self, test: unittest.TestCase, outcome: str, text: str = "", error: object = None) -> None:
        """Write one line."""
        frames = []
        if isinstance(error, tuple):
            frames = [[frame.filename, frame.lineno] for frame in traceback.extract_tb(error[2])]
        _write(
            id=test.id(),
            file=self.file(test),
            line=0,
            when="call",
            outcome=outcome,
            seconds=round(time.perf_counter() - self.began, 4),
            text=text[:4000],
            frames=[frame for frame in frames if "/unittest/" not in str(frame[0])],
        )

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        """Write that it passed."""
        self.write(test, "passed")

    def addFailure(self, test, err) -> None:  # type: ignore[no-untyped-def] # noqa: N802
        """Write that it failed or broke, and where."""
        outcome = "stopped" if issubclass(err[0], StoppedError) else "failed"
        self.write(test, outcome, f"{err[0].__name__}: {err[1]}", err)

    addError = addFailure  # noqa: N815

    def addSubTest(self, test, subtest, err) -> None:  # type: ignore[no-untyped-def] # noqa: N802
        """Write that a part of it failed."""
        if err:
            self.addFailure(test, err)

    def addExpectedFailure(self, test, err) -> None:  # type: ignore[no-untyped-def] # noqa: N802
        """Write that it failed, as it should."""
        self.write(test, "passed")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        """Write that it should have failed."""
        self.write(test, "failed", "unexpected success")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        """Write that it was skipped."""
        self.write(test, "skipped", reason)


def main() -> None:
    """Run the tests of the files that the arguments name."""
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 (any Python)
    suite = unittest.TestSuite()
    loader = unittest.TestLoader()
    for path in sys.argv[1:]:
        name = path[:-3].replace("/", ".")
        try:
            suite.addTests(loader.loadTestsFromModule(importlib.import_module(name)))
        except BaseException:
            _write(
                id=path,
                file=path,
                line=0,
                when="collect",
                outcome="failed",
                seconds=0,
                text=traceback.format_exc()[-4000:],
                frames=[],
            )
    _write(collected=suite.countTestCases())
    suite.run(StreamedResult())


if __name__ == "__main__":
    main()
