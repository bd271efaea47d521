"""Rows for the logs family: what systems wrote while running."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    (
        "application_log",
        "error_log",
        "access_log",
        "system_log",
        "audit_log",
        "network_log",
        "build_log",
    ),
    "log_stream",
)

ROWS = (
    Row("application_log", "format", "log", 1.5),
    Row("application_log", "feature", "log_line", 2.2),
    Row("application_log", "path", "app application service worker server api debug", 1.0),
    Row("error_log", "feature", "log_error", 7.0, "part=log_line:0.5 no=log_access"),
    Row("error_log", "feature", "log_error", 5.0, "part=log_line:0.5 has=log_access"),
    Row("error_log", "feature", "log_error", 1.5, "part=log_line:0.15"),
    Row("error_log", "feature", "stack_trace", 2.0, "has=log_error"),
    Row("error_log", "feature", "stack_trace", 5.0, "part=log_line:0.25"),
    Row("error_log", "feature", "stack_trace", 7.0, "no=log_line"),
    Row("error_log", "path", "error err exception crash stderr traceback", 2.0),
    Row("access_log", "feature", "log_access", 8.0, "part=log_line:0.5"),
    Row("access_log", "feature", "log_access", 2.0, "part=log_line:0.2"),
    Row("access_log", "path", "access request nginx apache http", 2.0),
    Row("system_log", "feature", "log_system", 7.0, "part=log_line:0.5"),
    Row("system_log", "feature", "log_system", 2.0, "part=log_line:0.2"),
    Row("system_log", "path", "syslog system kern dmesg journal messages boot daemon kernel", 2.2),
    Row("audit_log", "feature", "log_auth", 8.0, "part=log_line:0.5"),
    Row("audit_log", "feature", "log_auth", 3.0, "part=log_line:0.25"),
    Row("audit_log", "feature", "log_auth_failure", 2.0, "part=log_line:0.2"),
    Row("audit_log", "feature", "time_field", 6.0, "notformat=log no=log_line"),
    Row("audit_log", "name", "user actor principal signin login mfa permission role operation", 0.8),
    Row("audit_log", "path", "audit auth cloudtrail secure security login sshd", 2.2),
    Row("network_log", "feature", "log_network", 8.0, "part=log_line:0.5"),
    Row("network_log", "feature", "log_network", 2.5, "part=log_line:0.2"),
    Row("network_log", "path", "firewall network iptables netflow zeek conn dns vpn flow pf suricata", 2.2),
    Row("build_log", "feature", "log_build", 8.0, "part=log_line:0.3"),
    Row("build_log", "feature", "log_build", 5.0, "part=log_line:0.1"),
    Row("build_log", "path", "build ci deploy test train training install pytest maven release", 2.2),
)
