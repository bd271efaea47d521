"""Outlines of Ruby, PHP, shell and the languages that are read by generic rules."""

from __future__ import annotations

import pytest

from plantwin.private.extract.languages import outline_code
from plantwin.private.facts import Outline


def references(outline: Outline) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in outline.references]


def test_ruby() -> None:
    source = b"""# require 'fake'
require 'sinatra'
require_relative "../lib/auth"
require "bcrypt"
=begin
require 'fake2'
=end
module Shop
  class User < ApplicationRecord
    has_secure_password
    has_many :orders, dependent: :destroy
    validates :email, presence: true
    MAX = 3
    def self.login(a)
      BCrypt::Password.create(a)
      puts "token #{token}"
    rescue => e
      Rails.logger.error("require 'fake3'")
    end
    def admin?; true; end
  end
end
get '/users' do
  x = <<~SQL
    SELECT * FROM people
  SQL
  y = <<~TEXT
    require 'fake4'
  TEXT
end
RSpec.describe User do
  it "works" do
    expect(1).to eq(1)
  end
end
"""
    outline = outline_code("ruby", source, "app/models/user.rb")
    assert outline.parsed
    assert references(outline) == [
        ("ruby", "sinatra", "imports"),
        ("ruby_relative", "../lib/auth", "imports"),
        ("ruby", "bcrypt", "imports"),
        ("table", "people", "reads"),
    ]
    assert [tuple(each) for each in outline.provides] == [("ruby", "Shop"), ("ruby", "User")]
    assert set(outline.names) == {"login", "admin?", "Shop", "User", "MAX"}
    features = outline.features
    assert features["orm_model"] == 3
    assert features["auth_call"] == 2
    assert features["route"] == 1
    assert features["sensitive_log"] == 1
    assert features["error_handler"] == 1
    assert features["assertion"] == 1


def test_rails_migration() -> None:
    source = (
        b"class AddUsers < ActiveRecord::Migration[7.0]\n  def change\n    create_table :users do |t|\n    end\n"
        b"    add_index :users, :email\n  end\nend\n"
    )
    assert outline_code("ruby", source, "db/migrate/1_add.rb").features["migration_op"] >= 3


def test_php() -> None:
    source = rb"""<?php
namespace App\Http\Controllers;
use App\Models\User;
use Illuminate\Support\Facades\{Auth, Hash as H};
// use Fake\Thing;
require_once __DIR__ . '/../lib/helpers.php';
include "config.php";
#[Route("/x")]
class LoginController extends Controller implements Shape {
    const MAX = 3;
    public function login(Request $r) {
        if (Auth::attempt($x)) { error_log("x"); }
        $h = md5($p);
        $rows = $db->query("SELECT * FROM members");
        $s = "use Fake\Str;";
        try {} catch (\Exception $e) {}
        return view('auth.login');
    }
}
interface Shape {}
function helper() {}
Route::get('/x', [LoginController::class, 'login']);
"""
    outline = outline_code("php", source, "app/Http/Controllers/LoginController.php")
    assert outline.parsed
    assert references(outline) == [
        ("php", r"App\Models\User", "imports"),
        ("php", r"Illuminate\Support\Facades\Auth", "imports"),
        ("php", r"Illuminate\Support\Facades\Hash", "imports"),
        ("table", "members", "reads"),
        ("path", "auth/login.blade.php", "renders"),
        ("php_path", "../lib/helpers.php", "imports"),
        ("php_path", "config.php", "imports"),
    ]
    assert [tuple(each) for each in outline.provides] == [("php", r"App\Http\Controllers")]
    assert set(outline.names) == {"login", "helper", "LoginController", "MAX", "Shape"}
    assert outline.features["auth_call"] == 3
    assert outline.features["weak_crypto"] == 1
    assert outline.features["error_handler"] == 1


def test_php_page() -> None:
    source = b'<html><body><?php echo $x; ?><form><input type="password"></form></body></html>\n'
    features = outline_code("php", source, "login.php").features
    assert features["form"] == 1
    assert features["password_input"] == 1


def test_shell() -> None:
    source = b"""#!/usr/bin/env bash
# source ./fake.sh
set -euo pipefail
source "$(dirname "$0")/lib/common.sh"
. ./env.sh
export DB_HOST="${DB_HOST:-localhost}"
usage() { echo "usage: source fake2.sh"; }
function deploy {
  curl -k https://example.com/x | bash
  python3 tools/migrate.py --all && ./scripts/run.sh
  rm -rf /tmp/x
}
while getopts "a:b" o; do case $o in a) ;; esac; done
cat <<EOF
source heredoc.sh
./heredoc_run.sh
EOF
psql -c "SELECT 1"
main "$@"
"""
    outline = outline_code("shell", source, "scripts/deploy.sh")
    assert outline.parsed
    assert references(outline) == [
        ("shell", "lib/common.sh", "imports"),
        ("shell", "./env.sh", "imports"),
        ("shell", "tools/migrate.py", "runs"),
        ("shell", "./scripts/run.sh", "runs"),
    ]
    assert set(outline.names) == {"usage", "deploy", "DB_HOST"}
    assert {"curl", "psql", "python3"} <= set(outline.calls)
    features = outline.features
    assert features["destructive"] == 1
    assert features["insecure_call"] == 1
    assert features["cli_args"] == 1
    assert features["main_guard"] == 1
    assert features["http_call"] == 1


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


def test_unknown_format_is_generic() -> None:
    outline = outline_code("fortran", b"function area(x)\nend\n", "a.f90")
    assert outline.format == "generic"
    assert outline.names == ["area"]
