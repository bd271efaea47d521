"""Crontabs: when what runs."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_JOB = re.compile(r"\s{0,20}(?:@\w{1,12}|(?:[\d*/,A-Za-z-]{1,40}[ \t]{1,20}){5})\s{0,20}(.{1,2000})")
_VARIABLE = re.compile(r"\s{0,20}([A-Za-z_]\w{0,80})\s{0,8}=\s{0,8}(.{0,500})")
_PATH = re.compile(r"(?:^|\s)(/(?:[\w.-]{1,80}/){0,12}[\w.-]{1,80})(?=\s|$)")


def read_crontab(sample: Sample, draft: Draft) -> None:
    """Jobs with their schedule, and the scripts that they call by path or by name."""
    broken = 0
    for line in head_text(sample).split("\n")[:5000]:
        body = line.strip()
        if not body or body.startswith("#"):
            continue
        variable = _VARIABLE.match(line)
        if variable:
            draft.add("key")
            draft.setting(variable[1], variable[2])
            continue
        job = _JOB.match(line)
        if job is None:
            broken += 1
            continue
        draft.add("schedule")
        draft.add("scheduled")
        draft.add("command")
        script(draft, job[1], "root_path")
        for match in _PATH.finditer(job[1]):
            draft.add("path_literal")
            if match[1].endswith((".sh", ".py", ".pl", ".rb", ".js")):
                draft.refer("shell", match[1].rpartition("/")[2], "runs")
    draft.outline.parsed = "schedule" in draft.features and broken <= draft.features["schedule"]
