"""Who is asking, and whether they may: tokens, comparisons, hashes of passwords, routes without a check."""

from __future__ import annotations

import ast

from plantwin.private.capabilities.audit.python.names import (
    constant_text,
    dotted,
    is_constant,
    keyword,
    terminal,
    words,
)
from plantwin.private.capabilities.audit.python.scope import Module, Rule, Scope
from plantwin.vocabulary import OutcomeTag, Severity

_SECRET = frozenset(
    ("password", "passwd", "pwd", "passphrase", "secret", "token", "otp", "pin", "nonce", "salt", "apikey", "key")
)
_ISSUED = frozenset(
    ("token", "secret", "password", "otp", "nonce", "session", "reset", "csrf", "apikey", "salt", "code")
)
_STRONG = frozenset(("signature", "hmac", "secret", "apikey", "csrf", "passwd", "password", "hexdigest", "otp", "mac"))
_WEAK = frozenset(("token", "digest", "hash", "sig", "key"))
_CONTEXT = frozenset(
    [
        "password",
        "passwd",
        "auth",
        "authenticate",
        "authorize",
        "authorized",
        "verify",
        "check",
        "matches",
        "match",
        "login",
        "signin",
        "session",
        "webhook",
        "signature",
        "token",
        "secret",
        "reset",
        "credential",
        "credentials",
        "compare",
        "validate",
        "valid",
        "hmac",
        "csrf",
    ]
)
_CHECKSUM = frozenset(
    [
        "checksum",
        "checksums",
        "file",
        "files",
        "content",
        "etag",
        "cache",
        "cached",
        "blob",
        "commit",
        "sha",
        "cid",
        "image",
        "chunk",
        "lock",
        "parse",
        "lexer",
        "parser",
        "tokens",
        "tokenizer",
        "type",
        "kind",
        "name",
        "id",
        "count",
        "index",
        "length",
        "len",
        "old",
        "new",
        "confirm",
        "confirmation",
        "repeat",
        "again",
        "node",
        "ast",
        "next",
        "prev",
        "previous",
        "current",
        "public",
        "route",
        "expected_type",
        "version",
        "block",
        "root",
        "tree",
    ]
)
_HASHES = frozenset(f"hashlib.{name}" for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "new"))
_RANDOM = frozenset(
    f"random.{name}"
    for name in ("random", "randint", "randrange", "choice", "choices", "sample", "getrandbits", "uniform", "shuffle")
)
_CHECKERS = frozenset(
    [
        "is_authenticated",
        "authenticate",
        "is_authorized",
        "authorize",
        "check_password",
        "verify_password",
        "verify_token",
        "check_token",
        "has_permission",
        "check_permission",
        "is_admin",
        "verify_signature",
        "validate_token",
        "check_auth",
        "login_required",
    ]
)


