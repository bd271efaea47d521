"""Templates of log lines: Drain's fixed-depth tree over lines whose values are replaced first.

Most lines are the same once their values are replaced, so that a dictionary answers for nearly all of them,
and the tree is walked once for each different line.
"""

from __future__ import annotations

import re

from plantwin.private.capabilities.common.logs import template as replaced
from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.incident.signs import sign_of

ANY = "<*>"
ALIKE = 0.6
"""Share of equal words from which two lines are of one template."""
WIDEST = 100
"""Templates that one branch of the tree holds; what comes after joins the last."""
MOST = 20_000
"""Templates in all."""
_PART = re.compile(r"/(?=[^/?\s]{0,80}\d)[^/?\s]{1,200}|/[^/?\s]{24,400}")


class Template:
    """One template with how often it was seen."""

    __slots__ = ("count", "first", "last", "levels", "line", "number", "sample", "sign", "words")

    def __init__(self, number: int, words: list[str], entry: Entry) -> None:
        self.number = number
        self.words = words
        self.count = 0
        self.first = self.last = -1.0
        self.levels: dict[str, int] = {}
        self.line = entry.line
        self.sample = entry.text[:400]
        self.sign = sign_of(entry.text)

    def __repr__(self) -> str:
        return "<Template private>"

    @property
    def text(self) -> str:
        """Its words, with a mark where lines differ."""
        return " ".join(self.words)

    @property
    def level(self) -> str:
        """The level that most of its lines have."""
        return max(self.levels, key=lambda each: self.levels[each], default="")

    @property
    def failed(self) -> bool:
        """Whether it tells of an error."""
        return self.level in ("error", "critical")


class Miner:
    """Gives each line its template, and learns templates on the way."""

    def __init__(self) -> None:
        self.templates: list[Template] = []
        self._known: dict[str, Template] = {}
        self._tree: dict[tuple[int, str], list[Template]] = {}

    def __repr__(self) -> str:
        return f"<Miner {len(self.templates)} templates>"

    def add(self, entry: Entry) -> Template:
        """The template of an entry."""
        masked = form(entry)
        found = self._known.get(masked)
        if found is None:
            found = self._place(masked, entry)
            if len(self._known) < MOST * 5:
                self._known[masked] = found
        found.count += 1
        found.levels[entry.level] = found.levels.get(entry.level, 0) + 1
        if entry.time >= 0:
            if found.first < 0 or entry.time < found.first:
                found.first = entry.time
            found.last = max(found.last, entry.time)
        return found

    def _place(self, masked: str, entry: Entry) -> Template:
        words = masked.split()[:60]
        request = bool(entry.path) and words[-1] == str(entry.status)
        head = next((word for word in words[:3] if ANY not in word and not word[:1].isdigit()), ANY)
        # Requests that differ in route or status are never alike: a failure must not hide among successes.
        alike = 1.0 if request else ALIKE
        branch = self._tree.setdefault((len(words), f"{head} {entry.status}" if request else head), [])
        best: Template | None = None
        most = 0.0
        for each in branch:
            same = sum(map(str.__eq__, each.words, words)) / max(1, len(words))
            if same > most:
                best, most = each, same
        if best is not None and (most >= alike or len(branch) >= WIDEST):
            best.words = [mine if mine == other else ANY for mine, other in zip(best.words, words, strict=True)]
            return best
        if len(self.templates) >= MOST:
            return self.templates[-1]
        made = Template(len(self.templates), words, entry)
        self.templates.append(made)
        branch.append(made)
        return made


def form(entry: Entry) -> str:
    """An entry's text with its values replaced; of a request, its route and status."""
    if entry.path and entry.text.startswith(entry.method):
        return f"{entry.method} {_PART.sub('/' + ANY, entry.path.partition('?')[0][:300])} {entry.status}"
    return replaced(entry.text)
