"""INI and its relatives: systemd units, editorconfig, git config, tool settings, inventories."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import ENVIRONMENTS, judge
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_SECTION = re.compile(r"[ \t]{0,20}\[{1,2}([^\]\n]{1,200})\]")
_PAIR = re.compile(r"[ \t]{0,40}([^=:\n#;]{1,120}?)[ \t]{0,20}[=:](?!=)[ \t]{0,20}(.{0,4000})")
_BARE = re.compile(r"[ \t]{0,40}[A-Za-z_][\w.-]{0,80}(?:[ \t].{0,200})?$")

_UNIT = frozenset("Unit Service Timer Socket Mount Install Path Slice Target Container Network Match".split())
_TOOLS = re.compile(
    r"(?:flake8|isort|mypy|tool:|pylint|pytest|coverage|tox$|testenv|pycodestyle|pydocstyle|bumpversion|black|yapf|"
    r"aliases|MASTER|MESSAGES CONTROL|FORMAT|BASIC|run$|report$|html$|darglint|importlinter|semantic_release|versioneer|"
    r"codespell|doc8|nosetests|wheel|egg_info|build_sphinx|checkstyle|alias|\*$|\*\.|\{?\*\*?)"
)
_GIT = re.compile(r"(?:core|remote |branch |user|submodule |filter |alias|credential|url )")
_SERVER = frozenset(
    "mysqld mysql client mysqldump sshd global supervisord unix_http_server php PHP uwsgi server redis named_servers "
    "paths security smtp auth.anonymous DEFAULT Definition sentinel homes printers postgresql log mariadb".split()
)
_ALEMBIC = frozenset({"alembic", "loggers", "handlers", "formatters"})
_MAX = 5000


def read_ini(sample: Sample, draft: Draft) -> None:
    """Sections with keys and values; continued lines belong to the key above."""
    section, broken, keys = "", 0, 0
    sections: list[str] = []
    packages: str | None = None
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if not body:
            continue
        if body[0] in "#;":
            draft.add("todo", "TODO" in body or "FIXME" in body)
            continue
        header = _SECTION.match(line)
        if header and not line.startswith((" ", "\t")):
            section = header[1].strip()
            sections.append(section)
            draft.name(section)
            packages = None
            continue
        if packages is not None and line[0] in " \t":
            _requirement(draft, body)
            continue
        packages = None
        pair = _PAIR.match(line)
        if pair is None or (line[0] in " \t" and keys and section and not section.startswith(("remote", "branch", "user"))
                            and not pair[1].strip().isidentifier()):
            broken += not (_BARE.match(line) or line[0] in " \t")
            continue
        key, value = pair[1].strip(), pair[2].strip()
        keys += 1
        draft.add("key")
        draft.name(key)
        draft.setting(f"{section}.{key}" if section else key, value)
        judge(draft, key, value)
        if key in ("install_requires", "deps", "requires") or section == "options.extras_require":
            packages = key
            _requirement(draft, value)
        _unit_value(draft, section, key, value)
        if section == "metadata" and key == "name":
            draft.provide("package", value)
    _sections(draft, sections)
    draft.outline.parsed = broken <= keys + len(sections)


def _requirement(draft: Draft, text: str) -> None:
    from plantwin.private.extract.formats.dialects.manifests import requirement

    if text and not text.startswith(("-", "{", "#", ".")):
        requirement(draft, text.rpartition(": ")[2])


def _sections(draft: Draft, sections: list[str]) -> None:
    units = sum(section in _UNIT for section in sections)
    if units and units * 2 >= len(sections):
        draft.add("server_directive", units)
        draft.add("workload", sections.count("Service") + sections.count("Container"))
        draft.add("scheduled", sections.count("Timer"))
        return
    tools = sum(_TOOLS.match(section) is not None or _GIT.match(section) is not None for section in sections)
    named = sum(section in _SERVER for section in sections)
    if len(_ALEMBIC.intersection(sections)) >= 2:
        draft.add("tool_section", len(sections))
    elif tools and tools * 2 >= len(sections):
        draft.add("tool_section", tools)
    elif named:
        draft.add("server_directive", named)
    environments = sum(section.lower().rpartition(":")[2] in ENVIRONMENTS for section in sections)
    draft.add("env_section", environments if environments > 1 else 0)
    if "profile default" in sections or any(section.startswith("profile ") for section in sections):
        draft.add("infra_access", len(sections))


def _unit_value(draft: Draft, section: str, key: str, value: str) -> None:
    """What a unit starts, needs and when."""
    if section not in _UNIT:
        if section == "alembic" and key == "script_location":
            draft.refer_path(value, "configures")
        return
    if key in ("OnCalendar", "OnUnitActiveSec", "OnBootSec"):
        draft.add("schedule")
    elif key in ("MemoryMax", "CPUQuota", "LimitNOFILE", "TasksMax", "MemoryLimit"):
        draft.add("resource_limit")
    elif key in ("EnvironmentFile", "LoadCredential"):
        draft.add("secret_ref", key == "LoadCredential")
        draft.add("path_literal")
    elif key in ("Requires", "After", "Wants", "Unit", "BindsTo"):
        for unit in value.split()[:20]:
            draft.refer("systemd", unit, "runs")
    elif key.startswith("Exec"):
        draft.add("command")
        for word in value.split()[:10]:
            if word.endswith((".sh", ".py", ".js", ".rb")):
                draft.refer("shell", word.rpartition("/")[2], "runs")
