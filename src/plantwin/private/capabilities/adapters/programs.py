"""What the programs among the engines are asked, and what their answers mean: one function per program.

Each is called with settings of ours, whatever settings lie beside the files. An answer of another shape than expected
counts as none: `examine` says which files were not examined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from plantwin.private.capabilities.adapters.axe import axe
from plantwin.private.capabilities.adapters.examine import Reported, finding, weigh
from plantwin.private.capabilities.adapters.installed import Installed
from plantwin.private.capabilities.adapters.process import Checkout, python, run
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.formats.document import Text

__all__ = ("axe", "checkov", "gofmt", "hadolint", "opengrep", "oxlint", "ruff", "semgrep", "shellcheck", "zizmor")

RUFF_RULES = (
    "E4,E7,E9,F,W605,B,PLE,PLW0120,PLW0127,PLW0128,PLW0129,PLW0131,PLW0211,PLW0602,PLW0711,PLW1508,PLW1509,PLR0124,"
    "PLR0133,PLR1704,ASYNC,T10,S110,S112,BLE001,SIM101,SIM115,SIM222,SIM223,C4,RUF006,RUF012,RUF013,RUF018,RUF033,"
    "PIE794,PIE796,PIE800,PT015,LOG007,LOG009,LOG015,G010,DTZ001,DTZ005,UP036,RET503,TRY203,ISC004"
)
"""Rules that speak of defects rather than of taste."""
RUFF_TARGET = "py314"
"""The newest Python: what only that one accepts is not an error here."""
BROKEN = "The file does not run at all until this is mended."
OXLINT_CONFIG = Path(__file__).with_name("oxlintrc.json")
"""What is outright wrong (the category `correctness`) and some that likely is; not what needs to know the project."""
SHELLCHECK_OFF = "SC1090,SC1091,SC2148,SC2154"
"""What it says of files that it was not given, or that others include; variables that another program may set."""
HADOLINT_SECONDS = 10.0
"""A Dockerfile takes some 20 ms; one that takes seconds was made for that."""
SHELLCHECK_WIKI, HADOLINT_WIKI = "https://www.shellcheck.net/wiki", "https://github.com/hadolint/hadolint/wiki"
_OXLINT_CODE = re.compile(r"([\w-]+)\(([\w/-]+)\)")
_GOFMT_ERROR = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?P<message>[^\n]+)")


def ruff(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Lint modules and notebooks of Python."""
    words = [engine.path, "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", "--output-format",
             "json-lines", "--target-version", RUFF_TARGET, "--select", RUFF_RULES,
             "--per-file-ignores", "*_pb2.py:F821", "--", *files.names]  # fmt: skip
    for row in run(words, files.folder).splitlines():
        said = msgspec.json.decode(row)
        code = said["code"] or "invalid-syntax"
        hint = BROKEN if code == "invalid-syntax" else (said["fix"] or {}).get("message") or ""
        message = said["message"].removeprefix("SyntaxError: ")
        yield Reported(said["filename"], finding("ruff", code, said["location"]["row"], message, hint=hint))


