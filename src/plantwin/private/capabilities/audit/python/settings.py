"""Settings in code: debugging, origins, cookies, verification, and what goes into logs."""

from __future__ import annotations

import ast
import re

from plantwin.private.capabilities.audit.python.names import (
    constant_text,
    dotted,
    is_constant,
    keyword,
    terminal,
    words,
)
from plantwin.private.capabilities.audit.python.scope import Rule, Scope
from plantwin.vocabulary import OutcomeTag, Severity

_OFF: dict[str, tuple[Severity, OutcomeTag, str]] = {
    "SESSION_COOKIE_SECURE": (Severity.MEDIUM, OutcomeTag.INSECURE_SETTING, "Session cookies also travel unencrypted"),
    "CSRF_COOKIE_SECURE": (Severity.LOW, OutcomeTag.INSECURE_SETTING, "The CSRF cookie also travels unencrypted"),
    "SESSION_COOKIE_HTTPONLY": (
        Severity.MEDIUM,
        OutcomeTag.INSECURE_SETTING,
        "Scripts of a page can read session cookies",
    ),
    "WTF_CSRF_ENABLED": (Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "Requests from other sites are not refused"),
    "WTF_CSRF_CHECK_DEFAULT": (Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "Requests from other sites are not refused"),
    "check_hostname": (
        Severity.HIGH,
        OutcomeTag.DISABLED_VERIFICATION,
        "The host name of a certificate is not checked",
    ),
    "verify": (Severity.HIGH, OutcomeTag.DISABLED_VERIFICATION, "Certificates are not checked"),
    "verify_ssl": (Severity.HIGH, OutcomeTag.DISABLED_VERIFICATION, "Certificates are not checked"),
    "verify_certs": (Severity.HIGH, OutcomeTag.DISABLED_VERIFICATION, "Certificates are not checked"),
}
_ON: dict[str, tuple[Severity, OutcomeTag, str]] = {
    "CORS_ORIGIN_ALLOW_ALL": (Severity.MEDIUM, OutcomeTag.EXPOSED_SERVICE, "Pages of every site may call this service"),
    "CORS_ALLOW_ALL_ORIGINS": (
        Severity.MEDIUM,
        OutcomeTag.EXPOSED_SERVICE,
        "Pages of every site may call this service",
    ),
}
_LOGGERS = frozenset(
    (
        "log",
        "logger",
        "logging",
        "_log",
        "_logger",
        "LOG",
        "LOGGER",
        "app.logger",
        "self.logger",
        "self.log",
        "self._log",
        "self._logger",
        "current_app.logger",
    )
)
_LEVELS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "log"))
_GRAVE = frozenset(("password", "passwd", "passphrase", "secret", "cvv", "cvc", "ssn", "apikey"))
_TOKENS = re.compile(
    r"(?:access|auth|refresh|session|bearer|api|reset|id|csrf)_?token$|authorization$|api_?key$|private_?key$|secret_?key$|card_?number$|credit_?card$|card_number$",
    re.IGNORECASE,
)
_PERSONAL = frozenset(("email", "phone", "iban", "passport"))
_MASKING = frozenset(
    [
        "mask",
        "masked",
        "redact",
        "redacted",
        "hash",
        "hashed",
        "len",
        "bool",
        "type",
        "sha256",
        "md5",
        "isinstance",
        "anonymize",
        "obfuscate",
        "truncate",
    ]
)
_AUTHISH = frozenset(("jwt", "jose", "oauthlib", "authlib", "itsdangerous", "flask_jwt_extended", "flask", "fastapi"))


def _assignment(scope: Scope, node: ast.AST) -> None:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target = node.targets[0]
    name = constant_text(target.slice) if isinstance(target, ast.Subscript) else dotted(target).rpartition(".")[2]
    value = node.value
    if is_constant(value, False) and name in _OFF and (name.isupper() or isinstance(target, ast.Attribute)):
        scope.add(node, *_OFF[name], "Turn it on.")
    elif is_constant(value, True) and name in _ON:
        scope.add(node, *_ON[name], "Name the origins that may.")
    elif name in ("DEBUG", "debug") and is_constant(value, True) and _application(scope, target):
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.INSECURE_SETTING,
            "Debug mode is on: errors show code and values, and may run code",
            "Read it from the environment and leave it off by default.",
        )
    elif (
        name == "ALLOWED_HOSTS"
        and isinstance(value, (ast.List, ast.Tuple))
        and any(constant_text(each) == "*" for each in value.elts)
    ):
        scope.add(
            node,
            Severity.LOW,
            OutcomeTag.INSECURE_SETTING,
            "Every host name is accepted",
            "Name the hosts.",
        )
    elif name == "verify_mode" and dotted(value).endswith("CERT_NONE"):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.DISABLED_VERIFICATION,
            "Certificates are not checked",
            "Leave verification on; add the issuer's certificate.",
        )
    elif name == "_create_default_https_context" and dotted(value).endswith("_create_unverified_context"):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.DISABLED_VERIFICATION,
            "Certificates are not checked anywhere in the program",
            "Remove it.",
        )
    elif name == "fields" and is_constant(value, "__all__") and scope.name == "Meta":
        scope.add(
            node,
            Severity.LOW,
            OutcomeTag.MISSING_CHECK,
            "Every field of the model may be set",
            "Name the fields.",
        )
    elif (
        isinstance(target, ast.Subscript) and name.lower() == "access-control-allow-origin" and is_constant(value, "*")
    ):
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.EXPOSED_SERVICE,
            "Pages of every site may call this service",
            "Name the origins that may.",
        )


