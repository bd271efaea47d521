"""What code does by the look of its statements: compute, decide, or send something of a known sort.

Names of functions tell little about rules of a product, helpers and algorithms; how dense loops, indexing,
arithmetic and conditions on attributes are tells more.
"""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.classify.languages.builder import OutlineBuilder
from plantwin.private.classify.languages.masks import Text

_COUNTED = (
    b" * ", b" / ", b" % ", b" ^ ", b" << ", b" >> ", b" // ", b" - 1", b" + 1", b" += ", b"while ", b".next", b".prev",
    b".left", b"sqrt(", b"max(", b"min(", b"abs(",
)  # fmt: skip
"""Spellings of computation; those of one statement may count twice."""
_INDEX = expressions.compile(rb"\[(?:\w{1,2}\]|\w{1,20}+ ?[-+%*/<>]|[-:])")
_INDEX_ROUND = expressions.compile(rb"\([ijkn](?:[-+]1)?\)")
"""A place in a sequence that is a variable or computed."""
_NESTED = expressions.compile(
    rb"\n([ \t]{2,24}+)(?:for|while)\b[^\n]{1,200}+\n(?:\1[ \t]++[^\n]{0,200}+\n){0,6}?\1[ \t]++(?:for|while)\b"
)
"""A loop inside a loop."""
_DECISION = expressions.compile(
    rb"\.(?!(?:len|length|size|count|type|kind|name|left|right|next|prev|key|head|tail|value|cap|status_code|status"
    rb"|code|data|shape|x|y|id|err|error|nil)\b)\w{2,40}+(?:\(\))?+[ ]?+(?:[<>]=?+ |[!=]==?+ | is | (?:not )?+in )"
)
"""An attribute that is compared."""
_REFUSAL = expressions.compile(
    rb"\b(?:raise |throw new |throw |errors\.New\(|fmt\.Errorf\()"
    rb"(?!NotImplemented|TypeError|ValueError|Error\b|Illegal|Runtime)[A-Za-z]"
)
"""A failure of the product's own."""
_BUSY = frozenset(
    ("test_function", "http_call", "route", "component", "train_call", "migration_op", "orm_model", "dag", "markup")
)
"""What says more than statements do."""
_LOOK = 6000
"""What the first bytes of code do, the rest does too."""
_DENSE = 45
"""Bytes of code per spelling of computation below which code computes."""
_SENT = expressions.compile(
    rb"""[\"'`]?\b(?:\w{1,30}_)?(amount|currency|card|iban|charge|refund|capture|payout|payment|installment"""
    rb"""|channel|chat_id|subject|recipients?|text|sms|webhook|phone|to_addresses"""
    rb"""|redirect_uri|code_verifier|code_challenge|id_token|authorization_code|nonce)\w{0,20}+[\"'`]?\s{0,3}+(?:=>|[:=,(])""",
    re.IGNORECASE,
)
_SORTS: dict[str, frozenset[bytes]] = {
    "payment_call": frozenset(b"amount currency card iban charge refund capture payout payment installment".split()),
    "mail_call": frozenset(b"channel chat_id subject recipient recipients text sms webhook phone to_addresses".split()),
    "auth_call": frozenset(b"redirect_uri code_verifier code_challenge id_token authorization_code nonce".split()),
}
_ENOUGH = {"payment_call": 1, "mail_call": 2, "auth_call": 2}
_PURPOSES: dict[str, frozenset[str]] = {
    "payment_call": frozenset(
        ("charge", "refund", "capture", "payout", "payment", "pay", "chargeback", "debit", "settle")
    ),
    "mail_call": frozenset(
        ("notify", "notifier", "notification", "alert", "mail", "email", "sms", "message", "digest")
    ),
    "auth_call": frozenset(("login", "logout", "authorize", "signin", "authenticate", "oauth", "oidc", "sso")),
}
_PAYS = expressions.compile(
    r"(?:^|_|(?<=[a-z]))(?:[Cc]harge(?!r)|[Rr]efund|[Cc]apture|[Pp]ayout|[Cc]hargeback|[Ii]nvoice|[Pp]ayment|[Pp]ay(?=_|[A-Z]|$)"
    r"|[Bb]illing|[Dd]ebit)"
)
_NO_TILL = frozenset(
    (
        "route",
        "web_import",
        "component",
        "markup",
        "hook",
        "orm_model",
        "test_function",
        "report_call",
        "http_server",
        "dataframe_call",
    )
)
"""What shows, stores or serves payments does not make them."""
_ERASES = expressions.compile(r"forget|erase|anonymi[sz]|pseudonymi[sz]|redact|gdpr|dsar|scrub|mask|subject_access")
_TILL = expressions.compile(r"charge|refund|captur|payout|invoice|payment|pay|billing|debit")
_PERSONAL = expressions.compile(
    rb"\b(e?mail|phone|address|birth\w{0,10}+|ssn|first_?name|last_?name|surname|passport|iban|name|postcode|person|patient)\b"
)
"""Attributes of people."""
_word = expressions.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def read_statements(builder: OutlineBuilder, text: Text) -> None:
    """Add what the statements show."""
    if builder.ecosystem == "shell":
        return
    code = text.code[:_LOOK]
    features = builder.features
    if "function" in features and len(code) >= 200 and not features.keys() & _BUSY:
        found = sum(map(code.count, _COUNTED)) + len(_INDEX.findall(code))
        if builder.ecosystem == "generic":
            found += len(_INDEX_ROUND.findall(code))
        if found >= 5:
            found += 4 * len(_NESTED.findall(code))
            if found * _DENSE >= len(code):
                builder.count("computation", found)
        decisions = len(_DECISION.findall(code)) + len(_REFUSAL.findall(code))
        if decisions >= 2:
            builder.count("rule_check", decisions)
    if "http_call" in features:
        _sent(builder, text.raw)
    if "function" not in features:
        return
    named = "\n".join(builder.names).lower()
    if _TILL.search(named) and not features.keys() & _NO_TILL:
        paid = sum(1 for name in builder.names if _PAYS.search(name))
        if paid >= 2 and paid * 2 >= len(builder.names):
            builder.count("payment_call", paid)
    if _ERASES.search(named) and len(set(_PERSONAL.findall(code.lower()))) >= 2:
        builder.count("privacy_call")


def _sent(builder: OutlineBuilder, raw: bytes) -> None:
    """What a client of another system is for: the names that it defines, and the fields that it sends."""
    words = {word.lower() for name in builder.names for word in _word.findall(name)}
    fields = {field.lower() for field in _SENT.findall(raw[:12000])}
    for feature, known in _SORTS.items():
        sent, named = len(fields & known), len(words & _PURPOSES[feature])
        if (named and sent + named > _ENOUGH[feature]) or (sent >= 3 and feature != "mail_call"):
            builder.count(feature, sent + named)