def oxlint(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Lint JavaScript and TypeScript."""
    words = [engine.path, "--format", "json", "--threads", "1", "--disable-nested-config", "--no-ignore",
             "--config", str(OXLINT_CONFIG), "--", *files.names]  # fmt: skip
    for said in msgspec.json.decode(run(words, files.folder))["diagnostics"]:
        known = said.get("code", "")
        match = _OXLINT_CODE.fullmatch(known)
        plugin, rule = (match[1], match[2]) if match else ("", known or "syntax")
        made = finding(
            "oxlint",
            rule if plugin in ("", "eslint") else f"{plugin}/{rule}",
            said["labels"][0]["span"].get("line", 0) if said["labels"] else 0,
            said["message"],
            hint=said.get("help", ""),
            level=said.get("severity", "") if known else "syntax",
            reference=f"oxlint {plugin}".strip(),
        )
        yield Reported(said.get("filename", ""), made)


def shellcheck(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Lint shell scripts."""
    words = [engine.path, "--norc", "--format", "json1", "--exclude", SHELLCHECK_OFF, "--severity", "info", "--"]
    for said in msgspec.json.decode(run([*words, *files.names], files.folder))["comments"]:
        code = f"SC{said['code']}"
        # SC1071: a script of a shell that it does not know.
        yield _placed("shellcheck", said, code, f"{SHELLCHECK_WIKI}/{code}", unread=code == "SC1071")


def hadolint(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Lint Dockerfiles."""
    words = [engine.path, "--config", "/dev/null", "--no-color", "--no-fail", "--format", "json", *files.names]
    for said in msgspec.json.decode(run(words, files.folder, seconds=HADOLINT_SECONDS)):
        code = said["code"]
        wiki = HADOLINT_WIKI if code.startswith("DL") else SHELLCHECK_WIKI
        # DL1000: its parser does not follow the file.
        yield _placed("hadolint", said, code, f"{wiki}/{code}", unread=code == "DL1000")


def _placed(engine: str, said: dict[str, Any], code: str, reference: str, *, unread: bool) -> Reported:
    made = finding(engine, code, said["line"], said["message"], level=said["level"], reference=reference)
    return Reported(said["file"], None if unread else made)


def gofmt(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Parse Go as the compiler does: syntax errors, and files that it would write otherwise.

    `go vet` needs every imported package and a build cache, which a call on single files without a network has not.
    """
    answer = run([engine.path, "-l", "-e", *files.names], files.folder, fine=(0, 2), errors=True)
    for line in answer.decode("utf-8", "replace").splitlines():
        error = _GOFMT_ERROR.fullmatch(line)
        if error is not None:
            yield Reported(error["file"], finding("gofmt", "gofmt-syntax", int(error["line"]), error["message"]))
        elif line in files.names:
            message = "gofmt would format the file otherwise"
            yield Reported(line, finding("gofmt", "gofmt", 0, message, hint="Run `gofmt -w`."))


_OF_THE_PROJECT = re.compile(
    r"github\.(?:actor|actor_id|triggering_actor|base_ref|ref|ref_name|repository|repository_owner|run_id|run_number|sha|workflow"
    r"|event\.pull_request\.base\.(?:ref|repo\.\w+)|event\.release\.tag_name|event\.repository\.\w+|event\.head_commit\.id|event\.(?:after|before)|event\.(?:inputs|label)\.[\w-]+"
    r"|event(?:\.\w+){1,3}_url|event(?:\.\w+){0,4}\.(?:login|\w*sha|id|node_id|number|merged|draft|\w+_at))|inputs\.[\w-]+|'[^']{0,80}'"
)
"""What GitHub or the project names: accounts have no signs that a shell reads, strangers make no branch or run."""


def zizmor(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Audit GitHub workflows and actions, offline."""
    words = [engine.path, "--offline", "--no-config", "--no-progress", "--quiet", "--no-exit-codes", "--format",
             "json-v1", "--collect", "all", "--", *files.names]  # fmt: skip
    for said in msgspec.json.decode(run(words, files.folder, fine=(0,))):
        places = said["locations"]
        primary = [place for place in places if place["symbolic"].get("kind") == "Primary"] or places
        if said.get("ignored") or not primary:
            continue
        symbolic, span = primary[0]["symbolic"], primary[0]["concrete"]["location"]
        message = ": ".join(filter(None, (said["desc"], symbolic.get("annotation"))))
        judged = said["determinations"]
        line = span["start_point"]["row"] + 1
        # High is what zizmor is sure of: an output of the same workflow is no input of an attacker.
        sure = judged["confidence"] == "High" or judged["severity"] != "High"
        if said["ident"] == "template-injection" and isinstance(kind := symbolic.get("feature_kind"), dict):
            (value,) = kind["Subfeature"]["fragment"].values()
            parts = re.split(r"\s*(?:\|\||&&)\s*", str(value))
            sure = sure and not all(map(_OF_THE_PROJECT.fullmatch, parts))
        level = judged["severity"] if sure else "Medium"
        made = finding("zizmor", said["ident"], line, message, level=level, reference=said["url"])
        made = msgspec.structs.replace(made, confidence=judged["confidence"].lower())
        yield Reported(symbolic["key"]["Local"]["verbatim_path"], made, span["end_point"]["row"] + 1)


SEMGREP_SECONDS = 80.0
SECURITY = ("security", "")
"""Categories of rules that an audit of security is about; rules that name none are the person's own."""
QUIET = {"SEMGREP_SEND_METRICS": "off", "SEMGREP_ENABLE_VERSION_CHECK": "0"}


def semgrep(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Audit code by the rules at `engine.rules`."""
    # In the place of its own list, which leaves out tests and what it takes for somebody else's.
    Path(files.folder, ".semgrepignore").write_text("", "utf-8")
    words = [engine.path, "scan", "--config", engine.rules, "--json", "--quiet", "--no-git-ignore", "--jobs", "1",
             "--timeout", "10", "."]  # fmt: skip
    said = msgspec.json.decode(run(words, files.folder, seconds=SEMGREP_SECONDS, more=QUIET))
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

CHECKOV_SECONDS = 100.0
FRAMEWORKS = {"Terraform": "terraform", "CloudFormation": "cloudformation", "Kubernetes": "kubernetes"}
"""By our own names of the technologies."""
_ENSURE = re.compile(r"^(?:ensures?(?: that)?|make sure(?: that)?)\s+", re.IGNORECASE)


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One failed check."""

    path: str
    first: int
    last: int
    check: str
    name: str
    resource: str


class Answer(msgspec.Struct, frozen=True):
    """What `checkov_run` prints."""

    rows: list[Row]
    unparsed: list[str]
    """Files that checkov could not read."""
    covers: list[str]
    """Types of resources that it has checks for."""


_OF_IDENTITIES = frozenset((*(f"CKV_AWS_{number}" for number in range(107, 112)), "CKV_AWS_356"))
"""Checks of `Resource = "*"`, which in the policy of a resource, such as a key, is that resource alone."""


def _is_of_a_resource(source: Text | None, row: Row) -> bool:
    """Tell whether every statement of a policy document of Terraform names principals."""
    lines = source.text.split("\n")[row.first - 1 : row.last] if source is not None else []
    blocks = [line.split("{")[0].strip().strip('"') for line in lines if "{" in line]
    return "dynamic" not in blocks and 0 < blocks.count("statement") <= blocks.count("principals")


def checkov(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Audit declared infrastructure. The first part of a copy's name, before `=`, is its framework."""
    words = python("plantwin.private.capabilities.adapters.checkov_run", files.folder)
    answer = msgspec.json.decode(run(words, files.folder, seconds=CHECKOV_SECONDS), type=Answer)
    yield Reported("", None, covers=frozenset(answer.covers))
    for path in answer.unparsed:
        yield Reported(path, None)
    for row in answer.rows:
        if row.check in _OF_IDENTITIES and _is_of_a_resource(files.source(row.path), row):
            continue
        wanted = _ENSURE.sub("", row.name)
        message = f"`{row.resource}` does not meet: {wanted}"
        made = finding("checkov", row.check, row.first, message, reference="checkov")
        yield Reported(row.path, made, row.last)
