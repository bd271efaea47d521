"""Detection measured: recall and precision on labelled rows, false alarms and speed on source trees.

    python benchmarks/detection.py --corpora FOLDER --tree FOLDER [--peer] [--misses N]

Rows are read where they lie and never printed unless misses are asked for. Speed is one core, the
same text in the same run, next to detect-secrets with `--peer`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections import Counter
from pathlib import Path

from plantwin.private.redact import Detector, detector

STRUCTURED = {"EMAIL_ADDRESS", "PHONE_NUMBER", "CREDIT_CARD", "IP_ADDRESS", "DOMAIN_NAME", "ZIP_CODE", "DATE_TIME"}
SUFFIXES = {".py", ".pyi", ".txt", ".md", ".json", ".toml", ".c", ".h", ".js", ".html", ".css", ".cfg"}
NAMED = {"PERSON", "ORGANIZATION", "STREET_ADDRESS"}


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def secrets(path: Path, found: Detector, misses: int) -> None:
    positives = hits = sure = negatives = alarms = 0
    missed: list[str] = []
    raised: list[str] = []
    for row in rows(path):
        findings = found.scan(row["text"].encode())
        secret = [each for each in findings if each.group == "secret"]
        if row["label"] == "positive":
            positives += 1
            hits += bool(findings)
            sure += bool(secret)
            if not findings:
                missed.append(f"{row['rule']}: {row['text'][:150]!r}")
        else:
            negatives += 1
            strong = [each for each in secret if each.confidence != "low"]
            alarms += bool(strong)
            if strong:
                raised.append(f"{row['rule']}: {strong[0].type} {strong[0].confidence}: {row['text'][:120]!r}")
    print(f"secrets: {positives} positive rows, recall {hits / positives:.3f} (as secret {sure / positives:.3f});")
    print(
        f"         {negatives} negative rows, {alarms} with a medium or high secret, "
        f"precision {hits / (hits + alarms):.3f}"
    )
    for line in missed[:misses]:
        print("  missed", line)
    for line in raised[:misses]:
        print("  raised", line)


def people(path: Path, found: Detector, misses: int) -> None:
    seen: Counter[str] = Counter()
    hit: Counter[str] = Counter()
    missed: list[str] = []
    covered = total = 0
    for row in rows(path):
        text = row["text"]
        spans = [(each.start, each.end) for each in found.scan(text.encode()) if each.group != "secret"]
        covered += sum(end - start for start, end in spans)
        total += len(text.encode())
        for start, end, type_ in row["spans"]:
            first = len(text[:start].encode())
            last = first + len(text[start:end].encode())
            overlap = sum(max(0, min(last, b) - max(first, a)) for a, b in spans)
            seen[type_] += 1
            if overlap * 2 >= last - first:
                hit[type_] += 1
            elif type_ in STRUCTURED | NAMED:
                missed.append(f"{type_}: {text[max(0, start - 40) : end + 20]!r} -> {text[start:end]!r}")
    for title, types in (("structured", STRUCTURED), ("named", NAMED)):
        share = sum(hit[each] for each in types) / max(1, sum(seen[each] for each in types))
        print(f"people: {title} span recall {share:.3f} (half of the span covered)")
    print("  ", ", ".join(f"{each} {hit[each]}/{seen[each]}" for each in sorted(seen)))
    print(f"   share of the text that is marked: {covered / total:.2f}")
    for line in missed[:misses]:
        print("  missed", line)


def tree(folders: list[Path], found: Detector, peer: bool, misses: int) -> None:
    texts = []
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                path = Path(root) / name
                if path.suffix in SUFFIXES:
                    data = path.read_bytes()
                    if len(data) < 1 << 20:
                        texts.append((str(path), data))
    size = sum(len(data) for _, data in texts)
    best = 1e9
    for _ in range(2):
        begin = time.process_time()
        findings = [found.scan(data, path=path) for path, data in texts]
        best = min(best, time.process_time() - begin)
    counts: Counter[str] = Counter()
    high = []
    for (path, data), each in zip(texts, findings, strict=True):
        for one in each:
            counts[f"{one.group} {one.confidence}"] += 1
            if one.group == "secret" and one.confidence == "high":
                high.append((one.type, path, data.count(b"\n", 0, one.start) + 1))
    rate = size / best / 1e6
    print(f"tree: {len(texts)} files, {size / 1e6:.1f} MB, {rate:.1f} MB/s, {best / len(texts) * 1e3:.3f} ms a file")
    print(f"      high-confidence secrets: {len(high)}, {len(high) / len(texts) * 2000:.2f} per 2,000 files")
    print(f"      {dict(counts)}")
    for line in high[:misses]:
        print("  high", *line)
    if peer:
        part = texts[:: max(1, len(texts) // 150)]
        print(f"      ratio to detect-secrets: {compare(part, found):.0f}")


def compare(texts: list[tuple[str, bytes]], found: Detector) -> float:
    """How many times as fast as detect-secrets on the same files, on one core."""
    from detect_secrets.core import scan
    from detect_secrets.settings import default_settings

    begin = time.process_time()
    with default_settings():
        for path, _ in texts:
            list(scan.scan_file(path))
    theirs = time.process_time() - begin
    ours = 1e9
    for _ in range(3):
        begin = time.process_time()
        for path, data in texts:
            found.scan(data, path=path)
        ours = min(ours, time.process_time() - begin)
    return theirs / ours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path)
    parser.add_argument("--tree", type=Path, nargs="*", default=[])
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    found = detector()
    if options.corpora:
        secrets(options.corpora / "secrets-dev.jsonl.gz", found, options.misses)
        people(options.corpora / "pii-dev.jsonl.gz", found, options.misses)
    if options.tree:
        tree(options.tree, found, options.peer, options.misses)


if __name__ == "__main__":
    main()
