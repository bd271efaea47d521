"""Code through semgrep or opengrep, by rules that the person has: nothing is fetched, and nothing is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from plantwin.private.capabilities.adapters.examine import Reported, finding, weigh
from plantwin.private.capabilities.adapters.installed import Installed
from plantwin.private.capabilities.adapters.process import Checkout, run
from plantwin.private.capabilities.engine.job import Finding

SECONDS = 80.0
SECURITY = ("security", "")
"""Categories of rules that an audit of security is about; rules that name none are the person's own."""
QUIET = {"SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}


def semgrep(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Audit code by the rules at `engine.rules`."""
    # In the place of its own list, which leaves out tests and what it takes for somebody else's.
    Path(files.folder, ".semgrepignore").write_text("", "utf-8")
    words = [engine.path, "scan", "--config", engine.rules, "--json", "--quiet", "--no-git-ignore", "--jobs", "1",
             "--timeout", "10", "."]  # fmt: skip
    said = msgspec.json.decode(run(words, files.folder, seconds=SECONDS, more=QUIET))
    scanned = [source.label for path in said["paths"]["scanned"] if (source := files.source(path)) is not None]
    yield Reported("", None, covers=frozenset(scanned))
    for error in said["errors"]:
        if error.get("path") and error.get("level") == "error":
            yield Reported(error["path"], None)
    for match in said["results"]:
        about = match["extra"].get("metadata") or {}
        if about.get("category", "") in SECURITY:
            yield Reported(match["path"], _made(match, about), match["end"]["line"])


def _made(match: dict[str, Any], about: dict[str, Any]) -> Finding:
    extra = match["extra"]
    weaknesses = about.get("cwe") or []
    weakness = str(weaknesses[0] if isinstance(weaknesses, list) and weaknesses else weaknesses or "")
    code = match["check_id"].rpartition(".")[2]
    level = "warning" if about.get("confidence") == "LOW" and extra["severity"] != "INFO" else extra["severity"]
    references = about.get("references") or []
    shown = about.get("source") or (references[0] if isinstance(references, list) and references else "")
    made = finding("semgrep", code, match["start"]["line"], extra["message"], level=level, reference=str(shown))
    severity, tag = weigh("semgrep", code, f"{weakness} {extra['message']}", level)
    reference = ", ".join(filter(None, (weakness.split(":")[0], made.reference)))
    return msgspec.structs.replace(made, severity=severity.value, tag=tag.value, reference=reference)


opengrep = semgrep
