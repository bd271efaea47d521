"""Runs that are made up, for tests of reports: hostile names, many findings, steps over sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plantwin.private.capabilities.engine.job import Coverage, Finding, LeftOut, Result
from plantwin.run import Run
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Admission, Priced, Verdict
from plantwin.vocabulary import Findings, OutcomeTag, Severity, StepStatus

ONE, TWO, SET = "artifact_aaaaaaaa", "artifact_bbbbbbbb", "set_cccccccc"
EVIL = "evil\n\x1b[31m`|`\u202e<img src=http://x>[a](http://y)# *b*.py"
SCRIPT = "</script><script>alert(1)</script>\"'><svg onload=alert(2)>.py"
DONE = Outcome(status=StepStatus.DONE, severity=Severity.HIGH, count=Findings.FEW, tags=(OutcomeTag.INJECTION,))


def covered(given: int, examined: int, left_out: dict[str, list[str]] | None = None, **more: int) -> Coverage:
    """How much of a set was examined, with the names of what was not, by reason."""
    parts = tuple(LeftOut(reason=why, count=len(names), names=tuple(names)) for why, names in (left_out or {}).items())
    return Coverage(given=given, examined=examined, left_out=parts, **{"affected": 0, **more})


def made(
    verdicts: list[Verdict | None],
    results: dict[str, Any] | None = None,
    capabilities: tuple[str, ...] = (),
    **more: Any,
) -> Run:
    """A run of one plan with these verdicts; of each step the capability, else a security audit."""
    names = (*capabilities, *["security_audit"] * len(verdicts))
    steps = tuple(
        Step(id=f"s{number}", capability=names[number - 1], inputs=(ONE,) if number == 1 else (TWO,))
        for number in range(1, len(verdicts) + 1)
    )
    plan = Plan(steps=steps)
    run = Run("0123456789abcdef", "Look at *everything* <b>now</b>", "offline", "offline", root=Path("/srv/shop"))
    turn = run.begin(
        plan, Admission(tuple(Priced(step, None, tuple(map(str, step.inputs)), 3500) for step in steps), plan.order())
    )
    for position, verdict in enumerate(verdicts):
        if verdict is not None:
            turn.decided(position, verdict, 0.25)
    run.names = {ONE: ("src/auth.py", ""), TWO: (EVIL, "")}
    for step, result in (results or {}).items():
        run.results[1, step] = result
    for name, value in more.items():
        setattr(run, name, value)
    return run


def finding(severity: str = "high", **more: Any) -> Finding:
    """A finding at one place, with other values where they are given."""
    values = {"name": "src/auth.py", "line": 7, "tag": "injection", "message": f"a {severity} thing", **more}
    return Finding(severity=severity, **values)


def result(*findings: Finding, **more: Any) -> Result:
    """A result with these findings."""
    return Result(outcome={}, findings=list(findings), **more)


def many(number: int, files: int = 97, rules: int = 40) -> list[Finding]:
    """So many findings over many files and rules, some of them in files with hostile names."""
    severities = ("low", "medium", "high", "critical")
    names = [EVIL, SCRIPT, "data.db#users", "caf\\xe9.tf", *(f"modules/m{place}/main.tf" for place in range(files - 4))]
    return [
        Finding(
            name=names[place % files], line=place // files + 1, severity=severities[place % rules % 4],
            tag="insecure_setting", rule=f"TF-RULE-{place % rules}", reference="CIS 5.2.1",
            message=f"`setting_{place % rules}` lets everyone in {{}} [x](0)", hint="Close it.",
        )
        for place in range(number)
    ]  # fmt: skip
