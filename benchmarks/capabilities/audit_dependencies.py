"""Known vulnerabilities: pins that safety's public data calls insecure, by the advisories that ship with us."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

from benchmarks.capabilities.section import Section, peer, sampled
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job

MOST = 300
_BELOW = re.compile(r"<(\d+(?:\.\d+)*?)\.(\d+)$")
_PRINT = """
from importlib.util import find_spec
from pathlib import Path
print(Path(find_spec("safety_db").origin).with_name("insecure.json").read_text())
"""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without the data."""
    done = peer(["python3", "-c", _PRINT])
    if done is None or not done.text.strip():
        return []
    pins: dict[str, str] = {}
    for name, limits in sorted(json.loads(done.text).items()):
        below = _BELOW.match(limits[-1]) if isinstance(limits, list) else None
        if below and int(below[2]) > 0:
            pins[name] = f"{below[1]}.{int(below[2]) - 1}"
    chosen = sampled(list(pins), MOST)
    text = "".join(f"{name}=={pins[name]}\n" for name in chosen)
    begun = time.perf_counter()
    job = Job(capability="audit_dependencies", inputs=(Input(name="requirements.txt", data=text.encode()),))
    findings = function("audit_dependencies")(job).findings
    seconds = time.perf_counter() - begun
    told = {finding.line for finding in findings if finding.tag == "known_vulnerability"}
    found = sum(number in told for number in range(1, len(chosen) + 1))
    words = (
        "Pins just below the version that safety-db (July 2021) names as the first that is fixed: recall alone, since "
        "a fixed version may be vulnerable by now. Ours has the compact extract that ships, and `plantwin advisories` "
        "reads whole exports. pip-audit, the peer, asks a service: not run."
    )
    row = ["ours, by the advisories that ship", f"{found} of {len(chosen)}", f"{seconds:.1f} s"]
    return [Section("audit_dependencies: insecure pins", words, ("examined by", "found", "time"), [row])]
