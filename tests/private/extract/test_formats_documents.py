"""Documents: structure counts, words do not."""

from __future__ import annotations

import pytest
from format_outlines import counts, outline, references

RUNBOOK = """---
title: Restart
owner: platform
---
# Restart the payment service

See [settings](../config/app.yml#db), [docs](https://example.com/x), `scripts/deploy.sh` and `restart()`.
[log]: ./logs/app.log

1. Stop it
2. Start it

* check
- [ ] TODO verify

```bash
# a comment
./scripts/restart.sh --now
kubectl get pods
```

| step | who |
|------|-----|
| one  | two |

Second heading
--------------

    $ make test
"""


def test_markdown_blocks_and_links():
    found = outline("markdown", RUNBOOK)
    assert counts(
        found, "heading", "paragraph", "numbered_step", "list_item", "code_block", "table", "command", "todo", "link"
    ) == {
        "heading": 2,
        "paragraph": 1,
        "numbered_step": 2,
        "list_item": 2,
        "code_block": 2,
        "table": 1,
        "command": 3,
        "todo": 1,
        "link": 3,
    }
    assert found.headings == ["title", "owner", "Restart the payment service", "Second heading"]
    assert references(found, "path") == [
        ("../config/app.yml", "documents"),
        ("./logs/app.log", "documents"),
        ("scripts/deploy.sh", "documents"),
    ]
    assert references(found, "shell") == [("./scripts/restart.sh", "runs")]
    assert found.names == []


def test_markup_inside_code_is_not_structure():
    found = outline(
        "markdown", "```\n# not a heading\n- not an item\n[x](secret.md)\nThe system shall not count.\n```\n"
    )
    assert found.features == {"code_block": 1}
    assert found.references == []


def test_requirements_obligations_deadlines_definitions():
    found = outline(
        "markdown",
        """REQ-1: The service shall answer within 2 seconds.

- FR-2 The export must contain
  every order.

As a customer, I want refunds.

The Supplier shall deliver the report no later than 2024-05-01. Neither Party may not assign it within thirty (30) days.

"Confidential Information" means anything marked so.
""",
    )
    assert counts(found, "requirement", "obligation", "deadline", "definition_clause", "date") == {
        "requirement": 5,
        "obligation": 2,
        "deadline": 2,
        "definition_clause": 1,
        "date": 1,
    }


def test_modal_verbs_in_passing_do_not_bind():
    found = outline("markdown", "it must be noted. must we? you should relax, everybody should.\n")
    assert not found.features.keys() & {"requirement", "obligation"}


def test_changelog_timeline_and_decision():
    log = outline(
        "markdown",
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2024-01-02\n\n- Fixed\n\n"
        "## v1.1.0 (2023-12-01)\n\n## 1.0\n\n## Version notes\n",
    )
    assert counts(log, "version_heading", "heading", "date") == {"version_heading": 4, "heading": 6, "date": 0}
    incident = outline("markdown", "## Timeline\n\n- 10:02 UTC - alert\n- 10:15 UTC - rollback\n- **10:40** done\n")
    assert incident.features["timeline"] == 4
    record = outline(
        "markdown",
        "# 1. Use Postgres\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use it.\n\n## Consequences\n\nFine.\n",
    )
    assert record.features["decision"] == 2


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        (
            "MIT License\n\nPermission is hereby granted, free of\ncharge, ... "
            'THE SOFTWARE IS PROVIDED "AS\nIS", WITHOUT',
            2,
        ),
        ("Apache License\nVersion 2.0, January 2004\nTERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION", 2),
        ("Redistribution and use in source and binary forms, with or without", 1),
        ("This project has a license and grants permission.", 0),
    ],
)
def test_licences_by_their_text(text: str, phrases: int):
    for format in ("license", "text", "markdown"):
        assert outline(format, text).features.get("license_text", 0) == phrases


def test_rst():
    found = outline(
        "rst",
        """Title
=====

Some text with a `link <https://example.com>`_ and ``src/app.py``.

1. first
2. second

.. code-block:: sh

   $ make docs

.. literalinclude:: ../examples/demo.py

+---+---+
| a | b |
+---+---+

Section
-------

Example::

   code here
""",
    )
    assert counts(found, "heading", "numbered_step", "code_block", "table", "command", "link") == {
        "heading": 2,
        "numbered_step": 2,
        "code_block": 2,
        "table": 1,
        "command": 1,
        "link": 1,
    }
    assert found.headings == ["Title", "Section"]
    assert references(found, "path") == [("../examples/demo.py", "documents"), ("src/app.py", "documents")]


def test_asciidoc_latex_bibtex():
    adoc = outline(
        "asciidoc", "= Guide\n\nText.\n\n== Use\n\n* one\n. step\n\n----\n$ run\n----\n\nlink:setup.adoc[Setup]\n"
    )
    assert counts(adoc, "heading", "list_item", "numbered_step", "code_block", "command", "link") == dict.fromkeys(
        ("list_item", "numbered_step", "code_block", "command", "link"), 1
    ) | {"heading": 2}
    assert references(adoc, "path") == [("setup.adoc", "documents")]
    latex = outline(
        "latex", "\\section{Intro} % \\section{No}\n\\input{chapters/one}\n\\begin{tabular}{l}\\end{tabular}\n"
    )
    assert counts(latex, "heading", "table") == {"heading": 1, "table": 1}
    assert references(latex, "path") == [("chapters/one.tex", "documents")]
    assert outline("bibtex", "@article{key1,\n title={X}}\n@book{key2,\n}\n").features["row"] == 2


def test_plain_text():
    found = outline(
        "text",
        "MASTER AGREEMENT\n\n1. Definitions\n\n"
        "Each Party shall keep it secret.\n\n2.1 The Customer agrees to pay within 30 days.\n\n- item\n",
    )
    assert found.headings == ["MASTER AGREEMENT", "1. Definitions"]
    assert counts(found, "heading", "paragraph", "numbered_step", "list_item", "obligation", "deadline") == {
        "heading": 2,
        "paragraph": 1,
        "numbered_step": 1,
        "list_item": 1,
        "obligation": 2,
        "deadline": 1,
    }
    template = outline("jinja", "Dear {{ name }},\n{% if x %}Hi{% endif %}\n")
    assert template.features["template_tag"] == 3


def test_prose_never_reaches_names():
    for format in ("markdown", "rst", "text", "asciidoc"):
        assert outline(format, "This is the payment module. It charges cards and verifies passwords.\n").names == []