def _compare(scope: Scope, node: ast.AST) -> None:
    """A secret compared with `==` tells by its timing how much of it was right."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return
    if scope.name in ("__eq__", "__ne__"):
        return
    sides = (node.left, node.comparators[0])
    if any(isinstance(each, (ast.Constant, ast.Tuple, ast.List, ast.Dict)) for each in sides):
        return
    if any(dotted(each).startswith("len") or ("[]" in dotted(each) and "?" in dotted(each)) for each in sides):
        return
    named = [_meaning(each) for each in sides]
    both = set(named[0]) | set(named[1])
    last = [each[-1] for each in named if each]
    if both & _CHECKSUM or scope.words & _CHECKSUM or not last or any(each.isdigit() for each in last):
        return
    if named[0] and named[1] and named[0][-1] == named[1][-1] and named[0][-1] in ("password", "passwd", "key"):
        return  # two fields of one form
    strong = any(each in _STRONG for each in last) or {"api", "key"} <= both
    weak = any(each in _WEAK for each in last) and bool((scope.words | both) & _CONTEXT) and _security(scope.module)
    if any(isinstance(each, ast.Attribute) and each.attr.isupper() for each in sides) and not strong:
        return
    if (strong and _security(scope.module)) or weak:
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.WEAK_AUTHENTICATION,
            "A secret is compared in a way that its timing gives it away",
            "Compare with hmac.compare_digest.",
        )


def _meaning(node: ast.expr) -> list[str]:
    return words(terminal(node))


def _security(module: Module) -> bool:
    """Whether the module deals with secrets or requests at all."""
    known = {
        "hashlib",
        "hmac",
        "jwt",
        "jose",
        "secrets",
        "flask",
        "django",
        "fastapi",
        "starlette",
        "passlib",
        "bcrypt",
        "argon2",
        "itsdangerous",
        "cryptography",
        "werkzeug",
        "aiohttp",
        "tornado",
        "bottle",
        "sanic",
        "rest_framework",
        "quart",
        "authlib",
        "oauthlib",
        "stripe",
        "falcon",
        "pyramid",
    }
    return bool(module.imports.modules & known)


def _token(scope: Scope, node: ast.AST) -> None:
    """Tokens and passwords that can be guessed."""
    if not isinstance(node, ast.Call):
        return
    full = scope.full(node.func)
    purpose = {*scope.words, *words(scope.target)}
    if (full in _RANDOM or full == "uuid.uuid1") and purpose & (_ISSUED - {"code", "session", "reset"}):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.WEAK_AUTHENTICATION,
            "A secret value is made with a predictable generator",
            "Use the secrets module.",
        )
    if full not in _HASHES or not node.args:
        return
    fed = {
        word
        for each in ast.walk(node.args[0])
        if isinstance(each, (ast.Name, ast.Attribute))
        for word in words(terminal(each))
    }
    random = any(
        "secrets." in dotted(each) or "urandom" in dotted(each)
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
    )
    keyed = fed & {"secret", "key", "token", "random", "nonce", "uuid", "bytes"}
    if (
        scope.words & {"token", "otp"}
        and not random
        and not keyed
        and fed & {"id", "email", "user", "time", "name", "customer"}
    ):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.WEAK_AUTHENTICATION,
            "A token is made from what others can know, so it can be made by anyone",
            "Make it with secrets.token_urlsafe and store its hash.",
        )
    elif fed & {"password", "passwd", "pwd", "passphrase"}:
        scope.add(
            node,
            Severity.HIGH if full in ("hashlib.md5", "hashlib.sha1") else Severity.MEDIUM,
            OutcomeTag.WEAK_CRYPTO,
            "A password is hashed with a fast hash",
            "Use argon2, scrypt or bcrypt with a salt for each password.",
        )


def _jwt(scope: Scope, node: ast.AST) -> None:
    if not isinstance(node, ast.Call):
        return
    full = scope.full(node.func)
    if full.endswith(("jwt.decode", "jws.verify")):
        options = keyword(node, "options")
        off = is_constant(keyword(node, "verify"), False) or (len(node.args) > 2 and is_constant(node.args[2], False))
        if isinstance(options, ast.Dict):
            pairs = {constant_text(key): value for key, value in zip(options.keys, options.values, strict=True) if key}
            off = off or is_constant(pairs.get("verify_signature"), False)
            if not off and is_constant(pairs.get("verify_exp"), False):
                scope.add(
                    node,
                    Severity.MEDIUM,
                    OutcomeTag.DISABLED_VERIFICATION,
                    "Expired tokens are accepted",
                    "Leave verify_exp on.",
                )
        algorithms = keyword(node, "algorithms")
        none = algorithms is not None and any(
            constant_text(each).lower() == "none" for each in ast.walk(algorithms) if isinstance(each, ast.Constant)
        )
        if off or none:
            scope.add(
                node,
                Severity.CRITICAL if none or scope.words & _CONTEXT else Severity.HIGH,
                OutcomeTag.DISABLED_VERIFICATION,
                "A token is read without checking its signature",
                "Verify it with the key and a fixed list of algorithms.",
            )
    elif full.endswith(("jwt.get_unverified_claims", "jwt.get_unverified_header_and_claims")):
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.DISABLED_VERIFICATION,
            "Claims of a token are read without checking its signature",
            "Verify it before any claim is used.",
        )
    elif full.endswith("jwt.encode") and is_constant(keyword(node, "algorithm"), "none", "None"):
        scope.add(
            node,
            Severity.CRITICAL,
            OutcomeTag.WEAK_AUTHENTICATION,
            "Tokens are issued without a signature",
            "Sign them.",
        )


def _always(scope: Scope, node: ast.AST) -> None:
    """A check that says yes to everyone."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name not in _CHECKERS:
        return
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    abstract = any(dotted(each).endswith(("abstractmethod", "property")) for each in node.decorator_list)
    if len(body) == 1 and isinstance(body[0], ast.Return) and is_constant(body[0].value, True) and not abstract:
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.WEAK_AUTHENTICATION,
            "A check of permission always says yes",
            "Check, or remove it.",
        )


def _swallowed(scope: Scope, node: ast.AST) -> None:
    """`except: return True` in a check."""
    if isinstance(node, ast.Try) and scope.words & {"verify", "authenticate", "authorize", "check", "validate"}:
        for handler in node.handlers:
            for each in handler.body:
                if (
                    isinstance(each, ast.Return)
                    and is_constant(each.value, True)
                    and scope.words & _SECRET | (scope.words & {"signature", "user", "login", "permission", "access"})
                ):
                    scope.add(
                        each,
                        Severity.HIGH,
                        OutcomeTag.WEAK_AUTHENTICATION,
                        "A check that fails with an error counts as passed",
                        "Return False where the check cannot be made.",
                    )


RULES: tuple[Rule, ...] = (_compare, _token, _jwt, _always, _swallowed)
