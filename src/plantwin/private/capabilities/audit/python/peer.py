"""bandit as a library: its checks that seldom cry wolf, in our words."""

# ruff: noqa: E501 (one check, one row)

from __future__ import annotations

import io
import logging
import warnings

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T = OutcomeTag
_S = Severity
CHECKS: dict[str, tuple[Severity, OutcomeTag, str, str]] = {
    "B103": (_S.MEDIUM, _T.EXCESSIVE_PERMISSION, "A file gets permissions for everyone", "Give the owner alone what is needed."),
    "B104": (_S.LOW, _T.EXPOSED_SERVICE, "The service listens on every interface", "Bind to the interface that needs it."),
    "B201": (_S.HIGH, _T.INSECURE_SETTING, "The debugger of Flask is on: visitors can run code", "Leave debug off."),
    "B202": (_S.MEDIUM, _T.PATH_TRAVERSAL, "An archive is unpacked without looking at its names", "Use filter='data'."),
    "B301": (_S.MEDIUM, _T.UNSAFE_DESERIALIZATION, "Objects are loaded with pickle", "Use JSON, or sign the data."),
    "B302": (_S.MEDIUM, _T.UNSAFE_DESERIALIZATION, "Objects are loaded with marshal", "Use JSON."),
    "B304": (_S.HIGH, _T.WEAK_CRYPTO, "A broken cipher is used", "Use AES-GCM or ChaCha20-Poly1305."),
    "B305": (_S.HIGH, _T.WEAK_CRYPTO, "A cipher is used in a weak mode (ECB)", "Use AES-GCM."),
    "B306": (_S.MEDIUM, _T.MISSING_CHECK, "mktemp leaves a gap in which another can create the file", "Use mkstemp."),
    "B312": (_S.MEDIUM, _T.WEAK_CRYPTO, "Telnet is not encrypted", "Use SSH."),
    "B321": (_S.MEDIUM, _T.WEAK_CRYPTO, "FTP is not encrypted", "Use SFTP or FTPS."),
    "B323": (_S.HIGH, _T.DISABLED_VERIFICATION, "Certificates are not checked", "Use ssl.create_default_context."),
    "B324": (_S.LOW, _T.WEAK_CRYPTO, "A broken hash is used", "Use SHA-256, or say usedforsecurity=False."),
    "B501": (_S.HIGH, _T.DISABLED_VERIFICATION, "Certificates are not checked", "Leave verify on; add the issuer's certificate."),
    "B502": (_S.HIGH, _T.WEAK_CRYPTO, "An old version of SSL or TLS is asked for", "Use ssl.create_default_context."),
    "B503": (_S.MEDIUM, _T.WEAK_CRYPTO, "An old version of SSL or TLS is the default", "Use ssl.create_default_context."),
    "B505": (_S.HIGH, _T.WEAK_CRYPTO, "A key is too short", "Use 3072 bits for RSA, or an elliptic curve."),
    "B506": (_S.HIGH, _T.UNSAFE_DESERIALIZATION, "yaml.load makes any object", "Use yaml.safe_load."),
    "B507": (_S.HIGH, _T.DISABLED_VERIFICATION, "Unknown SSH hosts are trusted", "Load known hosts and reject others."),
    "B508": (_S.MEDIUM, _T.WEAK_CRYPTO, "SNMP without encryption", "Use version 3 with privacy."),
    "B601": (_S.MEDIUM, _T.UNSAFE_EXECUTION, "A remote command is run by a shell", "Quote its values."),
    "B609": (_S.HIGH, _T.UNSAFE_EXECUTION, "A shell expands a wildcard in a command", "Name the files."),
    "B612": (_S.HIGH, _T.UNSAFE_EXECUTION, "A logging listener runs code that it receives", "Pass verify."),
    "B701": (_S.MEDIUM, _T.INJECTION, "Templates do not escape HTML", "Use autoescape=select_autoescape()."),
    "B702": (_S.MEDIUM, _T.INJECTION, "Mako templates do not escape HTML", "Set default_filters=['h']."),
}  # fmt: skip
"""Checks that are taken, with our severity. Commands, queries, eval and secrets are found by rules of our own."""
_XML = ("B313", "B314", "B315", "B316", "B317", "B318", "B319")


def issues(data: bytes) -> list[Issue]:
    """What bandit finds in a module. Comments that silence it lower a finding; they do not hide it."""
    logging.getLogger("bandit").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own dependencies, and of the code that it reads
        return _run(data)


def _run(data: bytes) -> list[Issue]:
    from bandit.core import config, meta_ast, metrics, node_visitor, test_set

    settings = config.BanditConfig()
    chosen = test_set.BanditTestSet(settings, profile={"include": {*CHECKS, *_XML}, "exclude": set()})
    counts = metrics.Metrics()
    counts.begin("module.py")
    visitor = node_visitor.BanditNodeVisitor(
        "./module.py", io.BytesIO(data), meta_ast.BanditMetaAst(), chosen, False, {}, counts
    )
    visitor.process(data)
    lines = data.split(b"\n")
    found: list[Issue] = []
    for each in visitor.tester.results:
        line = int(each.lineno)
        if each.test_id in _XML:
            row = (_S.MEDIUM, _T.INJECTION, "XML is parsed by a parser that expands entities", "Use defusedxml.")
        else:
            row = CHECKS[each.test_id]
        severity, tag, message, hint = row
        if any(b"nosec" in lines[number - 1] for number in each.linerange if 0 < number <= len(lines)):
            severity, hint = Severity.LOW, "A comment says it is meant so; check that."
        found.append(Issue(line, severity, tag, f"{message} (bandit {each.test_id})", hint, int(each.col_offset)))
    return found
