"""What a line of a log tells of: changes, starts, crashes, sign-ins, and why something failed. One row each."""

# ruff: noqa: E501 (one sign, one row)

from __future__ import annotations

import re

from plantwin.vocabulary import OutcomeTag


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


ROLLBACK, DEPLOY, MIGRATION, CONFIG, CRASH, RESTART = "rollback", "deploy", "migration", "config", "crash", "restart"
REFUSED, ADMITTED, RECOVERY = "refused", "admitted", "recovery"
CHANGES = frozenset((DEPLOY, ROLLBACK, MIGRATION, CONFIG))
"""What people or pipelines do to a system."""

_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        REFUSED,
        _any(
            r"failed password", r"authentication (?:failure|failed|error)", r"invalid user", r"login fail",
            r"failed (?:login|sign-?in|logon)", r"invalid (?:credentials|token|password|api.?key)", r"auth failed",
            r"account locked", r"(?:bad|wrong|incorrect) password", r"password (?:mismatch|check failed)",
            r"too many authentication", r"not in sudoers", r"failed to authenticate", r"res=failed", r"\bunauthori[sz]ed\b",
            r"access denied", r"permission denied \(publickey", r"login incorrect", r"token (?:expired|rejected)",
            r"password authentication failed",
        ),
    ),
    (
        ADMITTED,
        _any(
            r"accepted (?:password|publickey|keyboard)", r"login (?:succe|ok)", r"\blogged in\b", r"success\w* (?:login|logon)",
            r"session opened for user", r"authenticated as", r"signed in", r"authentication succeeded",
        ),
    ),
    (ROLLBACK, _any(r"\broll(?:ed|ing)?[ -]?back\b(?!.{0,60}(?:transaction|savepoint))", r"rollout undo", r"reverted to (?:v|version|release)")),
    (
        MIGRATION,
        _any(
            r"\b(?:running|applying|applied|ran|executing)\b.{0,60}\bmigrat", r"\bmigrations? (?:complete|applied|start|finish|succe|\d)",
            r"running upgrade \S{0,40} ?-> ?\S", r"== .{0,80}: migrat", r"migrating (?:schema|database)", r"\balter table\b",
            r"schema (?:version|update|migrat)",
        ),
    ),
    (
        DEPLOY,
        _any(
            r"\bdeploy(?:ed|ing|ment|s)?\b", r"replaced \d{1,4} of \d{1,4} (?:containers|pods|instances)", r"\brolled out\b",
            r"\brollout\b", r"(?:helm|upgrading) (?:upgrade|release)", r"\brelease v?\d", r"scalingreplicaset",
            r"scaled (?:up|down) replica ?set", r"\bpushed \S{1,200}:\S", r"successfully (?:built|tagged) \S", r"pull(?:ing|ed) image",
            r"promot(?:ed|ing) .{0,40}(?:to )?prod", r"canary", r"unpacking \S{1,80} \(\S", r"setting up \S{1,80} \(\S",
            r"\b(?:install(?:ed)?|upgrade[d]?) \S{1,80}:amd64 \S", r"apply complete!",
        ),
    ),
    (
        CONFIG,
        _any(
            r"\bconfig(?:uration|map|s)?\b.{0,40}\b(?:re-?load|chang|updat|appl|push|rotat|overrid)",
            r"\b(?:re-?load|chang|updat|appl|push)\w{0,4}\b.{0,20}\b(?:config|settings)", r"feature ?flags? .{0,60}(?:enabl|disabl|on|off|set)",
            r"\bflag \S{1,60} (?:enabled|disabled|turned|set)", r"\bsighup\b", r"certificate .{0,40}(?:renewed|rotated|expired|replaced)",
            r"(?:secret|key)s? rotated", r"parameter \"\S{1,60}\" changed", r"scal(?:ed|ing) .{0,40}(?:to|from) \d",
        ),
    ),
    (
        CRASH,
        _any(
            r"\bsegfault", r"out of memory", r"oom[- ]?kill", r"killed process", r"core dumped", r"\bpanic(?:ked)?\b", r"crash(?:ed|loop)",
            r"back-?off restarting", r"\bexited(?: with)?(?: status| code)?[ :=]{1,2}[1-9]\d{0,2}\b", r"exit code (?:13[479]|143)\b", r"terminated by signal",
            r"worker (?:timeout|died|exiting)", r"\bsigkill\b", r"\bsigsegv\b", r"main process exited", r"unhandled (?:exception|rejection)",
            r"uncaught exception", r"terminating due to", r"process exited unexpectedly",
        ),
    ),
    (
        RESTART,
        _any(
            r"\brestart", r"\bre-?boot", r"\bshutting down", r"\bshut ?down (?:complete|request|init)", r"\blistening (?:on|at)\b", r"\bbooting\b",
            r"server (?:has )?(?:started|stopped|is ready)", r"ready to accept connections", r"database system (?:is|was) (?:ready|shut)",
            r"(?:application|service|worker|daemon|process|instance|broker|container|unit)\b.{0,30}\b(?:start(?:ed|ing)|stopp(?:ed|ing))\b",
            r"^(?:[\w.\[\]:-]{1,60} ){0,4}start(?:ed|ing) (?:\S{1,40} )?(?:server|service|application|process|worker|daemon|v?\d|up\b|in \d)",
            r"\bstarted (?:environment|version|pid|in \d|successfully)", r"^(?:systemd\S{0,12} )?(?:started|stopped|starting|stopping) [A-Z@]\S",
            r"\bsigterm\b", r"linux version \d", r"received (?:fast|smart) shutdown",
        ),
    ),
    (RECOVERY, _any(r"\brecovered\b", r"back to normal", r"healthy again", r"circuit.{0,20}closed", r"\bre-?connected\b", r"all clear", r"incident resolved")),
)  # fmt: skip

