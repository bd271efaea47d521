"""Documents: structure counts, words do not."""

from __future__ import annotations

import pytest
from format_outlines import outline

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


def test_markup_inside_code_is_not_structure():
    found = outline(
        "markdown", "```\n# not a heading\n- not an item\n[x](secret.md)\nThe system shall not count.\n```\n"
    )
    assert found.features == {"code_block": 1}
    assert found.references == []


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


def test_prose_never_reaches_names():
    for format in ("markdown", "rst", "text", "asciidoc"):
        assert outline(format, "This is the payment module. It charges cards and verifies passwords.\n").names == []
