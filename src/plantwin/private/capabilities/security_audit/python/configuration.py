"""Settings in code: debugging, origins, cookies, verification, and what goes into logs."""

from __future__ import annotations

import ast
import re

from plantwin.private.capabilities.security_audit.python.module import Call, Function, Scope
from plantwin.private.capabilities.security_audit.python.taint import (
    WORDS,
    constant_text,
    dotted,
    is_constant,
    keyword,
    last,
    terminal,
    words,
)
from plantwin.vocabulary import Severity

_OFF = {
    "SESSION_COOKIE_SECURE": "COOKIE-FLAGS",
    "CSRF_COOKIE_SECURE": "COOKIE-FLAGS",
    "SESSION_COOKIE_HTTPONLY": "COOKIE-FLAGS",
    "WTF_CSRF_ENABLED": "CSRF-OFF",
    "WTF_CSRF_CHECK_DEFAULT": "CSRF-OFF",
    "check_hostname": "TLS-VERIFICATION-OFF",
    "verify": "TLS-VERIFICATION-OFF",
    "verify_ssl": "TLS-VERIFICATION-OFF",
    "verify_certs": "TLS-VERIFICATION-OFF",
}
"""Settings and attributes that must not be False."""
_ALL_ORIGINS = ("CORS_ORIGIN_ALLOW_ALL", "CORS_ALLOW_ALL_ORIGINS")
_LEVELS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "log"))
_SECRETS = frozenset(("password", "passwd", "passphrase", "secret", "cvv", "cvc", "ssn", "apikey"))
_SECRET_NAME = re.compile(
    r"(?:access|auth|refresh|session|bearer|api|reset|id|csrf)_?token$|authorization$|api_?key$|private_?key$|secret_?key$|card_?number$|credit_?card$|card_number$",
    re.IGNORECASE,
)
_PERSONAL = frozenset(("email", "phone", "iban", "passport"))
_TOKEN_MODULES = frozenset(
    ("jwt", "jose", "oauthlib", "authlib", "itsdangerous", "flask_jwt_extended", "flask", "fastapi")
)
_SESSION_COOKIE = frozenset(("session", "token", "auth", "jwt", "sid", "sessionid", "access", "refresh", "remember"))


def assignment(scope: Scope, node: ast.Assign) -> None:
    """Report settings that are assigned an unsafe value."""
    if len(node.targets) == 1:
        rule = _assigned(scope, node.targets[0], node.value)
        if rule:
            low = _key(node.targets[0]) == "CSRF_COOKIE_SECURE"  # it signs nobody in
            scope.report(node, rule, Severity.LOW if low else None)


def _key(target: ast.expr) -> str:
    return constant_text(target.slice) if isinstance(target, ast.Subscript) else last(dotted(target))


def _assigned(scope: Scope, target: ast.expr, value: ast.expr) -> str:
    """Return the rule that an assignment breaks, if any."""
    name = _key(target)
    if is_constant(value, False) and (name.isupper() or isinstance(target, ast.Attribute)):
        return _OFF.get(name, "")
    if is_constant(value, True):
        if name in _ALL_ORIGINS:
            return "CORS-ANY-ORIGIN"
        return "DEBUG-MODE" if name in ("DEBUG", "debug") and _web_application(scope, target) else ""
    if name == "ALLOWED_HOSTS" and isinstance(value, (ast.List, ast.Tuple)):
        return "DJANGO-ALLOWED-HOSTS" if any(constant_text(host) == "*" for host in value.elts) else ""
    if (name == "verify_mode" and dotted(value).endswith("CERT_NONE")) or (
        name == "_create_default_https_context" and dotted(value).endswith("_create_unverified_context")
    ):
        return "TLS-VERIFICATION-OFF"
    if name == "fields" and is_constant(value, "__all__") and scope.name == "Meta":
        return "DJANGO-ALL-FIELDS"
    header = isinstance(target, ast.Subscript) and name.lower() == "access-control-allow-origin"
    return "CORS-ANY-ORIGIN" if header and is_constant(value, "*") else ""


