"""Find the tests of modules, and modules that no test uses, by what the scan knows of imports and names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Neighbour, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.graph import Network, starts
from plantwin.private.capabilities.measure_size import top_folder
from plantwin.private.formats.values import words
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Tests"
NEEDLESS = words(
    "database_migration stylesheet generated_artifact example_script package_entrypoint build_manifest task_runner "
    "type_declarations page_template benchmark_runner"
)
"""Classes of code that people do not test by themselves."""
UNTESTING = words("test_fixture page_template stylesheet type_declarations")
"""Classes of code that test nothing, wherever they lie."""
LANGUAGES = words(
    "python javascript jsx typescript tsx vue svelte java kotlin scala go ruby php csharp rust c cpp swift dart elixir"
)
"""What unit tests are written for: no templates, style sheets, drawings or scripts of a shell."""
_AFFIX = re.compile(r"(?:^|[._-])(?:tests?|specs?|it|e2e)(?=$|[._-])|(?<=[a-z0-9])(?:Tests?|Spec|IT|TestCase)$")
_PLACE = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__|e2e|it)(?=[/_.-])|(?:Tests?|Spec|IT|TestCase)\.\w+$")
_EVIDENCE = re.compile(
    r"(?i:(?:^|[/_.-])(?:tests?|specs?|__tests__|e2e|it)(?=[/_.-]|\d+\.))|Tests?(?=[/.]|$)|(?:^|/)Test(?=[A-Z])"
)
"""Names and places by which frameworks find tests: `Shop.Tests/`, `TestCart.java`."""
_SCRIPT = re.compile(
    r"(?:^|/)(?:tests?|e2e|specs?)/(?:[^/]+/)*(?:[\w.-]*[_.-])?(?:tests?|e2e|smoke|t\d{3,})(?:[_.-][\w.-]*)?$"
)
"""Scripts of a shell that are tests themselves: `tests/tests.sh`."""
_HELPER = re.compile(
    r"(?:^|/)(?:__init__\.py|(?:spec|test|rails)_helper\.\w+|test[-_]?setup\.\w+|setup[-_]?tests?\.\w+)$|\.html$"
)
"""What lies among tests and is none by itself."""
_ALIKE = {
    "tsx": "javascript",
    "jsx": "javascript",
    "typescript": "javascript",
    "vue": "javascript",
    "svelte": "javascript",
}
"""Languages whose modules the tests of another cover."""
DIRECT, THROUGH, NAMED = "uses it", "uses what imports it", "is named like it"


class Tested(NamedTuple):
    """A module with its tests, each with how it is known."""

    module: int
    tests: tuple[tuple[int, str], ...]


def is_test(held: Neighbour) -> bool:
    """Tell whether an object is a test: by its place or name, or by tests that stand beside the code, as in Rust."""
    if held.kind != "code_file" or held.semantic_class in UNTESTING or _HELPER.search(held.name):
        return False
    if held.semantic_class == "test_helper":
        return held.format == "shell" and _SCRIPT.search(held.name) is not None
    if held.semantic_class == "test_suite" and held.format == "rust":
        return held.role == "test"
    named = is_test_path(held.name) or _EVIDENCE.search(held.name) is not None
    return named and (held.role == "test" or (held.semantic_class == "test_suite" and is_test_path(held.name)))


def is_test_path(name: str) -> bool:
    """Tell whether a file is a test, or helps tests, by its place and name."""
    return _PLACE.search(name) is not None


def wants_tests(held: Neighbour) -> bool:
    """Tell whether one expects a test of it: code that runs, and more than a few lines of it."""
    return (
        held.kind == "code_file" and held.format in LANGUAGES
        and held.role in ("production", "legacy", "") and not is_test(held)
        and held.semantic_class not in NEEDLESS and not held.name.endswith((".d.ts", "__init__.py", ".css", ".scss"))
    )  # fmt: skip


def stem(name: str) -> str:
    """Return the name of a module without what marks a test: `test_users.py` and `users.spec.ts` test `users`."""
    base = name.rpartition("/")[2].partition(".")[0] + "".join(re.findall(r"\.(?:tests?|spec)(?=\.)", name))
    return _AFFIX.sub("", base).strip("._-").lower()


def _name(held: Neighbour) -> tuple[str, str]:
    """Return the language and the name by which a test and what it tests belong together."""
    return _ALIKE.get(held.format, held.format), stem(held.name)


class Finder:
    """Finds tests in the network of the folder."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.tests = [node for node, held in enumerate(network.objects) if is_test(held)]
        self._named: dict[tuple[str, str], list[int]] = defaultdict(list)
        for node in self.tests:
            self._named[_name(network.objects[node])].append(node)

    def tests_of(self, node: int) -> Tested:
        """Return the tests of a module: those that use it, else those of what imports it, else those named like it."""
        direct = self._users(node)
        if direct:
            return Tested(node, tuple((test, DIRECT) for test in direct))
        own = _name(self._network.objects[node])
        named = self._named.get(own, []) if len(own[1]) > 2 else []
        if named:
            return Tested(node, tuple((test, NAMED) for test in named[:8]))
        above = self._network.incoming(node, frozenset(("imports", "runs", "renders")))
        through = sorted({test for other in above for test in self._users(other)})
        return Tested(node, tuple((test, THROUGH) for test in through))

    def _users(self, node: int) -> list[int]:
        users = {arc.other for arc in self._network.used[node] if arc.reason in ("tests", "imports")}
        return sorted(other for other in users if is_test(self._network.objects[other]))


