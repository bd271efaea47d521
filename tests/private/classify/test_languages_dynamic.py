"""Outlines of Ruby, PHP, shell and the languages that are read by generic rules."""

from __future__ import annotations

import pytest

from plantwin.private.classify.languages import outline_code
from plantwin.private.facts import Outline


def references(outline: Outline) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in outline.references]


@pytest.mark.parametrize(
    ("path", "source", "expected", "names"),
    [
        (
            "x.lua",
            b'-- require "fake"\nlocal u = require "lib.util"\n'
            b"function M.run(x)\n  print(x)\nend\nlocal function helper() end\n",
            [("path", "lib/util.lua", "imports")],
            {"M.run", "helper"},
        ),
        (
            "x.R",
            b'# library(fake)\nlibrary(dplyr)\nsource("R/helpers.R")\n'
            b'fit_model <- function(x) {\n  df <- read.csv("data/in.csv")\n}\n',
            [("path", "R/helpers.R", "imports"), ("path", "data/in.csv", "reads")],
            {"fit_model"},
        ),
        (
            "auth.ex",
            b"defmodule Shop.Auth do\n  alias Shop.Repo\n  def login(x), do: Repo.get(x)\n"
            b"  defp priv(y) do\n  end\nend\n",
            [],
            {"Shop.Auth", "login", "priv"},
        ),
        (
            "a.swift",
            b"import Foundation\nclass A: UIViewController {\n  func load() { print(1) }\n}\n"
            b"protocol P {}\nenum E { case a }\n",
            [],
            {"A", "load", "P", "E"},
        ),
        (
            "a.ps1",
            b"# . ./fake.ps1\n. ./lib.ps1\nImport-Module Az\nfunction Get-Thing { Write-Host $env:X }\n",
            [("path", "./lib.ps1", "imports")],
            {"Get-Thing"},
        ),
        (
            "a.pl",
            b'use DBI;\nuse Shop::Auth;\nsub login {\n  my $x = DBI->connect("a");\n}\n',
            [],
            {"login"},
        ),
        (
            "a.dart",
            b"import 'package:flutter/material.dart';\nimport '../models/user.dart';\n"
            b"class Home extends StatelessWidget {\n}\nvoid main() => runApp(Home());\n",
            [("path", "../models/user.dart", "imports")],
            {"Home", "main"},
        ),
        ("a.clj", b"; (defn fake [])\n(defn run [x] x)\n", [], {"run"}),
        ("a.jl", b"using DataFrames\nfunction fit(x)\nend\nstruct Point\nend\n", [], {"fit", "Point"}),
        ("a.groovy", b"import groovy.json.JsonSlurper\nclass Build {\n  def run() {\n  }\n}\n", [], {"Build", "run"}),
    ],
)
def test_generic(path: str, source: bytes, expected: list[tuple[str, str, str]], names: set[str]) -> None:
    outline = outline_code("generic", source, path)
    assert outline.format == "generic"
    assert references(outline) == expected
    assert set(outline.names) == names


def test_generic_features() -> None:
    assert outline_code("generic", b"Write-Host 1\n", "a.ps1").features["print_call"] == 1
    assert outline_code("generic", b"use DBI;\nDBI->connect(1);\n", "a.pl").features["db_call"] == 2
    swift = b"final class T: XCTestCase {\n  func testLogin() {\n    XCTAssertEqual(1, 1)\n  }\n}\n"
    assert outline_code("generic", swift, "a.swift").features["test_function"] >= 1
