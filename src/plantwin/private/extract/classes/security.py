"""Rows for the security family: rules, findings, incidents."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "security_rule": "config code_file",
    "security_report": "structured_record document config",
    "incident_record": "document structured_record config",
    "postmortem": "document",
}

ROWS = (
    # security_rule
    Row("security_rule", "feature", "security_rule", 8.0),
    Row("security_rule", "format", "security_rules", 6.0),
    Row("security_rule", "file", "*.rego *.yar *.yara *.rules *.sigma", 5.0),
    Row("security_rule", "path", "sigma yara snort suricata semgrep falco rule detection opa policy waf",
        1.8, "kind=config,code_file has=security_rule"),
    # security_report
    Row("security_report", "feature", "finding_record", 7.0),
    Row("security_report", "heading", "finding vulnerability severity remediation recommendation pentest", 1.6),
    Row("security_report", "heading", "risk cvss critical evidence scope exploit", 0.8),
    Row("security_report", "name", "severity cve vulnerability finding cvss advisory rule_id",
        1.2, "kind=structured_record,config"),
    Row("security_report", "path", "scan audit pentest vulnerability vuln sarif trivy zap finding assessment advisory",
        2.2),
    Row("security_report", "path", "security report", 0.8),
    Row("security_report", "text", "vulnerability vulnerabilities finding findings cvss severity remediation pentest",
        0.9),
    Row("security_report", "text",
        "tester exploit exploitable proof_of retest in_scope recommendation cve scan_report nmap",
        0.9),
    # incident_record
    Row("incident_record", "feature", "timeline", 4.0, "min=3 kind=document has=mishap"),
    Row("incident_record", "feature", "timeline", 1.5, "max=2 kind=document has=mishap"),
    Row("incident_record", "folder", "incidents incident cases tickets iocs", 3.0),
    Row("incident_record", "heading", "incident indicator ioc containment compromise affected triage forensic", 1.8),
    Row("incident_record", "heading", "timeline status state severity reporter evidence eradication what_we", 0.9),
    Row("incident_record", "text", "reported_by severity contained indicators affected compromised ioc attacker", 0.9),
    Row("incident_record", "text", "evidence ticket open_questions case state what_we sessions_revoked steps_to", 0.6),
    Row("incident_record", "name", "ioc indicator incident sha attacker threat malware tlp ttp first_seen last_seen",
        1.4, "kind=structured_record,config"),
    Row("incident_record", "name", "reporter assignee priority severity summary resolution comment assigned"
        " affected triage contained",
        1.4, "kind=structured_record,config"),
    Row("incident_record", "heading", "reporter steps_to expected actual reproduce workaround seen_in", 1.0),
    Row("incident_record", "text", "steps_to to_reproduce reporter expected actual repro", 0.8),
    Row("incident_record", "folder", "bugs issues bugreports bug-reports", 2.5),
    Row("incident_record", "path", "incident ioc indicator breach forensic case ticket ir", 2.4),
    # postmortem
    Row("postmortem", "feature", "timeline", 4.0, "min=3 kind=document has=mishap"),
    Row("postmortem", "feature", "timeline", 1.5, "max=2 kind=document has=mishap"),
    Row("postmortem", "folder", "postmortems postmortem post-mortems retrospectives rca", 4.0, "kind=document"),
    Row("postmortem", "heading", "postmortem root_cause lesson impact resolution contributing prevention", 1.8),
    Row("postmortem", "heading", "cause timeline action_item went trigger detection why corrective learned follow_up",
        1.0),
    Row("postmortem", "text", "root_cause rolled_back postmortem lessons follow_ups contributing what_went", 1.2),
    Row("postmortem", "text", "we_noticed detected impact minutes_without went_well to_prevent outage why_it", 0.7),
    Row("postmortem", "heading", "what_happened could_happen what_changes why_it what_went blame", 1.4),
    Row("postmortem", "text", "without_blame what_happened were_lost returned_errors from_now noticed_late"
        " nobody_had foothold", 0.9),
    Row("postmortem", "text", "took_down locked_the had_been customers_could orders_were lasted_for caused_by"
        " because_the", 0.5),
    Row("postmortem", "path", "postmortem mortem retrospective rca outage retro", 2.6),
    Row("postmortem", "path", "incident", 0.8, "kind=document"),
)
