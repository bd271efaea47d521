"""Rows for the testing family: tests, their helpers and their data."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "test_suite": "code_file",
    "test_helper": "code_file config",
    "test_fixture": "structured_record config document code_file log_stream",
    "benchmark_runner": "code_file",
}

_KIT = (
    "pytest,unittest,jest,vitest,mocha,junit,rspec,testing,testify,factory,factory_boy,factorybot,faker,mock,sinon,msw,"
    "testcontainers,mockito,xunit,nunit,phpunit,hypothesis,responses,fixture,sharedexamples,beforeeach,setuptest"
)
_KITS, _NO_KITS = f"uses={_KIT}", f"unused={_KIT}"

ROWS = (
    # test_suite
    Row("test_suite", "feature", "test_function", 10.0, "no=benchmark"),
    Row("test_suite", "feature", "test_function", 6.0, "has=benchmark"),
    Row("test_suite", "feature", "assertion", 1.5, "has=test_function"),
    Row("test_suite", "import", "pytest unittest jest vitest mocha chai junit rspec testing testify supertest cypress",
        1.0),
    Row("test_suite", "import", "playwright xunit nunit phpunit minitest scalatest kotest gtest catch2 assertj mockito",
        1.0),
    Row("test_suite", "name", "test spec should", 0.5, "has=test_function"),
    Row("test_suite", "path", "test spec tests e2e", 2.0, "has=test_function"),
    Row("test_suite", "path", "test spec tests e2e", 1.2, "no=test_function"),
    # test_helper
    Row("test_helper", "feature", "fixture", 6.0, f"no=test_function,route,orm_model {_KITS}"),
    Row("test_helper", "feature", "fixture", 1.5, f"no=test_function {_NO_KITS}"),
    Row("test_helper", "feature", "fixture", 1.0, "has=test_function"),
    Row("test_helper", "feature", "test_import", 3.0),
    Row("test_helper", "stem", "conftest testutils test_utils test_helper spec_helper setuptests rails_helper testutil",
        5.0, "no=test_function"),
    Row("test_helper", "import", "pytest factory_boy factory faker unittest mock sinon msw testcontainers factorybot",
        1.2, "no=test_function"),
    Row("test_helper", "name", "fixture mock fake stub factory factories setup teardown", 1.0, "no=test_function"),
    Row("test_helper", "folder", "spec/support tests/support test/support tests/helpers test/helpers e2e"
        " support/commands tests/utils test/utils features/steps features/step_definitions cypress/support"
        " tests/factories tests/mocks",
        5.0, "no=test_function kind=code_file"),
    Row("test_helper", "feature", "assertion", 2.0, "has=test_import no=test_function"),
    Row("test_helper", "folder", "tests test __tests__ spec testing",
        3.0, "no=test_function kind=code_file notformat=sql"),
    Row("test_helper", "folder", "src/test src/androidtest", 4.0, "no=test_function kind=code_file"),
    Row("test_helper", "folder", "helpers support mocks __mocks__ factories", 1.5, "has=fixture no=test_function"),
    Row("test_helper", "path", "helper factory mock fixture support stub", 1.2, "has=fixture no=test_function"),
    # test_fixture
    Row("test_fixture", "feature", "recorded", 6.0),
    Row("test_fixture", "feature", "made_for_tests", 6.0, "kind=document format=text"),
    Row("test_fixture", "folder",
        "fixtures fixture testdata test_data __fixtures__ test-data mocks __snapshots__ cassettes",
        6.0, "kind=structured_record,config,document,log_stream"),
    Row("test_fixture", "folder", "fixtures fixture testdata test_data __fixtures__ test-data",
        3.0, "format=sql,html,python no=test_function,fixture"),
    Row("test_fixture", "folder", "tests test spec __tests__", 4.0, "kind=structured_record,log_stream"),
    Row("test_fixture", "folder", "tests test spec __tests__", 1.0, "kind=config no=tool_section"),
    Row("test_fixture", "path", "fixture mock sample test expected golden fake dummy snapshot",
        2.2, "kind=structured_record"),
    # benchmark_runner
    Row("benchmark_runner", "feature", "benchmark", 7.0),
    Row("benchmark_runner", "import",
        "timeit benchmark criterion jmh pyperf k6 locust asv benchmarkdotnet pytest_benchmark",
        2.0),
    Row("benchmark_runner", "name", "bench benchmark throughput warmup iterations percentile", 1.2),
    Row("benchmark_runner", "path", "bench benchmark perf loadtest", 2.2),
    Row("benchmark_runner", "folder", "bench benches benchmark benchmarks", 3.0, "kind=code_file"),
)
