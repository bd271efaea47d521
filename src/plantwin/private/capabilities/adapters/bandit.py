"""Run bandit as a library: its checks that seldom cry wolf, with the severities of `rules/bandit.toml`."""

from __future__ import annotations

import io
import logging
import warnings

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.vocabulary import Severity

RULES = Rules("bandit")


def findings(text: str) -> list[Finding] | None:
    """Return what bandit finds in a module; none where it fails: its plug-ins raise what they like."""
    logging.getLogger("bandit").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own dependencies, and of the code that it reads
            return run(text.encode("utf-8", "replace"))
    except MemoryError:
        raise
    except Exception:
        return None


def run(data: bytes) -> list[Finding]:
    """Run the checks. Comments that silence bandit lower a finding; they do not hide it."""
    from bandit.core import config, meta_ast, metrics, node_visitor, test_set

    profile = {"include": set(RULES.by_id), "exclude": set()}
    chosen = test_set.BanditTestSet(config.BanditConfig(), profile=profile)
    counts = metrics.Metrics()
    counts.begin("module.py")
    visitor = node_visitor.BanditNodeVisitor(
        "./module.py", io.BytesIO(data), meta_ast.BanditMetaAst(), chosen, False, {}, counts
    )
    visitor.process(data)
    lines = data.split(b"\n")
    found: list[Finding] = []
    for issue in visitor.tester.results:
        finding = RULES.found(issue.test_id, int(issue.lineno))
        if any(b"nosec" in lines[number - 1] for number in issue.linerange if 0 < number <= len(lines)):
            hint = "A `nosec` comment says that it is meant so; check that it still is."
            finding = msgspec.structs.replace(finding, severity=Severity.LOW.value, hint=hint)
        found.append(finding)
    return found
