"""Keys that mean the same wherever they stand."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.common.settings import Setting
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
TRUE = frozenset(("true", "yes", "on", "1", "enabled"))
FALSE = frozenset(("false", "no", "off", "0", "disabled", "none", "never"))
_VERIFY = re.compile(
    r"(?:verify_?(?:tls|ssl|certs?|certificates?|peer|host|hostname)|(?:tls|ssl|cert)_?verif(?:y|ication)|ssl_?verify_?(?:peer|host|mode)?"
    r"|validate_?certs?|reject_?unauthorized|check_?hostname|strict_?ssl|node_tls_reject_unauthorized|pythonhttpsverify|verify_mode)$"
)
_INSECURE = re.compile(
    r"(?:insecure_?skip_?(?:tls_?)?verify|skip_?tls_?verify|insecure_?registry|allow_?insecure|trust_?all|accept_?invalid_?certs?"
    r"|tls_?insecure|disable_?(?:ssl|tls)_?(?:verification|verify|validation)?|ssl_?insecure|trust_?server_?certificate|insecure|git_ssl_no_verify)$"
)
_DEBUG = re.compile(
    r"(?:(?:app|flask|django|rails)?_?debug(?:_?mode)?|wp_debug|display_errors|show_errors|detailed_?errors)$"
)
_ORIGINS = re.compile(
    r"(?:allowed?_?origins?|cors_?origins?|access_?control_?allow_?origin|cors_?allow(?:ed)?_?origins?|allow_?origin)$"
)
_COOKIE = re.compile(r"(?:(?:session_?)?cookie_?(?:secure|http_?only)|secure_?cookies?|http_?only)$")
_AUTH = re.compile(
    r"(?:auth(?:entication|orization)?(?:_?enabled)?|require_?auth(?:entication)?|security_?enabled|csrf(?:_?enabled|_?protection)?|xpack_?security_?enabled|enable_?auth)$"
)
_ANONYMOUS = re.compile(
    r"(?:allow_?anonymous|anonymous_?(?:access|enabled|auth)|auth_?anonymous_?enabled|permit_?empty_?passwords?|allow_?empty_?password|mysql_allow_empty_password)$"
)
_PASSWORD = re.compile(r"(?:^|_)(?:password|passwd|pwd|pass)$")
_COMMON = frozenset(
    [
        "password",
        "passw0rd",
        "admin",
        "root",
        "postgres",
        "mysql",
        "changeme",
        "change_me",
        "secret",
        "123456",
        "12345678",
        "test",
        "guest",
        "default",
        "letmein",
        "qwerty",
        "password123",
        "admin123",
        "welcome",
        "toor",
    ]
)
_OLD = re.compile(
    r"(?:min_?(?:tls_?)?version|tls_?(?:min_?)?version|ssl_?protocols?|minimum_?protocol_?version|tls_?protocols?|protocols)$"
)
_OLD_VALUE = re.compile(r"ssl ?v?[23]|tls ?v?1(?:[._]?[01])?(?![._]?[23\d])", re.IGNORECASE)


def _name(key: str) -> str:
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", key).replace("-", "_").replace(" ", "_").lower()


def issues(found: Iterable[Setting], path: str) -> Iterator[Issue]:
    """What single keys tell, and pairs of user and password."""
    found = list(found)
    calm = (
        re.search(r"(?:^|[/._-])(?:test|tests|dev|development|local|example|sample|ci)(?:[/._-]|$)", path.lower())
        is not None
    )
    production = re.search(r"prod", path.lower()) is not None or any(
        _name(each.key) in ("environment", "env", "shop_env", "app_env", "node_env", "rails_env", "flask_env")
        and each.value.startswith("prod")
        for each in found
    )
    users = {each.value for each in found if re.search(r"(?:^|_)user(?:name)?$", _name(each.key)) and each.value}
    for each in found:
        issue = _single(each, calm, production) or _password(each, users)
        if issue is not None:
            yield issue


def _single(each: Setting, calm: bool, production: bool) -> Issue | None:
    name, value = _name(each.key), each.value.strip().lower()
    place = f"`{each.path}`"
    if _VERIFY.search(name) and (value in FALSE or value.endswith("verify_none")):
        return Issue(
            each.line,
            _S.HIGH if not calm else _S.MEDIUM,
            _T.DISABLED_VERIFICATION,
            f"{place} turns the check of certificates off",
            "Turn it on; add the issuer's certificate.",
        )
    if _INSECURE.search(name) and value in TRUE:
        return Issue(
            each.line,
            _S.HIGH if not calm else _S.MEDIUM,
            _T.DISABLED_VERIFICATION,
            f"{place} turns the check of certificates off",
            "Remove it.",
        )
    if name in ("sslmode", "ssl_mode") and value in ("disable", "allow", "prefer"):
        return Issue(
            each.line,
            _S.MEDIUM if value == "disable" else _S.LOW,
            _T.WEAK_CRYPTO,
            f"{place} lets data travel unencrypted",
            "Use verify-full.",
        )
    if _DEBUG.search(name) and value in TRUE and not calm:
        return Issue(
            each.line,
            _S.HIGH if production else _S.LOW,
            _T.INSECURE_SETTING,
            f"{place} turns debugging on",
            "Leave it off where others can reach it.",
        )
    if _ORIGINS.search(name) and value in ("*", '["*"]', "['*']"):
        return Issue(
            each.line,
            _S.MEDIUM,
            _T.EXPOSED_SERVICE,
            f"{place} lets pages of every site call this service",
            "Name the origins.",
        )
    if _COOKIE.search(name) and value in FALSE and not calm:
        return Issue(each.line, _S.MEDIUM, _T.INSECURE_SETTING, f"{place} weakens cookies", "Turn it on.")
    if _AUTH.search(name) and value in FALSE and not calm:
        return Issue(
            each.line, _S.HIGH, _T.WEAK_AUTHENTICATION, f"{place} turns a check of who is asking off", "Turn it on."
        )
    if _ANONYMOUS.search(name) and value in TRUE:
        return Issue(each.line, _S.HIGH, _T.WEAK_AUTHENTICATION, f"{place} lets anyone in", "Turn it off.")
    if _OLD.search(name) and _OLD_VALUE.search(value) and not re.search(r"^\s*(?:tls ?v?1\.[23])\s*$", value):
        return Issue(
            each.line, _S.MEDIUM, _T.WEAK_CRYPTO, f"{place} accepts old versions of TLS", "Ask for TLS 1.2 or later."
        )
    if name in ("permit_root_login", "permitrootlogin") and value == "yes":
        return Issue(each.line, _S.MEDIUM, _T.EXPOSED_SERVICE, f"{place} lets root sign in from outside", "Say no.")
    if name in ("protected_mode",) and value in FALSE:
        return Issue(
            each.line, _S.HIGH, _T.EXPOSED_SERVICE, f"{place} lets everyone in who reaches the port", "Leave it on."
        )
    return None


def _password(each: Setting, users: set[str]) -> Issue | None:
    if _PASSWORD.search(_name(each.key)) and each.value and (each.value.lower() in _COMMON or each.value in users):
        return Issue(
            each.line,
            _S.MEDIUM,
            _T.HARDCODED_SECRET,
            f"`{each.path}` is a password that anyone would try first",
            "Set a random one outside the file.",
        )
    return None


_SERVER = (
    (re.compile(r"^\s*ssl_protocols\b(?=.*\b(?:SSLv[23]|TLSv1(?:\.1)?)(?:[\s;]|$))|^\s*SSLProtocol\b(?=.*\+?(?:SSLv[23]|TLSv1(?:\.1)?)(?:\s|$))(?!.*-TLSv1)"), _S.MEDIUM, _T.WEAK_CRYPTO, "Old versions of TLS are accepted", "Accept TLS 1.2 and 1.3."),
    (re.compile(r"^\s*autoindex\s+on\b|^\s*Options\b.*\+?(?<!-)Indexes\b"), _S.LOW, _T.EXPOSED_SERVICE, "Folders are listed to visitors", "Turn it off."),
    (re.compile(r"^\s*proxy_ssl_verify\s+off\b|^\s*SSLProxyVerify\s+none\b"), _S.MEDIUM, _T.DISABLED_VERIFICATION, "Certificates of the servers behind are not checked", "Turn it on."),
    (re.compile(r"Access-Control-Allow-Origin[\"']?\s+[\"']?\*"), _S.MEDIUM, _T.EXPOSED_SERVICE, "Pages of every site may call this service", "Name the origins."),
    (re.compile(r"^\s*PermitRootLogin\s+yes\b"), _S.MEDIUM, _T.EXPOSED_SERVICE, "Root may sign in from outside", "Say no."),
    (re.compile(r"^\s*PermitEmptyPasswords\s+yes\b"), _S.CRITICAL, _T.WEAK_AUTHENTICATION, "Accounts without a password may sign in", "Say no."),
    (re.compile(r"^\s*(?:\S+\s+)?ALL\s*=\s*\(ALL(?::ALL)?\)\s*NOPASSWD:\s*ALL\b"), _S.MEDIUM, _T.EXCESSIVE_PERMISSION, "An account may do everything without a password", "Name the commands."),
)  # fmt: skip


def server(text: str) -> Iterator[Issue]:
    """Directives of web and system servers."""
    for number, line in enumerate(text.split("\n")[:20_000], start=1):
        bare = line[:600]
        if bare.lstrip().startswith("#"):
            continue
        for pattern, severity, tag, message, hint in _SERVER:
            if pattern.search(bare):
                yield Issue(number, severity, tag, message, hint)
