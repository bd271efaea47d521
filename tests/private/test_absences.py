"""What keeps a plan from working on an object is told: tests that nothing runs, content that nobody could read."""

from __future__ import annotations

from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.private import catalogue

JAVA = "import org.junit.jupiter.api.Test;\n\nclass CartTest {\n  @Test\n  void sums() { assertEquals(2, 1 + 1); }\n}\n"
GO = 'package cart\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fatal()\n\t}\n}\n'
FILES = {
    "tests/test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    "src/test/java/shop/CartTest.java": JAVA,
    "cart/cart_test.go": GO,
    "settings.json": '{"port": 8080, "hosts": [',
    "limits.json": '{"port": 8080}',
}


@pytest.mark.parametrize("go", [True, False])
def test_what_cannot_be_worked_with_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, go: bool) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    if go:
        (programs / "go").write_text("#!/bin/sh\n")
        (programs / "go").chmod(0o755)
    monkeypatch.setattr(catalogue, "PROGRAMS", str(programs))
    catalogue._can_run.cache_clear()
    root = tmp_path / "folder"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    try:
        found = {record.path: record.lacks for record in Environment(root, keep=False).scan(jobs=1).records()}
    finally:
        catalogue._can_run.cache_clear()
    without = {path for path, lacks in found.items() if "test_runner" in lacks}
    assert without == {"src/test/java/shop/CartTest.java"} | (set() if go else {"cart/cart_test.go"})
    assert [path for path, lacks in found.items() if "readable_content" in lacks] == ["settings.json"]
