"""Whether lines in no known format are source code: punctuation and keywords where prose has words and full stops."""

from __future__ import annotations

import re

_CODE = re.compile(
    rb"[;{}]\s*$|^\s{1,40}\S.{0,160},$|^\s{0,40}[}\])]+[;,]?\s*$|^\s{0,40}(?://|/\*|--\s|\*/)|:=|=>|->|::|\|>|[)\]]\s*[{:;]\s*$"
    rb"|^\s{0,40}[\w.$@]{1,60}\s?\([^()]{0,200}\)[;,]?\s*$|^\s{0,40}[\w.$@\[\]\"']{1,60}\s*[-+*/|.]?=\s*\S"
    rb"|^\s{0,40}(?:end|endif|end if|end_if;?|fi|done|else|then|begin|elsif .{1,80}|elif .{1,80}"
    rb"|END(?:-IF|_IF)?[.;]?)\s*$"
    rb"|^\s{0,40}(?:if|for|while|foreach|unless|until|when|switch|case|select case|do while)\b.{1,160}"
    rb"(?:then|do|:|\{|\))\s*$"
    rb"|^\s{0,40}(?:Public |Private |Static |Friend |export |pub |async )?"
    rb"(?:def|fn|func|fun|function|sub|proc|procedure"
    rb"|subroutine|method|macro|module|class|struct|interface|trait|enum|type|object|rule|task|let|const|var|val|dim"
    rb"|local|set|import|include|require|use|using|open|load|package|namespace|extends)[ (]\S.{0,160}[^.]$",
    re.I,
)
_SENTENCE = re.compile(rb"^[A-Z\d\"'(*-][^;{}=<>\[\]]{20,}[.!?:]$|^(?:[A-Za-z',-]+ ){7,}")
_TOKENS = re.compile(rb"[{}();=\[\]<>|&]")
_SHARE = 0.6
_LEAST = 4
"""Lines below which nothing can be told."""


def source_like(lines: list[bytes]) -> bool:
    """Most lines look like statements, hardly any like sentences, and symbols are frequent."""
    if len(lines) < _LEAST:
        return False
    sentences = sum(1 for line in lines if _SENTENCE.match(line.strip()))
    if sentences * 5 > len(lines):
        return False
    coded = sum(1 for line in lines if _CODE.search(line[:240]))
    if coded < _SHARE * len(lines):
        return False
    return sum(len(_TOKENS.findall(line[:240])) for line in lines) >= 0.9 * len(lines)
