"""What a source file is for and defines, in languages that are read by lines; what a document says."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest

from plantwin.private.formats.definitions import outline
from plantwin.private.formats.documents import passages, statements, telling

GO = "package main\n\n{0}\nfunc Run() {{}}\n"


@pytest.mark.parametrize(
    ("format", "code", "expected"),
    [
        ("go", "// Package main serves the public pages.\npackage main\n\nfunc Run() {}\n", "Package main serves the public pages."),
        ("go", GO.format("const (\n\t// most is the maximum allowed length of a field.\n\tmost = 2000\n)\n"), ""),
        ("go", GO.format("// most is the maximum allowed length of a field.\nconst most = 2000\n"), ""),
        ("rust", "use clap::Parser;\n\n#[derive(Debug, Parser)]\n#[command(version, about, styles = STYLES)]\nstruct Options;\n", ""),
        ("rust", "//! Reads the files of a folder.\n\nfn main() {}\n", "Reads the files of a folder."),
    ],
)  # fmt: skip
def test_the_comment_that_speaks_of_the_file(format: str, code: str, expected: str) -> None:
    assert outline(format, code).doc == expected


@pytest.mark.parametrize(
    ("format", "code", "expected"),
    [
        (
            "csharp",
            "public class Api\n{\n    public static async Task<Ok<Page<Item>>> All(\n        [Named] Request request)\n    {\n"
            "        Call(request);\n    }\n    public int Count() => items.Count;\n    private Dictionary<string, int> Seen(int most)\n    {\n    }\n}\n",
            ["Api", "Api.All", "Api.Count", "Api.Seen"],
        ),
        ("rust", "fn main() {\n    if let Some(error) = cause() {\n    }\n    while let Ok(line) = read() {\n    }\n}\n", ["main"]),
    ],
)  # fmt: skip
def test_definitions(format: str, code: str, expected: list[str]) -> None:
    assert [definition.name for definition in outline(format, code).definitions] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You can install the program from the repository:\n\n    apt install it\n", []),
        ("Read [the page on degraded arrays]({{< ref \"./degraded.md\" >}}) before you begin.\n", ["Read the page on degraded arrays before you begin."]),
    ],
)  # fmt: skip
def test_sentences_of_a_document(text: str, expected: list[str]) -> None:
    assert telling(statements(passages("markdown", f"# Title\n\n{text}"))) == expected
