"""Data that breaks its schema in known places; single rules are tested by their examples."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import time

from capability_inputs import Run, given

from tables import value_of

SCHEMA = value_of(__file__, "schema")
DDL = value_of(__file__, "ddl")


def test_data_that_fits(run: Run) -> None:
    assert run("validate_schema", given("s.json", SCHEMA), given("d.json", '[{"id": 1, "name": "x"}]')).findings == []
    sound = "id,customer_id,status,total,note\n1,1,open,2.50,\n2,1,paid,3,x\n"
    result = run(
        "validate_schema", given("s.sql", DDL), given("orders.csv", sound), given("customers.csv", "id,name\n1,A\n")
    )
    assert {finding.severity for finding in result.findings} <= {"low"}


DBT = value_of(__file__, "dbt")


def test_tests_of_dbt_are_applied_to_data(run: Run) -> None:
    findings = run(
        "validate_schema", given("s.yml", DBT), given("orders.csv", "id,status\n1,open\n1,lost\n,paid\n")
    ).findings
    assert sorted(finding.rule.removeprefix("SCHEMA-") for finding in findings) == ["EMPTY", "UNIQUE", "VALUES"]


def test_hostile_schemas_end(run: Run) -> None:
    endless = '{"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}'
    loop = '{"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}'
    remote = '{"type": "object", "properties": {"a": {"$ref": "https://example.com/x.json"}}}'
    data = given("d.json", '[{"a": "' + "a" * 40 + '!"}]')
    started = time.process_time()
    for schema in (endless, loop, remote):
        assert run("validate_schema", given("s.json", schema), data).outcome["status"] in ("done", "partial")
    assert time.process_time() - started < 10


SERVICES_SCHEMA = """{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["services"],
"properties": {"on": {"type": "string"}, "services": {"type": "array", "items": {"type": "object", "required": ["name"],
"properties": {"name": {"type": "string"}, "port": {"type": "integer", "maximum": 65535}, "since": {"type": "string"}}}}}}
"""


def test_aliases_that_multiply_are_not_checked_forever(run: Run) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    result = run("validate_schema", given("app.schema.json", SERVICES_SCHEMA), given("app.yaml", "\n".join(lines)))
    assert result.outcome["status"] in ("failed", "partial", "done")
