"""What can be registered: only what the person names, each name once, none of a built-in, nothing of the folder."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from plantwin.config.settings import load_settings
from plantwin.errors import ConfigError
from plantwin.private.extensions import issued, registered
from plantwin.private.extensions.tables import problem
from plantwin.types.capability import custom_id_like
from plantwin.types.identity import Issuer
from plantwin.vocabulary import CapabilityName, Kind, OutcomeTag, Risk
from tables import cases, value_of

MODULE = value_of(__file__, "module")
COMMAND = value_of(__file__, "command")


def load(text: str, tmp_path: Path):
    root = tmp_path / "root"
    root.mkdir(exist_ok=True)
    return registered(tomllib.loads(text), root, tmp_path / "state")


def module(tmp_path: Path, text: str = MODULE, folder: str = "mine") -> Path:
    path = tmp_path / folder / "own.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_functions_are_found_without_being_loaded_here(tmp_path: Path) -> None:
    trap = module(tmp_path)
    style, joined = load(f'modules = ["{trap}"]', tmp_path)
    assert style.capability.own == "house_style"
    assert style.capability.name is CapabilityName.LINT
    assert style.capability.kinds == {Kind.CODE_FILE}
    assert (style.capability.risk, style.capability.approval) == (Risk.HIGH, True)
    assert OutcomeTag.STYLE in style.capability.tags
    assert not style.capability.programs
    assert style.extension.shown == (str(trap),)
    assert (joined.capability.risk, joined.capability.approval, joined.capability.most) == (Risk.LOW, False, 4)


def test_a_module_cannot_touch_this_process(tmp_path: Path) -> None:
    """Its code runs in a worker alone: it can neither change us nor write where it likes."""
    text = "import plantwin.vocabulary, os\nplantwin.vocabulary.VERSION = 99\nos.environ['OWNED'] = 'yes'\n" + MODULE
    load(f'modules = ["{module(tmp_path, text)}"]', tmp_path)
    import os

    from plantwin import vocabulary

    assert vocabulary.VERSION != 99
    assert "OWNED" not in os.environ


@cases("text")
def test_a_module_that_is_wrong_is_refused_whole(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^capabilities\."):
        load(f'modules = ["{module(tmp_path, text)}"]', tmp_path)


def test_nothing_of_the_observed_folder_is_run(tmp_path: Path) -> None:
    inside = module(tmp_path, folder="root")
    link = tmp_path / "link.py"
    link.symlink_to(inside)
    tool = tmp_path / "root" / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    for text in (
        f'modules = ["{inside}"]',
        f'modules = ["{link}"]',
        f'[tidy]\nlike = "lint"\ncommand = ["{tool}", "{{input}}"]',
        f'[tidy]\nlike = "lint"\ncommand = ["grep", "{{input}}"]\nfolders = ["{tmp_path / "root"}"]',
        f'[tidy]\nlike = "lint"\ncommand = ["grep", "{{input}}"]\nfolders = ["{tmp_path}"]',
    ):
        with pytest.raises(ConfigError, match=r"observed folder"):
            load(text, tmp_path)


def test_the_observed_folders_own_file_cannot_name_any(tmp_path: Path) -> None:
    from plantwin.private.config import load as load_detection

    (tmp_path / "plantwin.toml").write_text('[capabilities.x]\nlike = "lint"\ncommand = ["sh", "{input}"]\n')
    # It is content of the folder: left out as a whole, with a warning, and never in the way.
    assert "capabilities" in load_detection(tmp_path, folder=tmp_path / "absent").problem


def test_a_command_is_read_with_its_words(tmp_path: Path) -> None:
    tidy, other = load(COMMAND, tmp_path)
    assert (tidy.extension.own, tidy.extension.command[1:]) == ("tidy_tab", ("-n", "tab", "{input}"))
    assert (other.extension.own, other.extension.command[1:]) == ("tidy_space", ("-n", "space", "{input}"))
    assert tidy.extension.command[0].endswith("/grep")
    assert tidy.extension.exits == {"0": ("done", "low", "style"), "1": ("done",)}
    assert tidy.capability.programs
    assert {OutcomeTag.STYLE, OutcomeTag.LIKELY_DEFECT} <= tidy.capability.tags


@cases("change", "key")
def test_a_command_that_is_wrong_is_refused_with_its_key(change: tuple[str, str], key: str, tmp_path: Path) -> None:
    assert change[0] in COMMAND
    with pytest.raises(ConfigError) as error:
        load(COMMAND.replace(*change), tmp_path)
    assert str(error.value).startswith(f"capabilities.{key}")


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ('["tab"]', ["tidy"]),
        ('["tab", "tab"]', ["tidy"]),
        ('["Tab", "a b"]', ["tidy_tab", "tidy_a_b"]),
        ('["a-b", "a_b"]', ["tidy_1", "tidy_2"]),
        ('["+", "x"]', ["tidy_1", "tidy_2"]),
        (f'["{"x" * 60}", "x"]', ["tidy_1", "tidy_2"]),
        ('["{mode}", "{input}"]', ["tidy_mode", "tidy_input"]),
    ],
)
def test_each_value_is_a_capability_of_its_own(values: str, names: list[str], tmp_path: Path) -> None:
    found = load(COMMAND.replace('["tab", "space"]', values), tmp_path)
    assert [each.capability.own for each in found] == [each.extension.own for each in found] == names
    assert len({each.extension.command for each in found}) == len(names)


def test_several_options_are_combined(tmp_path: Path) -> None:
    text = COMMAND.replace('"-n"', '"{flag}"').replace("options = {", 'options = { flag = ["-n", "-c"],')
    names = [each.extension.own for each in load(text, tmp_path)]
    assert names == ["tidy_n_tab", "tidy_n_space", "tidy_c_tab", "tidy_c_space"]


def test_a_name_is_given_once(tmp_path: Path) -> None:
    path = module(tmp_path)
    for text in (
        f'modules = ["{path}", "{path}"]',
        f'modules = ["{path}"]\n' + COMMAND.replace("tidy", "house_style").replace(', "space"', ""),
    ):
        with pytest.raises(ConfigError, match="twice"):
            load(text, tmp_path)


@cases("text")
def test_sections_of_another_form_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^capabilities\."):
        load(text, tmp_path)


def test_there_is_a_most(tmp_path: Path) -> None:
    text = "".join(COMMAND.replace("[tidy]", f"[tidy{number}]") for number in range(17))
    with pytest.raises(ConfigError, match="at most 16"):
        load(text, tmp_path)


def test_every_session_has_names_of_its_own(tmp_path: Path) -> None:
    own = load(COMMAND, tmp_path)
    first, second = (next(issued(own, Issuer())) for _ in range(2))
    assert custom_id_like(first.wire)
    assert first.wire != second.wire
    assert first.own == second.own == "tidy_tab"


def test_an_installed_package_names_its_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A module of the standard library stands for one: it is importable in a worker, and declares nothing.
    entry = metadata.EntryPoint("demo", "json.tool", "plantwin.capabilities")
    monkeypatch.setattr("plantwin.private.extensions.installed", lambda: (entry,))
    assert load("", tmp_path) == ()
    wrong = metadata.EntryPoint("demo", "no_such_module", "plantwin.capabilities")
    monkeypatch.setattr("plantwin.private.extensions.installed", lambda: (wrong,))
    with pytest.raises(ConfigError, match="entry point demo"):
        load("", tmp_path)


def test_settings_hand_the_section_on(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[session]\ncatalog = "coarse"\n[capabilities]\nmodules = []\n')
    settings = load_settings(path)
    assert (settings.session.catalog, settings.capabilities) == ("coarse", {"modules": []})
    path.write_text('[session]\ncatalog = "finest"\n')
    with pytest.raises(ConfigError, match=r"session\.catalog"):
        load_settings(path)


@pytest.mark.parametrize(
    "pattern",
    ["(", "x" * 501, "(?P<line>x)", "(?P<message>(a*)*)", "(?P<message>(?:a+b?)+)", r"(?P<message>.)(?P=message)",
     "(?=x)(?P<message>.)", "(?P<message>.*).*.*.*.*.*.*", "(?P<message>(?:a{1,9}){1,9})", "(?P<message>x)(?P<name>y)",
     "(?P<message>(?:x|(?:y+)+))", "(?P<message>x)(?<!y)"],
)  # fmt: skip
def test_patterns_that_could_hang_are_refused(pattern: str) -> None:
    assert problem(pattern)


@pytest.mark.parametrize(
    "pattern", [r"^(?P<file>[^:]+):(?P<line>\d+):\s*(?P<severity>\w+)?: (?P<message>.*)$", "(?P<message>(?:ab)?c+)"]
)
def test_patterns_as_tools_need_them_are_fine(pattern: str) -> None:
    assert problem(pattern) == ""
