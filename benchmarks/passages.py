"""Questions about real repositories, and whether the passages that are shown answer them, beside plain BM25.

    python -m benchmarks.passages --data FOLDER [--split dev|kept|fresh|third|asked] [--repository NAME] [--misses]

`passages.jsonl` holds questions as people type them and the places that answer each (any of several), for public
repositories at one commit. FOLDER has a clone of each, called `owner+name`. A question is hit where lines of a shown
passage are lines of such a place. The questions were written from the repositories before any answer was seen; those
of the repositories in `dev` served to improve the ranking, those in `kept`, `fresh` and `third` only to measure it;
`asked` are the questions for places among those of every sort that were asked of folders as a new colleague would. The
extra `meaning` is used where it is installed. The peer is bm25s (`pip install bm25s`) over the same passages, each with
its path and titles.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import bm25s

from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.find_code import passages, ranking, run, search

LABELS = Path(__file__).with_name("passages.jsonl")
READ = 512 << 10
SHOWN = 3


class Label(NamedTuple):
    """A question, and the places that answer it: `path:first-last`."""

    repository: str
    commit: str
    split: str
    question: str
    answers: list[str]


class Place(NamedTuple):
    """Lines of a file."""

    path: str
    first: int
    last: int


class Score(NamedTuple):
    """The rank of the first passage that answers, zero where none does, and the seconds it took."""

    label: Label
    ours: int
    peer: int
    seconds: float
    shown: list[Place]


def answered(shown: Sequence[Place], label: Label) -> int:
    """Return the rank of the first place that has lines of an answer, or zero."""
    for rank, place in enumerate(shown[:SHOWN], start=1):
        for answer in label.answers:
            path, first, last = _parsed(answer)
            if path == place.path and first <= place.last and place.first <= last:
                return rank
    return 0


def _parsed(answer: str) -> Place:
    path, _, lines = answer.rpartition(":")
    first, _, last = lines.partition("-")
    return Place(path, int(first), int(last))


def inputs(folder: Path) -> list[Input]:
    """Return the files of a clone with their bytes."""
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-z"], capture_output=True, check=True).stdout.split(
        b"\0"
    )
    names = [name.decode("utf-8", "replace") for name in listed if name]
    return [
        Input(name=name, data=(folder / name).read_bytes())
        for name in names
        if (folder / name).is_file() and not (folder / name).is_symlink()
    ]


class Peer:
    """BM25 over the same passages."""

    def __init__(self, given: Sequence[Input]) -> None:
        self.places: list[tuple[Place, int]] = []
        texts = []
        for read in (source(file, READ) for file in given):
            lines = read.text.split("\n")
            for part in passages.parts(read.format, read.text) if not read.binary else ():
                for first, last in part.pieces(lines):
                    self.places.append((Place(read.name, first, last), part.first))
                    texts.append(_spaced("\n".join([read.name, part.outer, part.title, *lines[first - 1 : last]])))
        self.index = bm25s.BM25()
        self.index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)

    def best(self, question: str) -> list[Place]:
        """Return the best passages."""
        words = bm25s.tokenize([question], stopwords="en", show_progress=False)
        found, _ = self.index.retrieve(words, k=20 * SHOWN, show_progress=False)
        best: dict[tuple[str, int], Place] = {}
        for place, part in (self.places[number] for number in found[0]):
            best.setdefault((place.path, part), place)
        return list(best.values())


def _spaced(text: str) -> str:
    """Divide identifiers into their words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)


def remember() -> None:
    """Read and cut each file once, though every question about a repository needs it anew: seconds are without that."""
    parts, read = functools.cache(passages.parts), functools.cache(source)
    search.source = lambda given, limit: read(given, limit)  # type: ignore[attr-defined]
    ranking.parts = parts  # type: ignore[attr-defined]
    passages.parts = parts


def measured(folder: Path, labels: Sequence[Label]) -> list[Score]:
    """Return the scores of the questions about one repository."""
    given = inputs(folder)
    remember()
    peer = Peer(given)
    scores = []
    for label in labels:
        begun = time.perf_counter()
        result = run(Job(capability="find_code", inputs=tuple(given), options={"request": label.question}))
        seconds = time.perf_counter() - begun
        found = result.facts["places"] if isinstance(result.facts.get("places"), list) else []
        shown = [Place(place["name"], place["line"], place["last"]) for place in found]  # type: ignore[union-attr]
        scores.append(Score(label, answered(shown, label), answered(peer.best(label.question), label), seconds, shown))
    return scores


def figures(ranks: Sequence[int]) -> str:
    """Return hit@1, hit@3 and the mean reciprocal rank."""
    number = len(ranks) or 1
    first, within = sum(rank == 1 for rank in ranks), sum(rank > 0 for rank in ranks)
    mean = sum(1 / rank for rank in ranks if rank) / number
    return f"hit@1 {first / number:5.1%}  hit@3 {within / number:5.1%}  MRR@3 {mean:.3f}"


def told(scores: Sequence[Score], misses: bool) -> Iterator[str]:
    """Say how ours and the peer did, by split and repository."""
    for split in dict.fromkeys(score.label.split for score in scores):
        own = [score for score in scores if score.label.split == split]
        yield f"{split}: {len(own)} questions"
        yield f"  ours   {figures([score.ours for score in own])}"
        yield f"  bm25s  {figures([score.peer for score in own])}"
        for name in dict.fromkeys(score.label.repository for score in own):
            one = [score for score in own if score.label.repository == name]
            slow = sorted(score.seconds for score in one)[len(one) // 2]
            hits = f"{sum(score.ours > 0 for score in one)} of {len(one)}, bm25s {sum(score.peer > 0 for score in one)}"
            yield f"    {name}: {hits}; median {slow:.2f} s"
    for score in scores if misses else ():
        if score.ours != 1:
            yield f"{score.ours} {score.label.repository}: {score.label.question}"
            yield from (f"      {place.path}:{place.first}-{place.last}" for place in score.shown)
            yield f"    wanted {', '.join(score.label.answers)}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with clones called owner+name")
    parser.add_argument("--split", choices=("dev", "kept", "fresh", "third", "asked"))
    parser.add_argument("--repository", default="", help="only those whose name has this")
    parser.add_argument("--misses", action="store_true", help="show what was not answered first")
    chosen = parser.parse_args()
    labels = [Label(**json.loads(line)) for line in LABELS.read_text("utf-8").splitlines()]
    labels = [
        label for label in labels if chosen.split in (None, label.split) and chosen.repository in label.repository
    ]
    work = []
    for name, commit in dict.fromkeys((label.repository, label.commit) for label in labels):
        folder = chosen.data / name.replace("/", "+")
        head = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        if head.stdout.strip() != commit:
            print(f"{name}: left out, no clone of commit {commit[:10]} at {folder.name}")
            continue
        work.append((folder, [label for label in labels if label.repository == name]))
    with ProcessPoolExecutor(2) as pool:
        scores = [score for own in pool.map(measured, *zip(*work, strict=True)) for score in own]
    for line in told(scores, chosen.misses):
        print(line)


if __name__ == "__main__":
    main()
