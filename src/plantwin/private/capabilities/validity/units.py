"""Units of systemd, and crontabs."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_KNOWN: dict[str, frozenset[str]] = {
    "Unit": words(
        "Description Documentation Wants Requires Requisite BindsTo PartOf Upholds Conflicts Before After OnFailure OnSuccess "
        "PropagatesReloadTo ReloadPropagatedFrom JoinsNamespaceOf RequiresMountsFor WantsMountsFor OnFailureJobMode IgnoreOnIsolate "
        "StopWhenUnneeded RefuseManualStart RefuseManualStop AllowIsolate DefaultDependencies CollectMode FailureAction "
        "SuccessAction StartLimitIntervalSec StartLimitInterval StartLimitBurst StartLimitAction JobTimeoutSec SourcePath "
        "SurviveFinalKillSignal PropagatesStopTo StopPropagatedFrom JobTimeoutAction JobRunningTimeoutSec RebootArgument"
    ),
    "Install": words("Alias WantedBy RequiredBy UpheldBy Also DefaultInstance"),
    "Service": words(
        "Type ExitType RemainAfterExit GuessMainPID PIDFile BusName ExecStart ExecStartPre ExecStartPost ExecCondition ExecReload "
        "ExecStop ExecStopPost RestartSec RestartSteps RestartMaxDelaySec TimeoutStartSec TimeoutStopSec TimeoutAbortSec TimeoutSec "
        "RuntimeMaxSec WatchdogSec Restart RestartMode SuccessExitStatus RestartPreventExitStatus RestartForceExitStatus "
        "RootDirectoryStartOnly NonBlocking NotifyAccess Sockets FileDescriptorStoreMax OOMPolicy User Group WorkingDirectory "
        "Environment EnvironmentFile PassEnvironment StandardInput StandardOutput StandardError SyslogIdentifier LimitNOFILE "
        "NoNewPrivileges PrivateTmp ProtectSystem ProtectHome KillMode KillSignal Nice UMask CapabilityBoundingSet "
        "AmbientCapabilities DynamicUser StateDirectory RuntimeDirectory CacheDirectory LogsDirectory ConfigurationDirectory "
        "ReadWritePaths ReadOnlyPaths MemoryMax CPUQuota TasksMax Slice Delegate"
    ),
    "Timer": words(
        "OnActiveSec OnBootSec OnStartupSec OnUnitActiveSec OnUnitInactiveSec OnCalendar AccuracySec RandomizedDelaySec FixedRandomDelay "
        "OnClockChange OnTimezoneChange Unit Persistent WakeSystem RemainAfterElapse"
    ),
}
_TYPES = words("simple exec forking oneshot dbus notify notify-reload idle")
_RESTARTS = words("no on-success on-failure on-abnormal on-watchdog on-abort always")
_EXEC = ("ExecStart", "ExecStartPre", "ExecStartPost", "ExecReload", "ExecStop", "ExecStopPost", "ExecCondition")
_CRON_LINE = re.compile(r"\s*(@\w+|(?:\S+\s+){4}\S+)\s+(\S.*)?$")


def unit(document: Document) -> Iterator[Issue]:
    """What is wrong with a unit."""
    root = document.root
    owners = {key: section for section, keys in _KNOWN.items() for key in keys}
    ending = document.name.rpartition(".")[2]
    wanted = {"service": "Service", "timer": "Timer", "socket": "Socket", "mount": "Mount"}.get(ending)
    if wanted and wanted not in root.map and "@" not in document.name and ".d/" not in document.name and root.map:
        yield Issue(
            1, _S.HIGH, _T.MISSING_PART, "systemd/section", f"A .{ending} unit without a [{wanted}] section", "Add it."
        )
    for section, node in root.map.items():
        for key in node.map:
            line = node.line_of(key)
            known = _KNOWN.get(section)
            if known is None or key in known or key.startswith("X-"):
                continue
            if owners.get(key) and owners[key] != section:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "systemd/wrong-section",
                    f"`{key}` belongs into [{owners[key]}], not [{section}]; it is ignored here",
                    "Move it.",
                )
                continue
            near = difflib.get_close_matches(key, known, 1, 0.88)
            if near and near[0].lower().rstrip("s") != key.rstrip("s") and not _plausible(key):
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "systemd/unknown-key",
                    f"`{key[:60]}` is no key of [{section}]",
                    f"Did you mean `{near[0]}`?",
                )
            elif near and near[0].lower() == key.lower():
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "systemd/unknown-key",
                    f"`{key[:60]}` is spelt `{near[0]}`",
                    "Correct it.",
                )
    service = root.at("Service")
    if service is not None:
        yield from _service(service, root)
    yield from _timer(root)


def _plausible(key: str) -> bool:
    """Keys of execution and resource control come in families that are not listed here."""
    return key.startswith(
        (
            "Limit",
            "Protect",
            "Private",
            "Restrict",
            "System",
            "Memory",
            "CPU",
            "IO",
            "IP",
            "Exec",
            "Condition",
            "Assert",
            "Timeout",
            "Load",
            "Set",
            "Import",
            "Log",
            "Mount",
            "Root",
            "Bind",
            "TTY",
            "Standard",
            "Device",
            "Tasks",
            "Block",
            "Startup",
            "Managed",
            "Allowed",
            "Default",
            "Final",
            "Watchdog",
            "Restart",
            "Kill",
            "Send",
            "Read",
            "Temporary",
            "Runtime",
            "State",
            "Cache",
            "Configuration",
            "Logs",
        )
    )


def _values(holder: Node, key: str) -> list[Node]:
    return holder.entries(key)


def _service(service: Node, root: Node) -> Iterator[Issue]:
    line = root.line_of("Service")
    kind = service.value("Type")
    if kind and kind not in _TYPES:
        yield Issue(
            service.line_of("Type"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "systemd/type",
            "Type is not one that exists",
            "Use simple, exec, forking, oneshot or notify.",
        )
    restart = service.value("Restart")
    if restart and restart not in _RESTARTS:
        yield Issue(
            service.line_of("Restart"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "systemd/restart",
            "Restart is not one that exists",
            "Use on-failure or always.",
        )
    starts = [each for each in _values(service, "ExecStart") if each.text]
    if (
        not starts
        and kind != "oneshot"
        and not _values(service, "ExecStop")
        and "SuccessAction" not in root.map.get("Unit", service).map
    ):
        yield Issue(line, _S.HIGH, _T.MISSING_PART, "systemd/exec", "The service has no ExecStart", "Add it.")
    if len(starts) > 1 and kind != "oneshot" and all(each.text for each in _values(service, "ExecStart")):
        yield Issue(
            starts[1].line,
            _S.HIGH,
            _T.DUPLICATION,
            "systemd/exec",
            "Only a oneshot service may have several ExecStart",
            "Keep one.",
        )
    for key in _EXEC:
        for each in _values(service, key):
            program = each.text.lstrip("-@:+!|").split(" ", 1)[0]
            if program and program[0] not in "/$%\"'" and "/" in program:
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "systemd/path",
                    f"{key} names a program by a relative path",
                    "Give the whole path.",
                )
            if re.search(r"\s(?:&&|\|\||\||>|>>)\s", each.text) and not re.search(
                r"\b(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\b", each.text
            ):
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "systemd/shell",
                    f"{key} uses signs of a shell, which is not there",
                    "Wrap it in /bin/sh -c '…'.",
                )
    for key in ("RestartSec", "TimeoutStartSec", "TimeoutStopSec", "TimeoutSec", "RuntimeMaxSec", "WatchdogSec"):
        text = service.value(key)
        if text and text != "infinity" and moments.seconds(text) is None and "%" not in text:
            yield Issue(
                service.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "duration",
                f"{key} is no span of time",
                "Write 30s or 5min.",
            )
    if kind == "forking" and not service.value("PIDFile"):
        yield Issue(
            service.line_of("Type"),
            _S.LOW,
            _T.MISSING_PART,
            "systemd/pidfile",
            "A forking service without PIDFile is hard to follow",
            "Add it, or use another type.",
        )


def _timer(root: Node) -> Iterator[Issue]:
    timer = root.at("Timer")
    if timer is not None and not any(key.startswith("On") for key in timer.map):
        yield Issue(
            root.line_of("Timer"),
            _S.HIGH,
            _T.MISSING_PART,
            "systemd/timer",
            "The timer never elapses",
            "Add OnCalendar or another On… key.",
        )


def crontab(document: Document) -> Iterator[Issue]:
    """What is wrong with a crontab."""
    system = re.search(r"(?:^|/)(?:etc/crontab|cron\.d/)", document.name) is not None
    for number, line in enumerate(document.source.text.split("\n")[:20_000], start=1):
        bare = line.strip()[:2000]
        if not bare or bare.startswith("#") or re.match(r"[A-Za-z_]\w*\s*=", bare):
            continue
        match = _CRON_LINE.match(bare)
        if match is None or not match[2]:
            yield Issue(
                number,
                _S.HIGH,
                _T.INVALID_VALUES,
                "cron",
                "A line that is no schedule with a command",
                "Write five fields and a command.",
            )
            continue
        fault = moments.cron_fault(match[1])
        if fault:
            yield Issue(number, _S.HIGH, _T.INVALID_VALUES, "cron", f"The schedule is none: {fault}", "Correct it.")
        elif re.search(r"(?<!\\)%", match[2]) and "date" in match[2]:
            yield Issue(
                number, _S.HIGH, _T.INVALID_VALUES, "cron/percent", "`%` ends the command in a crontab", "Write \\%."
            )
        elif match[1].startswith("* ") and not system and re.search(r"backup|dump|rsync", match[2]):
            yield Issue(
                number,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "cron/every-minute",
                "Heavy work runs every minute of the hour",
                "Set the minute.",
            )
