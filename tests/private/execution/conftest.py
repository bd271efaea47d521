from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with one file in it, and a secret beside it."""
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "b.txt").write_text("hello")
    (root / "secret.txt").write_text("the-secret")
    return root


@pytest.fixture(params=["sandbox", "plain"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """With bubblewrap, and with bubblewrap hidden."""
    from plantwin.private.execution import sandbox

    sandbox.bubblewrap.cache_clear()
    if request.param == "plain":
        monkeypatch.setattr(sandbox, "PLACES", ())
        monkeypatch.setenv("PATH", "/nowhere")
    yield request.param
    sandbox.bubblewrap.cache_clear()