_CAUSES: tuple[tuple[OutcomeTag, re.Pattern[str]], ...] = (
    (
        OutcomeTag.RESOURCE_EXHAUSTION,
        _any(
            r"out ?of ?memory", r"no space left", r"too many (?:open files|clients|connections)", r"no free \w", r"pool .{0,30}(?:exhausted|full|empty)",
            r"quota", r"resource temporarily unavailable", r"heap space", r"disk (?:is )?full", r"\benospc\b", r"\bemfile\b", r"\boom\b",
            r"queue (?:is )?full", r"cannot allocate", r"remaining connection slots", r"stack ?overflow", r"memoryerror",
        ),
    ),
    (OutcomeTag.TIMEOUT, _any(r"time[ds]?[ -]?out", r"deadline exceeded", r"no answer after", r"took too long", r"not respond(?:ing)? (?:in|within)")),
    (
        OutcomeTag.CONNECTION_FAILURE,
        _any(
            r"connection .{0,40}(?:refused|reset|aborted|closed|lost|failed|error)", r"connect(?:ion)?error", r"could not connect", r"failed to connect",
            r"unreachable", r"no route to", r"\beconn\w{3,9}", r"broken pipe", r"name or service not known", r"\benotfound\b", r"getaddrinfo",
            r"no such host", r"upstream .{0,40}(?:failed|prematurely)", r"connection ?refused", r"connect\(\) failed",
        ),
    ),
)  # fmt: skip

_ATTACK = _any(
    r"'(?:\s|%20|\+){0,4}(?:or|and)(?:\s|%20|\+){1,4}'?\d?'?=?", r"union(?:\s|%20|\+|/\*.{0,10}\*/){1,4}(?:all.{1,6})?select", r"(?:\.\./|\.\.%2f|%2e%2e[/%]){1,8}",
    r"<script|%3cscript", r"\$\{jndi:|%24%7bjndi", r"/etc/passwd|win\.ini", r";(?:\s|%20)?(?:cat|wget|curl|bash|sh|nc)(?:\s|%20|\+)", r"/\.(?:git|env|aws|ssh)(?:/|$|\?)",
    r"wp-login\.php|xmlrpc\.php|phpmyadmin|/cgi-bin/.{0,40}\.sh|/vendor/phpunit", r"sleep\(\d|benchmark\(\d|pg_sleep", r"information_schema|xp_cmdshell",
    r"\(\)(?:\s|%20)?\{", r"php://(?:input|filter)", r"169\.254\.169\.254",
)  # fmt: skip


def sign_of(text: str) -> str:
    """The sort of happening that a line tells of; empty where it is none of these."""
    text = text[:400]
    return next((sign for sign, pattern in _SIGNS if pattern.search(text) is not None), "")


def cause_of(text: str) -> OutcomeTag:
    """Why something failed, as far as its words tell."""
    text = text[:2000]
    return next((tag for tag, pattern in _CAUSES if pattern.search(text) is not None), OutcomeTag.ERRORS)


def attack(path: str) -> bool:
    """Whether a request looks like a probe or an exploit."""
    return _ATTACK.search(path[:2000]) is not None
