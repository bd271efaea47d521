"""Directives of nginx: words, a line, and what stands in their braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plantwin.private.facts import Private
from plantwin.private.formats.document import Fault
from plantwin.private.formats.values import words as words_of

DEPTH = 60
MOST = 40_000
_TOKEN = re.compile(
    r"#[^\n]*|\"(?:[^\"\\]|\\.){0,20000}\"|'(?:[^'\\]|\\.){0,20000}'|[{};]|\n|(?:\\.|\$\{[^}\n]{0,200}\}|[^\s{};\"'#\\]|(?<=\S)[\"'#])+|\S",
    re.DOTALL,
)


@dataclass(slots=True, repr=False)
class Directive(Private):
    """`name words { below }`."""

    name: str
    words: list[str]
    line: int
    below: list[Directive] = field(default_factory=list)
    block: bool = False
    parent: Directive | None = None

    def all(self, name: str) -> list[Directive]:
        """Return those of a name right below."""
        return [directive for directive in self.below if directive.name == name]

    def inherited(self, name: str) -> list[Directive]:
        """Return those of a name here, or in the nearest block around."""
        here: Directive | None = self
        while here is not None:
            found = here.all(name)
            if found:
                return found
            here = here.parent
        return []

    def within(self) -> Iterator[Directive]:
        """Yield every one below, in order."""
        stack = list(reversed(self.below))
        while stack:
            directive = stack.pop()
            yield directive
            stack += reversed(directive.below)


def directives(text: str) -> tuple[Directive, list[Fault]]:
    """Return the text as one block, and what is wrong with it."""
    root = Directive("", [], 1, block=True)
    faults: list[Fault] = []
    stack = [root]
    words: list[str] = []
    line = start = 1
    last_line = 0
    left = MOST
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece == "\n":
            line += 1
            continue
        if piece.startswith("#"):
            continue
        left -= 1
        if left < 0:
            faults.append(Fault(line, f"Only the first {MOST} words are read", "Split the file.", grave=False))
            break
        if piece in ("{", ";"):
            made = Directive(words[0] if words else "", words[1:], start, block=piece == "{", parent=stack[-1])
            if words or piece == "{":
                stack[-1].below.append(made)
            if piece == "{":
                if len(stack) > DEPTH:
                    faults.append(Fault(start, "Blocks are nested deeper than is read", grave=False))
                    break
                stack.append(made)
            words = []
        elif piece == "}":
            if words:
                faults.append(Fault(start, f"`{words[0][:60]}` does not end with `;`", "Add the semicolon."))
                words = []
            if len(stack) == 1:
                faults.append(Fault(line, "A brace closes that none opened", "Remove it."))
                break
            stack.pop()
        else:
            if not words:
                start = line
            elif line > last_line and len(words) > 1 and len(faults) < 20 and piece in STARTS:
                faults.append(Fault(start, f"`{words[0][:60]}` does not end with `;`", "Add the semicolon."))
                words, start = [], line
            words.append(piece[1:-1] if piece[0] in "\"'" and len(piece) > 1 else piece)
            last_line = line
            line += piece.count("\n")
    if len(stack) > 1 and left >= 0:
        faults.append(Fault(stack[-1].line, f"The block of `{stack[-1].name[:60]}` is never closed", "Add a brace."))
    return root, faults


STARTS = words_of(
    "server listen location root index proxy_pass proxy_set_header add_header return rewrite include ssl_certificate "
    "ssl_certificate_key ssl_protocols ssl_ciphers server_name access_log error_log upstream try_files gzip expires "
    "fastcgi_pass client_max_body_size keepalive_timeout proxy_read_timeout proxy_http_version worker_processes"
)
"""Names that begin a directive: met inside one, the semicolon before them is missing."""
