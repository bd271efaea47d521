"""INI and its relatives: systemd units, editorconfig, git config, tool settings, inventories."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.assignments import pair_of
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import judge
from plantwin.private.extract.formats.leaves import ENVIRONMENTS
from plantwin.private.extract.formats.text import head_text
from plantwin.private.extract.formats.words import words
from plantwin.private.facts import Sample

_SECTION = re.compile(r"[ \t]{0,20}\[{1,2}([^\]\n]{1,200})\]")
_BARE = re.compile(r"[A-Za-z_][\w.-]{0,80}(?:[ \t].{0,200})?$")

_UNIT = words("Unit Service Timer Socket Mount Install Path Slice Target Container Network Match")
_TOOLS = re.compile(
    r"(?:flake8|isort|mypy|tool:|pylint|pytest|coverage|tox$|testenv|pycodestyle|pydocstyle|bumpversion|black|yapf|"
    r"aliases|MASTER|MESSAGES CONTROL|FORMAT|BASIC|run$|report$|html$|darglint|importlinter|semantic_release"
    r"|versioneer|"
    r"codespell|doc8|nosetests|wheel|egg_info|build_sphinx|checkstyle|alias|\*$|\*\.|\{?\*\*?)"
)
_GIT = re.compile(r"(?:core|remote |branch |user|submodule |filter |alias|credential|url )")
_SERVER = words(
    "mysqld mysql client mysqldump sshd global supervisord unix_http_server php PHP uwsgi server redis "
    "named_servers paths security smtp auth.anonymous DEFAULT Definition sentinel homes printers postgresql log "
    "mariadb"
)
_SHIPPER = words("SERVICE INPUT FILTER OUTPUT PARSER MULTILINE_PARSER CUSTOM STREAM_TASK PLUGINS")
_ALEMBIC = frozenset({"alembic", "loggers", "handlers", "formatters"})
_REQUIRED = words("requires build_requires tool_requires test_requires")
_MAX = 5000


def read_ini(sample: Sample, draft: Draft) -> None:
    """Sections with keys and values; continued lines belong to the key above."""
    reader = _Sections(draft)
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if body and body[0] in "#;":
            draft.add("todo", "TODO" in body or "FIXME" in body)
        elif body:
            reader.read(line, body)
    _judge_sections(draft, reader.names)
    draft.outline.parsed = reader.broken <= reader.keys + len(reader.names)


class _Sections:
    """Where the reader is: the section, and whether continued lines are packages."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.names: list[str] = []
        self.section = ""
        self.keys = self.broken = 0
        self.packages = False

    def read(self, line: str, body: str) -> None:
        indented = line[0] in " \t"
        header = None if indented else _SECTION.match(line)
        if header:
            self.section = header[1].strip()
            self.names.append(self.section)
            self.draft.name(self.section)
            self.packages = False
        elif indented and self.packages:
            _requirement(self.draft, body)
        else:
            self.packages = False
            pair = pair_of(body)
            if self.section in _REQUIRED and body[0].isalnum():
                name, _, version = body.partition("/")
                self.draft.pin(name, version or "*")
                self.keys += 1
            elif pair is None or (indented and self.keys and not self._nested(pair[0])):
                self.broken += not (indented or _BARE.match(body))
            else:
                self._pair(*pair)

    def _nested(self, key: str) -> bool:
        """Git and a few others indent their keys; elsewhere an indented line continues a value."""
        return key.isidentifier() or self.section.startswith(("remote", "branch", "user"))

    def _pair(self, key: str, value: str) -> None:
        draft, section = self.draft, self.section
        self.keys += 1
        draft.add("key")
        draft.name(key)
        draft.setting(f"{section}.{key}" if section else key, value)
        judge(draft, key, value)
        if key in ("install_requires", "deps", "requires") or section == "options.extras_require":
            self.packages = True
            _requirement(draft, value)
        if section == "metadata" and key == "name":
            draft.provide("package", value)
        _unit_value(draft, section, key, value)


def _requirement(draft: Draft, text: str) -> None:
    from plantwin.private.extract.formats.dialects.manifests import requirement

    if text and not text.startswith(("-", "{", "#", ".")):
        requirement(draft, text.rpartition(": ")[2])


def _judge_sections(draft: Draft, sections: list[str]) -> None:
    units = sum(section in _UNIT for section in sections)
    if units and units * 2 >= len(sections):
        draft.add("server_directive", units)
        draft.add("workload", sections.count("Service") + sections.count("Container"))
        draft.add("scheduled", sections.count("Timer"))
        return
    shippers = sum(section.upper() in _SHIPPER for section in sections)
    if shippers >= 2 and shippers * 3 >= len(sections) * 2:
        draft.add("infra_monitoring", shippers)
        return
    tools = sum(_TOOLS.match(section) is not None or _GIT.match(section) is not None for section in sections)
    named = sum(section in _SERVER for section in sections)
    if len(_ALEMBIC.intersection(sections)) >= 2:
        draft.add("tool_section", len(sections))
    elif tools and tools * 2 >= len(sections):
        draft.add("tool_section", tools)
    elif named:
        draft.add("server_directive", named)
    if draft.outline.format == "ini" and _inventory(draft, sections):
        return
    environments = sum(section.lower().rpartition(":")[2] in ENVIRONMENTS for section in sections)
    draft.add("env_section", environments if environments > 1 else 0)
    if "profile default" in sections or any(section.startswith("profile ") for section in sections):
        draft.add("infra_access", len(sections))


def _inventory(draft: Draft, sections: list[str]) -> bool:
    """Groups of hosts, as a tool that operates machines lists them."""
    groups = sum(section.endswith((":vars", ":children")) for section in sections)
    hosts = sum(
        key.rpartition(".")[2].startswith("ansible_") or " ansible_" in key for key, _ in draft.outline.settings
    )
    if not groups and not hosts:
        return False
    draft.add("infra_compute", max(len(sections), hosts))
    return True


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
