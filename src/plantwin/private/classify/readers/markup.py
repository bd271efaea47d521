"""Other markup for documents: reStructuredText, AsciiDoc, LaTeX, BibTeX."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.documents import add_heading, describe_commands, describe_span
from plantwin.private.classify.readers.draft import Draft
from plantwin.private.classify.readers.sentences import describe_licence, describe_prose
from plantwin.private.facts import Sample
from plantwin.private.formats import json as json_format
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import DOCUMENT, LIMIT, complete, head_text
from plantwin.private.formats.values import Tree, is_tree, text_of, trees

_LEXICON = Lexicon(__file__)

_ADORNMENT = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,200}\s*$")
_ITEM = re.compile(r"[ \t]{0,20}(?:[-*+•]|(\d{1,4}|#|[a-z])[.)])[ \t]+\S")
_DIRECTIVE = re.compile(r"[ \t]{0,20}\.\. ([\w-]{1,60})::[ \t]{0,8}(.{0,300})")
_ROLE = re.compile(r":(?:doc|ref|file|download|mod|class|func|meth):`([^`\n]{1,200})`")
_LINK = _LEXICON.pattern("link")
_LITERAL = re.compile(r"``([\w./@-]{3,150})``")
_GRID = re.compile(r"\s{0,20}(?:\+(?:[-=]{2,200}\+)+|=+(?:[ ]{1,4}=+)+)\s*$")
_MAX_LINES = 20_000


def read_rst(sample: Sample, draft: Draft) -> None:
    """Read reStructuredText: adorned headings, directives, tables."""
    lines = head_text(sample, DOCUMENT).split("\n")[:_MAX_LINES]
    prose: list[str] = []
    code_indent = -1
    grid = paragraph = False
    for number, line in enumerate(lines):
        body = line.strip()
        indent = len(line) - len(line.lstrip())
        if code_indent >= 0:
            if not body or indent > code_indent:
                if body:
                    describe_commands(draft, "", [body])
                continue
            code_indent = -1
        if not body:
            paragraph = grid = False
            prose.append("")
            continue
        above = lines[number - 1].strip() if number else ""
        adorned = body[0] == body[-1] and _ADORNMENT.fullmatch(body) is not None
        if not adorned and body[0] in "+=" and _GRID.match(line):
            draft.add("table", not grid)
            grid = True
        elif adorned:
            if above and len(body) >= min(len(above), 4) and prose and prose[-1].strip() == above:
                add_heading(draft, prose.pop())
                draft.add("paragraph", -1 if paragraph else 0)
            paragraph = False
        elif body[0] == "." and (directive := _DIRECTIVE.match(line)):
            code_indent = _directive(draft, directive[1], directive[2].strip(), indent)
        else:
            item = _ITEM.match(line)
            if item:
                draft.add("numbered_step" if item[1] else "list_item")
            paragraph = paragraph or item is not None or _new_paragraph(draft, lines, number)
            prose.append(line)
            if body.endswith("::"):
                draft.add("code_block")
                code_indent = indent
    text = "\n".join(prose)
    _rst_links(draft, text)
    describe_prose(draft, text)
    describe_licence(draft, text)


def _new_paragraph(draft: Draft, lines: list[str], number: int) -> bool:
    """Count a paragraph, unless the line is a heading's text."""
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if below and below[0] == below[-1] and _ADORNMENT.fullmatch(below):
        return False
    draft.add("paragraph")
    return True


def _directive(draft: Draft, name: str, argument: str, indent: int) -> int:
    if name in ("code-block", "code", "sourcecode", "prompt", "parsed-literal", "doctest"):
        draft.add("code_block")
        return indent
    if name in ("table", "list-table", "csv-table"):
        draft.add("table")
    elif name in ("include", "literalinclude", "image", "figure"):
        draft.refer_path(argument, "documents")
    elif name in ("automodule", "autoclass", "autofunction", "module"):
        draft.refer("python", argument, "documents")
    elif name == "versionadded" or name == "deprecated":
        draft.add("deprecated", name == "deprecated")
    elif name == "toctree":
        draft.add("link")
    return -1


def _rst_links(draft: Draft, text: str) -> None:
    for match in _LINK.finditer(text):
        draft.add("link")
        draft.refer_path(match[1] or match[2], "documents")
    for target in _LITERAL.findall(text):
        describe_span(draft, target)
    for match in _ROLE.finditer(text):
        draft.add("link")
        target = match[1].rpartition("<")[2].rstrip(">")
        draft.refer_path(target if "/" in target and "." in target else "", "documents")


_ADOC_HEADING = re.compile(r"={1,6} (\S.{0,200})$")
_ADOC_ITEM = re.compile(r"\s{0,12}(?:[*-]{1,5}|(\.{1,5}|\d{1,3}\.)) \S")
_ADOC_LINK = re.compile(r"(?:link|xref|include|image):{1,2}([^\[\s]{1,300})\[|\bhttps?://")


