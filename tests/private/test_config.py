"""Configuration: checked whole, never quoted, and from an observed folder never able to hide anything."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from plantwin.errors import ConfigError
from plantwin.private.config import LIMIT, SETTINGS, Config, config_folder, load
from plantwin.private.detect import Detector, allowed_here, sensitivity
from plantwin.private.detect.compiled import build
from plantwin.private.detect.rules import load as shipped
from plantwin.vocabulary import Kind, Sensitivity
from tables import cases, rows_of, value_of

TOKEN = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
TEXT = f"token = {TOKEN}\n".encode()
RULE = value_of(__file__, "rule")
SOME = tuple(rule for rule in shipped() if rule.type in ("github_token", "email", "assigned_secret"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def made(config: Config) -> Detector:
    return Detector(build(SOME + config.rules), config.policy)


def test_without_files_there_is_nothing(own: Path, root: Path) -> None:
    config = load(root, folder=own)
    assert config.rules == () and config.digest == "" and not config.policy


def test_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_folder() == tmp_path / "plantwin"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config_folder() == tmp_path / ".config" / "plantwin"


def test_rules_of_both_are_run_beside_the_shipped_ones(own: Path, root: Path) -> None:
    (own / "config.toml").write_text("[detect]\nrules = ['my.toml']\n")
    (own / "my.toml").write_text(RULE)
    (root / "plantwin.toml").write_text("[detect]\nrules = ['rules/more.toml']\n")
    (root / "rules").mkdir()
    (root / "rules" / "more.toml").write_text(RULE.replace("badge_number", "desk_number").replace("BDG", "DSK"))
    config = load(root, folder=own)
    assert [(rule.type, rule.origin) for rule in config.rules] == [("badge_number", "user"), ("desk_number", "folder")]
    types = [each.type for each in made(config).scan(b"BDG-123456 DSK-123456 " + TOKEN.encode())]
    assert types == ["badge_number", "desk_number", "github_token"]


def test_the_digest_names_all_of_it(own: Path, root: Path) -> None:
    (own / "config.toml").write_text("[detect]\nrules = ['my.toml']\n")
    (own / "my.toml").write_text(RULE)
    first = load(root, folder=own).digest
    (own / "my.toml").write_text(RULE.replace("BDG", "BDH"))
    second = load(root, folder=own).digest
    (root / "plantwin.toml").write_text("[detect]\n")
    assert len({first, second, load(root, folder=own).digest, ""}) == 4


def allow(folder: Path, name: str, row: str) -> None:
    (folder / name).write_text(f"[detect]\nallow = [{{ {row}, reason = 'a key of the sandbox' }}]\n")


@pytest.mark.parametrize(
    "row",
    [
        "type = 'github_token'",
        "path = 'app/*.env'",
        "path = '*.env'",
        "path = '/srv/app/a.env'",
        f"sha256 = '{hashlib.sha256(TOKEN.encode()).hexdigest()}'",
        f"type = 'github_token', path = 'a.env', sha256 = '{hashlib.sha256(TOKEN.encode()).hexdigest().upper()}'",
    ],
)
def test_what_the_user_allows_no_longer_counts(own: Path, root: Path, row: str) -> None:
    allow(own, "config.toml", row)
    found = made(load(root, folder=own))
    assert [each.allowed for each in found.scan(TEXT, path="/srv/app/a.env")] == ["user"]
    summary = found.survey(TEXT, path="/srv/app/a.env")
    assert summary == (("allowed_by_user", "note", "low", 1),)
    assert sensitivity(summary, Kind.CONFIG)[0] == Sensitivity.LOW


@pytest.mark.parametrize(
    "row",
    ["type = 'email'", "path = 'other/*.env'", f"sha256 = '{'0' * 64}'", "type = 'github_token', path = 'b.env'"],
)
def test_what_does_not_match_in_every_part_is_not_allowed(own: Path, root: Path, row: str) -> None:
    allow(own, "config.toml", row)
    assert [each.allowed for each in made(load(root, folder=own)).scan(TEXT, path="/srv/app/a.env")] == [""]


def test_what_the_folder_allows_is_marked_and_counts_all_the_same(own: Path, root: Path) -> None:
    allow(root, "plantwin.toml", "path = '*'")
    found = made(load(root, folder=own))
    assert [each.allowed for each in found.scan(TEXT, path="a.env")] == ["folder"]
    summary = found.survey(TEXT, path="a.env")
    assert sensitivity(summary, Kind.CONFIG)[0] == Sensitivity.HIGH
    assert allowed_here(summary) == 1


def test_types_switched_off(own: Path, root: Path) -> None:
    text = TEXT + b"mara.brandt@granite-hill.org\n"
    (own / "config.toml").write_text("[detect]\ndisable = ['email']\n")
    (root / "plantwin.toml").write_text("[detect]\ndisable = ['github_token', 'assigned_secret']\n")
    found = made(load(root, folder=own))
    assert [(each.type, each.allowed) for each in found.scan(text, path="a.env")] == [("github_token", "folder")]
    assert sensitivity(found.survey(text, path="a.env"), Kind.CONFIG)[0] == Sensitivity.HIGH


def test_a_rule_of_the_folder_cannot_cover_up(own: Path, root: Path) -> None:
    """Not even one that claims the whole line, with another group and all confidence."""
    hiding = RULE.replace("badge_number", "harmless").replace("BDG-\\d{6}", "(?:token|pass)[^\\n]{3,80}")
    (root / "plantwin.toml").write_text("[detect]\nrules = ['my.toml']\n")
    (root / "my.toml").write_text(hiding)
    plain = made(load(None, folder=own))
    found = made(load(root, folder=own))
    for text in (TEXT, b"password: correct horse9\n", b"token: 'abcdefgh-12'\n"):
        assert found.scan(text, path="a.yaml") == plain.scan(text, path="a.yaml") != []
        kinds = [sensitivity(each.survey(text, path="a.yaml"), Kind.CONFIG) for each in (plain, found)]
        assert kinds[0] == kinds[1]
    assert [each.type for each in found.scan(b"passing by\n")] == ["harmless"]


def test_a_rule_of_the_user_may(own: Path, root: Path) -> None:
    (own / "config.toml").write_text("[detect]\nrules = ['my.toml']\n")
    (own / "my.toml").write_text(RULE.replace("'identifier'", "'secret'").replace("BDG-\\d{6}", "ACM-[a-z0-9]{24}"))
    found = made(load(root, folder=own))
    assert [each.type for each in found.scan(b"api_key = 'ACM-8f2c61d09be74a35c1d7e0f2'")] == ["badge_number"]


@cases("text", "told")
def test_what_is_wrong_is_named_and_not_quoted(own: Path, root: Path, text: str, told: str) -> None:
    (own / "config.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(root, folder=own)
    (own / "config.toml").unlink()
    (root / "plantwin.toml").write_text(text)
    for message, name in ((str(caught.value), "config.toml"), (load(root, folder=own).problem, "plantwin.toml")):
        assert f": {told}: " in message and name in message
        assert "hunter2" not in message


def test_files_that_cannot_be_read(own: Path, root: Path) -> None:
    path = own / "config.toml"
    for make in spoiled(path):
        make()
        with pytest.raises(ConfigError, match=r"config\.toml"):
            load(root, folder=own)
        path.rmdir() if path.is_dir() else path.unlink()


def spoiled(path: Path) -> list[Callable[[], object]]:
    """Ways to make a file that cannot be used."""
    return [
        lambda: path.mkdir(),
        lambda: path.write_bytes(b"# \xff\xfe\n"),
        lambda: path.write_bytes(b"#" * (LIMIT + 1)),
        lambda: os.mkfifo(path),
        lambda: path.symlink_to(path.with_name("nowhere")),
        lambda: path.write_text("[detect]\nallow = [" + "[" * 5000),
        lambda: path.write_text("a = " + "9" * 5000),
        lambda: path.write_text("a." * 5000 + "a = 1"),
    ]


HOSTILE = rows_of(__file__, "hostile")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_folder_file_is_left_out_as_a_whole_and_blocks_nothing(own: Path, root: Path, text: str) -> None:
    (own / "config.toml").write_text("[detect]\ndisable = ['email']\n")
    plain = load(None, folder=own)
    (root / "my.toml").write_text(RULE)
    (root / "plantwin.toml").write_text(text)
    config = load(root, folder=own)
    assert (config.rules, config.digest) == ((), plain.digest) and "left out" in config.problem
    assert [each.allowed for each in made(config).scan(TEXT, path="a.env")] == [""]
    assert config.policy.off("email")


def test_no_folder_file_that_cannot_be_read_blocks(own: Path, root: Path) -> None:
    path = root / "plantwin.toml"
    for make in spoiled(path):
        make()
        began = time.process_time()
        config = load(root, folder=own)
        assert "plantwin.toml" in config.problem and (config.rules, config.digest) == ((), "") and not config.policy
        assert time.process_time() - began < 1
        path.rmdir() if path.is_dir() else path.unlink()


def test_rules_of_a_folder_are_bounded_in_all(own: Path, root: Path) -> None:
    names = [f"rules{number}.toml" for number in range(3)]
    (root / "plantwin.toml").write_text(f"[detect]\nrules = {names}\n")
    for number, name in enumerate(names):
        rules = [RULE.replace("badge_number", f"badge_{number}_{each}") for each in range(40)]
        (root / name).write_text("".join(rules))
    assert "more than 100 rules" in load(root, folder=own).problem
    for name in names:
        (root / name).write_text("rule = []\n" + "#" * (LIMIT // 2))
    assert "larger than" in load(root, folder=own).problem


def test_a_scan_says_that_the_folder_file_was_left_out(root: Path, tmp_path: Path) -> None:
    from plantwin.private.environment import Environment

    (root / "plantwin.toml").write_text("[detekt]\n")
    (root / "a.env").write_bytes(TEXT)
    environment = Environment(root, state=tmp_path / "state")
    scan = environment.scan()
    assert any("plantwin.toml (in the observed folder): detekt: " in each for each in scan.summary.warnings)
    (root / "plantwin.toml").write_text("[detect]\n")
    assert not any("plantwin.toml" in each for each in environment.scan().summary.warnings)
    environment.close()


def test_a_folder_reaches_for_nothing_outside(own: Path, root: Path, tmp_path: Path) -> None:
    (tmp_path / "out.toml").write_text(RULE)
    (root / "link.toml").symlink_to(tmp_path / "out.toml")
    (root / "way").symlink_to(tmp_path)
    for name in ("../out.toml", str(tmp_path / "out.toml"), "link.toml", "way/out.toml", "a/../../out.toml"):
        (root / "plantwin.toml").write_text(f"[detect]\nrules = ['{name}']\n")
        config = load(root, folder=own)
        assert "detect.rules[0]" in config.problem and not config.rules
    (root / "plantwin.toml").unlink()
    (root / "plantwin.toml").symlink_to(tmp_path / "out.toml")
    assert load(root, folder=own).problem


def test_the_user_may_keep_rules_anywhere(own: Path, root: Path, tmp_path: Path) -> None:
    (tmp_path / "out.toml").write_text(RULE)
    (own / "config.toml").write_text("[detect]\nrules = ['../out.toml']\n")
    assert [rule.type for rule in load(root, folder=own).rules] == ["badge_number"]


@cases("change", "told")
def test_bad_rules_are_refused_by_name(own: Path, root: Path, change: tuple[str, str], told: str) -> None:
    (root / "plantwin.toml").write_text("[detect]\nrules = ['my.toml']\n")
    (root / "my.toml").write_text(RULE.replace(*change))
    config = load(root, folder=own)
    type_ = change[1] if change[0] == "badge_number" else "badge_number"
    assert told in config.problem and f"rule {type_}: " in config.problem and "plantwin.toml" in config.problem
    assert config.rules == ()


def test_the_users_file_may_hold_settings_of_the_core(own: Path, root: Path) -> None:
    from plantwin.config.settings import Settings

    assert set(SETTINGS) == set(Settings.__struct_fields__)
    (own / "config.toml").write_text("[limits]\nmax_turns = 2\n[[labels]]\nglob = '*'\nlabel = 'x'\n")
    config = load(root, folder=own)
    assert config.rules == () and config.digest == "" and not config.policy
    (own / "config.toml").write_text("[detect]\ndisable = ['email']\n[limits]\nmax_turns = 2\n")
    first = load(root, folder=own)
    (own / "config.toml").write_text("[detect]\ndisable = ['email']\n[limits]\nmax_turns = 3\n")
    # What was found stays valid: another section has no say in it.
    assert first.digest == load(root, folder=own).digest != ""
    (own / "config.toml").write_text("[detect]\ndisable = ['phone']\n[limits]\nmax_turns = 3\n")
    assert first.digest != load(root, folder=own).digest


@pytest.mark.parametrize("section", SETTINGS)
def test_an_observed_folder_has_no_say_in_the_core(own: Path, root: Path, section: str) -> None:
    (root / "plantwin.toml").write_text(f"[{section}]\n")
    assert f"in the observed folder): {section}: unknown key" in load(root, folder=own).problem


def test_both_readers_find_the_same_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from plantwin.config.settings import user_config

    for base in (str(tmp_path), "relative", ""):
        monkeypatch.setenv("XDG_CONFIG_HOME", base)
        assert user_config() == config_folder() / "config.toml"
