"""The documentation site: its links lead somewhere, its commands run, it builds, and what ships installs."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import pytest
import yaml
from command_line import Cli

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
ELSEWHERE = {"cli.md", "embedding.md"}
"""Pages whose blocks other tests run: test_cli_docs.py, test_embedding.py."""
COMMANDS = {
    page.name: found
    for page in PAGES
    if page.name not in ELSEWHERE
    and (
        found := [
            line[2:]
            for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL)
            for line in block.splitlines()
            if line.startswith("$ ")
        ]
    )
}


def named(page: Path) -> str:
    return str(page.relative_to(DOCS))


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page, as the site and code hosts make them from headings."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        for kept in (r"[^\w\s-]",):
            slug = re.sub(kept, "", plain.replace("`", "")).strip().lower()
            found |= {re.sub(r"\s", "-", slug), re.sub(r"[-\s]+", "-", slug)}
    return found


def links(page: Path) -> list[str]:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", target)]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not anchor or file.suffix != ".md" or anchor in anchors(file), target


def test_every_page_is_in_the_navigation() -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text())

    def pages(entry: object) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        return [page for one in (entry.values() if isinstance(entry, dict) else entry) for page in pages(one)]

    listed = pages(config["nav"])
    assert len(set(listed)) == len(listed)
    # The pages of rules are reached from the capabilities that use them.
    assert set(listed) == {named(page) for page in PAGES if page.parent == DOCS}


def test_there_are_commands_to_run() -> None:
    assert sum(map(len, COMMANDS.values())) >= 25
    assert {"quickstart.md", "guide-terminal.md", "guide-security.md", "statement.md", "policy.md"} <= COMMANDS.keys()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all pages find the shop, so that it is read once."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "examples" / "shop", folder / "shop")
    return folder


@pytest.mark.parametrize("page", COMMANDS)
def test_the_commands_of_a_page_run_in_order(page: str, place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PLANTWIN_STATE", str(place / "state"))
    for command in COMMANDS[page]:
        text, _, target = command.partition(" > ")
        program, *arguments = shlex.split(text, comments=True)
        assert program == "plantwin"
        ran = cli(*(str(Path(word).expanduser()) if word.startswith("~") else word for word in arguments))
        assert ran.code == ("# exit code 1" in command), (command, ran.err)
        if target:
            file = Path(target).expanduser()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(ran.out)


@pytest.mark.parametrize("page", [page for page in PAGES if "```python" in page.read_text()], ids=named)
def test_every_python_block_is_python(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        ast.parse(block)


SHELL = [
    (named(page), line.strip())
    for page in PAGES
    for line in re.findall(r"^(?:    )?plantwin [a-z][^\n]*$", page.read_text(), re.MULTILINE)
    if "[-" not in line  # how a command is called in general
]


@pytest.mark.parametrize(("page", "line"), SHELL)
def test_a_command_that_cannot_be_run_here_is_one_that_exists(page: str, line: str) -> None:
    """Those that need a key, a server or a terminal: their options are parsed."""
    from plantwin.surfaces.cli import COMMANDS as KNOWN
    from plantwin.surfaces.cli import parser_of

    text = re.split(r" [|>&;]+ ?|\s+#", line)[0]
    _, name, *arguments = shlex.split(text)
    assert name in KNOWN, line
    parser = parser_of(name)
    (parser.parse_args if parser._subparsers else parser.parse_intermixed_args)(arguments)


def test_the_site_builds(tmp_path: Path) -> None:
    builder = shutil.which("zensical", path=str(Path(sys.executable).parent))
    assert builder, "the extra `docs` brings zensical"
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    ran = subprocess.run(
        [builder, "build", "-f", "mkdocs.yml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 and "No issues found" in ran.stdout + ran.stderr, ran.stdout + ran.stderr
    index = (tmp_path / "build" / "site" / "index.html").read_text()
    assert "session.svg" in index
    # Who reads it asks no other server for anything.
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="?https?:', index)


def test_the_recorded_session_is_what_the_program_says(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "recording.py", tmp_path / "session.svg"], check=True)

    def said(file: Path) -> set[str]:
        """The words of the picture, without ids, digests and the places that differ from run to run."""
        found = re.findall(r"<text[^>]*>([^<]*)</text>", file.read_text(encoding="utf-8"))
        words = {word for text in found for word in text.replace("&#160;", " ").split()}
        return {word for word in words if not re.search(r"[0-9a-f]{16}|set_|reports/|\d{8}-", word)}

    shipped = said(DOCS / "session.svg")
    assert len(shipped) > 60
    assert len(shipped ^ said(tmp_path / "session.svg")) <= 4


def test_the_image_is_clean() -> None:
    linter = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    assert linter, "the extra `tools` brings hadolint"
    ran = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert compose["services"].keys() == {"ledger", "plantwin", "console"}
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["console"]["ports"])
    assert "ports" not in compose["services"]["ledger"]  # reached by the other service alone


def test_what_the_image_copies_is_there() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists() and f"!{name}" in ignored


def test_wheel_and_sdist_install_in_a_fresh_environment(tmp_path: Path) -> None:
    """The sdist is built from the tree, the wheel from the sdist; it runs without the tree."""
    builder = tmp_path / "builder" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "builder"], check=True)
    fetched = [builder, "-m", "pip", "install", "-q", "hatchling>=1.25,<2"]
    subprocess.run(fetched, capture_output=True, check=True)
    build = "import hatchling.build as backend, sys; print(getattr(backend, sys.argv[1])(sys.argv[2]))"

    def built(what: str, source: Path) -> str:
        command = [builder, "-c", build, what, tmp_path]
        return subprocess.run(command, cwd=source, capture_output=True, text=True, check=True).stdout.strip()

    sdist = built("build_sdist", ROOT)
    subprocess.run(["tar", "-xzf", tmp_path / sdist, "-C", tmp_path], check=True)
    wheel = built("build_wheel", tmp_path / sdist.removesuffix(".tar.gz"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "fresh"], check=True)
    python = tmp_path / "fresh" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, tmp_path / wheel], check=True, capture_output=True)
    (library,) = (tmp_path / "fresh" / "lib").glob("python*/site-packages")
    # The dependencies are those of this environment; it stands behind, so that the package is the installed one.
    (library / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    settings = {**os.environ, "PLANTWIN_STATE": str(tmp_path / "state"), "PYTHONPATH": ""}
    where = "import plantwin, pathlib; print(pathlib.Path(plantwin.__file__).parents[1])"
    found = subprocess.run(
        [python, "-c", where], cwd=tmp_path, env=settings, capture_output=True, text=True, check=True
    )
    assert Path(found.stdout.strip()) == library
    program = tmp_path / "fresh" / "bin" / "plantwin"
    done = subprocess.run(
        [program, "do", "secret_scan", ROOT / "examples" / "shop", "--json"],
        cwd=tmp_path, env=settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and '"secret_scan"' in done.stdout, done.stderr