def read_asciidoc(sample: Sample, draft: Draft) -> None:
    """Read AsciiDoc."""
    prose: list[str] = []
    fence = ""
    paragraph = False
    for line in head_text(sample, DOCUMENT).split("\n")[:_MAX_LINES]:
        body = line.strip()
        if fence:
            fence = "" if body == fence else fence
            if fence:
                describe_commands(draft, "", [body])
            continue
        if body in ("----", "....", "```"):
            draft.add("code_block")
            fence = body
        elif body == "|===":
            draft.add("table")
            fence = body
        elif heading := _ADOC_HEADING.match(line):
            add_heading(draft, heading[1])
        elif item := _ADOC_ITEM.match(line):
            draft.add("numbered_step" if item[1] else "list_item")
            prose.append(line)
        elif body:
            draft.add("paragraph", not paragraph)
            prose.append(line)
        paragraph = bool(body)
    text = "\n".join(prose)
    for match in _ADOC_LINK.finditer(text):
        draft.add("link")
        draft.refer_path((match[1] or "").partition("#")[0], "documents")
    describe_prose(draft, text)


_TEX = _LEXICON.pattern("tex")


def read_latex(sample: Sample, draft: Draft) -> None:
    """Read LaTeX."""
    text = re.sub(r"(?<!\\)%[^\n]*", "", head_text(sample, DOCUMENT))
    for match in _TEX.finditer(text):
        if match["heading"]:
            add_heading(draft, match["title"])
        elif match["file"]:
            target = match["target"]
            draft.refer_path(
                target if "." in target else f"{target}.{'bib' if match['file'][0] == 'b' else 'tex'}", "documents"
            )
        elif match["item"]:
            draft.add("list_item")
        elif match["block"]:
            draft.add(
                "table" if match["block"].startswith("tab") else "code_block",
                match["block"] not in ("equation", "figure"),
            )
        elif match["url"]:
            draft.add("link")
    draft.add("paragraph", sum(1 for part in text.split("\n\n") if part.strip() and not part.lstrip().startswith("\\")))
    describe_prose(draft, text)
    draft.outline.parsed = "\\" in text


_IMPORT = _LEXICON.pattern("import")
_DEFINED = re.compile(r"^(?:def|class)[ \t]{1,8}(\w{1,80})", re.MULTILINE)
_READ = re.compile(r"\b(?:read_\w{2,12}|open|loadtxt|load|imread)\(\s{0,8}[\"']([^\"'\n]{1,200})[\"']")
_WRITE = _LEXICON.pattern("write")
_CALLS = _LEXICON.patterns("calls")


def read_notebook(sample: Sample, draft: Draft) -> None:
    """Read a notebook file; one that is cut short is read as far as it goes."""
    value, sound = json_format.load(head_text(sample, LIMIT), complete(sample, LIMIT))
    draft.outline.parsed = sound and is_tree(value)
    if is_tree(value):
        describe_notebook(draft, value)


def _source(cell: Tree) -> str:
    source = cell.get("source") or cell.get("input")
    if type(source) is list:
        return "".join(line for line in source[:2000] if type(line) is str)[:50_000]
    return text_of(source)[:50_000]


def describe_notebook(draft: Draft, tree: Tree) -> None:
    """Read cells of either notebook format."""
    cells = trees(tree.get("cells")) or [
        cell for sheet in trees(tree.get("worksheets")) for cell in trees(sheet.get("cells"))
    ]
    for cell in cells[:1000]:
        source = _source(cell)
        if cell.get("cell_type") == "code":
            draft.add("code_block")
            draft.add("saved_output", bool(cell.get("outputs")))
            _code(draft, source)
        elif cell.get("cell_type") in ("markdown", "heading"):
            for line in source.split("\n")[:200]:
                if line.startswith("#"):
                    draft.add("heading")
                    draft.heading(line.lstrip("# ").strip())
                elif line.strip():
                    draft.add("paragraph")
    metadata = tree.get("metadata")
    kernel = metadata.get("kernelspec") if is_tree(metadata) else None
    draft.call(text_of(kernel.get("language")) if is_tree(kernel) else "")
    draft.features.setdefault("code_block", 1)


def _code(draft: Draft, source: str) -> None:
    for match in _IMPORT.finditer(source):
        if match[1]:
            draft.refer("python", f"{match[1]}:{match[2]}" if match[2] else match[1], "imports")
            draft.call(match[1])
        else:
            for part in match[3].split(",")[:20]:
                module = part.split(" as ")[0].strip()
                draft.refer("python", module, "imports")
                draft.call(module)
    for match in _DEFINED.finditer(source):
        draft.add("function")
        draft.name(match[1])
    for match in _READ.finditer(source):
        draft.refer_path(match[1], "reads")
    for match in _WRITE.finditer(source):
        draft.refer_path(match[1], "writes")
    for feature, pattern in _CALLS.items():
        draft.add(feature, len(pattern.findall(source)))
    draft.add("todo", source.count("# TODO") + source.count("# FIXME"))
