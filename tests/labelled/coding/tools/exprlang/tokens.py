"""Lexer of the small filter language used in saved searches."""

import re
from typing import Iterator, NamedTuple

KEYWORDS = {"and", "or", "not", "in"}
SPEC = [
    ("NUMBER", r"\d+(?:\.\d+)?"),
    ("STRING", r"'[^']*'"),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OP", r"<=|>=|!=|[<>=]"),
    ("LPAREN", r"\("),
    ("RPAREN", r"\)"),
    ("COMMA", r","),
    ("SKIP", r"[ \t]+"),
    ("BAD", r"."),
]
MASTER = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in SPEC))


class Token(NamedTuple):
    kind: str
    text: str
    column: int


def tokenize(source: str) -> Iterator[Token]:
    for match in MASTER.finditer(source):
        kind, text = match.lastgroup or "BAD", match.group()
        if kind == "SKIP":
            continue
        if kind == "BAD":
            raise SyntaxError(f"unexpected {text!r} in column {match.start()}")
        if kind == "NAME" and text.lower() in KEYWORDS:
            kind = text.upper()
        yield Token(kind, text, match.start())
    yield Token("END", "", len(source))
