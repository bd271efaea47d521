"""Routes that nobody guards, in a module whose other routes look at who is asking."""

from __future__ import annotations

import ast

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.audit.python.names import dotted, words
from plantwin.private.capabilities.audit.python.scope import Function, Module
from plantwin.vocabulary import OutcomeTag, Severity

_OPEN = frozenset(
    [
        "login",
        "signin",
        "register",
        "signup",
        "logout",
        "health",
        "healthz",
        "ping",
        "status",
        "webhook",
        "hook",
        "callback",
        "token",
        "oauth",
        "forgot",
        "reset",
        "password",
        "index",
        "home",
        "static",
        "docs",
        "metrics",
        "ready",
        "readiness",
        "liveness",
        "public",
        "contact",
        "subscribe",
    ]
)
_GUARD = frozenset(
    [
        "login_required",
        "jwt_required",
        "auth_required",
        "requires_auth",
        "token_required",
        "permission_required",
        "roles_required",
        "admin_required",
        "authenticated",
    ]
)


def unguarded(module: Module) -> None:
    """Routes that change something and look at nobody, in a module whose other routes look at who is asking."""
    marks = {id(function): _marks(function) for function, _ in module.handlers}
    known = set().union(*marks.values()) if marks else set()
    for function in ast.walk(module.tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
            dotted(each).endswith("before_request") for each in function.decorator_list
        ):
            if any(
                isinstance(each, ast.Raise)
                or (isinstance(each, ast.Return) and each.value is not None)
                or (isinstance(each, ast.Call) and dotted(each.func).endswith("abort"))
                for each in ast.walk(function)
            ):
                return  # every request is checked before it gets anywhere
            known |= _marks(function)
    if not known:
        return
    for function, methods in module.handlers:
        if (
            methods & {"post", "put", "patch", "delete"}
            and not marks[id(function)]
            and not set(words(function.name)) & _OPEN
        ):
            module.issues.append(
                Issue(
                    function.lineno,
                    Severity.HIGH,
                    OutcomeTag.MISSING_CHECK,
                    f"`{function.name}` changes something and does not look at who is asking",
                    "Require a signed-in owner, as other routes here do.",
                )
            )


def _marks(function: Function) -> set[str]:
    """How a function looks at who is asking."""
    found: set[str] = set()
    for each in ast.walk(function):
        name = (
            dotted(each)
            if isinstance(each, (ast.Name, ast.Attribute))
            else each.arg
            if isinstance(each, ast.arg)
            else ""
        )
        last = name.rpartition(".")[2]
        if (
            last in _GUARD
            or (
                set(words(last)) & {"user", "auth", "principal", "identity"}
                and set(words(last))
                & {"current", "required", "require", "get", "request", "auth", "principal", "identity"}
            )
            or (name.startswith(("g.", "flask.g.")) and last in ("user", "customer", "account", "member", "tenant"))
        ):
            found.add(last)
        elif name in ("request.user", "self.current_user"):
            found.add(name)
    return found
