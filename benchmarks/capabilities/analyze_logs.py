"""Templates of log lines: messages of real programs, filled with values, grouped by us and by drain3."""

from __future__ import annotations

import ast
import json
import random
import time
from collections import Counter
from pathlib import Path

from benchmarks.capabilities.section import ABSENT, PACKAGES, Section, files, peer
from plantwin.private.capabilities.logs.log import Log, Miner

LINES = 20_000
MOST = 400
"""Different messages."""
_WORDS = ("orders", "alpha", "10.2.3.4", "/var/lib/data", "user7", "0x7f3a", "eu-west", "a1b2c3d4", "main.py", "None")
_DRAIN = """
import json, sys, logging
from drain3 import TemplateMiner
from drain3.template_miner_config import TemplateMinerConfig
config = TemplateMinerConfig()
config.profiling_enabled = False
miner = TemplateMiner(config=config)
print(json.dumps([miner.add_log_message(line.rstrip())["cluster_id"] for line in open(sys.argv[1])]))
"""


def messages() -> list[str]:
    """Return the formats of calls of `logging` in installed packages: the truth about which lines are alike."""
    found = set()
    for path in files(PACKAGES, (".py",)):
        text = path.read_text("utf-8", "replace") if path.stat().st_size < 200_000 else ""
        if "logger." not in text and "logging." not in text:
            continue
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="info" | "warning" | "error" | "debug"),
                    args=[ast.Constant(value=str(text)), *rest],
                ):
                    if (
                        rest
                        and 3 <= len(text.split()) <= 20
                        and text.count("%s") + text.count("%d") == len(rest)
                        and "\n" not in text
                        and text.count("%") == len(rest)
                    ):
                        found.add(text)
    return sorted(found)[:: max(1, len(found) // MOST)][:MOST]


def lines(formats: list[str]) -> list[tuple[int, str]]:
    """Return lines with the number of their format: few formats make most lines, as in any log."""
    chosen = random.Random(15)
    weights = [1 / (rank + 1) for rank in range(len(formats))]
    order = chosen.sample(range(len(formats)), len(formats))
    made = []
    for second, number in enumerate(chosen.choices(order, weights, k=LINES)):
        text = formats[number].replace("%d", "%s")
        values = tuple(
            str(chosen.randrange(10_000)) if chosen.random() < 0.5 else chosen.choice(_WORDS)
            for _ in range(text.count("%s"))
        )
        clock = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        made.append((number, f"2024-03-01 {clock} INFO {text % values}"))
    return made


def accuracy(truth: list[int], groups: list[int]) -> float:
    """Return grouping accuracy: the share of lines whose group is exactly the group that the truth has."""
    sizes, predicted, both = Counter(truth), Counter(groups), Counter(zip(truth, groups, strict=True))
    pairs = zip(truth, groups, strict=True)
    return sum(sizes[a] == predicted[b] == both[a, b] for a, b in pairs) / len(truth)


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    import tempfile

    formats = messages()
    made = lines(formats)
    truth = [number for number, _ in made]
    text = "\n".join(line for _, line in made) + "\n"
    begun = time.perf_counter()
    log, miner = Log("a.log", text), Miner()
    ours = [id(miner.add(entry)) for entry in log.entries]
    rows: list[list[object]] = [
        ["ours", f"{accuracy(truth, ours):.3f}", len(set(ours)), f"{time.perf_counter() - begun:.1f} s"]
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.log")
        path.write_text("".join(f"{line.split(' ', 3)[3]}\n" for _, line in made), "utf-8")
        done = peer(["python3", "-c", _DRAIN, str(path)])
    groups = json.loads(done.text) if done and done.text.strip() else []
    if groups and done:
        rows.append(["drain3", f"{accuracy(truth, groups):.3f}", len(set(groups)), f"{done.seconds:.1f} s"])
    else:
        rows.append(["drain3", ABSENT, "—", "—"])
    words = (
        f"{LINES:,} lines of {len(formats)} messages that installed packages log, with values put in; "
        "drain3 is given the lines without their time."
    )
    heads = ("grouped by", "grouping accuracy", f"groups (there are {len(set(truth))})", "time")
    return [Section("analyze_logs: lines of one message", words, heads, rows)]
