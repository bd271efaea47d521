"""The job: others like the inputs, the likest first."""

from __future__ import annotations

from collections import Counter, defaultdict

from plantwin.private.capabilities.common.report import bucket, code, failed, plain
from plantwin.private.capabilities.job import Job, Neighbour, Result, Surroundings
from plantwin.private.capabilities.likeness.score import Likeness, Match
from plantwin.vocabulary import OutcomeTag, StepStatus

TITLE = "Similar objects"
LEAST = 0.3
"""A lower score is no likeness."""
STRONG = 0.5
"""From here on it counts."""
LISTED = 60


def search(job: Job) -> Result:
    """Matches of each input; of two inputs also those that are like both."""
    around = job.surroundings
    places = [place for place in around.inputs if 0 <= place < len(around.objects)]
    if not places:
        return failed(TITLE, "The folder around the objects is not known here, so there is nothing to compare with.")
    found = {place: _matches(around, place) for place in dict.fromkeys(places)}
    lines: list[str] = []
    for place, matches in found.items():
        lines += _section(around, place, matches)
    if len(found) == 2:
        lines += _both(around, found)
    strong = {match.position: match for matches in found.values() for match in matches if match.score >= STRONG}
    facts = {
        _name(around.objects[place]): [_plain(around, match) for match in matches[:LISTED]]
        for place, matches in found.items()
    }
    return Result(
        outcome={
            "status": StepStatus.DONE.value,
            "count": str(bucket(len(strong))),
            "tags": [tag.value for tag in _tags(list(strong.values()))],
        },
        title=TITLE,
        facts={"matches": facts, "compared": len(around.objects)},
        text="\n".join(lines).strip() + "\n",
    )


def _plain(around: Surroundings, match: Match) -> dict[str, object]:
    name = _name(around.objects[match.position])
    return {"object": name, "score": match.score, "sort": match.sort, "why": list(match.why)}


def _tags(strong: list[Match]) -> list[OutcomeTag]:
    sorts = {match.sort for match in strong}
    tags = [OutcomeTag.IDENTICAL] if "copy" in sorts else []
    tags += [OutcomeTag.SIMILAR] if sorts - {"copy"} else []
    return [*tags, *([OutcomeTag.VALUE_DIFFERS] if any(match.values for match in strong) else [])]


def _matches(around: Surroundings, place: int) -> list[Match]:
    mine = around.objects[place]
    links = {
        (link.target if link.source == place else link.source): link.reason
        for link in around.links
        if place in (link.source, link.target) and link.target >= 0
    }
    like = Likeness(mine, links, _copies(around, place))
    matches = [like.match(number, other) for number, other in enumerate(around.objects) if number != place]
    kept = [match for match in matches if match.score >= LEAST]
    return sorted(kept, key=lambda match: (-match.score, around.objects[match.position].name))


def _copies(around: Surroundings, place: int) -> frozenset[int]:
    """All that copies of copies lead to."""
    next_to: dict[int, list[int]] = defaultdict(list)
    for link in around.links:
        if link.reason == "copy" and link.target >= 0:
            next_to[link.source].append(link.target)
            next_to[link.target].append(link.source)
    seen, waiting = {place}, [place]
    while waiting:
        for other in next_to[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return frozenset(seen - {place})


def _section(around: Surroundings, place: int, matches: list[Match]) -> list[str]:
    mine = around.objects[place]
    sorts = Counter(match.sort for match in matches)
    told = ", ".join(f"{sort} {count}" for sort, count in sorts.most_common()) or "nothing like it"
    lines = [f"### {plain(_name(mine))}", "", f"Among {len(around.objects) - 1} others: {told}.", ""]
    if not matches:
        return lines
    lines += ["| score | object | sort | why |", "|---:|---|---|---|"]
    for match in matches[:LISTED]:
        other = around.objects[match.position]
        why = plain("; ".join(match.why), 200)
        lines.append(f"| {_bar(match.score)} {match.score:.2f} | {_cell(other)} | {match.sort} | {why} |")
    if len(matches) > LISTED:
        lines += ["", f"{len(matches) - LISTED} more are not shown."]
    return [*lines, ""]


def _both(around: Surroundings, found: dict[int, list[Match]]) -> list[str]:
    """What is like both inputs, and how like each other they are."""
    (_, one), (second, two) = found.items()
    direct = next((match for match in one if match.position == second), None)
    said = f"score {direct.score:.2f}: {'; '.join(direct.why)}" if direct else "nothing in common was found"
    scores = {match.position: match.score for match in one}
    shared = sorted(
        ((min(scores[match.position], match.score), match.position) for match in two if match.position in scores),
        reverse=True,
    )
    lines = ["### Both", "", f"The two inputs to each other: {plain(said, 300)}.", ""]
    if shared:
        lines += ["Like both of them:", ""]
        lines += [f"- {score:.2f} {code(_name(around.objects[place]))}" for score, place in shared[:20]]
    return [*lines, ""]


def _name(each: Neighbour) -> str:
    return f"{each.name}#{each.part}" if each.part else each.name


def _cell(each: Neighbour) -> str:
    return plain(_name(each), 160)


def _bar(score: float) -> str:
    full = round(score * 5)
    return "█" * full + "░" * (5 - full)