def _application(scope: Scope, target: ast.expr) -> bool:
    """Whether `DEBUG` is that of a web application: its settings module, or the application object."""
    if isinstance(target, ast.Name):
        base = scope.module.path.rpartition("/")[2]
        return (
            scope.function is None
            and ("settings" in scope.module.path or base in ("config.py", "production.py", "prod.py"))
            and not re.search(r"dev|local|test", base)
        )
    return dotted(target).startswith(("app.", "application.", "self.app.")) or (
        isinstance(target, ast.Subscript) and "config" in dotted(target)
    )


def _call(scope: Scope, node: ast.AST) -> None:
    if not isinstance(node, ast.Call):
        return
    full = scope.full(node.func)
    last = full.rpartition(".")[2]
    if last == "CORS" or last == "add_middleware" or last == "cross_origin" or last == "CORSMiddleware":
        _origins(scope, node, last)
    elif last == "set_cookie" and node.args:
        _cookie(scope, node)
    elif last in ("TCPConnector", "ClientSession", "connect") or full.startswith("aiohttp."):
        if (is_constant(keyword(node, "ssl"), False) and ("aiohttp" in scope.module.imports.modules)) or is_constant(
            keyword(node, "verify_ssl"), False
        ):
            scope.add(
                node,
                Severity.HIGH,
                OutcomeTag.DISABLED_VERIFICATION,
                "Certificates are not checked",
                "Leave verification on.",
            )
    elif last in ("Elasticsearch", "OpenSearch", "MongoClient") and (
        is_constant(keyword(node, "verify_certs"), False)
        or is_constant(keyword(node, "tlsAllowInvalidCertificates"), True)
    ):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.DISABLED_VERIFICATION,
            "Certificates are not checked",
            "Leave verification on.",
        )
    if (last in _LEVELS and dotted(node.func).rpartition(".")[0] in _LOGGERS) or full == "print":
        _logged(scope, node)


def _origins(scope: Scope, node: ast.Call, last: str) -> None:
    given = next((each.value for each in node.keywords if each.arg in ("origins", "allow_origins", "resources")), None)
    wide = given is not None and any(is_constant(each, "*") for each in ast.walk(given) if isinstance(each, ast.expr))
    if (
        last == "CORS"
        and given is None
        and not is_constant(keyword(node, "origins"), "")
        and scope.full(node.func).startswith("flask_cors")
    ):
        wide = True
    if not wide:
        return
    credentials = any(
        each.arg in ("allow_credentials", "supports_credentials") and is_constant(each.value, True)
        for each in node.keywords
    )
    scope.add(
        node,
        Severity.HIGH if credentials else Severity.MEDIUM,
        OutcomeTag.EXPOSED_SERVICE,
        "Pages of every site may call this service" + (" with the visitor's credentials" if credentials else ""),
        "Name the origins that may.",
    )


def _cookie(scope: Scope, node: ast.Call) -> None:
    name = constant_text(node.args[0])
    if not set(words(name)) & {"session", "token", "auth", "jwt", "sid", "sessionid", "access", "refresh", "remember"}:
        return
    if any(each.arg is None for each in node.keywords):
        return
    lacking = [
        flag
        for flag in ("secure", "httponly")
        if keyword(node, flag) is None or is_constant(keyword(node, flag), False)
    ]
    if lacking:
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.INSECURE_SETTING,
            f"A cookie that signs someone in lacks {' and '.join(lacking)}",
            "Set secure, httponly and samesite.",
        )


def _logged(scope: Scope, node: ast.Call) -> None:
    texts = [constant_text(each).lower() for each in node.args]
    worst: Severity | None = None
    for argument in [*node.args, *(each.value for each in node.keywords if each.arg == "extra")]:
        for each in _told(argument):
            name = terminal(each)
            last = words(name)[-1:] or [""]
            if (
                last[0] in _GRAVE
                or _TOKENS.search(name)
                or (last[0] == "token" and scope.module.imports.modules & _AUTHISH)
            ):
                worst = Severity.HIGH
            elif last[0] in _PERSONAL and dotted(node.func) != "print" and worst is None:
                worst = Severity.LOW
    if worst is Severity.HIGH and dotted(node.func) == "print":
        worst = Severity.MEDIUM
    if worst is not None and not any("***" in each for each in texts):
        sort = "Personal data reaches a log" if worst is Severity.LOW else "A secret or card number reaches a log"
        scope.add(node, worst, OutcomeTag.SENSITIVE_LOGGING, sort, "Leave it out, or log a masked form.")


def _told(node: ast.expr) -> list[ast.expr]:
    """The values that an argument shows: not those inside a call that measures or masks them."""
    found: list[ast.expr] = []
    stack: list[ast.AST] = [node]
    while stack and len(found) < 100:
        each = stack.pop()
        if isinstance(each, ast.Call):
            if set(words(dotted(each.func))) & _MASKING:
                continue
            found.append(each)
            if not isinstance(each.func, ast.Attribute) or isinstance(each.func.value, ast.Constant):
                stack.extend(each.args)
        elif isinstance(each, (ast.Name, ast.Attribute)):
            found.append(each)
        elif isinstance(each, ast.Subscript):
            if not isinstance(each.slice, ast.Slice):  # a part of it is a masked form
                found.append(each)
        elif not isinstance(each, (ast.Compare, ast.IfExp, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(each))
    return found


def _decorator(scope: Scope, node: ast.AST) -> None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for each in node.decorator_list:
            if dotted(each).rpartition(".")[2] == "csrf_exempt" or (
                isinstance(each, ast.Call) and any(dotted(a).endswith("csrf_exempt") for a in each.args)
            ):
                scope.add(
                    each,
                    Severity.MEDIUM,
                    OutcomeTag.MISSING_CHECK,
                    "Requests from other sites are not refused here",
                    "Keep CSRF protection unless the caller proves itself otherwise.",
                )


RULES: tuple[Rule, ...] = (_assignment, _call, _decorator)
