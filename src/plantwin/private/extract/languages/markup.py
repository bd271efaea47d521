"""Elements of markup, in pages, templates and JSX: forms, inputs, images, links to other files."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of

MAX_TAGS = 4000

_tag = expressions.compile(
    rb"<([A-Za-z][\w.-]{0,40}+)((?:[^<>\"'{}]|\"[^\"]{0,2000}+\"|'[^']{0,2000}+'|\{[^{}]{0,400}+\}"
    rb"|\{\{[^{}]{0,400}+\}\}|%>|[{}>](?<==>))*+)/?>"
)
_attribute = expressions.compile(
    rb"""(?<![\w:.-])([:@*#\w(\[v-][\w:.\-()\[\]@]{0,60}+)\s*+=\s*+(?:"([^"]{0,1000})"|'([^']{0,1000})'|\{([^{}]{0,200})\})"""
)
_bare = expressions.compile(rb"(?<![\w=\"'-])(alt|aria-label|aria-labelledby)(?![\w-])")
_LINKS = {
    b"script": b"src",
    b"link": b"href",
    b"a": b"href",
    b"img": b"src",
    b"iframe": b"src",
    b"form": b"action",
    b"source": b"src",
}
_UNLABELLED_TYPES = frozenset((b"hidden", b"submit", b"button", b"image", b"reset"))
_PASSWORD_FIELDS = frozenset(
    (b"passwordinput", b"passwordfield", b"input.password", b"v-password-field", b"p-password")
)
"""Elements of component libraries that ask for a password."""
_MAIL = (b'role="presentation"', b"cellpadding", b"mso-", b"<!--[if mso", b"<mj-", b"unsubscribe")


def attributes(raw: bytes) -> dict[bytes, bytes]:
    """Attributes of one opening tag."""
    return {name.lower(): first or second or third for name, first, second, third in _attribute.findall(raw[:4000])}


def read_elements(draft: Draft, source: bytes, *, script: bool = False) -> None:
    """Count what the elements show; refer to files that they load."""
    labelled: set[bytes] = set()
    fields: list[dict[bytes, bytes]] = []
    wrapped = source.count(b"<label") if b"<label" in source else 0
    tables = 0
    total = 0
    for match in _tag.finditer(source):
        total += 1
        if total > MAX_TAGS:
            break
        tag, rest = match[1].lower(), match[2]
        if tag in (b"input", b"select", b"textarea"):
            found = attributes(rest)
            kind = found.get(b"type", b"").lower()
            if b"password" in kind or b"-password" in found.get(b"autocomplete", b""):
                draft.count("password_input")
            if kind not in _UNLABELLED_TYPES and not (
                found.keys() & {b"aria-label", b"aria-labelledby", b":aria-label"}
            ):
                fields.append(found)
        elif tag == b"label":
            found = attributes(rest)
            labelled.add(found.get(b"for") or found.get(b"htmlfor") or b"")
        elif tag == b"form":
            draft.count("form")
        elif tag == b"img":
            found = attributes(rest)
            if b"alt" not in found and b":alt" not in found and not _bare.search(rest):
                draft.count("image_without_text")
        elif tag in _PASSWORD_FIELDS or (b"secureTextEntry" in rest and script):
            draft.count("password_input")
        elif tag == b"html" and not script and b"lang" not in attributes(rest):
            draft.count("no_language")
        elif tag == b"table":
            tables += 1
        if not script and tag in _LINKS:
            _link(draft, tag, attributes(rest).get(_LINKS[tag], b""))
    draft.count("markup", total)
    labels = len(labelled)
    for found in fields:
        own = found.get(b"id", b"")
        if own and own in labelled:
            continue
        # a label without `for` wraps its input
        if not own and wrapped > labels - (b"" in labelled):
            wrapped -= 1
            continue
        draft.count("input_unlabelled")
    if not script:
        marks = sum(source.count(mark) for mark in _MAIL)
        if tables and marks and (marks >= 2 or tables >= 2):
            draft.count("email_markup", marks)


def _link(draft: Draft, tag: bytes, target: bytes) -> None:
    """A relative link to a file; addresses, anchors and template expressions are none."""
    name = text_of(target.partition(b"?")[0].partition(b"#")[0].strip())
    if not name or ":" in name or name.startswith("//") or any(mark in name for mark in "{<$ %"):
        return
    if tag == b"form" or (tag == b"a" and "." not in name):
        return
    draft.refer("html", name, "renders")
