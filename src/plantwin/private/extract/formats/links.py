"""Where documents point: links, paths in code spans, scripts in commands."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.draft import Draft

_INLINE = re.compile(r"\]\(\s{0,4}<?([^()\s<>]{1,300})>?(?:\s{1,4}[\"'(][^()\n]{0,200})?\)")
_NAMED = re.compile(r"^\s{0,3}\[[^\]\n]{1,100}\]:\s{1,8}<?(\S{1,300}?)>?(?:\s|$)", re.MULTILINE)
_HTML = re.compile(r"<(?:a|img)\s[^<>]{0,200}(?:href|src)=[\"']([^\"'\s]{1,300})[\"']", re.IGNORECASE)
_SPAN = re.compile(r"`([\w./@-]{3,150})`")
_FILE = re.compile(
    r"(?:\.{0,2}/)?(?:[\w.@-]{1,80}/){0,10}[\w@-][\w.@-]{0,80}\.[A-Za-z]\w{0,9}|(?:[\w.@-]{1,80}/){1,10}[\w.@-]{0,80}"
    r"|\.env[\w.]{0,20}|Dockerfile|Makefile"
)
_PROMPT = re.compile(r"^\s{0,8}[$>%] (?=\S)")
_SHELLS = frozenset({"sh", "bash", "shell", "console", "zsh", "shell-session", "terminal", "powershell", "bat", "cmd"})


def describe_links(draft: Draft, text: str) -> None:
    """Links of Markdown and HTML, and file names in code spans."""
    targets = _INLINE.findall(text) if "](" in text else []
    if "]: " in text:
        targets += _NAMED.findall(text)
    if "<a" in text or "<img" in text:
        targets += _HTML.findall(text)
    bare = text.count("http://") + text.count("https://")
    draft.add("link", len(targets) + max(0, bare - sum(target.startswith("http") for target in targets)))
    for target in targets:
        draft.refer_path(target.partition("#")[0].partition("?")[0].replace("%20", " "), "documents")
    for target in _SPAN.findall(text):
        describe_span(draft, target)


def describe_span(draft: Draft, target: str) -> None:
    """A code span that is a path or a file name."""
    if _FILE.fullmatch(target):
        draft.refer_path(target.removeprefix("./").rstrip("/"), "documents")


def describe_commands(draft: Draft, language: str, lines: list[str]) -> None:
    """Commands of a code sample, and the local scripts that they call."""
    shell = language.lower() in _SHELLS
    prompts = any(_PROMPT.match(line) for line in lines[:50]) and (shell or not language)
    for line in lines[:400]:
        prompt = _PROMPT.match(line)
        if not (shell or prompt) or (prompts and not prompt) or not line.strip():
            continue
        body = line[prompt.end() :] if prompt else line.strip()
        if body.startswith("#"):
            continue
        draft.add("command")
        script(draft, body)
