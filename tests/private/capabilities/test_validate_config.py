"""The validation as a whole; the examples of its rules are in their rows."""

from __future__ import annotations

from capability_inputs import Run, found, given

CAPABILITY = "validate_config"


def test_yaml_says_where_it_breaks(run: Run) -> None:
    result = run(CAPABILITY, given("a.yaml", "a: 1\nb:\n\tc: 2\n"))
    assert found(result) == {(3, "SYNTAX-ERROR")}
    assert "tab" in result.findings[0].message
    assert result.outcome["status"] == "partial"
    assert result.outcome["tags"] == ["unparsable"]
