"""Lines that use what a question asks about, where it asks whether something is used: they answer with yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from plantwin.private.capabilities.engine.report import code
from plantwin.private.capabilities.find_code.question import Wanted
from plantwin.private.capabilities.find_code.ranking import ASIDE_PATH as ASIDE
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.facts import Private
from plantwin.private.formats.settings import FORMATS
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.formats.values import words
from plantwin.private.selection.words import pieces_of, stem
from plantwin.text import plural

_USAGE = re.compile(
    r"(?i)^\W*+(?:(?:is|are|was|were)\s++(?:any\s++)?(?P<used>\S.{1,79}?)\s++(?:used|called|imported|invoked|referenced|mentioned)\b"
    r"|(?:do|does|did)\s+(?P<who>(?:\w+\s+){1,3}?)(?:use|call|import|invoke|contain|reference|mention|support|implement|provide|offer)s?\s+(?P<uses>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?:calls?|uses?|usages?|references?)\s+(?:of|to)\s+(?P<calls>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?P<word>unsafe)\s+(?:code|blocks?|functions?))"
    r"(?:\s+(?:anywhere|somewhere|here|in\s+(?:the|this|our)\s.*|and\s+(?:is|are|do|does|if|how|where)\b.*))?\W*$"
)
"""`Is eval used anywhere`, `does it call subprocess with shell=True`: lines answer that with yes or no."""
_VERBS = (
    r"(?:us|call|import|implement|extend|inherit|includ|contain|defin|declar|referenc|read|writ|need|mention|rais"
    r"|throw|return)(?:e?s|e|ing)?"
)
_CHANGE = r"(?:remov|delet|drop|renam|chang|mov|replac|disabl|get rid of|tak out|refactor|touch|modify|edit)(?:e|ing)?"
_LISTED = re.compile(
    rf"(?i)^\W*+(?:(?:who|what|where)\s+(?:{_VERBS}|depends? (?:up)?on|rel(?:y|ies) on)\s+(?P<used>\S.{{1,79}}?)"
    rf"|where\s+(?:is|are|do we|does it)\s+(?P<where>\S.{{1,79}}?)\s+(?:used|called|imported|referenced)"
    rf"|(?:what|which|who|is|would|will|does|can|could|may|how)\b.{{0,60}}?\b{_CHANGE}\s+(?P<changed>\S.{{1,79}}?)"
    rf"|(?:which|what|list(?: all)?|show(?: me)?(?: all)?)\s+(?:of the\s+)?(?P<thing>\w+(?: \w+)??)"
    rf"\s+(?:that\s+)?(?:(?P<not>(?:do(?:es)?(?: not|n[o']?t)|never)\s+(?:{_VERBS}|have)"
    rf"|(?:ha(?:ve|s)|with|contains?|use|uses) no"
    rf"|(?:ha(?:ve|s)|is|are)(?: not|n[o']?t| missing)|lacks?|without|miss(?:es)?)"
    rf"|(?P<verb>{_VERBS}|have|has))\s+(?P<asked>\S.{{1,79}}?))\W*$"
)
"""`Which models use soft deletes`, `what depends on the logger`, `what would break if I dropped the orders table`."""
_BREAKS = re.compile(r"(?i)\b(?:break|affect|impact|happens?|safe(?:ly)?|risk\w*|consequences?)\b")
_SORTS = words(
    "table column function class method field setting option model package library module variable flag service "
    "endpoint dependency constant file parameter argument interface trait hook component"
)
"""What a name is of; its lines need not say so."""
_ARTICLES = words("the our this that a an any")
_GENERAL = frozenset(("file", "code", "line", "part", "place", "module", "function", "one", "thing", "it"))
_WHOLE = re.compile(
    r"(?i)(?:it|we|they|you|this|(?:any|some)\w*|(?:the|this|our)\s+(?:\w+\s+)?(?:code\w*|app\w*|project|repo\w*|program"
    r"|service|server|backend|frontend|site|system|software|tool|library))\s*$"
)
"""Who uses it, where that leaves out no part of the folder: lines elsewhere are no answer about `the docker setup`."""
_QUALIFIED = re.compile(r"(?i)\b(?:that|which|who|whose|not|don|without|more|less|than)\b")


SHOWN: Final = 5
"""Files that a sentence names."""


class Usage(Private):
    """Lines that use what a question asks about, where it asks whether something is used."""

    def __init__(self, request: str) -> None:
        match = _USAGE.match(request)
        self.whether = match is not None
        said = next(filter(None, map(match.group, ("used", "uses", "calls", "word"))), "") if match else ""
        part_only = match is not None and match["who"] and not _WHOLE.match(match["who"])
        said = "" if _QUALIFIED.search(said) else said
        self.thing, self.lacking = "", False
        self.of_thing: dict[str, bool] = {}
        """Files that are of the sort asked about, and whether they have a line with it."""
        if not said and (listed := _LISTED.match(request)):
            said = self._listed(listed, request)
        self.wanted = [Wanted(part) for part in re.split(r"\s+or\s+|,\s*", said) if part.strip()]
        self.wanted = [part for part in self.wanted if 0 < len(part.words) + len(part.exact) <= 4]
        # `A default password` is more than the word `password`: passages are nearer than lines.
        if any(not part.exact and (part.light or part_only) for part in self.wanted):
            self.wanted = []
        self.lines: list[tuple[bool, bool, bool, str]] = []
        """Whether a line is no code, only has the words, or is of a test, and where it is."""

    def _listed(self, match: re.Match[str], request: str) -> str:
        """Return what is looked for where it is asked which files use or lack it, or what a change of it touches."""
        said = next(filter(None, map(match.group, ("used", "where", "changed", "asked"))), "")
        if match["asked"] is not None:
            self.lacking = match["not"] is not None
            self.thing = match["thing"].split()[-1].lower()
            if self.thing.removesuffix("s") in _GENERAL:
                self.thing = ""
                return "" if self.lacking else said
        if match["changed"] is not None and not _BREAKS.search(request):
            return ""
        name = said.split()
        name = name[1:] if name[0].lower() in _ARTICLES else name
        return " ".join(name[:-1] if len(name) > 1 and name[-1].lower().removesuffix("s") in _SORTS else name)

    def take(self, name: str, format: str, text: str) -> None:
        """Note the lines of a file that have all of the words."""
        if self.wanted and self.thing and self._is_of(name, format):
            self.of_thing[name] = False
        if not any(part.pattern.search(text) for part in self.wanted):
            return
        code_lines = text.split("\n")
        if format in MASKS:
            code_lines = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace").split("\n")
        for number, line in enumerate(text.split("\n")[:20_000], start=1):
            for part in self.wanted:
                if _all_in(part, line[:400]):
                    own = code_lines[number - 1] if number <= len(code_lines) else ""
                    remark = format not in MASKS and format not in FORMATS
                    mentioned = remark or not _all_in(part, own[:400])
                    place = f"{name}:{number}"
                    if name in self.of_thing and not mentioned:
                        self.of_thing[name] = True
                    self.lines.append((mentioned, not _uses(part, line[:400]), is_test_path(name), place))

    def told(self, files: int) -> Iterator[str]:
        """Say yes or no, and where."""
        if not self.wanted:
            return
        if self.thing and len(self.of_thing) > 1:
            yield from self._those()
            return
        if self.thing and self.lacking:
            return
        names = " or ".join(" with ".join(map(code, part.told)) for part in self.wanted)
        used = sorted(line for line in self.lines if not line[0])
        if not used and any(len(part.words) > 1 and not part.exact for part in self.wanted):
            return  # each of the words may stand in lines of its own
        if not used:
            where = f"; comments and documents speak of it, such as {code(self.lines[0][-1])}" if self.lines else ""
            yield f"No line of code or settings in {plural(files, 'file')} searched has {names}{where}."
        else:
            own = [place for *_, testing, place in used if not testing]
            only = ("" if own else ", in tests alone") + (", such as" if len(used) > 5 else ":")
            shown = ", ".join(map(code, (own or [place for *_, place in used])[:5]))
            # That a word stands somewhere is no yes; a line that calls, imports or sets it is.
            yes = "" if all(bare for _, bare, *_ in used) else "Yes: "
            if not self.whether:
                yield _by_file(names, [place for *_, place in used])
                yield ""
                return
            yield f"{yes}{names} stands in {plural(len(used), 'line')}{only} {shown}."
        yield ""

    def _is_of(self, name: str, format: str) -> bool:
        """Whether a file lies in a folder, or has a name, that says of what sort it is."""
        if format not in MASKS or is_test_path(name) or ASIDE.search(name):
            return False
        return stem(self.thing) in {stem(piece) for piece in pieces_of(name.encode("ascii", "replace"))}

    def _those(self) -> Iterator[str]:
        chosen = [name for name, has in self.of_thing.items() if has is not self.lacking]
        places = {place.rpartition(":")[0]: place for *_, place in sorted(self.lines, reverse=True)}
        names = " or ".join(" with ".join(map(code, part.told)) for part in self.wanted)
        shown = ", ".join(code(name if self.lacking else places.get(name, name)) for name in chosen[:SHOWN])
        more = f" and {len(chosen) - SHOWN} more" if len(chosen) > SHOWN else ""
        does = "no line with " if self.lacking else ""
        have = "has" if len(chosen) == 1 else "have"
        of = f"{len(chosen):,} of {plural(len(self.of_thing), 'file')} called after {code(self.thing)}"
        yield f"{of} {have} {does}{names}{f': {shown}{more}' if chosen else ''}."
        yield ""


def _by_file(names: str, places: Sequence[str]) -> str:
    """Say which files name it, those with the most lines first, and how many of them are tests."""
    lines: dict[str, list[str]] = {}
    for place in places:
        name, _, line = place.rpartition(":")
        lines.setdefault(name, []).append(line)
    order = sorted(lines, key=lambda name: (is_test_path(name), -len(lines[name]), name))
    tests = sum(map(is_test_path, order))
    shown = ", ".join(f"{code(f'{name}:{lines[name][0]}')} ({len(lines[name])})" for name in order[:SHOWN])
    more = f" and {len(order) - SHOWN} more" if len(order) > SHOWN else ""
    besides = f", {tests:,} of them tests" if tests else ""
    return (
        f"{names} stands in {plural(len(places), 'line')} of {plural(len(order), 'file')}{besides}: {shown}{more}. "
        "Only what names it is seen."
    )


def _uses(wanted: Wanted, line: str) -> bool:
    """Whether a line calls, imports, requires or instantiates it, or gives it a version or a value."""
    return bool(wanted.exact) or any(
        re.search(
            rf"(?i)\b(?:import|require|from|use|using|include|new|image|unsafe)\b.*{re.escape(word)}"
            rf"|{re.escape(word)}\w*[\"'\s]{{0,2}}[(:=<>~^@]",
            line,
        )
        for word in wanted.words
    )


def _all_in(wanted: Wanted, line: str) -> bool:
    shares = wanted.of(line)
    names = " ".join(wanted.exact).lower()
    lowered = line.lower()
    # A word inside of another (`redi` in `redirect`) is not that word.
    return all(shares.get(name) for name in wanted.exact) and all(
        shares.get(word, 0.0) >= 1.0 or wanted.spelled.get(word, word) in lowered
        for word in wanted.words
        if word not in names
    )
