"""What holds for every capability: what it cannot read is refused with a word, and no secret stands in its result."""

from __future__ import annotations

import msgspec
import pytest
from capability_inputs import UNPARSABLE, Run, given

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import in_earnest, production

TOKEN = "ghp_" + "Zq3Xv7Lw9Tn2Rk5Yb8Hd4Mf6Js1Pc0" + "aBcDeF"
BYTES = bytes(range(256)) * 40
REFUSED = {
    "analyze_logs": [("a.log", b""), ("a.log", b"\n\n\n"), ("a.log", b"\0" * 5000), ("a.log", BYTES)],
    "audit_dependencies": [("notes.md", "# a\n")],
    "audit_infrastructure": [("a.yaml", "a: 1\n")],
    "build_timeline": [("a.md", "# Notes\n\nNothing happened at all.\n")],
    "check_accessibility": [("a.py", "x = 1\n"), ("a.ts", "const a = 1;\n")],
    "check_data_quality": [("a.csv", "")],
    "compare_metrics": [("a.json", data) for data in (b"", b"\0" * 99, b"no numbers here\n", b"[" * 50_000)],
    "measure_complexity": [("a.md", "# text\n")],
    "profile_data": [("a.bin", data) for data in (b"", b"\0" * 5000, BYTES, b"just a sentence\n")],
    "redact_document": [("a.bin", b"\0\1\2" * 2000)],
    "review_migrations": [("a.sql", b""), ("a.sql", b"\0" * 99), ("a.py", b"x = 1\n"), ("a.py", b"def (")],
    "review_queries": [("q.sql", b"\0" * 99)],
    "validate_config": [("a.py", "x = 1\n")],
    "validate_schema": [("a.csv", data) for data in ("", "just text", "a,b\n1,2\n")],
}
READ = {
    "analyze_logs": given("b.log", "2024-03-01 10:00:00 INFO fine\n" * 9),
    "audit_dependencies": given("requirements.txt", "click==8.1.7\n"),
    "measure_complexity": given("b.py", "x = 1\n"),
    "redact_document": given("b.txt", "jo.doe@example.com"),
    "validate_config": given("b.yaml", "a: 1\n"),
}
POD = (
    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    image: a:1\n"
    "    env: [{name: API_TOKEN, value: %s}]\n"
)
MASKED = [
    ("analyze_logs", "a.log", "2024-03-01 10:00:00 ERROR deploy failed with token=%s\n" * 3, TOKEN),
    ("audit_dependencies", "requirements.txt", "x @ git+https://user:%s@git.example/x.git\n", "hunter22hunter"),
    ("audit_infrastructure", "web.yaml", POD, "Quiet-Meadow-73-Lamp"),
    ("extract_constraints", "runbook.md", "You must use the token %s to deploy. Its use is TBD.\n", TOKEN),
    ("lint", "a.js", 'alert("%s");\n', TOKEN),
    ("review_queries", "q.sql", "UPDATE users SET token = '%s'", "abcdefghijklmnopqrstuvwxyz0123456789"),
    ("validate_config", ".env", "DATABASE_PASSWORD = %s\nDATABASE_PASSWORD=%s\n", "Sturdy-Walnut-77"),
]


@pytest.mark.parametrize(
    ("capability", "refused"), [(name, given(*row)) for name, rows in REFUSED.items() for row in rows]
)
def test_what_cannot_be_read_is_refused_with_a_word(run: Run, capability: str, refused: Input) -> None:
    result = run(capability, refused)
    assert result.outcome == UNPARSABLE
    assert result.text.strip()
    if capability in READ:
        assert run(capability, refused, READ[capability]).outcome["status"] == "partial"


@pytest.mark.parametrize(("capability", "name", "text", "secret"), MASKED)
def test_no_secret_stands_in_a_result(run: Run, capability: str, name: str, text: str, secret: str) -> None:
    result = run(capability, given(name, text.replace("%s", secret)))
    assert result.findings
    assert secret not in msgspec.json.encode(result).decode()


@pytest.mark.parametrize(
    ("path", "earnest", "live"),
    [
        ("config/keys.yml", True, False),
        ("deploy/prod/keys.yml", True, True),
        (".env", True, True),
        ("settings.txt", True, False),
        ("src/generated/api.ts", False, False),
        ("roles/web/templates/app.conf.j2", False, False),
        ("contrib/deploy.sh", False, False),
        ("tests/keys.yml", False, False),
    ],
)
def test_what_is_used_in_earnest_and_what_is_of_production(path: str, earnest: bool, live: bool) -> None:
    assert (in_earnest(path), production(path, b"APP_ENV=production\n")) == (earnest, live)
