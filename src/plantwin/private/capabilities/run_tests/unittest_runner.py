"""Run tests of `unittest` where there is no pytest, and write one line for each. A program of its own."""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
import unittest


def _write(**values: object) -> None:
    with open(os.environ["TRIAL_RESULTS"], "a", encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (any Python)
        file.write(json.dumps(values) + "\n")


class StreamedResult(unittest.TestResult):
    """Write every result at once."""

    began = 0.0

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 (its name)
        """Remember when a test begins."""
        super().startTest(test)
        self.began = time.perf_counter()

    def write(self, test: unittest.TestCase, outcome: str, text: str = "", error: object = None) -> None:
        """Write one line."""
        file = sys.modules[type(test).__module__].__file__ or ""
        frames = []
        if isinstance(error, tuple):
            frames = [[frame.filename, frame.lineno] for frame in traceback.extract_tb(error[2])]
        _write(
            id=test.id(),
            file=os.path.relpath(file),
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
        self.write(test, "failed", f"{err[0].__name__}: {err[1]}", err)

    addError = addFailure  # noqa: N815

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
