"""`plantwin bench detect`: measured on made-up rows here, and on the labelled corpora where they are present."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli

from plantwin.private.detect import detector
from plantwin_evals import peers
from plantwin_evals.detection import (
    PEOPLE,
    SECRETS,
    Level,
    Share,
    people,
    rows,
    secrets,
    sources,
    standard_library,
    tree,
)

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
ROWS = [
    {"source": "a", "label": "positive", "rule": "a.1", "text": f"token {TOKEN}"},
    {"source": "a", "label": "positive", "rule": "a.2", "text": "nothing here"},
    {"source": "b", "label": "positive", "rule": "b.1", "text": "mail mara@granite.org"},
    {"source": "b", "label": "negative", "rule": "b.1", "text": "plain words"},
    {"source": "b", "label": "negative", "rule": "b.1", "text": f"raised {TOKEN}"},
]
SENTENCES = [
    {"label": "positive", "text": "Grüße: mara@granite.org", "spans": [[7, 23, "EMAIL_ADDRESS"], [0, 5, "TITLE"]]},
    {"label": "negative", "text": "What are my options?", "spans": []},
]


def write(path: Path, labelled: list[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in labelled)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.py").write_text("import os\n\n\ndef main():\n    return os.getcwd()\n" * 50)
    (folder / "alarm.py").write_text(f"\nTOKEN = '{TOKEN}'\n")
    (folder / "image.png").write_bytes(b"\x89PNG")
    return folder


def test_figures_of_made_up_rows() -> None:
    measured = secrets(ROWS, detector(), misses=5)
    assert (measured.rows, measured.any_finding) == (5, Share(2, 3))
    # One threshold for both sides: the mail is no secret, the token among the negatives is an alarm.
    for word in ("low", "medium", "high"):
        assert measured.levels[word] == Level(recall=Share(1, 3), quiet=Share(1, 2))
        assert measured.levels[word].precision == Share(1, 2)
    assert measured.by_source == {"a": Share(1, 2), "b": Share(0, 1)}
    assert measured.by_rule == {"a.1": Share(1, 1), "a.2": Share(0, 1), "b.1": Share(0, 1)}
    assert (len(measured.missed), len(measured.raised)) == (2, 1)
    spans = people(SENTENCES, detector())
    assert (spans.rows, spans.structured, spans.named, spans.quiet) == (2, Share(1, 1), Share(0, 0), Share(1, 1))
    assert spans.by_type == {"EMAIL_ADDRESS": Share(1, 1), "TITLE": Share(0, 1)}
    assert spans.missed == () and secrets(ROWS, detector()).missed == ()


def test_json_and_text(cli: Cli, tmp_path: Path, source: Path) -> None:
    write(tmp_path / SECRETS, ROWS)
    ran = cli("bench", "detect", "--corpora", tmp_path, "--tree", source, "--no-peers", "--json")
    assert ran.code == 0
    document = ran.json
    assert (document["format"], document["command"]) == (1, "bench")
    assert document["corpora"][SECRETS]["any_finding"] == {"found": 2, "total": 3, "ratio": 0.6667}
    assert document["corpora"][SECRETS]["levels"]["high"]["precision"] == {"found": 1, "total": 2, "ratio": 0.5}
    assert document["corpora"][SECRETS]["by_rule"]["a.2"]["found"] == 0
    assert document["corpora"][PEOPLE] is None
    assert document["tree"]["files"] == 7 and document["tree"]["megabytes_per_second"] > 0
    assert document["tree"]["alarms"] == [{"type": "github_token", "path": f"{source}/alarm.py", "line": 2}]
    assert document["peers"] == [] and TOKEN not in ran.out
    shown = cli("bench", "detect", "--corpora", tmp_path, "--tree", source, "--no-peers").out
    assert f"{SECRETS}: 5 rows" in shown and "recall 0.333 (1 of 3), precision 0.500" in shown
    assert f"{PEOPLE}: absent, not measured" in shown
    assert re.search(r"tree: 7 files, .* MB/s on one core; 1 secret of high confidence", shown)
    assert "nothing here" not in shown
    assert (
        "nothing here"
        in cli("bench", "detect", "--corpora", tmp_path, "--tree", source, "--no-peers", "--misses", 1).out
    )


def test_without_corpora_they_are_said_to_be_absent(cli: Cli, source: Path) -> None:
    ran = cli("bench", "detect", "--tree", source, "--no-peers")
    assert ran.code == 0
    assert f"{SECRETS}: absent, not measured" in ran.out and f"{PEOPLE}: absent, not measured" in ran.out


def test_wrong_input_is_refused(cli: Cli, tmp_path: Path, source: Path) -> None:
    assert cli("bench").code == 2
    assert cli("bench", "nonsense").code == 2
    assert cli("bench", "detect", "--corpora", tmp_path / "absent").code == 2
    assert cli("bench", "detect", "--tree", tmp_path / "absent").code == 2
    (tmp_path / SECRETS).write_bytes(b"not gzip")
    ran = cli("bench", "detect", "--corpora", tmp_path, "--tree", source)
    assert ran.code == 2 and "not a corpus" in ran.err


def test_other_scanners_run_on_the_same_files(
    cli: Cli, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    # One does its work, one cannot: it reads what it is given, and fails when that is not all there.
    (programs / "gitleaks").write_text('#!/bin/sh\ntest "$(/bin/ls "$4" | /usr/bin/wc -l)" = 7 || exit 3\n')
    (programs / "trufflehog").write_text("#!/bin/sh\nexit 1\n")
    for each in programs.iterdir():
        each.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(peers, "installed", lambda module: False)
    document = cli("bench", "detect", "--tree", source, "--json").json
    assert [(each["name"], each["files"], each["failed"]) for each in document["peers"]] == [
        ("gitleaks", 7, False),
        ("trufflehog", 7, True),
    ]
    assert document["absent"] == ["detect-secrets", "kingfisher", "noseyparker"]
    shown = cli("bench", "detect", "--tree", source)
    assert "times as fast" in shown.out and "trufflehog: installed, but it failed" in shown.out
    assert "Not installed, not compared: detect-secrets" in shown.err


def test_no_scanner_may_verify_what_it_finds() -> None:
    assert "--no-verification" in peers.COMMANDS["trufflehog"]
    assert "--no-validate" in peers.COMMANDS["kingfisher"]


def test_samples_are_spread(source: Path) -> None:
    files = sources([source])
    assert [file.name for file in files] == [*(f"{number}.py" for number in range(6)), "alarm.py"]
    assert peers.spread(files, 1 << 30) == files
    few = peers.spread(files, sum(file.size for file in files) // 2)
    assert 0 < len(few) < len(files) and few[0] == files[0]


def test_at_least_fifty_times_as_fast_as_detect_secrets() -> None:
    files = peers.spread(standard_library(), 300_000)
    peer = next(peers.peers(files, detector()))
    assert peer.name == "detect-secrets" and not peer.failed
    assert peer.ratio > 50


def test_the_standard_library_raises_no_alarm() -> None:
    files = peers.spread(standard_library(), 6_000_000)
    measured = tree(files, detector())
    assert measured.files > 100
    assert measured.alarms_in_2000 < 1


def test_the_labelled_corpora(record_property: Any) -> None:
    """Passes where they are absent; the number of rows read is in the report either way."""
    read = 0
    if (CORPORA / SECRETS).is_file():
        measured = secrets(rows(CORPORA / SECRETS), detector())
        read += measured.rows
        assert measured.any_finding.ratio >= 0.95
        assert measured.levels["low"].recall.ratio >= 0.90
        assert measured.levels["medium"].precision.ratio >= 0.90
    if (CORPORA / PEOPLE).is_file():
        spans = people(rows(CORPORA / PEOPLE), detector())
        read += spans.rows
        assert spans.structured.ratio >= 0.85
        assert spans.named.ratio >= 0.60
    record_property("rows_read", read)
    print(f"rows read: {read}")
