"""Ports that firewalls let in: variables of roles, tasks, rules of security groups and scripts."""

from __future__ import annotations

from typing import Any

import pytest
from capability_inputs import Run, given

FIREWALL = """firewall_allowed_tcp_ports: ["22", "443"]
firewall_additional_rules:
  - "iptables -A INPUT -p tcp --dport 11211 -s 192.0.2.7 -j ACCEPT"
  - "iptables -A OUTPUT -p tcp --dport 25 -j ACCEPT"
security_groups:
  - rules:
      - {from_port: 80, to_port: 80, cidr_ip: 0.0.0.0/0}
      - {from_port: 8000, to_port: 8010, cidr_ip: 192.0.2.0/24}
"""
TASKS = """- hosts: all
  tasks:
    - ufw: rule=allow port=2222 proto=tcp
    - ufw: {rule: deny, port: "23"}
    - ansible.posix.firewalld: {port: 8443/tcp, state: enabled}
    - wait_for: {port: 81}
"""
SCRIPT = """iptables -A INPUT -m multiport --dports 80,443 -j ACCEPT
ufw allow 22/tcp
ufw allow from 192.0.2.9 to any port 5432
firewall-cmd --add-port=443/tcp
"""
GROUP = """resource "aws_security_group" "db" {
  ingress {
    from_port   = 5432
    to_port     = 5432
    cidr_blocks = ["0.0.0.0/0"]
  }
}
"""


@pytest.mark.parametrize(
    ("name", "content", "opened"),
    [
        (
            "vars/main.yml",
            FIREWALL,
            [
                ("22", "firewall_allowed_tcp_ports", "everywhere"), ("443", "firewall_allowed_tcp_ports", "everywhere"),
                ("11211", "iptables", "192.0.2.7"), ("80", "rule of a security group", "everywhere"),
                ("8000-8010", "rule of a security group", "192.0.2.0/24"),
            ],
        ),
        (
            "group_vars/all.yml",
            'firewall_open_ports: "22, 8080/tcp"\n',
            [("22", "firewall_open_ports", "everywhere"), ("8080", "firewall_open_ports", "everywhere")],
        ),
        ("site.yml", TASKS, [("2222", "ufw", "everywhere"), ("8443", "firewalld", "everywhere")]),
        (
            "open.sh",
            SCRIPT,
            [
                ("80,443", "iptables", "everywhere"), ("22", "ufw", "everywhere"), ("5432", "ufw", "192.0.2.9"),
                ("443", "firewall-cmd", "everywhere"),
            ],
        ),
    ],
)  # fmt: skip
def test_ports_of_firewalls(run: Run, name: str, content: str, opened: list[tuple[str, str, str]]) -> None:
    ports: Any = run("list_exposed_ports", given(name, content)).facts["ports"]
    assert [(port, by.replace("\\", ""), reach) for port, by, reach, _ in ports] == [
        (port, f"the firewall ({by})", reach) for port, by, reach in opened
    ]


def test_a_security_group_is_a_firewall(run: Run) -> None:
    text = run("list_exposed_ports", given("main.tf", GROUP)).text.replace("\\", "")
    assert "| 5432 | aws_security_group.db (firewall) | everywhere | `main.tf:2` |" in text