def _web_application(scope: Scope, target: ast.expr) -> bool:
    """Whether `DEBUG` is that of a web application: its settings module, or the application object."""
    if isinstance(target, ast.Name):
        base = scope.module.path.rpartition("/")[2]
        return (
            scope.function is None
            and ("settings" in scope.module.path or base in ("config.py", "production.py", "prod.py"))
            and not re.search(r"dev|local|test", base)
        )
    name = dotted(target)
    return name.startswith(("app.", "application.", "self.app.")) or (
        isinstance(target, ast.Subscript) and "config" in name
    )


def origins(call: Call) -> None:
    """Report services that pages of every site may call."""
    if call.last not in ("CORS", "add_middleware", "cross_origin", "CORSMiddleware"):
        return
    named = ("origins", "allow_origins", "resources")
    given = next((argument.value for argument in call.node.keywords if argument.arg in named), None)
    if given is None:
        wide = call.last == "CORS" and call.full.startswith("flask_cors")
    else:
        wide = any(is_constant(node, "*") for node in ast.walk(given))
    if wide:
        call.report("CORS-ANY-ORIGIN")


def cookie(call: Call) -> None:
    """Report cookies that sign someone in and travel unprotected."""
    if call.last != "set_cookie" or not set(words(constant_text(call.first))) & _SESSION_COOKIE:
        return
    spread = any(argument.arg is None for argument in call.node.keywords)
    lacking = any(keyword(call.node, flag) is None or call.given(flag, False) for flag in ("secure", "httponly"))
    if lacking and not spread:
        call.report("COOKIE-FLAGS")


def verification(call: Call) -> None:
    """Report clients that do not check certificates."""
    if call.last in ("TCPConnector", "ClientSession", "connect") or call.full.startswith("aiohttp."):
        aiohttp = "aiohttp" in call.scope.module.imports.modules
        off = (call.given("ssl", False) and aiohttp) or call.given("verify_ssl", False)
    else:
        client = call.last in ("Elasticsearch", "OpenSearch", "MongoClient")
        off = client and (call.given("verify_certs", False) or call.given("tlsAllowInvalidCertificates", True))
    if off:
        call.report("TLS-VERIFICATION-OFF")


def logged(call: Call) -> None:
    """Report secrets and personal data that reach a log."""
    printed = call.name == "print"
    logger, _, level = call.name.rpartition(".")
    if not (level in _LEVELS and logger in WORDS["logger"]) and call.full != "print":
        return
    if any("***" in constant_text(argument) for argument in call.node.args):
        return
    extra = keyword(call.node, "extra")
    arguments = [*call.node.args, *([extra] if extra is not None else [])]
    names = [terminal(value) for argument in arguments for value in _values_shown(argument)]
    ends = [(words(name) or [""])[-1] for name in names]
    tokens = bool(call.scope.module.imports.modules & _TOKEN_MODULES)
    if any(
        end in _SECRETS or _SECRET_NAME.search(name) or (end == "token" and tokens)
        for name, end in zip(names, ends, strict=True)
    ):
        call.report("LOG-SECRET", Severity.MEDIUM if printed else None)
    elif _PERSONAL & set(ends) and not printed:
        call.report("LOG-PERSONAL-DATA")


def _values_shown(node: ast.expr) -> list[ast.expr]:
    """Return the values that an argument shows: not those inside a call that measures or masks them."""
    found: list[ast.expr] = []
    stack: list[ast.AST] = [node]
    while stack and len(found) < 100:
        part = stack.pop()
        if isinstance(part, ast.Call):
            if set(words(dotted(part.func))) & WORDS["masking"]:
                continue
            found.append(part)
            if not isinstance(part.func, ast.Attribute) or isinstance(part.func.value, ast.Constant):
                stack.extend(part.args)
        elif isinstance(part, (ast.Name, ast.Attribute)):
            found.append(part)
        elif isinstance(part, ast.Subscript):
            if not isinstance(part.slice, ast.Slice):  # a part of it is a masked form
                found.append(part)
        elif not isinstance(part, (ast.Compare, ast.IfExp, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(part))
    return found


def csrf_exempt(scope: Scope, node: Function | ast.ClassDef) -> None:
    """Report views that accept forged requests."""
    for decorator in node.decorator_list:
        arguments = decorator.args if isinstance(decorator, ast.Call) else []
        if last(dotted(decorator)) == "csrf_exempt" or any(dotted(name).endswith("csrf_exempt") for name in arguments):
            scope.report(decorator, "CSRF-OFF")


CALLS = (origins, cookie, verification, logged)
