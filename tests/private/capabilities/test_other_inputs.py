"""Inputs that are none of a capability's own: it never says that it is done with nothing found in them."""

from __future__ import annotations

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities import catalog

PROSE = "The quick brown fox jumps over the lazy dog.\nIt was a fine day in the garden and nobody minded.\n" * 8
BINARY = bytes(range(256)) * 40
TABLE = "id,name\n1,a\n2,b\n"
FOREIGN: dict[str, dict[str, str | bytes]] = {
    "analyze_logs": {"a.txt": PROSE, "a.log": PROSE, "a.csv": TABLE, "a.yaml": "a: 1\n", "b.log": BINARY, "c.log": ""},
    "trace_errors": {"a.txt": PROSE, "a.log": PROSE, "a.csv": TABLE, "a.md": PROSE, "b.log": BINARY, "c.log": ""},
    "review_queries": {"a.txt": PROSE, "a.md": PROSE, "a.sql": PROSE, "a.csv": TABLE, "b.sql": BINARY},
    "review_migrations": {"a.sql": PROSE, "a.py": "x = 1\n", "a.md": PROSE, "b.sql": BINARY, "c.sql": ""},
    "classify": {"a.png": BINARY},
    "extract_constraints": {"a.csv": TABLE, "a.log": PROSE, "a.png": BINARY},
    "compare_metrics": {"a.md": PROSE, "a.yaml": "a: 1\n", "a.png": BINARY},
    "build_timeline": {"a.txt": PROSE, "a.csv": TABLE, "a.png": BINARY},
    "validate_schema": {"a.txt": PROSE, "a.py": "x = 1\n", "a.png": BINARY},
    "check_data_quality": {"a.txt": PROSE, "a.py": "x = 1\n", "b.csv": BINARY, "c.csv": ""},
    "profile_data": {"a.txt": PROSE, "a.py": "x = 1\n", "b.csv": BINARY, "c.csv": ""},
    "measure_complexity": {"a.txt": PROSE, "a.csv": TABLE, "b.py": BINARY},
    "list_todos": {"b.py": BINARY},
    "summarize": {"a.png": BINARY},
    "redact_document": {"a.png": BINARY},
}  # fmt: skip


@pytest.mark.parametrize(
    ("capability", "name"), [(capability, name) for capability, files in FOREIGN.items() for name in files]
)
def test_what_is_none_of_its_own_is_not_examined(run: Run, capability: str, name: str) -> None:
    result = run(capability, given(name, FOREIGN[capability][name]))
    assert result.outcome["status"] in ("partial", "failed")
    assert result.text.strip(), "the report says why"


UNREADABLE = {"binary": BINARY, "encrypted": b"-----BEGIN AGE ENCRYPTED FILE-----\n" + BINARY}
ENDINGS = {
    "code_file": "py",
    "config": "yaml",
    "document": "pdf",
    "log_stream": "log",
    "secret_container": "env",
    "structured_record": "parquet",
}


@pytest.mark.parametrize("content", UNREADABLE)
@pytest.mark.parametrize("capability", sorted(set(catalog()) - {"describe", "split"}))
def test_no_capability_is_done_with_nothing_found_in_what_it_cannot_read(
    run: Run, capability: str, content: str
) -> None:
    word = catalog()[capability]
    for kind in sorted(word.kinds) or ["code_file"]:
        inputs = [
            given(f"{number}.{ENDINGS[kind]}", UNREADABLE[content] + bytes([number]))
            for number in range(max(1, word.least))
        ]
        result = run(capability, *inputs)
        clean = result.outcome["status"] == "done" and not result.findings
        assert not clean or "unparsable" in result.outcome["tags"], (kind, result.outcome, result.text[:300])
        assert result.text.strip(), "the report says why"


def test_a_summary_of_code_has_whole_sentences_and_an_overloaded_function_once(run: Run) -> None:
    doc = '"""Keep tables, the central place\nof the store. More."""'
    text = f'{doc}\n\ndef get(a):\n    ...\n\ndef get(a, b=0):\n    """Get one."""\n'
    said = run("summarize", given("table.py", text)).text
    assert "Keep tables, the central place of the store." in said
    assert said.count("get(a") == 1
    assert "Get one." in said
