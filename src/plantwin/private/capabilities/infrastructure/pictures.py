"""Images: what a Dockerfile puts into them, and how others name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.instructions import Instruction, instructions, stages
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
PIPED = re.compile(
    r"\b(?:curl|wget)\b[^|;&\n]{0,300}\|\s{0,4}(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/bin/)?(?:ba|z|da)?sh\b|\b(?:ba)?sh\s+(?:-c\s+[\"']?\$\(|<\(\s*)(?:curl|wget)\b"
)
UNCHECKED = re.compile(
    r"\bcurl\b[^|;&\n]{0,300}\s(?:-k|--insecure|-[a-zA-Z]{0,6}k[a-zA-Z]{0,6})(?=\s|$)|--no-check-certificate|--allow-unauthenticated|--force-yes|--trusted-host|strict-ssl\s+false|http\.sslVerify\s+false|--nogpgcheck|--no-gpg-check"
)
NOPASSWD = re.compile(r"NOPASSWD:\s*ALL")
_SECRET = re.compile(
    r"\b(\w{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY)(?:_KEY)?)[= ]\s{0,4}[\"']?([^\s\"'$]{4,})",
    re.IGNORECASE,
)
_DUMMY = re.compile(r"(?i)change_?me|example|none|null|true|false|dummy\w*|placeholder|x+|/.*|\d{1,4}")
_COPIED = re.compile(
    r"(?:^|[\s/])(?:\.env(?:\.\w+)?|id_rsa|id_ed25519|\.ssh|\.aws|\.npmrc|\.pypirc|credentials(?:\.json)?|[\w.-]+\.(?:pem|key|pfx|p12))(?=\s)"
)


def image_issue(line: int, image: str, place: str) -> Issue | None:
    """Whether an image may change under its name."""
    name = image.rpartition("/")[2]
    if not image or "$" in image or "@" in image or "templatedvalue" in image or image == "scratch":
        return None
    if ":" not in name or name.endswith(":latest"):
        return Issue(
            line,
            _S.MEDIUM,
            _T.UNPINNED,
            "image tag",
            f"{place} uses whatever image is newest",
            "Name a version or digest.",
        )
    return None


def dockerfile(text: str) -> Iterator[Issue]:
    """What an image risks."""
    found = instructions(text)
    named = stages(found)
    last = max((each.stage for each in found), default=0)
    user, user_line, base, base_line = "", 0, "", 0
    health = False
    for each in found:
        if each.name == "FROM":
            image = each.words[0] if each.words else ""
            if image.lower() not in named:
                issue = image_issue(each.line, image, "The base")
                if issue is not None:
                    yield issue
                user = ""
            base, base_line = image, each.line
            user_line = each.line
        elif each.name == "USER":
            user, user_line = each.rest.strip("\"' "), each.line
        elif each.name == "HEALTHCHECK" and each.stage == last:
            health = True
        yield from _one(each)
    if not base_line or base == "scratch" or re.search(r"nonroot|unprivileged", base) or base.lower() in named:
        return
    if user.partition(":")[0] in ("root", "0"):
        yield Issue(
            user_line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "CIS-Docker 4.1",
            "The container runs as root",
            "End with USER and an ordinary account.",
        )
    elif not user:
        yield Issue(
            base_line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "CIS-Docker 4.1",
            "The container runs as root, since no USER is set",
            "Add an account and USER.",
        )
    if not health and any(each.name in ("EXPOSE",) and each.stage == last for each in found):
        yield Issue(
            base_line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "CIS-Docker 4.6",
            "The image has no HEALTHCHECK",
            "Add one, unless an orchestrator probes it.",
        )


def _one(each: Instruction) -> Iterator[Issue]:
    line, rest = each.line, each.rest
    if each.name == "ADD" and re.search(r"\bhttps?://", rest) and "--checksum" not in rest:
        yield Issue(
            line,
            _S.MEDIUM,
            _T.MISSING_CHECK,
            "CIS-Docker 4.9",
            "A file from the network is added unseen",
            "Use --checksum, or download it and check its digest.",
        )
    elif each.name in ("COPY", "ADD") and "--from" not in rest and _COPIED.search(f" {rest} "):
        yield Issue(
            line,
            _S.HIGH,
            _T.HARDCODED_SECRET,
            "CIS-Docker 4.10",
            "A file of secrets is copied into the image",
            "Mount it as a secret while building or running.",
        )
    elif each.name in ("ENV", "ARG"):
        match = _SECRET.search(rest)
        if match is not None and not _DUMMY.fullmatch(match[2]):
            yield Issue(
                line,
                _S.HIGH,
                _T.HARDCODED_SECRET,
                "CIS-Docker 4.10",
                f"`{match[1]}` has a value that stays in the image",
                "Pass it when the container starts.",
            )
    elif each.name == "EXPOSE" and re.search(r"(?:^|\s)(?:22|23|2375|3389)(?:/tcp)?(?:\s|$)", rest):
        yield Issue(
            line, _S.MEDIUM, _T.EXPOSED_SERVICE, "CIS-Docker 5.6", "A port for remote control is exposed", "Remove it."
        )
    elif each.name == "RUN":
        yield from commands(line, rest)


def commands(line: int, text: str) -> Iterator[Issue]:
    """What a command risks, wherever it runs."""
    if PIPED.search(text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.UNSAFE_EXECUTION,
            "curl | sh",
            "A script from the network is run unseen",
            "Download it, check its digest, then run it.",
        )
    if UNCHECKED.search(text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.DISABLED_VERIFICATION,
            "unverified download",
            "A download is not verified",
            "Leave verification on.",
        )
    if re.search(r"\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx|ugo\+rwx)\b", text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "chmod 777",
            "Files get permissions for everyone",
            "Give the owner alone what is needed.",
        )
    if NOPASSWD.search(text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "sudo NOPASSWD",
            "An account may do everything without a password",
            "Name the commands.",
        )
