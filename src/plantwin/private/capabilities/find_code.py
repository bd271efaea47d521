"""Find where something is done, by the words of the request: they stay here, and the planner never chooses them."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome, plain
from plantwin.private.capabilities.engine.results import Mask, table
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.graph import Network
from plantwin.private.facts import Private, private
from plantwin.private.formats.definitions import outline
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.settings import FORMATS
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.formats.values import words
from plantwin.private.selection.words import POLITE, STOP, alike, pieces_of, stem
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag

TITLE = "Where it is in the code"
TOOL = "paths, definitions, strings, calls and comments, ranked by the words of the request"
READ = 512 << 10
"""Bytes of one file that are searched."""
LISTED = 12
PLACES = 4
"""Places of one file that are named."""
SHOWN, LEAD = 9, 4
"""Lines that are shown of the first place, and those before it."""
LONG = 4
"""Letters from which a word is looked for inside of longer ones that are written as one: `signin`."""
PATH, DEFINED, TEXT, CALLED, REMARK = 2.0, 5.0, 1.5, 1.0, 0.7
"""What a word weighs in a path, the name of a definition, a string, other code, and a comment or document."""
NAMED = 3.0
"""What a file gains that defines something by all of several words: `CheckPassword` is where a password is checked."""
ASIDE = 0.25
"""What a place in a document, setting, test or generated file weighs against one in code."""
RELATED = 0.4
"""What a word of much the same meaning weighs against one of the request."""
_NOISE = Lexicon(__file__).words("noise")
"""Words that ask, and say nothing of what is looked for."""
_WHO = re.compile(
    r"(?i)\b(?:when|if|once|after|how\s+(?:do|does|can|could))\s+(?:(?:a|an|the|some)\s+)?(users?|someone|somebody|anyone|person|people|customers?|clients?)\b"
)
"""`When a user logs in`: who does it, which says little beside what is done."""
_SECONDARY = words("generated_artifact database_migration stylesheet type_declarations test_fixture test_helper")
_ASIDE = re.compile(
    r"\.gen\.|generated|(?:^|/)(?:locales?|i18n|translations|migrat\w*|vendor|examples?)/|schema\.rb$|\.min\."
)
"""Files that repeat or follow what the code does: their places come later."""
_QUOTED = re.compile(r"[`\"'“„]([\w.:/#$-]{2,80})[`\"'”“]")
_IDENTIFIER = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+|[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_USAGE = re.compile(
    r"(?i)^\W*+(?:(?:is|are|was|were)\s++(?:any\s++)?(?P<used>\S.{1,79}?)\s++(?:used|called|imported|invoked|referenced|mentioned)\b"
    r"|(?:do|does|did)\s+(?:\w+\s+){1,3}?(?:use|call|import|invoke|contain|reference|mention|support|implement|provide|offer)s?\s+(?P<uses>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?:calls?|uses?|usages?|references?)\s+(?:of|to)\s+(?P<calls>.{2,80}?)"
    r"|(?:(?:is|are)\s+there\s+)?any\s+(?P<word>unsafe)\s+(?:code|blocks?|functions?))"
    r"(?:\s+(?:anywhere|somewhere|here|in\s+(?:the|this|our)\s.*|and\s+(?:is|are|do|does|if|how|where)\b.*))?\W*$"
)
"""`Is eval used anywhere`, `does it call subprocess with shell=True`: lines answer that with yes or no."""
_QUALIFIED = re.compile(r"(?i)\b(?:that|which|who|whose|not|don|without|more|less|than)\b")
_PASSED = re.compile(r"\b\w+=\w+")
_HOWTO = re.compile(r"(?i)\bhow\s+(?:to|(?:do|can|could|should)\s+(?:i|you|we|one))\b")
"""`How do I change the colours`: guides answer that before code does."""
_SIGNS = re.compile(r"(?i)\b(?P<verb>log|sign)(?:s|ged|ing|ging|ed)?[ -](?P<way>in|out|up|on|off)\b")
"""`a user logs in`: the login."""
_GUIDES = ("markdown", "rst", "asciidoc")
_CHANGES = re.compile(r"(?i)(?:^|/)(?:change|history|news|release|migrat)[^/]*$")
_TESTING = re.compile(r"\b(?:tests?|tested|specs?)\b", re.IGNORECASE)


@private
class Place(NamedTuple):
    """A line that speaks of what is looked for."""

    line: int
    weight: float
    what: str
    doc: str = ""


@private
class Found(NamedTuple):
    """A file with its best places."""

    name: str
    seen: frozenset[str]
    """Words of the request that it has."""
    weight: float
    places: list[Place]
    aside: bool = False


class Wanted:
    """The words that are looked for, with what each weighs."""

    def __init__(self, request: str) -> None:
        request = _SIGNS.sub(r"\g<verb>\g<way>", request)
        self.exact = list(
            dict.fromkeys([*_QUOTED.findall(request), *_IDENTIFIER.findall(request), *_PASSED.findall(request)])
        )
        asked = [word for word in _WORD.findall(request.lower()) if word not in _NOISE]
        kept = [word for word in asked if word not in STOP and word not in POLITE]
        who = {name.lower() for name in _WHO.findall(request)}
        kept = [word for word in kept if word not in who] or kept or [word for word in asked if len(word) > LONG]
        self.words = list(dict.fromkeys(map(stem, kept)))
        self.shown = list(dict.fromkeys([*self.exact, *kept]))
        self.weights: dict[str, tuple[str, float]] = {}
        for word in self.words:
            for other in alike().get(word, ()):
                if other not in self.words:
                    self.weights.setdefault(other, (word, RELATED))
        self.weights.update({word: (word, 1.0) for word in self.words})
        spelled = sorted({*self.weights, *map(str.lower, self.exact)}, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, spelled)) or r"(?!)", re.IGNORECASE)
        # `EXPORT(int) parse(char *text)`: begins a line, ends without a semicolon.
        exact = "|".join(re.escape(name) for name in self.exact if name.isidentifier())
        self.begun = re.compile(rf"^\w[^=;{{}}\n]*\b(?:{exact})[ \t]*\([^;]*$") if exact else None

    @property
    def told(self) -> list[str]:
        """The words as they were written, without those that are parts of a name among them."""
        return [
            word for word in self.shown if word in self.exact or not any(word in name.lower() for name in self.exact)
        ]

    def of(self, text: str) -> dict[str, float]:
        """Return the words of the request that a text has, each with its weight."""
        if self.pattern.search(text) is None:
            return {}
        found: dict[str, float] = {}
        for word in {*map(stem, pieces_of(text.encode("ascii", "replace"))), *map(stem, _WORD.findall(text.lower()))}:
            own, weight = self.weights.get(word, ("", 0.0))
            if not own and len(word) > LONG:
                own, weight = next(
                    ((known, 0.7) for known in self.words if len(known) >= LONG and known in word), ("", 0.0)
                )
            if own:
                found[own] = max(found.get(own, 0.0), weight)
        found.update({name: 3.0 for name in self.exact if name.lower() in text.lower()})
        return found


class Usage(Private):
    """Lines that use what a question asks about, where it asks whether something is used."""

    def __init__(self, request: str) -> None:
        match = _USAGE.match(request)
        said = next(filter(None, match.groups()), "") if match else ""
        said = "" if _QUALIFIED.search(said) else said
        self.wanted = [Wanted(part) for part in re.split(r"\s+or\s+|,\s*", said) if part.strip()]
        self.wanted = [part for part in self.wanted if 0 < len(part.words) + len(part.exact) <= 4]
        self.lines: list[tuple[bool, bool, str]] = []
        """Whether a line is no code, or of a test, and where it is."""

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
                    self.lines.append((remark or not _all_in(part, own[:400]), is_test_path(name), f"{name}:{number}"))

    def told(self, files: int) -> Iterator[str]:
        """Say yes or no, and where."""
        if not self.wanted:
            return
        names = " or ".join(" with ".join(map(code, part.told)) for part in self.wanted)
        used = sorted(line for line in self.lines if not line[0])
        if not used and any(len(part.words) > 1 and not part.exact for part in self.wanted):
            return  # each of the words may stand in lines of its own
        if not used:
            where = f"; comments and documents speak of it, such as {code(self.lines[0][2])}" if self.lines else ""
            yield f"No line of code or settings in {plural(files, 'file')} searched has {names}{where}."
        else:
            own = [place for _, testing, place in used if not testing]
            only = ("" if own else ", in tests alone") + (", such as" if len(used) > 5 else ":")
            shown = ", ".join(map(code, (own or [place for _, _, place in used])[:5]))
            yield f"Yes: {names} stands in {plural(len(used), 'line')}{only} {shown}."
        yield ""


def _all_in(wanted: Wanted, line: str) -> bool:
    shares = wanted.of(line)
    names = " ".join(wanted.exact).lower()
    return all(
        shares.get(word, 0.0) > RELATED for word in [*wanted.exact, *(w for w in wanted.words if w not in names)]
    )


def run(job: Job) -> Result:
    """Rank the files of a job by how much they speak of what the request asks for."""
    wanted = Wanted(request := str(job.options.get("request", "")))
    if not wanted.words and not wanted.exact:
        return failed(TITLE, 'Say what to look for, as in "Where is the checkout logic?".')
    given = [each for each in job.inputs if not each.is_result and not each.part]
    classes = {held.name: held.semantic_class for held in job.surroundings.objects}
    testing = _TESTING.search(request) is not None
    howto = _HOWTO.search(request) is not None
    found, unread, cut = [], 0, 0
    usage = Usage(request)
    for file in given:
        read = source(file, READ)
        unread += read.binary
        cut += read.truncated
        if not read.binary and usage.wanted:
            usage.take(file.name, read.format, read.text)
        hit = None if read.binary else _searched(file, read.format, read.text, wanted)
        if hit is not None:
            guide = howto and read.format in _GUIDES and not _CHANGES.search(file.name)
            aside = _ASIDE.search(file.name) or classes.get(file.name) in _SECONDARY or read.format not in MASKS
            aside = not guide if howto else aside
            if aside or (is_test_path(file.name) and not testing):
                hit = hit._replace(weight=hit.weight * ASIDE, aside=True)
            found.append(hit)
    ranked = _ranked(found, wanted, len(given))
    state = [OutcomeTag.TRUNCATED.value] if cut else []
    told = outcome((), total=len(ranked), state=state, partial=bool(cut) or not given)
    del told["severity"]
    notes = [f"Of {plural(cut, 'file')} only the first {READ >> 10} KiB were searched."] if cut else []
    notes += [f"{plural(unread, 'file')} are not text and were not searched."] if unread else []
    mask = Mask(job)
    return Result(
        outcome={**told, "count": str(bucket(len(ranked)))},
        title=TITLE,
        facts={
            "tool": TOOL,
            "words": wanted.shown,
            "objects": [hit.name for hit in ranked[:LISTED]],
            "places": [
                {"name": hit.name, "line": place.line, "what": mask(place.what)}
                for hit in ranked[:LISTED]
                for place in hit.places
            ],
            "notes": notes,
        },
        text="\n".join(
            [*usage.told(len(given) - unread), *_text(ranked, wanted, len(given), job, mask), *notes]
        ).strip()
        + "\n",
    )


def _searched(file: Input, format: str, text: str, wanted: Wanted) -> Found | None:
    in_path = wanted.of(file.name)
    if not in_path and wanted.pattern.search(text) is None:
        return None
    best: dict[int, Place] = {}
    weight = defaultdict(float, {word: PATH * share for word, share in wanted.of(_stem(file.name)).items()})
    strongest: dict[str, float] = {}
    mentions: Counter[str] = Counter()
    gain = 1.0
    for place, shares in _places(format, text, wanted):
        if place.weight > TEXT and 1 < len(wanted.words) == sum(shares.get(word, 0) > RELATED for word in wanted.words):
            gain, place = NAMED, place._replace(weight=place.weight * NAMED)
        score = place.weight * sum(shares.values())
        if score > (best[place.line].weight if place.line in best else 0.0):
            best[place.line] = place._replace(weight=score)
        for word, share in shares.items():
            mentions[word] += 1
            strongest[word] = max(strongest.get(word, 0.0), place.weight * share)
    for word, share in in_path.items():
        weight[word] += PATH * share
    for word, number in mentions.items():
        weight[word] += strongest[word] + math.log1p(number)  # the tenth mention says less than the first
    if not weight:
        return None
    top = sorted(best.values(), key=lambda place: (-place.weight, place.line))[:PLACES]
    return Found(file.name, frozenset(weight), gain * sum(weight.values()), top or [Place(0, PATH, "its path")])


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _places(format: str, text: str, wanted: Wanted) -> Iterator[tuple[Place, Mapping[str, float]]]:
    """Yield the places of a text with the words that each has: definitions, strings, other code, remarks."""
    defined: set[int] = set()
    lines = text.split("\n")
    if format in MASKS:
        for definition in outline(format, text).definitions:
            own = definition.name.rpartition(".")[2]
            shares = wanted.of(own)
            if shares:
                defined.add(definition.line)
                what = f"{definition.kind} {definition.name}"
                # A name of nothing but these words is nearer than a long one that has them, too.
                weight = DEFINED * math.sqrt(len(shares) / max(len(shares), len(pieces_of(own.encode()))))
                yield Place(definition.line, weight, what, definition.doc), shares
            if definition.doc and (shares := wanted.of(definition.doc)):
                yield Place(definition.line, REMARK, f"{definition.kind} {definition.name}", definition.doc), shares
        seen = views(format, text.encode("utf-8", "replace"))
        bare = seen.code.decode("utf-8", "replace").split("\n")
        full = seen.full.decode("utf-8", "replace").split("\n")
    else:
        bare = full = []
    for number, line in enumerate(lines[:20_000], start=1):
        line = line[:400]
        if number in defined or wanted.pattern.search(line) is None:
            continue
        at = number - 1
        code_here, strings_here = bare[at] if at < len(bare) else "", full[at] if at < len(full) else ""
        heading = not bare and line.startswith(("#", "=="))
        for weight, part in ((CALLED, code_here), (TEXT, strings_here), (DEFINED if heading else REMARK, line)):
            if part and (shares := wanted.of(part[:400])):
                if wanted.begun is not None and wanted.begun.search(line):  # a macro hides it from the outline
                    weight = 2 * DEFINED
                yield Place(number, weight, line.strip()[:120]), shares
                break


def _ranked(found: Sequence[Found], wanted: Wanted, files: int) -> list[Found]:
    """Order files by how many words of the request they have, the rare ones first, and by how strongly they do."""
    spread = Counter(word for hit in found for word in hit.seen)
    in_code = {word for hit in found if not hit.aside for word in hit.seen}
    # A word that stands in no code is one of the request's own, or of a translation.
    rare = {word: math.log(1 + files / count) * (1 if word in in_code else 0.1) for word, count in spread.items()}
    every = sum(rare.values()) or 1.0

    def score(hit: Found) -> float:
        share = sum(rare[word] for word in hit.seen) / every
        return hit.weight * share * share

    ordered = sorted(found, key=lambda hit: (-score(hit), hit.name))
    own = next((hit for hit in ordered if not hit.aside and hit.seen >= ordered[0].seen), None)
    if own is not None and ordered[0].aside:  # tests speak of all that there is
        ordered.remove(own)
        ordered.insert(0, own)
    # What has only the commonest of several words is no answer.
    least = max(map(score, ordered), default=0.0) * 0.02
    return [hit._replace(weight=score(hit)) for hit in ordered if score(hit) >= least]


def _text(ranked: Sequence[Found], wanted: Wanted, files: int, job: Job, mask: Mask) -> Iterator[str]:
    looked = ", ".join(map(code, wanted.shown))
    if not ranked:
        yield f"Nothing in {plural(files, 'file')} has the words {looked}: try those of the code, in its language."
        return
    first = ranked[0]
    howto = _HOWTO.search(str(job.options.get("request", ""))) is not None
    nothing = "No guide speaks of it; nearest is" if howto else "No code of its own was found; it is mentioned in"
    said = nothing if first.aside else "Most likely in"
    yield f"{said} {code(_at(first))}: {plain(mask(first.places[0].what))}."
    if first.places[0].doc:
        yield f"It says: {plain(mask(first.places[0].doc), 240)}"
    read, place = source(next(each for each in job.inputs if each.name == first.name), READ), first.places[0]
    # A line inside of code is shown with what leads to it; a definition or a heading is where it begins.
    inside = read.format in MASKS and place.line > LEAD and place.what == read.text.split("\n")[place.line - 1].strip()
    excerpt = read.excerpt(place.line - LEAD * inside, SHOWN)
    yield from ("", "```text", *map(mask, excerpt), "```") if excerpt else ()
    rows = [[code(_at(hit)), plain(mask(hit.places[0].what), 70), _others(hit)] for hit in ranked[:LISTED]]
    yield from ("", *table(["Place", "What is there", "Also in lines"], rows))
    yield from _links(ranked[:LISTED], job)
    more = f", {len(ranked) - LISTED} more not listed" if len(ranked) > LISTED else ""
    yield f"{plural(len(ranked), 'place')} by the words {looked}, in {plural(files, 'file')} searched{more}."


def _at(hit: Found) -> str:
    return f"{hit.name}:{hit.places[0].line}" if hit.places[0].line else hit.name


def _others(hit: Found) -> str:
    return ", ".join(str(place.line) for place in hit.places[1:])


def _links(listed: Iterable[Found], job: Job) -> Iterator[str]:
    """Say how the places found belong together, and what else uses the first of them."""
    network = Network(job.surroundings)
    position = {network.label(node): node for node in range(len(network.objects))}
    nodes = [position[hit.name] for hit in listed if hit.name in position]
    pairs = [
        (one, other) for one in nodes for other in sorted(network.outgoing(one)) if other in nodes and other != one
    ]
    if pairs:
        shown = [f"{code(network.label(one))} uses {code(network.label(other))}" for one, other in pairs[:12]]
        yield f"How they fit together: {'; '.join(shown)}."
        yield ""
    if nodes:
        users = [node for node in sorted(network.incoming(nodes[0])) if node not in nodes]
        tests = [node for node in users if is_test_path(network.objects[node].name)]
        for label, group in (("Used by", [node for node in users if node not in tests]), ("Tested by", tests)):
            if group:
                yield f"{label}: {', '.join(code(network.label(node)) for node in group[:8])}."
        if users:
            yield ""
