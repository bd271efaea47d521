"""The example shop, whose weaknesses are known."""

from __future__ import annotations

from capability_inputs import Run, earlier, given, shop

AUTH = ("shop/auth/service.py", "shop/auth/legacy.py")
PAYMENTS = ("shop/payments/service.py", "shop/payments/quillfjord_gateway.py")


def test_the_running_example(run: Run) -> None:
    first = run("security_audit", *AUTH)
    second = run("security_audit", *PAYMENTS)
    assert first.outcome == {
        "status": "done",
        "severity": "medium",
        "count": "few",
        "tags": ["weak_authentication", "weak_crypto", "sensitive_logging"],
    }
    assert second.outcome["severity"] == "medium"
    result = run("compare", earlier("s1", "security_audit", first), earlier("s2", "security_audit", second))
    assert result.outcome == {
        "status": "done",
        "severity": "medium",
        "count": "one",
        "tags": ["first_worse", "shared_findings", "different"],
    }
    assert result.facts["shared"] == ["sensitive_logging"]
    assert result.facts["only_first"] == ["weak_authentication", "weak_crypto"]
    assert result.facts["only_second"] == ["disabled_verification", "hardcoded_secret"]
    assert "legacy.py:18" in result.text
    report = run("summarize", earlier("s3", "compare", result), earlier("s1", "security_audit", first))
    assert report.outcome["status"] == "done"
    assert "3 medium, 1 low" in report.text


def test_no_secret_stands_in_a_report_in_clear(run: Run) -> None:
    clear = (
        "4f1d9b7e83c5a2604f7d1b9e6c35a827",
        "Tangerine-Velvet-88",
        "qf_7c31e9a4d05b82f6e1c94a7d30b5f82e",
        "Marzipan-Orchard-2024",
        "qf_29d4b7f1a6c8e03b5d92f4a17c6e8b05",
    )
    results = [
        run("security_audit", ".env", *PAYMENTS),
        run("secret_scan", ".env", *PAYMENTS),
        run("compare", ".env", ".env.example"),
        run("summarize", ".env", *PAYMENTS),
    ]
    import msgspec

    for result in results:
        told = msgspec.json.encode(result).decode()
        assert not [value for value in clear if value in told]


def test_secret_scan_reads_tables_of_a_database(run: Run) -> None:
    result = run("secret_scan", shop("data/shop.db", "customers"))
    assert "personal_data" in result.outcome["tags"]  # type: ignore[operator]
    assert all(each.name == "data/shop.db#customers" for each in result.findings)


def test_environments_differ_in_values(run: Run) -> None:
    result = run("compare", "config/production.yaml", "config/staging.yaml")
    assert result.outcome == {"status": "done", "count": "many", "tags": ["different", "value_differs"]}
    assert "payments.verify_tls" in result.facts["values"]  # type: ignore[operator]
    assert "`payments.refund_window_days`: `14` and `30`" in result.text


def test_summaries_of_the_shop(run: Run) -> None:
    code = run("summarize", "shop/auth/service.py").text
    assert "`AuthService.login(email, password)` (line 32)" in code
    assert "- `jwt`" in code
    log = run("summarize", "logs/application.log")
    assert "from 2024-09-17 09:00:12 to 2024-09-17 09:31:50" in log.text
    assert "2 × `WARNING shop.auth.service failed login for <*>`" in log.text
    table = run("summarize", "data/orders.csv").text
    assert "7 rows, 8 columns" in table
    assert "`placed_on`: date" in table
    document = run("summarize", "docs/requirements.md")
    assert document.outcome["tags"] == ["obligations"]
    assert "Authentication" in document.text
    terms = run("summarize", given("t.md", "# T\n\nThe client must pay within 30 days.\n\nTBD: who signs.\n"))
    assert terms.outcome["tags"] == ["obligations", "deadlines", "open_points"]
    database = run("summarize", shop("data/shop.db", "customers"))
    assert "Table `customers`: 6 rows, 6 columns" in database.text
