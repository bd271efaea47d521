"""How software is built and shipped: images and pipelines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.common.settings import Setting
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_PIPED = re.compile(r"\b(?:curl|wget)\b[^|;&\n]{0,300}\|\s{0,4}(?:sudo\s+)?(?:ba|z)?sh\b")
_UNCHECKED = re.compile(
    r"\bcurl\b[^|;&\n]{0,300}\s(?:-k|--insecure|-[a-zA-Z]{0,6}k[a-zA-Z]{0,6})(?=\s|$)|--no-check-certificate|--allow-unauthenticated|--force-yes|--trusted-host|strict-ssl\s+false|http\.sslVerify\s+false|--nogpgcheck"
)
_SECRET = re.compile(
    r"\b(\w{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY))[= ]\s{0,4}[\"']?([^\s\"'$]{4,})", re.IGNORECASE
)
_COPIED = re.compile(
    r"(?:^|[\s/])(?:\.env(?:\.\w+)?|id_rsa|id_ed25519|\.ssh|\.aws|\.npmrc|\.pypirc|credentials(?:\.json)?|[\w.-]+\.(?:pem|key|pfx|p12))(?=\s)"
)
_UNTRUSTED = re.compile(
    r"\$\{\{[^}]{0,200}\bgithub\.(?:event\.(?:issue|pull_request|comment|review|discussion|head_commit|commits|pages|workflow_run)[\w.\[\]*]{0,80}"
    r"\.(?:title|body|message|name|email|ref|label|head_branch|page_name)|head_ref)\b"
)


def dockerfile(text: str) -> Iterator[Issue]:
    """Instructions of an image."""
    user, user_line, stages, last_from, from_line = "", 0, set[str](), "", 0
    for number, instruction, rest in _instructions(text):
        if instruction == "FROM":
            words = rest.split()
            image = next((word for word in words if not word.startswith("--")), "")
            if len(words) > 2 and words[-2].upper() == "AS":
                stages.add(words[-1].lower())
            user, last_from, from_line = "", image, number
            name = image.rpartition("/")[2]
            if (
                image.lower() not in stages
                and "$" not in image
                and image != "scratch"
                and "@" not in image
                and (":" not in name or name.endswith(":latest"))
            ):
                yield Issue(
                    number,
                    _S.LOW,
                    _T.INSECURE_SETTING,
                    "The base image is not fixed to a version",
                    "Name a version or digest.",
                )
        elif instruction == "USER":
            user, user_line = rest.strip().strip("\"'"), number
        elif instruction == "ADD" and re.search(r"\bhttps?://", rest):
            yield Issue(
                number,
                _S.LOW,
                _T.MISSING_CHECK,
                "A file from the network is added unseen",
                "Download it and check its digest.",
            )
        elif instruction in ("COPY", "ADD") and _COPIED.search(f" {rest} ") and "--from" not in rest:
            yield Issue(
                number,
                _S.HIGH,
                _T.HARDCODED_SECRET,
                "A file of secrets is copied into the image",
                "Mount it as a secret while building or running.",
            )
        elif instruction in ("ENV", "ARG"):
            match = _SECRET.search(rest)
            if match is not None and not re.fullmatch(
                r"(?i)change_?me|example|none|null|true|false|dummy\w*|placeholder|x+", match[2]
            ):
                yield Issue(
                    number,
                    _S.HIGH,
                    _T.HARDCODED_SECRET,
                    f"`{match[1]}` has a value that stays in the image",
                    "Pass it when the container starts.",
                )
        elif instruction == "RUN":
            yield from _command(number, rest)
        elif instruction == "EXPOSE" and re.search(r"(?:^|\s)(?:22|23|2375|3389)(?:/tcp)?(?:\s|$)", rest):
            yield Issue(number, _S.MEDIUM, _T.EXPOSED_SERVICE, "A port for remote control is exposed", "Remove it.")
    if not from_line or last_from == "scratch" or re.search(r"nonroot|unprivileged|distroless.*nonroot", last_from):
        return
    if user in ("root", "0", "0:0", "root:root"):
        yield Issue(
            user_line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "The container runs as root",
            "End with USER and an ordinary account.",
        )
    elif not user:
        yield Issue(
            from_line,
            _S.LOW,
            _T.EXCESSIVE_PERMISSION,
            "The container runs as root, since no USER is set",
            "Add an account and USER.",
        )


def _command(number: int, rest: str) -> Iterator[Issue]:
    if _PIPED.search(rest):
        yield Issue(
            number,
            _S.MEDIUM,
            _T.UNSAFE_EXECUTION,
            "A script from the network is run unseen",
            "Download it, check its digest, then run it.",
        )
    if _UNCHECKED.search(rest):
        yield Issue(number, _S.MEDIUM, _T.DISABLED_VERIFICATION, "A download is not verified", "Leave verification on.")
    if re.search(r"\bchmod\s+(?:-R\s+)?0?777\b", rest):
        yield Issue(
            number,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "Files get permissions for everyone",
            "Give the owner alone what is needed.",
        )


def _instructions(text: str) -> Iterator[tuple[int, str, str]]:
    number, start, parts = 0, 0, list[str]()
    for number, line in enumerate(text.split("\n")[:20_000], start=1):
        bare = line.strip()[:2000]
        if not bare or bare.startswith("#"):
            continue
        if not parts:
            start = number
        parts.append(bare.removesuffix("\\"))
        if bare.endswith("\\"):
            continue
        word, _, rest = " ".join(parts).partition(" ")
        parts = []
        yield start, word.upper(), rest.strip()


def workflow(found: Sequence[Setting], path: str) -> Iterator[Issue]:
    """Pipelines of GitHub."""
    if ".github/" not in path and not any(
        each.path.startswith("jobs.") and each.key in ("runs-on", "uses") for each in found[:200]
    ):
        return
    target = any("pull_request_target" in each.path or each.value == "pull_request_target" for each in found)
    for each in found:
        if each.key in ("run", "script") and _UNTRUSTED.search(each.value):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.INJECTION,
                f"`{each.path}` puts text that strangers write into a script",
                "Pass it through an environment variable.",
            )
        elif each.key == "permissions" and each.value == "write-all":
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "The pipeline may write everything",
                "Name the permissions that it needs.",
            )
        elif target and each.key == "ref" and "github.event.pull_request.head" in each.value:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.UNSAFE_EXECUTION,
                "Code of strangers is checked out with the project's secrets",
                "Use pull_request.",
            )
        elif each.key == "run" and _PIPED.search(each.value):
            yield Issue(
                each.line,
                _S.LOW,
                _T.UNSAFE_EXECUTION,
                "A script from the network is run unseen",
                "Check its digest first.",
            )
