"""What log lines say: literals that find a line of a class, and expressions that confirm it. One row each."""

from __future__ import annotations

import re

LITERALS: dict[str, tuple[str, ...]] = {
    "log_system": (
        "service control manager",
        "microsoft-windows-",
        "eventlog",
        " kernel: ",
        "systemd[",
        "com.apple.",
        "launchd[",
        "dockerd[",
        "containerd[",
        "wininit",
        "networkmanager[",
        "(kafka.",
        "org.apache.kafka",
        "org.apache.zookeeper",
        "org.apache.hadoop",
        "[o.e.",
        "org.apache.cassandra",
    ),
    "log_auth": (
        *(
            "sshd[",
            "pam_unix",
            "sudo:",
            "login",
            "logged in",
            "logged out",
            "signed in",
            "session opened",
            "session closed",
        ),
        *(
            "authenticat",
            "publickey",
            "useradd",
            "usermod",
            "groupadd",
            "passwd[",
            "permission",
            "role=",
            "granted",
            "revoked",
        ),
        *(
            "type=user_",
            "type=cred",
            "event 4624",
            "eventid=46",
            "assumerole",
            "audit:",
            "token issued",
            "password changed",
        ),
    ),
    "log_auth_failure": (
        *(
            "failed password",
            "authentication failure",
            "authentication failed",
            "invalid user",
            "login failed",
            "failed login",
        ),
        *(
            "access denied",
            "permission denied",
            "invalid credentials",
            "invalid token",
            "auth failed",
            "account locked",
        ),
        *(
            "unauthorized",
            "forbidden",
            "bad password",
            "password mismatch",
            "too many authentication",
            "not in sudoers",
        ),
        *("login failure", "failed to authenticate", "denied by policy", "invalid password", "res=failed"),
    ),
    "log_network": (
        *("src=", "dst=", "dpt=", "proto=tcp", "proto=udp", "ufw block", "iptables", "%asa-", "accept ok", "reject ok"),
        *(
            "flags [",
            "nf_conntrack",
            "dhcpack",
            "dhcprequest",
            "rule 0/",
            "pass in on",
            "block in on",
            "block drop",
            "query[",
        ),
    ),
    "log_build": (
        *(
            "test session starts",
            " passed in ",
            " passed, ",
            "collected ",
            "npm err!",
            "npm warn",
            "> task :",
            "build success",
        ),
        *(
            "build failed",
            "epoch ",
            "##[",
            "::group::",
            "apply complete!",
            "terraform will",
            "make: ",
            "make[",
            "--- fail:",
        ),
        *("test suites: ", "tests: ", " passing", " failing", "test result: ", " actionable task", "build succeeded"),
        *("could not compile", "examples, ", "command failed with", "(run ", "tests passed", "ran "),
        *("pass ", "fail ", "✓ ", "✔ ", "webpack ", "asset ", "compiled ", "error[e", "restored ", " ... ok"),
        *("--- pass:", "[ok]", "compiling ", "linking ", "successfully built", "successfully installed", "collecting "),
        *(
            "step 1/",
            "step 2/",
            "deploying",
            "rollout status",
            "rolled out",
            "deployed",
            "pushing image",
            "pulling image",
        ),
        *(
            "train_loss",
            "val_loss",
            "loss:",
            "loss=",
            "running tests",
            "tests run:",
            "=> [",
            "created revision",
            "[info] ---",
        ),
        *(
            "upgrading release",
            "migrat",
            "checking out",
            "cloning into",
            "writing image",
            "release v",
            "health check passed",
        ),
    ),
    "log_restart": (
        *("starting", "started", "stopping", "stopped", "shutting down", "shutdown", "restart", "reboot", "crashed"),
        *(
            "out of memory",
            "killed process",
            "sigterm",
            "sigkill",
            "listening on",
            "exited with",
            "terminated",
            "deployed",
        ),
        *("rolled out", "rollback", "oomkilled", "crashloop", "back-off", "booting", "linux version"),
    ),
    "log_latency": (
        "ms",
        "took ",
        "duration",
        "latency",
        "elapsed",
        "request_time",
        "response_time",
        "seconds",
        " in 0.",
    ),
}

