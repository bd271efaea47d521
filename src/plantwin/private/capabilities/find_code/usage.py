"""Lines that use what a question asks about, where it asks whether something is used: they answer with yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.engine.report import code
from plantwin.private.capabilities.find_code.question import Wanted
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.facts import Private
from plantwin.private.formats.settings import FORMATS
from plantwin.private.formats.source_views import MASKS, views
from plantwin.text import plural

_USAGE = re.compile(
    r"(?i)^\W*+(?:(?:is|are|was|were)\s++(?:any\s++)?(?P<used>\S.{1,79}?)\s++(?:used|called|imported|invoked|referenced|mentioned)\b"
    r"|(?:do|does|did)\s+(?P<who>(?:\w+\s+){1,3}?)(?:use|call|import|invoke|contain|reference|mention|support|implement|provide|offer)s?\s+(?P<uses>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?:calls?|uses?|usages?|references?)\s+(?:of|to)\s+(?P<calls>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?P<word>unsafe)\s+(?:code|blocks?|functions?))"
    r"(?:\s+(?:anywhere|somewhere|here|in\s+(?:the|this|our)\s.*|and\s+(?:is|are|do|does|if|how|where)\b.*))?\W*$"
)
"""`Is eval used anywhere`, `does it call subprocess with shell=True`: lines answer that with yes or no."""
_WHOLE = re.compile(
    r"(?i)(?:it|we|they|you|this|(?:any|some)\w*|(?:the|this|our)\s+(?:\w+\s+)?(?:code\w*|app\w*|project|repo\w*|program"
    r"|service|server|backend|frontend|site|system|software|tool|library))\s*$"
)
"""Who uses it, where that leaves out no part of the folder: lines elsewhere are no answer about `the docker setup`."""
_QUALIFIED = re.compile(r"(?i)\b(?:that|which|who|whose|not|don|without|more|less|than)\b")


class Usage(Private):
    """Lines that use what a question asks about, where it asks whether something is used."""

    def __init__(self, request: str) -> None:
        match = _USAGE.match(request)
        said = next(filter(None, map(match.group, ("used", "uses", "calls", "word"))), "") if match else ""
        part_only = match is not None and match["who"] and not _WHOLE.match(match["who"])
        said = "" if _QUALIFIED.search(said) else said
        self.wanted = [Wanted(part) for part in re.split(r"\s+or\s+|,\s*", said) if part.strip()]
        self.wanted = [part for part in self.wanted if 0 < len(part.words) + len(part.exact) <= 4]
        # `A default password` is more than the word `password`: passages are nearer than lines.
        if any(not part.exact and (part.light or part_only) for part in self.wanted):
            self.wanted = []
        self.lines: list[tuple[bool, bool, bool, str]] = []
        """Whether a line is no code, only has the words, or is of a test, and where it is."""

    def take(self, name: str, format: str, text: str) -> None:
        """Note the lines of a file that have all of the words."""
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
                    self.lines.append((mentioned, not _uses(part, line[:400]), is_test_path(name), place))

    def told(self, files: int) -> Iterator[str]:
        """Say yes or no, and where."""
        if not self.wanted:
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
            yield f"{yes}{names} stands in {plural(len(used), 'line')}{only} {shown}."
        yield ""


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