def run(job: Job) -> Result:
    """Find the tests of every module among the inputs."""
    network = Network(job.surroundings)
    begin = starts(job)
    if not begin:
        return failed(TITLE, "Nothing is known of what lies around these inputs.")
    finder = Finder(network)
    modules = [node for node in begin if wants_tests(network.objects[node])]
    given = [node for node in begin if is_test(network.objects[node])]
    rows = [finder.tests_of(node) for node in modules]
    without = [row.module for row in rows if not row.tests]
    tests = sorted({test for row in rows for test, _ in row.tests} | set(given))
    found = list(_findings(network, without))
    state = [OutcomeTag.NO_TESTS.value] if not finder.tests else []
    told = outcome(found, total=len(without), state=state)
    if not modules and not given:
        return failed(TITLE, "There is no code among these inputs that tests would be written for.")
    return Result(
        outcome={**told, "count": str(bucket(len(tests)))},
        title=TITLE,
        findings=found,
        listed=False,
        facts={
            "tool": "relations of the scan",
            "objects": [network.label(test) for test in tests],
            "affected": [network.label(node) for node in without],
            "modules": {
                network.label(row.module): [network.label(test) for test, _ in row.tests[:20]] for row in rows[:500]
            },
            "untested": [network.label(node) for node in without],
        },
        text="\n".join(_text(network, finder, rows, given)) + "\n",
    )


def _findings(network: Network, without: list[int]) -> Iterator[Finding]:
    for node in without[:500]:
        held = network.objects[node]
        yield finding(
            network.label(node), 0, Severity.LOW, OutcomeTag.UNTESTED,
            f"No test imports it, is named like it or uses what imports it ({held.lines} lines)",
        )  # fmt: skip


def _text(network: Network, finder: Finder, rows: list[Tested], given: list[int]) -> Iterator[str]:
    tested = [row for row in rows if row.tests]
    without = sorted((row.module for row in rows if not row.tests), key=lambda node: -network.objects[node].lines)
    yield f"{plural(len(finder.tests), 'test file')} in the folder."
    yield f"Of {plural(len(rows), 'module')} examined, with tests: {len(tested)}, without: {len(without)}."
    yield "This is known from imports and names, not from running them: `run_tests` measures coverage."
    yield ""
    if without:
        yield from ("Without tests, the longest first:", "")
        counted = [[code(network.label(node)), f"{network.objects[node].lines:,}"] for node in without]
        yield from table(["Module", "Lines"], counted, 60)
        folders: dict[str, int] = defaultdict(int)
        for node in without:
            folders[top_folder(network.objects[node].name)] += 1
        yield "By part: " + ", ".join(f"{code(name)} {number}" for name, number in folders.items()) + "."
        yield ""
    if tested:
        yield from ("Tests:", "")
        listed = [
            [
                code(network.label(row.module)),
                ", ".join(code(network.label(test)) for test, _ in row.tests[:4]),
                row.tests[0][1],
            ]
            for row in tested
        ]
        yield from table(["Module", "Tests", "The test"], listed, 80)
    if given and not rows:
        yield from ("Test files:", "", *(f"- {code(network.label(node))}" for node in given[:80]))