CONFIRM: dict[str, re.Pattern[str]] = {
    "log_latency": re.compile(
        r"\d[ ]?(?:ms|µs|us|msec|s|secs?|seconds)\b|(?:duration|latency|elapsed|took|request_time"
        r"|response_time)\w{0,6}[\"=: ]{1,4}\d|in 0\.\d"
    ),
    "log_network": re.compile(
        r"src=\S{1,60} .{0,200}dst=|spt=|dpt=|ufw block|iptables|%asa-|(?:accept|reject) ok|flags \[|conntrack"
        r"|dhcp(?:ack|request)"
        r"|proto=(?:tcp|udp)|(?:pass|block)(?: drop)? in on|rule 0/|query\["
    ),
    "log_build": re.compile(
        r"test session starts|\d (?:passed|failed)|^collected \d|npm (?:err!|warn)|> task :|build (?:success|failed)"
        r"|epoch ?[\[ ]?\d"
        r"|##\[|::group::|apply complete!|terraform will|make(?:\[\d{1,3}\])?: |--- (?:fail|pass):|\[ok\]"
        r"|\b(?:compiling|linking) [\w./]"
        r"|successfully (?:built|installed)|collecting \w|step \d{1,3}/\d|\bdeploy(?:ing|ed)\b|rollout status"
        r"|rolled out"
        r"|(?:push|pull)ing image|(?:train_|val_)?loss[:=]|running tests|tests run:|=> \[|created revision|\[info\] ---"
        r"|upgrading release|(?:running|applying|applied) .{0,40}migrat|migrations? (?:complete|applied)|checking out"
        r"|cloning into"
        r"|^\s{0,8}(?:test suites|tests): {1,10}\d|\d (?:passing|failing)\b|test result: |\d actionable task"
        r"|build succeeded"
        r"|could not compile|\d examples, \d|command failed with|^\s{0,4}\(run |\d% tests passed|ran \d{1,6} tests? in"
        r"|^(?:pass|fail)\s{1,4}\S{1,200}\.\w{1,5}\b|^\s{1,12}[✓✔] |webpack \d|^\s{0,4}asset \S"
        r"|compiled (?:successfully|with)"
        r"|error\[e\d|^\s{0,4}restored |\.{3} ok$"
        r"|writing image|release v?\d|health check passed",
        re.MULTILINE,
    ),
}

_EDGE = r"(?:^|[\s\[<|=\"'(:.\]])"
_FIELD = r"(?:[\[<(|]|(?:level|severity|lvl|levelname)[\"=: ]{1,4})"
_END = r"(?=$|[\s\]>|:\"',;)!.\[])"


def _level(*words: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((word, re.compile(_EDGE + re.escape(word) + _END)) for word in words)


def _tagged(*words: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Lower case says a level only in its place: in brackets, as a field's value, before a colon."""
    return tuple((word, re.compile(rf"{_FIELD}{word}\b|:{word}\]|(?:^|[\s:.]){word}(?:: |!)")) for word in words)


LEVELS: dict[str, tuple[tuple[str, re.Pattern[str]], ...]] = {
    "log_error": _level(
        "ERROR", "FATAL", "CRITICAL", "SEVERE", "PANIC", "EMERG", "CRIT", "ERR", "FAILED", "FAIL", "Error", "Exception"
    )
    + _tagged("error", "fatal", "critical", "crit", "emerg", "alert", "panic"),
    "log_warning": _level("WARN", "WARNING", "Warning") + _tagged("warn", "warning"),
}

ACCESS = re.compile(
    r"(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) \S{1,1500}(?: HTTP/\d(?:\.\d)?\"? (\d{3})\b|\"? (?:- |-> |=> "
    r"|status[=:] ?)?(\d{3})\b)"
)
METHODS = ("GET /", "POST /", "PUT /", "DELETE /", "HEAD /", "PATCH /", "OPTIONS /", "GET http", "POST http")
REQUESTED = re.compile(r"[A-Z]{3,7} \S{1,1500} HTTP/\d")
ANSWERED = re.compile(r" ([1-5]\d\d) (?:[1-5]\d\d |- )?\d{1,12} ")
_VERB = r"(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)"
SERVED: tuple[tuple[str, re.Pattern[str]], ...] = (
    # requests as frameworks write them: over fields, or over several lines
    ("method=", re.compile(rf"method=\"?{_VERB}\b.{{0,1500}}?\bstatus=\"?(\d{{3}})\b")),
    ("Started ", re.compile(rf"Started {_VERB} \"/()")),
    ("Processing by ", re.compile(r"Processing by [\w:]{1,120}#()")),
    ("Completed ", re.compile(r"Completed (\d{3}) [A-Z]")),
)
"""How a request that was served is told where its line is not that of a web server."""
