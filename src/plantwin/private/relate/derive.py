"""derived_from: lock files, generated code, filled templates, exports: told by names that belong together."""

from __future__ import annotations

from plantwin.private.relate.bonds import Bonds, readable
from plantwin.private.relate.places import below, enclosing
from plantwin.private.relate.tables import Tables, positions

LOCKS: dict[str, tuple[str, ...]] = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "yarn.lock": ("package.json",),
    "pnpm-lock.yaml": ("package.json",),
    "bun.lock": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc"),
    "poetry.lock": ("pyproject.toml",),
    "uv.lock": ("pyproject.toml",),
    "pdm.lock": ("pyproject.toml",),
    "pylock.toml": ("pyproject.toml",),
    "Pipfile.lock": ("Pipfile",),
    "conda-lock.yml": ("environment.yml", "environment.yaml"),
    "requirements.txt": ("requirements.in",),
    "requirements.lock": ("requirements.txt", "pyproject.toml"),
    "requirements-lock.txt": ("requirements.txt", "pyproject.toml"),
    "Cargo.lock": ("Cargo.toml",),
    "go.sum": ("go.mod",),
    "Gemfile.lock": ("Gemfile",),
    "composer.lock": ("composer.json",),
    "mix.lock": ("mix.exs",),
    "pubspec.lock": ("pubspec.yaml",),
    "Podfile.lock": ("Podfile",),
    "Package.resolved": ("Package.swift",),
    "flake.lock": ("flake.nix",),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "Chart.lock": ("Chart.yaml",),
    ".terraform.lock.hcl": ("versions.tf", "main.tf", "providers.tf"),
    "dvc.lock": ("dvc.yaml",),
}
"""Lock file to the manifests that it resolves, the likeliest first."""

_GENERATED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("_pb2_grpc.py", (".proto",), "generated"),
    ("_pb2.pyi", (".proto",), "generated"),
    ("_pb2.py", (".proto",), "generated"),
    ("_grpc.pb.go", (".proto",), "generated"),
    (".pb.gw.go", (".proto",), "generated"),
    (".pb.go", (".proto",), "generated"),
    (".pb.cc", (".proto",), "generated"),
    (".pb.h", (".proto",), "generated"),
    ("_pb.d.ts", (".proto",), "generated"),
    ("_pb.js", (".proto",), "generated"),
    ("_pb.ts", (".proto",), "generated"),
    ("_pb.rb", (".proto",), "generated"),
    (".Designer.cs", (".cs", ".resx"), "generated"),
    (".g.dart", (".dart",), "generated"),
    (".min.js", (".js", ".ts", ".src.js"), "generated"),
    (".min.css", (".css", ".scss", ".less"), "generated"),
    (".bundle.js", (".js", ".ts"), "generated"),
    (".js.map", (".js", ".ts"), "generated"),
    (".css.map", (".css", ".scss"), "generated"),
    (".d.ts", (".ts", ".tsx", ".js"), "generated"),
    (".js", (".ts", ".tsx", ".coffee"), "compiled"),
    (".css", (".scss", ".less", ".sass", ".styl"), "compiled"),
    (".py", (".ipynb",), "exported"),
    (".html", (".ipynb", ".Rmd", ".qmd"), "exported"),
    (".md", (".ipynb", ".Rmd", ".qmd"), "exported"),
    (".pdf", (".ipynb", ".tex", ".Rmd", ".docx", ".md"), "exported"),
    (".csv", (".xlsx", ".parquet"), "exported"),
    (".c", (".pyx",), "generated"),
)
"""End of a name, ends of what it is made from, reason. Longer ends come before the shorter they end in."""
_ROWS: dict[str, list[tuple[str, tuple[str, ...], str]]] = {}
for _row in _GENERATED:
    _ROWS.setdefault(_row[0].rpartition(".")[2].lower(), []).append(_row)

_EXAMPLES = (".example", ".sample", ".template", ".dist", ".tmpl", "-example", "-sample", ".tpl", "_example")
_TEMPLATES = (".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".erb", ".in", ".mustache", ".hbs", ".gotmpl")
_EXAMPLE_WORDS = frozenset({"example", "sample", "template", "dist"})


def derive(tables: Tables, bonds: Bonds) -> None:
    """Add every derived_from relation."""
    for position, name in enumerate(tables.names):
        manifests = LOCKS.get(name)
        if manifests is not None:
            _lock(tables, bonds, position, manifests)
        rows = _ROWS.get(tables.extensions[position])
        if rows is not None:
            _made(tables, bonds, position, rows)
        _filled(tables, bonds, position, name)


def _lock(tables: Tables, bonds: Bonds, position: int, manifests: tuple[str, ...]) -> None:
    folder = tables.folders[position]
    for manifest in manifests:
        hit = tables.at.get(below(folder, manifest))
        if hit is not None:
            bonds.add(position, "locked", hit, f"lock of {manifest}")
            return


def _made(tables: Tables, bonds: Bonds, position: int, rows: list[tuple[str, tuple[str, ...], str]]) -> None:
    folder, name = tables.folders[position], tables.names[position]
    for end, sources, reason in rows:
        if not name.endswith(end) or len(name) == len(end):
            continue
        stem = name[: -len(end)]
        for source in sources:
            hit = tables.at.get(below(folder, stem + source))
            if hit is None and source == ".proto":
                # Stubs often live apart from their contract.
                found = positions(tables.named.get(stem + source))
                hit = tables.nearest(found, position) if found else None
            if hit is not None and hit != position:
                bonds.add(position, reason, hit, f"{reason} from {readable(tables.names[hit])}")
                return
        return


def _filled(tables: Tables, bonds: Bonds, position: int, name: str) -> None:
    """The template knows its output: both stand in one folder and differ in one marker."""
    if tables.extensions[position] in _MARKERS or "ample" in name or "templat" in name or ".dist." in name:
        output, reason = _output(name)
        hit = tables.at.get(below(tables.folders[position], output)) if output else None
        if hit is not None:
            bonds.add(hit, reason, position, f"{reason} of {readable(name)}")


def _output(name: str) -> tuple[str, str]:
    """What a template's name says it is filled into, and how."""
    for end in _EXAMPLES:
        if name.endswith(end) and len(name) > len(end):
            return name[: -len(end)], "instance"
    for end in _TEMPLATES:
        if name.endswith(end) and len(name) > len(end):
            return name[: -len(end)], "compiled"
    parts = name.split(".")
    kept = [part for part in parts if part not in _EXAMPLE_WORDS]
    return (".".join(kept), "instance") if kept and len(kept) < len(parts) else ("", "")


_MARKERS = frozenset(end[1:] for end in (*_EXAMPLES, *_TEMPLATES) if end[0] == ".")


def locked(tables: Tables, position: int) -> bool:
    """Whether a lock file stands beside a manifest or at the top of its workspace."""
    name = tables.names[position]
    for folder in enclosing(tables.folders[position]):
        for lock, manifests in LOCKS.items():
            if name in manifests and below(folder, lock) in tables.at:
                return True
    return False
