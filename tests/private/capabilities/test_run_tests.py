"""Running tests: in the real sandbox, on a copy, with failures followed to modules."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import shutil
import socket
import sysconfig
import textwrap
import time
import venv
from pathlib import Path
from typing import Any

import pytest

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.run_tests import process, workspace
from plantwin.private.capabilities.run_tests.python import read_results
from plantwin.private.capabilities.run_tests.results import obstacle
from plantwin.private.capabilities.run_tests.selection import is_test
from plantwin.private.environment import Environment
from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.execution.protocol import Limits
from plantwin.private.execution.sandbox import interpreters
from plantwin.private.surroundings import Neighbourhood
from tables import cases, value_of

NODE = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")

MODULE = value_of(__file__, "module")
TESTS = value_of(__file__, "tests")


def put(root: Path, **files: str) -> Path:
    """Write files, `__` for a slash and `_dot_` for a dot."""
    for name, text in files.items():
        path = root / name.replace("_dot_", ".").replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
    return root


def ran(root: Path, *names: str, seconds: float = 60.0, memory: int = 2048) -> Result:
    """Run the capability on objects of a folder, as a session would."""
    state = root.parent / f"{root.name}-state"
    environment = Environment(root, state=state)
    try:
        scan = environment.scan(jobs=1)
        records = {each.path: each for each in scan.records()}
        objects = {f"o{number}": records[name] for number, name in enumerate(names)}
        worker = SandboxExecutor(
            Launcher(root, Limits(seconds=seconds, memory=memory << 20)),
            objects,
            scanned_ns=time.time_ns() + 10**9,
            view=FolderView(Neighbourhood(scan, objects).around),
        )
        executed = worker.execute("s1", catalog()["run_tests"], list(objects))
        assert executed.failure is None, worker.errors
        assert sanitize(executed.raw, catalog()["run_tests"]).dropped == ()
        return worker.results["s1"]
    finally:
        environment.close()


def outcomes(result: Result) -> dict[str, str]:
    """Outcome by the name of the test."""
    cases: Any = result.facts["cases"]
    return {each["id"].rpartition("::")[2]: each["outcome"] for each in cases}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result, dict[str, bytes]]:
    """A folder with passing and failing tests, and what came of them."""
    root = put(
        tmp_path_factory.mktemp("trial") / "folder",
        shop__prices_dot_py=MODULE,
        tests__test_prices_dot_py=TESTS,
        pytest_dot_ini="[pytest]\naddopts = --no-such-option\n",
    )
    (root / "shop" / "__init__.py").write_text("")
    before = {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return root, ran(root, "shop/prices.py"), before


def test_tests_of_a_module_are_found_and_run(project: tuple[Path, Result, dict[str, bytes]]) -> None:
    _, result, _ = project
    assert outcomes(result) == {
        "test_price": "passed",
        "test_discount": "failed",
        "test_wrong": "failed",
        "test_later": "skipped",
        "test_writes_where_it_stands[written.txt]": "passed",
        "test_writes_where_it_stands[shop/prices.py]": "passed",
        "test_programs_can_be_started": "passed",
        "test_there_is_no_network": "passed",
        "test_the_original_cannot_be_written": "passed",
    }
    assert result.outcome == {"status": "done", "severity": "high", "count": "few", "tags": ["tests_fail"]}


def test_failures_lead_to_modules(project: tuple[Path, Result, dict[str, bytes]]) -> None:
    _, result, _ = project
    assert result.facts["modules"] == {
        "shop/prices.py": ["tests/test_prices.py::test_discount"],
        "tests/test_prices.py": ["tests/test_prices.py::test_wrong"],
    }
    found = {each.message: (each.name, each.line, each.hint, each.evidence) for each in result.findings}
    assert found["test_discount fails"] == (
        "tests/test_prices.py", 16, "It went wrong in shop/prices.py:5.", "ZeroDivisionError: division by zero",
    )  # fmt: skip
    assert "| `shop/prices.py` | 1 |" in result.text


def test_secrets_in_messages_are_hidden(project: tuple[Path, Result, dict[str, bytes]]) -> None:
    _, result, _ = project
    assert "Zq3Xv7Lw9Tn2" not in result.text + "".join(each.evidence for each in result.findings)


def test_the_folder_is_not_written(project: tuple[Path, Result, dict[str, bytes]]) -> None:
    root, _, before = project
    assert {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    root = put(tmp_path / "folder", test_a_dot_py="import no_such_package\n\ndef test_a():\n    pass\n")
    result = ran(root, "test_a.py")
    assert result.outcome == {"status": "failed", "severity": "none", "count": "none", "tags": ["tool_missing"]}
    assert result.facts["needs"] == ["the package no_such_package"]
    assert "1 test needs the package no\\_such\\_package" in result.text


def test_a_module_that_cannot_be_imported_keeps_no_other_from_running(tmp_path: Path) -> None:
    root = put(
        tmp_path / "folder",
        test_a_dot_py="import no_such_package\n",
        test_b_dot_py="def test_fine():\n    pass\n\ndef test_bad():\n    assert False\n",
    )
    result = ran(root, "test_a.py", "test_b.py")
    assert result.facts["counts"] == {"passed": 1, "failed": 1}
    assert result.facts["needs"] == ["the package no_such_package"]


def test_servers_are_reached_inside_and_nothing_outside(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        text = f"""
            import socket

            def test_inside():
                with socket.create_server(("localhost", 0)) as server, socket.create_connection(server.getsockname(), 5) as client:
                    client.sendall(b"x")
                    assert server.accept()[0].recv(1) == b"x"

            def test_outside():
                try:
                    socket.create_connection(("127.0.0.1", {outside.getsockname()[1]}), 2)
                except ConnectionRefusedError:
                    return
                raise AssertionError("reached a server of the machine")
        """
        result = ran(put(tmp_path / "folder", test_net_dot_py=text), "test_net.py")
        assert outcomes(result) == {"test_inside": "passed", "test_outside": "passed"}
        outside.setblocking(False)
        with pytest.raises(BlockingIOError):
            outside.accept()


@pytest.mark.parametrize("has_coverage", [True, False])
def test_an_environment_made_from_another_python_is_used_and_coverage_measured(
    tmp_path: Path, has_coverage: bool
) -> None:
    root = put(
        tmp_path / "folder",
        backend__pyproject_dot_toml="[project]\nname = 'x'\nversion = '1'\n",
        backend__app_dot_py="def f(x):\n    if x:\n        return 1\n    return 2\n",
        backend__tests__test_app_dot_py="import sys\n\nfrom app import f\n\ndef test_f():\n    assert f(1) and sys.prefix != sys.base_prefix\n",
    )
    venv.create(root / "backend/.venv", symlinks=True)
    packages = next((root / "backend/.venv/lib").glob("python3*/site-packages"))
    installed = sysconfig.get_path("purelib")
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", *["coverage"] * has_coverage):
        shutil.copytree(f"{installed}/{name}", packages / name)
    shutil.copy(f"{installed}/py.py", packages)
    result = ran(root, "backend/tests/test_app.py")
    assert outcomes(result) == {"test_f": "passed"}
    assert result.facts["coverage"]["backend/app.py"] == [3, 4]  # type: ignore[index]
    assert "Coverage: 75% of 4 statements in 1 files" in result.text


def test_a_runner_may_keep_its_cache_beside_the_packages(tmp_path: Path) -> None:
    root = put(tmp_path / "folder", node_modules__a__index_dot_js="1\n")
    copied = workspace.copy(str(root), str(tmp_path / "copy"))
    (tmp_path / "copy/node_modules/.vite").mkdir()
    assert (tmp_path / "copy/node_modules/a/index.js").read_text() == "1\n"
    assert (copied.linked, list((root / "node_modules").iterdir())) == (1, [root / "node_modules/a"])


def test_a_test_that_replaces_the_clock_has_its_own_seconds(tmp_path: Path) -> None:
    text = """\
        import time
        import pytest

        @pytest.fixture(autouse=True)
        def frozen(monkeypatch):
            monkeypatch.setattr(time, "time", lambda: 9e12)
            # As freezegun does, which looks for the clocks that other modules hold.
            for clock in ("_pytest.timing.perf_counter", "_pytest.timing.time"):
                monkeypatch.setattr(clock, lambda: 9e12)

        def test_first():
            assert time.time() == 9e12

        def test_second():
            assert time.time() == 9e12
        """
    result = ran(put(tmp_path / "folder", test_clock_dot_py=text), "test_clock.py")
    assert outcomes(result) == {"test_first": "passed", "test_second": "passed"}
    assert all(case["seconds"] < 60 for case in result.facts["cases"])  # type: ignore[index, union-attr]


@cases("text", "needs")
def test_what_lies_with_the_machine_is_no_failure(text: str, needs: str) -> None:
    assert obstacle(text) == needs


def test_only_a_python_installation_is_shown_for_a_link_of_the_folder(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "folder"
    for name in ("private/bin", "good/bin", "good/lib/python3.12"):
        (outside / name).mkdir(parents=True)
    for name in ("private/bin/python3", "good/bin/python3.12", "good/lib/python3.12/os.py"):
        (outside / name).write_text("")
    for name, target in (("a/.venv", "private/bin/python3"), ("b/venv", "good/bin/python3.12")):
        (root / name / "bin").mkdir(parents=True)
        (root / name / "pyvenv.cfg").write_text("")
        (root / name / "bin/python").symlink_to(outside / target)
    assert interpreters(root) == [str(outside / "good/bin"), str(outside / "good/lib")]


def test_an_installation_around_the_folder_does_not_show_what_is_hidden_of_it(tmp_path: Path) -> None:
    prefix = tmp_path / "opt"
    root = prefix / "lib/project"
    for name in ("bin/python3.12", "lib/python3.12/os.py", "lib/project/.venv/pyvenv.cfg"):
        (prefix / name).parent.mkdir(parents=True, exist_ok=True)
        (prefix / name).write_text("")
    (root / ".venv/bin").mkdir()
    (root / ".venv/bin/python").symlink_to(prefix / "bin/python3.12")
    assert interpreters(root) == []


def test_a_module_without_tests_has_none(tmp_path: Path) -> None:
    root = put(tmp_path / "folder", lonely_dot_py="def f():\n    return 1\n")
    assert ran(root, "lonely.py").outcome == {"status": "done", "count": "none", "tags": ["no_tests"]}


@pytest.mark.parametrize(
    ("other", "passed"),
    [
        ({}, {"test_a", "test_c"}),
        ({"pytest_dot_py": "raise ImportError('none here')\n"}, {"test_x.T.test_a", "test_x.T.test_c"}),
    ],
)
def test_one_that_hangs_is_named_and_the_others_run(tmp_path: Path, other: dict[str, str], passed: set[str]) -> None:
    text = """
        import time, unittest
        class T(unittest.TestCase):
            def setUp(self):
                time.sleep(0.2)
            def test_a(self):
                pass
            def test_b(self):
                while True:
                    try:
                        time.sleep(1)
                    except Exception:
                        pass
            def test_c(self):
                pass
    """
    root = put(tmp_path / "folder", test_x_dot_py=text, **other)
    started = time.monotonic()
    result = ran(root, "test_x.py", seconds=16)
    assert time.monotonic() - started < 16
    assert outcomes(result) == dict.fromkeys(passed, "passed")
    assert result.outcome["status"] == "partial"
    assert result.outcome["tags"] == ["truncated", "tests_pass"]
    assert [("test_b had not ended" in found.message, found.name) for found in result.findings] == [(True, "test_x.py")]
    assert "2 of 3 tests ended" in result.text
    cases: Any = result.facts["cases"]
    assert all(case["seconds"] >= 0.2 for case in cases), "what a test's fixtures take is part of it"


def test_what_cannot_be_interrupted_is_ended_with_the_run_and_named(tmp_path: Path) -> None:
    text = """
        import signal

        def test_a():
            pass

        def test_b():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            while True:
                pass
    """
    root = put(tmp_path / "folder", test_x_dot_py=text)
    result = ran(root, "test_x.py", seconds=14)
    assert outcomes(result) == {"test_a": "passed"}
    assert result.outcome["tags"] == ["truncated", "tests_pass"]
    assert [found.message for found in result.findings] == [
        "test_b had not ended, when the time was up: it hangs, or is slow"
    ]
    assert "the time was up: 1 of 2 tests ended" in result.text


def test_tests_of_unittest_run_without_pytest(tmp_path: Path) -> None:
    text = """
        import unittest

        class T(unittest.TestCase):
            def test_a(self):
                self.assertEqual(1, 1)
            def test_b(self):
                self.assertEqual(1, 2)
            @unittest.skip("later")
            def test_c(self):
                pass
    """
    root = put(tmp_path / "folder", tests__test_u_dot_py=text, pytest_dot_py="raise ImportError('none here')\n")
    result = ran(root, "tests/test_u.py")
    assert result.facts["tool"] == ["unittest"]
    assert outcomes(result) == {
        "tests.test_u.T.test_a": "passed",
        "tests.test_u.T.test_b": "failed",
        "tests.test_u.T.test_c": "skipped",
    }


def test_tests_for_node_run(tmp_path: Path) -> None:
    text = """
        const test = require('node:test');
        const assert = require('node:assert');
        const { double } = require('../double');
        test('doubles', () => assert.strictEqual(double(2), 4));
        test('fails', () => assert.strictEqual(double(2), 5));
        test('later', { skip: true }, () => {});
    """
    root = put(
        tmp_path / "folder",
        package_dot_json="{}",
        double_dot_js="exports.double = (a) => a * 2;\n",
        test__double_dot_test_dot_js=text,
    )
    result = ran(root, "test/double.test.js")
    if NODE is None:
        assert result.facts["needs"] == ["node"]
        return
    assert outcomes(result) == {"doubles": "passed", "fails": "failed", "later": "skipped"}
    assert result.facts["tool"] == ["node --test"]


def test_what_has_no_runner_here_says_what_it_needs(tmp_path: Path) -> None:
    root = put(
        tmp_path / "folder",
        package_dot_json='{"devDependencies": {"jest": "^29"}}',
        a_dot_test_dot_js="test('a', () => {});\n",
        ATest_dot_java="class ATest { }\n",
    )
    result = ran(root, "a.test.js", "ATest.java")
    assert result.outcome["status"] == "failed"
    assert {each.message for each in result.findings} == {
        "Not runnable here: needs jest in node_modules",
        "Not runnable here: needs a build tool for Java",
    }


def test_without_a_sandbox_nothing_runs(tmp_path: Path) -> None:
    root = put(tmp_path / "folder", test_a_dot_py="def test_a():\n    open('x', 'w')\n")
    job = Job(capability="run_tests", inputs=(Input(name="test_a.py", data=b""),), folder=str(root))
    result = function("run_tests")(job)
    assert result.outcome == {"status": "failed", "tags": ["tool_missing"]}
    assert "needs the sandbox" in result.text
    assert not (root / "x").exists()
    assert function("run_tests")(Job(capability="run_tests", inputs=())).outcome["status"] == "failed"


def test_a_copy_leaves_out_what_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = put(
        tmp_path / "folder",
        a_dot_py="x = 1\n",
        node_modules__m__i_dot_js="1\n",
        _dot_git__config="x\n",
        b__c_dot_txt="12345678\n",
    )
    (root / "inside").symlink_to("a.py")
    (root / "outside").symlink_to("/etc/passwd")
    monkeypatch.setattr(workspace, "LARGE", 8)
    made = workspace.copy(str(root), str(tmp_path / "copy"))
    copy = tmp_path / "copy"
    assert made == workspace.Copied(1, 2, 0)
    assert sorted(each.name for each in copy.iterdir()) == ["a.py", "b", "inside", "node_modules"]
    assert (copy / "b" / "c.txt").is_symlink() and (copy / "node_modules/m").is_symlink()
    assert not (copy / "a.py").is_symlink()


def test_lines_that_are_no_results_are_passed_over(tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    results.write_text(
        'nonsense\n[1]\n{"collected": 3}\n{"id": "a", "outcome": "odd"}\n{"id": "b", "outcome": "passed", "frames": [[1]]}\n'
    )
    cases, collected = read_results(str(results), "/copy")
    assert ([each.id for each in cases], collected) == (["b"], 3)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    assert process.run(["/no/such"], str(tmp_path), process.Clock(60), {}, str(tmp_path / "log")).code == 127


@cases("name", "expected")
def test_what_is_named_as_tests_are(name: str, expected: bool) -> None:
    assert is_test(name) is expected
