"""What nobody has looked at is hidden from code of the folder, caches of what is hidden too."""

from __future__ import annotations

import py_compile
from pathlib import Path

from plantwin.private.observe.walk import unobserved


def test_compiled_and_cached_copies_of_a_hidden_file_are_hidden(tmp_path):
    for path in ("app/keys.py", ".terraform/terraform.tfstate", ".idea/dataSources.xml", ".mypy_cache/keys.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text('KEY = "tr0ub4dor-and-3-staples-x"\n')
    compiled = py_compile.compile(str(tmp_path / "app/keys.py"))
    assert compiled
    # Control: it holds what its source holds.
    assert b"tr0ub4dor-and-3-staples-x" in Path(compiled).read_bytes()
    hidden = unobserved(tmp_path, {"app/keys.py"})
    assert hidden == {"app/__pycache__", ".terraform", ".idea", ".mypy_cache"}


def test_installed_packages_and_links_stay_and_what_is_observed_in_a_cache_too(tmp_path):
    for path in ("venv/lib/package.py", "node_modules/x/index.js", ".idea/kept.xml", ".idea/other.xml", "notes.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "link").symlink_to("notes.txt")
    assert unobserved(tmp_path, {".idea/kept.xml"}) == {".idea/other.xml", "notes.txt"}
