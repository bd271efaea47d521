"""Rows for the dependencies family: what the project is built from."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(("dependency_manifest", "lock_file"), "config")

ROWS = (
    Row("dependency_manifest", "feature", "dependency", 6.0, "no=locked"),
    Row("dependency_manifest", "format", "requirements gemfile gomod", 5.0, "no=locked"),
    Row("dependency_manifest", "file", "package.json pyproject.toml cargo.toml go.mod gemfile composer.json pipfile",
        5.0),
    Row("dependency_manifest", "file",
        "environment.yml environment.yaml pubspec.yaml mix.exs package.swift podfile bower.json",
        5.0),
    Row("dependency_manifest", "file",
        "packages.config requirements.yml conda.yaml libs.versions.toml deps.edn project.toml",
        5.0),
    Row("dependency_manifest", "format", "recipe", 4.0, "no=build_step"),
    Row("dependency_manifest", "file", "conanfile.txt cpanfile cartfile vcpkg.json *.cabal *.opam dub.json"
        " elm.json", 5.0),
    Row("dependency_manifest", "file", "shell.nix default.nix flake.nix", 4.0),
    Row("dependency_manifest", "path", "requirement dependency package", 1.0),
    Row("lock_file", "feature", "locked", 8.0),
    Row("lock_file", "format", "lock", 7.0),
    Row("lock_file", "file", "package-lock.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock cargo.lock gemfile.lock",
        6.0),
    Row("lock_file", "file", "composer.lock pipfile.lock go.sum mix.lock flake.lock pubspec.lock podfile.lock bun.lock",
        6.0),
    Row("lock_file", "file",
        "packages.lock.json npm-shrinkwrap.json pdm.lock .terraform.lock.hcl chart.lock go.work.sum",
        6.0),
    Row("lock_file", "path", "lock frozen", 1.5),
)
