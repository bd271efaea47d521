from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long a machine under load takes to draw an example says nothing about what is tested.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# A shell starts what runs in its background without Ctrl-C, and whatever that starts inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def data_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Witnesses of ledgers are kept in the user's data folder: never in that of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def parsers() -> None:
    """Load the parsers once, by reading a folder of many formats: workers of scans are forks of this process."""
    from plantwin.private.pool import Shared, read_here

    shop = Path(__file__).parents[1] / "examples" / "shop"
    files = [(str(path.relative_to(shop)), 0) for path in shop.rglob("*") if path.is_file()]
    for _ in read_here(files, Shared(shop, hash)):
        pass


@pytest.fixture
def checkov() -> None:
    """Let a test use checkov."""


@pytest.fixture(autouse=True)
def seldom(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide checkov, which takes seconds to start, from tests that do not ask for it."""
    if "checkov" not in request.fixturenames:
        from plantwin.private.capabilities.adapters import installed

        find = installed.find
        monkeypatch.setattr(installed, "find", lambda name: None if name == "checkov" else find(name))
