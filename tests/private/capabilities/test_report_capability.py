"""Results joined into one document: each finding once, the worst first, with what to do."""

from __future__ import annotations

from capability_inputs import Run, earlier, given, shop

from plantwin.private.capabilities.engine.job import Finding, Result


def finding(line: int, severity: str, tag: str = "injection", **more) -> Finding:
    more.setdefault("message", "Something is wrong")
    return Finding(name=more.pop("name", "a.py"), line=line, severity=severity, tag=tag, **more)


def result(*findings: Finding, status: str = "done", tags: tuple[str, ...] = (), text: str = "") -> Result:
    return Result(outcome={"status": status, "tags": list(tags)}, title="Step", findings=list(findings), text=text)


def test_audits_of_the_shop(run: Run) -> None:
    audit = run("security_audit", "shop/auth/legacy.py", "shop/payments/quillfjord_gateway.py")
    scan = run("secret_scan", "shop/payments/quillfjord_gateway.py")
    outline = run("summarize", "docs/runbook.md")
    joined = run(
        "report",
        earlier("s1", "security_audit", audit),
        earlier("s2", "secret_scan", scan),
        earlier("s3", "summarize", outline),
    )
    assert joined.outcome == {"status": "done", "severity": "medium", "count": "few", "tags": ["shared_findings"]}
    assert joined.findings == []  # they are counted where they were found
    assert joined.text.count("quillfjord_gateway.py:8`") == 2  # in the list and in what to do
    assert "(s1, s2)" in joined.text
    assert "Payments hang" in joined.text
    (made,) = joined.facts["documents"]  # type: ignore[misc]
    assert made == {"name": "report.md", "text": joined.text}
    assert "qf_29d4b7f1a6c8e03b5d92f4a17c6e8b05" not in joined.text


def test_the_same_thing_is_said_once(run: Run) -> None:
    one = result(finding(3, "low", message="SQL put together", hint=""), finding(9, "critical"))
    two = result(finding(3, "high", message="Query from input", hint="Bind it."), finding(9, "critical"))
    joined = run("report", earlier("s1", "lint", one), earlier("s2", "security_audit", two))
    assert joined.facts["severities"] == {"critical": 1, "high": 1}
    assert joined.facts["shared"] == 2
    listed = joined.text.split("## Findings")[1]
    assert listed.index("a.py:9") < listed.index("a.py:3")
    assert "**high** `a.py:3` Query from input (s1, s2)" in listed
    assert "also: SQL put together" in listed
    assert "2 findings were said more than once" in joined.text


def test_what_to_do_next_is_ranked(run: Run) -> None:
    one = result(
        finding(1, "low", hint="Tidy it."),
        finding(2, "high", hint="Bind it.", name="b.py"),
        finding(4, "high", hint="Bind it.", name="c.py"),
    )
    text = run("report", earlier("s1", "lint", one)).text
    assert "1. **high** Bind it. First at `b.py:2` and 1 more." in text
    assert "2. **low** Tidy it. First at `a.py:1`." in text
    assert "| object | high | low |" in text


def test_what_was_not_seen_is_said(run: Run) -> None:
    weak = result(finding(1, "low"), status="partial", tags=("truncated",))
    lost = result(status="failed", text="Two inputs are needed.\n")
    joined = run("report", earlier("s1", "lint", weak), earlier("s2", "compare", lost))
    assert joined.outcome["status"] == "partial" and joined.outcome["tags"] == ["truncated"]
    assert "- s1 lint: partial (truncated)" in joined.text
    assert "- s2 compare: failed (Two inputs are needed.)" in joined.text


def test_objects_are_left_out(run: Run) -> None:
    assert run("report", shop("README.md")).outcome["status"] == "failed"
    joined = run("report", earlier("s1", "lint", result(finding(1, "low"))), given("a.py", "x"))
    assert joined.outcome["status"] == "done" and "1 inputs are objects" in joined.text


def test_hostile_and_odd_results_are_borne(run: Run) -> None:
    evil = finding(1, "high", message="[x](http://evil.example) <b>|`", name="`|<i>", hint="# h\n# h", evidence="``` x")
    joined = run("report", earlier("s1", "lint", result(evil)))
    assert "<b>" not in joined.text.replace("\\<", "") and "[x](" not in joined.text
    many = result(*(finding(number, "low") for number in range(20_000)))
    assert len(run("report", earlier("s1", "lint", many)).text) < 200_000
    odd = earlier("s1", "lint", result())
    assert odd.result is not None
    odd.result["outcome"] = []
    odd.result["text"] = None
    assert run("report", odd).outcome["status"] == "partial"
