"""Who is asking, and whether they may: tokens, comparisons, hashes of passwords, routes without a check."""

from __future__ import annotations

import ast

from plantwin.private.capabilities.security_audit.python.module import CHANGES, Call, Function, Module, Scope
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

_HASHES = frozenset(f"hashlib.{name}" for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "new"))
_RANDOM = frozenset(
    f"random.{name}"
    for name in ("random", "randint", "randrange", "choice", "choices", "sample", "getrandbits", "uniform", "shuffle")
)
_CHECKS = frozenset(("verify", "authenticate", "authorize", "check", "validate"))
_PROTECTED = WORDS["secret"] | {"signature", "user", "login", "permission", "access"}
_CALLERS = frozenset(("user", "auth", "principal", "identity"))
_CALLER_ACCESS = frozenset(("current", "required", "require", "get", "request", "auth", "principal", "identity"))


def compare(scope: Scope, node: ast.Compare) -> None:
    """Report a secret compared with `==`, whose timing tells how much of it was right."""
    sides = (node.left, node.comparators[0])
    if (
        len(node.ops) != 1
        or not isinstance(node.ops[0], (ast.Eq, ast.NotEq))
        or scope.name in ("__eq__", "__ne__")
        or any(isinstance(side, (ast.Constant, ast.Tuple, ast.List, ast.Dict)) for side in sides)
        or any(dotted(side).startswith("len") or {"[]", "?"} <= set(dotted(side).split(".")) for side in sides)
    ):
        return
    one, other = (words(terminal(side)) for side in sides)
    both = {*one, *other}
    last_words = {name[-1] for name in (one, other) if name}
    if (both | scope.words) & WORDS["no_secret"] or not last_words or any(word.isdigit() for word in last_words):
        return
    if one and other and one[-1] == other[-1] and one[-1] in ("password", "passwd", "key"):
        return  # two fields of one form
    if not scope.module.imports.modules & WORDS["security_module"]:
        return
    strong = bool(last_words & WORDS["compared_secret"]) or {"api", "key"} <= both
    weak = last_words & WORDS["perhaps_secret"] and (scope.words | both) & WORDS["authentication"]
    named_constant = any(isinstance(side, ast.Attribute) and side.attr.isupper() for side in sides)
    if strong or (weak and not named_constant):
        scope.report(node, "TIMING-COMPARISON")


def random_value(call: Call) -> None:
    """Report secrets that can be guessed."""
    purpose = {*call.scope.words, *words(call.scope.target)}
    if (call.full in _RANDOM or call.full == "uuid.uuid1") and purpose & WORDS["issued"]:
        call.report("CRYPTO-PREDICTABLE-RANDOM")


def hashed(call: Call) -> None:
    """Report tokens made from what others know, and passwords hashed with a fast hash."""
    if call.full not in _HASHES or call.first is None:
        return
    named = [words(terminal(node)) for node in ast.walk(call.first) if isinstance(node, (ast.Name, ast.Attribute))]
    # What is a hash already may be hashed once more, as part of something else.
    hashed_words = {word for parts in named if not {"hash", "hashed", "digest"} & set(parts) for word in parts}
    attributes = [dotted(node) for node in ast.walk(call.node) if isinstance(node, ast.Attribute)]
    random = any("secrets." in name or "urandom" in name for name in attributes)
    keyed = random or hashed_words & {"secret", "key", "token", "random", "nonce", "uuid", "bytes"}
    known = hashed_words & {"id", "email", "user", "time", "name", "customer"}
    if call.scope.words & {"token", "otp"} and known and not keyed:
        call.report("TOKEN-GUESSABLE")
    elif hashed_words & {"password", "passwd", "pwd", "passphrase"}:
        call.report("CRYPTO-FAST-PASSWORD-HASH")


