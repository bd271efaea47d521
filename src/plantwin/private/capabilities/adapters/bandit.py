"""Run bandit as a library: its checks that seldom cry wolf, with the severities of `rules/bandit.toml`."""

from __future__ import annotations

import io
import logging
import re
import warnings

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.vocabulary import OutcomeTag, Severity

RULES = Rules("bandit")
_SAFE_LOADER = re.compile(rb"\b\w*(?:Safe|Base)\w*Loader\b")
_DERIVED = re.compile(rb"\bclass (\w+)\([^)\n]{0,200}(?:Safe|Base)Loader\b")
_OPTION = re.compile(rb"(?i)\b(?:el)?if\b[^#\n]*(?:insecure|verif|ssl|tls|cert|unsafe|self_?sign|skip|debug)")
_SILENCED = re.compile(rb"nosec|noqa:[\w\s,]{0,80}\bS\d")


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
        statement = b"\n".join(lines[number - 1] for number in issue.linerange if 0 < number <= len(lines))
        if issue.test_id == "B506" and _safe(statement, data):
            continue
        finding = RULES.found(issue.test_id, int(issue.lineno))
        if _SILENCED.search(statement):
            hint = "A comment (`nosec`, `noqa`) says that it is meant so; check that it still is."
            finding = msgspec.structs.replace(finding, severity=Severity.LOW.value, hint=hint)
        elif finding.tag == OutcomeTag.DISABLED_VERIFICATION and _chosen(lines[: issue.lineno]):
            finding = msgspec.structs.replace(finding, severity=Severity.MEDIUM.value)
        elif finding.rule == "B201" and _block(lines[: issue.lineno]).startswith(b"if __name__"):
            # Servers import the module; only who starts it by hand gets there.
            finding = msgspec.structs.replace(finding, severity=Severity.MEDIUM.value)
        found.append(finding)
    return found


def _chosen(lines: list[bytes]) -> bool:
    """Whether the last line holds only where an option asks for it: by its own condition, or that of its block."""
    return _OPTION.search(lines[-1]) is not None or _OPTION.match(_block(lines)) is not None


def _block(lines: list[bytes]) -> bytes:
    """Return the line that opens the block of the last line."""
    around = (line for line in reversed(lines) if line.strip() and _indent(line) < _indent(lines[-1]))
    return next(around, b"").strip()


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _safe(statement: bytes, module: bytes) -> bool:
    """Whether YAML is read by a class that says it is safe, or that the module derives from one that is."""
    return any(name in statement for name in (*_SAFE_LOADER.findall(statement), *_DERIVED.findall(module)))
