"""What the same weakness is called in every language."""

from __future__ import annotations

from plantwin.vocabulary import OutcomeTag, Severity

Words = tuple[Severity, OutcomeTag, str, str]

QUERY: Words = (
    Severity.HIGH,
    OutcomeTag.INJECTION,
    "An SQL statement is put together from values instead of parameters",
    "Pass values as parameters of the query.",
)
COMMAND: Words = (
    Severity.HIGH,
    OutcomeTag.UNSAFE_EXECUTION,
    "A command is put together from values",
    "Run the program with a list of arguments, without a shell.",
)
EVALUATED: Words = (
    Severity.MEDIUM,
    OutcomeTag.UNSAFE_EXECUTION,
    "Text that is not fixed is run as code",
    "Use a parser, or a table of functions.",
)
PATH: Words = (
    Severity.HIGH,
    OutcomeTag.PATH_TRAVERSAL,
    "The request chooses the name of a file",
    "Take only its last part, resolve it and check that it stays below the folder.",
)
ADDRESS: Words = (
    Severity.HIGH,
    OutcomeTag.MISSING_CHECK,
    "The request chooses the address that the server calls (SSRF)",
    "Allow only hosts from a list.",
)
REDIRECT: Words = (
    Severity.MEDIUM,
    OutcomeTag.MISSING_CHECK,
    "The request chooses where the browser is sent (open redirect)",
    "Allow only paths of this site, or hosts from a list.",
)
PAGE: Words = (
    Severity.HIGH,
    OutcomeTag.INJECTION,
    "A value from the request becomes part of a page unescaped",
    "Escape it, or render it through an escaping template.",
)
MASS: Words = (
    Severity.MEDIUM,
    OutcomeTag.MISSING_CHECK,
    "The request sets any field of an object (mass assignment)",
    "Name the fields that may be set.",
)
UNVERIFIED: Words = (
    Severity.HIGH,
    OutcomeTag.DISABLED_VERIFICATION,
    "Certificates are not checked",
    "Leave verification on; add the issuer's certificate where it is private.",
)
UNSIGNED: Words = (
    Severity.HIGH,
    OutcomeTag.DISABLED_VERIFICATION,
    "A token is read without checking its signature",
    "Verify it with the key and a fixed list of algorithms.",
)
BROKEN_HASH: Words = (Severity.LOW, OutcomeTag.WEAK_CRYPTO, "A broken hash is used", "Use SHA-256.")
FAST_HASH: Words = (
    Severity.HIGH,
    OutcomeTag.WEAK_CRYPTO,
    "A password is hashed with a fast hash",
    "Use argon2, scrypt or bcrypt.",
)
BROKEN_CIPHER: Words = (Severity.HIGH, OutcomeTag.WEAK_CRYPTO, "A broken cipher or mode is used", "Use AES-GCM.")
GUESSABLE: Words = (
    Severity.HIGH,
    OutcomeTag.WEAK_AUTHENTICATION,
    "A secret value is made with a predictable generator",
    "Use a cryptographic generator.",
)
TIMING: Words = (
    Severity.MEDIUM,
    OutcomeTag.WEAK_AUTHENTICATION,
    "A secret is compared in a way that its timing gives it away",
    "Compare in constant time.",
)
ORIGINS: Words = (
    Severity.MEDIUM,
    OutcomeTag.EXPOSED_SERVICE,
    "Pages of every site may call this service",
    "Name the origins that may.",
)
COOKIE: Words = (
    Severity.MEDIUM,
    OutcomeTag.INSECURE_SETTING,
    "A cookie that signs someone in lacks secure or httpOnly",
    "Set secure, httpOnly and sameSite.",
)
DEBUG: Words = (Severity.MEDIUM, OutcomeTag.INSECURE_SETTING, "Debug mode is on", "Leave it off outside development.")
LOGGED: Words = (
    Severity.HIGH,
    OutcomeTag.SENSITIVE_LOGGING,
    "A secret or card number reaches a log",
    "Leave it out, or log a masked form.",
)
LOADED: Words = (
    Severity.HIGH,
    OutcomeTag.UNSAFE_DESERIALIZATION,
    "Objects are loaded from data that may come from others",
    "Use JSON and check its shape.",
)
ENTITIES: Words = (
    Severity.MEDIUM,
    OutcomeTag.INJECTION,
    "XML is parsed with external entities (XXE)",
    "Forbid document type declarations.",
)
SHOWN_NEVER = (
    r"(?:password|passwd|secret|accessToken|access_token|authToken|auth_token|apiKey|api_key|privateKey|private_key|"
    r"cardNumber|card_number|cvv|ssn|refreshToken|sessionToken|session_token)"
)
"""Names that stand for what must not be shown."""