def jwt(call: Call) -> None:
    """Report tokens that are not signed, or whose signature is not checked."""
    node = call.node
    if call.full.endswith(("jwt.decode", "jws.verify")):
        options = keyword(node, "options")
        pairs: dict[str, ast.expr] = {}
        if isinstance(options, ast.Dict):
            pairs = {constant_text(key): value for key, value in zip(options.keys, options.values, strict=True) if key}
        off = (
            call.given("verify", False)
            or (len(node.args) > 2 and is_constant(node.args[2], False))
            or is_constant(pairs.get("verify_signature"), False)
        )
        if not off and is_constant(pairs.get("verify_exp"), False):
            call.report("JWT-EXPIRY-UNCHECKED")
        algorithms = keyword(node, "algorithms")
        none = algorithms is not None and any(constant_text(name).lower() == "none" for name in ast.walk(algorithms))
        if off or none:
            call.report("JWT-SIGNATURE-UNCHECKED", Severity.CRITICAL if none else None)
    elif call.full.endswith(("jwt.get_unverified_claims", "jwt.get_unverified_header_and_claims")):
        call.report("JWT-SIGNATURE-UNCHECKED", Severity.MEDIUM)
    elif call.full.endswith("jwt.encode") and call.given("algorithm", "none", "None"):
        call.report("JWT-UNSIGNED")


def always_true(scope: Scope, node: Function) -> None:
    """Report a check that lets everyone in."""
    if node.name not in WORDS["checker"]:
        return
    body = [
        statement
        for statement in node.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    ]
    abstract = any(dotted(decorator).endswith(("abstractmethod", "property")) for decorator in node.decorator_list)
    if len(body) == 1 and isinstance(body[0], ast.Return) and is_constant(body[0].value, True) and not abstract:
        scope.report(node, "AUTH-ALWAYS-TRUE")


def error_passes(scope: Scope, node: ast.Try) -> None:
    """Report `except: return True` in a check."""
    if scope.words & _CHECKS and scope.words & _PROTECTED:
        for statement in (statement for handler in node.handlers for statement in handler.body):
            if isinstance(statement, ast.Return) and is_constant(statement.value, True):
                scope.report(statement, "AUTH-ERROR-PASSES")


def _classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


_BEFORE = ("before_request", "before_app_request", "url_value_preprocessor")
"""Decorators of Flask for what runs before every route."""


def unguarded_routes(module: Module) -> None:
    """Report routes that change something for anybody, where other routes of the module look at who is asking."""
    guards = {id(function): _guards(function) for function, _ in module.handlers}
    known = set().union(*guards.values()) if guards else set()
    for function in ast.walk(module.tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
            dotted(decorator).endswith(_BEFORE) for decorator in function.decorator_list
        ):
            if any(_refuses(node) for node in ast.walk(function)):
                return  # every request is checked before it gets anywhere
            known |= _guards(function)
    for function, methods in module.handlers:
        public = set(words(function.name)) & WORDS["public_route"]
        if known and methods & CHANGES and not guards[id(function)] and not public:
            # What a class inherits may look at who is asking.
            inherits = any(function in held.body and held.bases for held in _classes(module.tree))
            severity = Severity.MEDIUM if inherits else None
            module.report(function, "PY-UNGUARDED-ROUTE", severity, name=function.name)


def _refuses(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Raise)
        or (isinstance(node, ast.Return) and node.value is not None)
        or (isinstance(node, ast.Call) and dotted(node.func).endswith("abort"))
    )


def _guards(function: Function) -> set[str]:
    """Return the names by which a function looks at who is asking."""
    named = (dotted(decorator) for decorator in function.decorator_list)
    found = {name for name in named if {*words(name.replace(".", "_"))} & WORDS["guarding"]}
    for node in ast.walk(function):
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = dotted(node)
        elif isinstance(node, ast.arg):
            name = node.arg
        else:
            continue
        end = last(name)
        parts = set(words(end))
        if (
            end in WORDS["guard"]
            or (parts & _CALLERS and parts & _CALLER_ACCESS)
            or (name.startswith(("g.", "flask.g.")) and end in ("user", "customer", "account", "member", "tenant"))
            or name in ("request.user", "self.current_user")
        ):
            found.add(end)
    return found


CALLS = (random_value, hashed, jwt)
