"""Documents: Markdown, plain text, pages of HTML that are nothing but text, and where they point."""

from __future__ import annotations

import html
import re

from plantwin.private.classify.readers.draft import Draft, script
from plantwin.private.classify.readers.sentences import describe_licence, describe_prose, is_version
from plantwin.private.facts import Outline, Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import DOCUMENT, head_text

_LEXICON = Lexicon(__file__)
_INLINE = re.compile(r"\]\(\s{0,4}<?([^()\s<>]{1,300})>?(?:\s{1,4}[\"'(][^()\n]{0,200})?\)")
_NAMED_LINK = re.compile(r"^\s{0,3}\[[^\]\n]{1,100}\]:\s{1,8}<?(\S{1,300}?)>?(?:\s|$)", re.MULTILINE)
_HTML = re.compile(r"<(?:a|img)\s[^<>]{0,200}(?:href|src)=[\"']([^\"'\s]{1,300})[\"']", re.IGNORECASE)
_SPAN = re.compile(r"`([\w./@-]{3,150})`")
_FILE = _LEXICON.pattern("file")
_PROMPT = re.compile(r"^\s{0,8}[$>%] (?=\S)")
_SHELLS = frozenset({"sh", "bash", "shell", "console", "zsh", "shell-session", "terminal", "powershell", "bat", "cmd"})


def describe_links(draft: Draft, text: str) -> None:
    """Read links of Markdown and HTML, and file names in code spans."""
    targets = _INLINE.findall(text) if "](" in text else []
    if "]: " in text:
        targets += _NAMED_LINK.findall(text)
    if "<a" in text or "<img" in text:
        targets += _HTML.findall(text)
    bare = text.count("http://") + text.count("https://")
    draft.add("link", len(targets) + max(0, bare - sum(target.startswith("http") for target in targets)))
    for target in targets:
        draft.refer_path(target.partition("#")[0].partition("?")[0].replace("%20", " "), "documents")
    for target in _SPAN.findall(text):
        describe_span(draft, target)


def describe_span(draft: Draft, target: str) -> None:
    """Read a code span that is a path or a file name."""
    if _FILE.fullmatch(target):
        draft.refer_path(target.removeprefix("./").rstrip("/"), "documents")


def describe_commands(draft: Draft, language: str, lines: list[str]) -> None:
    """Read commands of a code sample, and the local scripts that they call."""
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


