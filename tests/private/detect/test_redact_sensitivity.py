"""How sensitive an object is, and that the page on detection tells what the code does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from plantwin.private.config import load
from plantwin.private.detect import Detector, detector, sensitivity
from plantwin.private.detect.compiled import build
from plantwin.private.detect.rules import Rule, parse

SECRET = ("github_token", "secret", "high", 1)
MAYBE = ("password", "secret", "medium", 1)
WEAK = ("password", "secret", "low", 3)
MAIL = ("email", "personal", "medium", 1)
MAILS = ("email", "personal", "medium", 3)
CARD = ("payment_card", "personal", "medium", 1)
HOST = ("internal_host", "infrastructure", "medium", 1)


@pytest.mark.parametrize(
    ("summary", "kind", "level", "causes"),
    [
        ((), "code_file", "low", ()),
        ((), "secret_container", "high", ("credential",)),
        ((SECRET,), "code_file", "high", ("credential",)),
        ((MAYBE,), "code_file", "restricted", ("credential",)),
        ((MAYBE,), "config", "high", ("credential",)),
        ((WEAK,), "config", "restricted", ("credential",)),
        ((MAIL,), "code_file", "low", ()),
        ((MAILS,), "code_file", "restricted", ("personal",)),
        ((MAIL,), "structured_record", "restricted", ("personal",)),
        ((CARD,), "log_stream", "high", ("financial",)),
        ((("diagnosis", "personal", "medium", 2),), "structured_record", "high", ("health",)),
        ((("us_ssn", "personal", "high", 1),), "document", "high", ("personal",)),
        ((HOST,), "config", "low", ()),
        ((HOST,), "log_stream", "restricted", ("infrastructure",)),
        ((("person_name", "personal", "low", 50),), "document", "low", ()),
        ((("ticket_id", "identifier", "medium", 50),), "document", "low", ()),
        ((CARD, HOST, MAIL, SECRET), "log_stream", "high", ("credential", "personal", "financial", "infrastructure")),
    ],
)
def test_rule(summary: tuple[tuple[str, str, str, int], ...], kind: str, level: str, causes: tuple[str, ...]) -> None:
    assert sensitivity(summary, kind) == (level, causes)


PAGE = (Path(__file__).parents[3] / "docs" / "detection.md").read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.S)


def test_the_rule_on_the_page_runs() -> None:
    (text,) = (block for block in BLOCKS if "[[rule]]" in block)
    (rule,) = parse(text)
    found = Detector(build((rule,)))
    assert [each.type for each in found.scan(b"badge BDG-123456 issued")] == ["acme_badge"]
    assert found.scan(b"BDG-12") == []


def test_the_configuration_on_the_page_is_valid(tmp_path: Path) -> None:
    (text,) = (block for block in BLOCKS if "[detect]" in block)
    assert set(tomllib.loads(text)["detect"]) == {"rules", "disable", "allow"}
    (tmp_path / "config.toml").write_text(text)
    (rule,) = (block for block in BLOCKS if "[[rule]]" in block)
    (tmp_path / "my-rules.toml").write_text(rule)
    assert [each.type for each in load(folder=tmp_path).rules] == ["acme_badge"]


def test_every_field_of_a_rule_is_on_the_page() -> None:
    shown = {*re.findall(r"`([a-z_]+)`", PAGE), *re.findall(r"^([a-z]+) = ", PAGE, re.M)}
    internal = {"handler", "anchor", "example_path", "origin"}
    assert set(Rule.__struct_fields__) - internal <= shown


@pytest.mark.parametrize("line", re.findall(r"^.*plantwin: allow.*$", PAGE, re.M))
def test_the_comments_on_the_page_are_comments(line: str) -> None:
    text = f"{line}\nmail mara.brandt@granite-hill.org ghp_{'Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2'}\n"
    if line.startswith("#"):
        assert {each.allowed for each in detector().scan(text.encode(), path="a.py")} == {"comment"}


ROWS = re.findall(r"^\| (.+?) \| (high|restricted) \| (\w+) \|$", PAGE, re.M)


def test_the_table_of_levels_is_the_rule() -> None:
    cases = {
        "anything in a secret container": ((), "secret_container"),
        "a secret of high confidence": ((("github_token", "secret", "high", 1),), "code_file"),
        "a secret of medium confidence, outside": ((("github_token", "secret", "medium", 1),), "config"),
        "another secret of medium confidence": ((("github_token", "secret", "medium", 1),), "code_file"),
        "card or account": ((("iban", "personal", "medium", 1),), "code_file"),
        "health number": ((("diagnosis", "personal", "medium", 1),), "code_file"),
        "national id": ((("us_ssn", "personal", "high", 1),), "code_file"),
        "other personal data": ((("email", "personal", "medium", 3),), "document"),
        "infrastructure": ((("ipv4", "infrastructure", "medium", 1),), "log_stream"),
    }
    assert len(ROWS) == len(cases)
    for (found, level, cause), (start, (summary, kind)) in zip(ROWS, cases.items(), strict=True):
        assert found.startswith(start)
        assert sensitivity(summary, kind) == (level, (cause,))