_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.{1,300}?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]{0,20}(?:[-*+]|(\d{1,4})[.)])[ \t]+\S")
_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})[ \t]{0,4}\{?\.?([\w+-]{0,30})")
_RULE = re.compile(r"[ \t]{0,3}\|?[ \t]{0,8}:?-{2,200}:?[ \t]{0,8}(?:\|[ \t:|-]{0,1000})?$")
_UNDERLINE = re.compile(r" {0,3}(?:={3,}|-{3,})[ \t]*$")
_MARKS = re.compile(r"[*_`\[\]]|\([^()\n]{0,200}\)")
_DECISIONS = _LEXICON.words("decisions")
_TIMES = frozenset({"timeline", "chronology", "sequence of events", "incident timeline"})
_FIELDS = frozenset({"column", "field", "variable", "feature", "attribute", "name"})
_MEANINGS = frozenset({"meaning", "description", "unit", "units", "definition", "explanation", "notes"})
_OPERATION = re.compile(r"\[(?:GET|POST|PUT|PATCH|DELETE|HEAD)(?:\]| /)|\[/[\w{}/?,-]{0,120}\]")
_MAX_LINES = 20_000


def add_heading(draft: Draft, text: str) -> None:
    """Count a heading, and what its form alone tells."""
    text = text.strip()
    draft.add("heading")
    draft.heading(text)
    bare = text.strip("*_` ")
    if is_version(bare) or is_version(_MARKS.sub("", bare)):
        draft.add("version_heading")
    word = bare.rstrip(":").lower().lstrip("0123456789. ")
    draft.add("decision", word in _DECISIONS)
    draft.add("timeline", word in _TIMES)
    draft.add("api_path", "[" in text and _OPERATION.search(text) is not None)


def read_markdown(sample: Sample, draft: Draft) -> None:
    """Read Markdown and its dialects."""
    lines = head_text(sample, DOCUMENT).split("\n")[:_MAX_LINES]
    prose = _Blocks(draft).read(lines[_front_matter(draft, lines) :])
    text = "\n".join(prose)
    describe_links(draft, text)
    describe_prose(draft, text)
    describe_licence(draft, text)


def _front_matter(draft: Draft, lines: list[str]) -> int:
    """Read keys between the first two rules; return where the body starts."""
    if not lines or lines[0].strip() not in ("---", "+++"):
        return 0
    for number, line in enumerate(lines[1:200], 1):
        if line.strip() == lines[0].strip():
            return number + 1
        key, mark, _ = line.partition(":" if lines[0][0] == "-" else "=")
        if mark and key.strip().replace("_", "").replace("-", "").isalnum() and line[0] not in " -":
            draft.heading(key.strip())
            draft.add("key")
    return 0


class _Blocks:
    """One pass over lines; what is not code is handed back as prose."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.prose: list[str] = []
        self.paragraph = ""

    def read(self, lines: list[str]) -> list[str]:
        fence, language = "", ""
        code: list[str] = []
        table = False
        for line in lines:
            if fence:
                if line.strip().startswith(fence):
                    describe_commands(self.draft, language, code)
                    fence = ""
                elif len(code) < 400:
                    code.append(line)
                continue
            opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
            if opened:
                fence, language, code = opened[1], opened[2], []
                self.draft.add("code_block")
                self._end()
                continue
            if "|" in line and _RULE.match(line) and self.paragraph.count("|") >= 1:
                self.draft.add("table")
                cells = {cell.strip(" *`_").lower() for cell in self.paragraph.rpartition("\n")[2].split("|")}
                self.draft.add("field_table", bool(cells & _FIELDS and cells & _MEANINGS))
                self.paragraph = ""
                table = True
                continue
            if table and "|" in line:
                self.prose.append(line)
                continue
            table = False
            self._line(line)
        self._end()
        return self.prose

    def _line(self, line: str) -> None:
        body = line.strip()
        if not body:
            self._end()
            self.prose.append("")
            return
        if len(line) > 5000:
            line = line[:5000]
        first = body[0]
        if first == "#" and (heading := _HEADING.match(line)):
            self._end()
            add_heading(self.draft, heading[1])
            return
        if first in "=-" and self.paragraph and "\n" not in self.paragraph and _UNDERLINE.match(line):
            add_heading(self.draft, self.paragraph)
            self.prose.pop()
            self.paragraph = ""
            return
        if (first in "-*+" or first.isdigit()) and (item := _ITEM.match(line)):
            self._end()
            self.draft.add("numbered_step" if item[1] else "list_item")
        elif line.startswith(("    ", "\t")) and not self.paragraph:
            if not self.prose or not self.prose[-1]:
                self.draft.add("code_block")
            describe_commands(self.draft, "", [body])
            return
        else:
            self.paragraph = f"{self.paragraph}\n{body}" if self.paragraph else body
        self.prose.append(line)

    def _end(self) -> None:
        if self.paragraph:
            self.draft.add("paragraph")
            self.paragraph = ""


_TEXT_ITEM = _LEXICON.pattern("text_item")
_TEXT_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*$")
_CAPITALS = _LEXICON.pattern("capitals")
_CLAUSE = _LEXICON.pattern("clause")
_TEMPLATE = re.compile(r"\{\{[^{}\n]{1,200}\}\}|\{%[^%\n]{1,200}%\}|<%[^%\n]{1,200}%>")
_MAIL = re.compile(r"(?:From|To|Cc|Subject|Date|Sent|Reply-To|Message-ID): \S", re.IGNORECASE)
_LABEL = frozenset("0123456789.)")


def read_text(sample: Sample, draft: Draft) -> None:
    """Read text of any sort."""
    text = head_text(sample, DOCUMENT)
    lines = text.split("\n")[:_MAX_LINES]
    paragraph = False
    mail = 0
    for number, line in enumerate(lines):
        body = line.strip()
        if not body:
            paragraph = False
            continue
        if len(body) < 120 and _is_heading(lines, number, body, paragraph):
            add_heading(draft, body)
            paragraph = False
        elif body[0] in "=-~" and _TEXT_UNDERLINE.match(body):
            paragraph = False
        elif (body[0] in "-*+•(" or body[1:2] in _LABEL) and (item := _TEXT_ITEM.match(line)):
            draft.add("numbered_step" if item[1] else "list_item")
            paragraph = True
        else:
            if body[0] in "$%>" and body[1:2] == " ":
                describe_commands(draft, "", [body])
            draft.add("paragraph", not paragraph)
            mail += number < 30 and _MAIL.match(body) is not None
            paragraph = True
    if mail >= 2:
        draft.heading("mail")
    if "{{" in text or "{%" in text or "<%" in text:
        draft.add("template_tag", sum(1 for _ in _TEMPLATE.finditer(text)))
    describe_links(draft, text)
    describe_prose(draft, text)
    describe_licence(draft, text)


def _is_heading(lines: list[str], number: int, body: str, paragraph: bool) -> bool:
    """Return whether a line is underlined, in capitals alone, or a numbered clause."""
    if paragraph:
        return False
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if below[:1] in ("=", "-", "~") and _TEXT_UNDERLINE.fullmatch(below):
        return True
    if body[0] in "0123456789ASCP" and _CLAUSE.match(body):
        return True
    if body[0] in "0123456789vVR[" and len(body) < 60 and is_version(body):
        return True
    return not below and body.isupper() and _CAPITALS.fullmatch(body) is not None


_LOOK = 48 << 10
_HEADS = 20
"""More openings of heads or styles than any text has: each is searched for its end."""
_DROPPED = re.compile(r"<(style|head)\b[^<>]{0,400}>.*?</\1\s{0,4}>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})((?:\s[^<>]{0,1000})?)/?>")
_WRITTEN = _LEXICON.words("written")
_BUILT = _LEXICON.words("built")
_BREAKS = _LEXICON.words("breaks")
_SENTENCE = re.compile(r"[a-zß-ÿ0-9)][.!?](?:\s|$)")
_WORD = re.compile(r"[^\W\d_]{2,}")


def describe_page(outline: Outline, head: bytes, path: str) -> bytes:
    """Count what the text of a page shows and return it; nothing where the page is no text."""
    source = head[:_LOOK].decode("utf-8", "replace")
    lowered = source.lower()
    if "<script" in lowered or lowered.count("<style") + lowered.count("<head") > _HEADS:
        return b""
    body = _DROPPED.sub(" ", source)
    tags = [match[2].lower() for match in _TAG.finditer(body)]
    built = sum(tag in _BUILT for tag in tags)
    written = sum(tag in _WRITTEN for tag in tags)
    if built or not tags or written * 10 < len(tags) * 8:
        return b""
    text = _text(body)
    if len(_WORD.findall(text)) < 3 * max(written // 2, 8) or len(_SENTENCE.findall(text)) < 3:
        return b""
    data = text.encode()
    draft = Draft("markdown", Sample(path, len(data), data))
    read_markdown(draft.sample, draft)
    found = draft.finish(outline.lines)
    for feature, count in found.features.items():
        outline.features.setdefault(feature, count)
    outline.headings.extend(found.headings)
    outline.features["prose_page"] = 1
    return data


def _text(body: str) -> str:
    """Return the page as Markdown: headings, numbered and plain items, paragraphs."""
    parts: list[str] = []
    ordered: list[bool] = []
    at = 0
    for match in _TAG.finditer(body):
        parts.append(" ".join(body[at : match.start()].split(" ")))
        at = match.end()
        closing, tag = bool(match[1]), match[2].lower()
        if tag in ("ol", "ul"):
            if closing and ordered:
                ordered.pop()
            elif not closing and len(ordered) < 50:
                ordered.append(tag == "ol")
        if tag in _BREAKS:
            parts.append("\n\n" if tag not in ("li", "br", "tr") else "\n")
        if not closing and tag[0] == "h" and tag[1:].isdigit():
            parts.append("# ")
        elif not closing and tag == "li":
            parts.append("1. " if ordered and ordered[-1] else "- ")
        elif not closing and tag in ("td", "th"):
            parts.append(" | ")
    parts.append(body[at:])
    return html.unescape("".join(parts))
