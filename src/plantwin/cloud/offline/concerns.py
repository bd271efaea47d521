"""What a vague goal worries about, and which capabilities speak to each worry.

A vague goal names no step. Its worry says what would help in general; what the twin shows (`material.py`) decides
what helps here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from plantwin.vocabulary import CapabilityName as Can


class Concern(StrEnum):
    """What a goal without steps is about."""

    INCIDENT = "incident"
    BREACH = "breach"
    SHARE = "share"
    SHIP = "ship"
    UNDO = "undo"
    STATE = "state"
    ORIENT = "orient"
    CATCHUP = "catchup"
    PREPARE = "prepare"
    TRUST = "trust"
    BETTER = "better"
    DRIFTED = "drifted"
    SLOW = "slow"
    RISK = "risk"
    CHANGE = "change"
    DUTY = "duty"
    DIFFERS = "differs"
    RECOVER = "recover"
    EVERYONE = "everyone"


PHRASES: Final[dict[Concern, dict[str, float]]] = {
    Concern.INCIDENT: {
        "break|broke": 0.7, "went|go wrong": 0.8, "what happened|happen": 0.7, "last_night|overnight": 0.4,
        "outage|incident|downtime|crash": 0.7,
        "down": 0.4, "stop|stopped|quit work|working|respond": 0.8, "not work|working|respond|start": 0.7,
        "fail|failing|error": 0.5, "problem|trouble|weird|strange|odd": 0.4,
        "figure|find out why": 0.3, "why": 0.2, "alarm|alert|paged|pager|woke": 0.5,
        "unavailable|unreachable|hang|hung|stuck|freeze": 0.6, "fire|mess": 0.3, "complain|complaint": 0.3,
        "how_bad": 0.4,
    },
    Concern.BREACH: {
        "attacker|intruder|hacker|hack|hacked|thief|burglar": 0.8, "break|broke|get|got in": 0.5,
        "they get|got|came in": 0.7, "breach|compromise|compromised|intrusion": 0.8, "leak|leaked|stolen|steal": 0.6,
        "suspicious|malicious|phishing|ransom|malware": 0.6, "someone|somebody access|inside|entered": 0.6,
        "unauthorized": 0.7, "exfiltrate": 0.8,
    },
    Concern.SHARE: {
        "hand|give|send|show|pass|forward to": 0.5, "hand over": 0.5, "share|sharing|publish|disclose": 0.7,
        "auditor|outsider|contractor|vendor|third_party|journalist|regulator|supplier": 0.5,
        "outside|external|public|publicly": 0.4,
        "safe to hand|give|send|share|show|publish|upload|open|leave": 0.8, "open_source": 0.6, "upload": 0.4,
        "let see|have": 0.3, "leave house|company|building": 0.5, "confidential|private": 0.4,
    },
    Concern.SHIP: {
        "ship|release|launch|deploy|rollout|publish": 0.6, "roll|push|put out|live|production": 0.7,
        "go live|out|ahead": 0.7, "golive": 0.8, "promote": 0.6, "merge": 0.6,
        "ready to|for production|release|customer|launch|use": 0.6,
        "good to go|roll|ship|deploy|merge": 0.8, "sign off": 0.6, "green light": 0.7,
        "safe to run|deploy|release|merge|apply|roll|ship|switch": 0.7, "production ready": 0.8, "cut release": 0.7,
        "run live|production|tonight": 0.5, "go_no_go": 0.8,
    },
    Concern.STATE: {
        "state|shape|condition|health|healthy|status": 0.7, "how we|it|this|things doing|look|stand": 0.5,
        "wrong with": 0.4, "anything|something wrong|notice|odd": 0.5, "worry|concern": 0.45, "where stand": 0.6,
        "in_order": 0.5, "look around|over": 0.4,
        "check everything|over|it|this": 0.4, "quality": 0.4, "what wrong": 0.5, "fix first": 0.6,
        "need attention|doing|fixing": 0.6, "neglected|rotten|mess": 0.5, "worst part": 0.5, "up_to_date": 0.3,
    },
    Concern.ORIENT: {
        "taking|take over": 0.6, "inherit|inherited": 0.7, "speed": 0.5, "big_picture": 0.8,
        "new here|team|project": 0.6, "understand|orient|onboard|onboarding": 0.6, "what is this|here|in": 0.5,
        "how work|works": 0.5, "first day": 0.6, "tour": 0.6,
        "where start|begin": 0.6, "lay land": 0.7, "make sense of": 0.6, "know what": 0.2, "about": 0.1,
        "joined|joining": 0.5, "introduce|introduction": 0.6, "what have here": 0.6,
    },
    Concern.PREPARE: {
        "ready for review|meeting|audit|call|inspection|visit|board": 0.9, "prepare|prepared|preparing|prep": 0.6,
        "before meeting|call|review|audit|board": 0.6, "brief me": 0.6, "need to know": 0.4,
        "review|meeting|inspection tomorrow|monday|today|next": 0.6, "ready": 0.3,
    },
    Concern.TRUST: {
        "trust|rely|believe|reliable|trustworthy": 0.7,
        "number|figure|total|data|report off|wrong|strange|right|correct|odd|weird|add": 0.7,
        "correct|accurate|plausible": 0.4, "make sense": 0.3, "usable|good enough": 0.4, "use this|it for": 0.3,
    },
    Concern.UNDO: {
        "roll|take|go|bring back": 0.7, "rollback|revert|undo": 0.9, "last|recent change|release|deploy harm|hurt": 0.7,
        "make|made worse": 0.7, "regress|regression": 0.4,
    },
    Concern.CATCHUP: {
        "what miss|missed": 0.9, "away|holiday|vacation|absent|leave": 0.4, "catch up": 0.8, "since left|friday": 0.5,
        "happened while|since": 0.6, "what new": 0.5,
    },
    Concern.BETTER: {
        "new model|version|run|one": 0.5, "better|best": 0.5, "improve|improvement": 0.5, "beat|outperform": 0.7,
        "worth": 0.4, "than old|previous|before|current": 0.5, "any good": 0.6,
    },
    Concern.DRIFTED: {
        "worse|degrade|degraded|deteriorate|decline|dropped": 0.6, "used work|be|better": 0.5,
        "since|anymore": 0.25, "changed since|compared": 0.6, "what changed|change|different": 0.6,
        "no_longer": 0.5, "look different": 0.6,
    },
    Concern.DIFFERS: {
        "works here|mine|staging|locally|test": 0.6, "not there|production|live": 0.3, "who|which right": 0.7,
        "disagree|mismatch|contradict": 0.7, "same|match": 0.4, "out_of_sync": 0.8,
    },
    Concern.RECOVER: {
        "backup|restore|failover|fallback": 0.7, "disaster|burn|flood|lost": 0.5, "lose everything|all|server": 0.6,
        "come|get back": 0.4, "recover|recovery": 0.7,
    },
    Concern.SLOW: {"slow|sluggish|lag|laggy|crawl|crawling|latency": 0.8, "performance": 0.5,
        "take|takes long|forever|age": 0.8, "faster|speed up": 0.6, "bottleneck": 0.7, "timeout|timing_out": 0.4,
        "expensive|cost": 0.4},
    Concern.RISK: {
        "risk|risky|danger|dangerous|hazard": 0.6, "attacker|attack start|first|do": 0.5, "attack": 0.6,
        "secure|security|insecure|unsafe|vulnerable": 0.6,
        "worry|worried|afraid|fear|scare|nervous|uneasy|concern": 0.6,
        "keep up|awake": 0.5, "sleep": 0.4, "bite|hurt|burn": 0.4,
        "worst happen": 0.5, "exposed": 0.4, "weak spot|point": 0.7, "safe": 0.3,
    },
    Concern.CHANGE: {
        "switch|replace|upgrade|migrate|retire|remove|drop to|new|old|version|over": 0.6,
        "notice|affected|break if|when": 0.6, "partner|client|consumer|customer notice|break|complain": 0.6,
        "what if|happens|happen": 0.3, "backward|compatible": 0.6, "safe to change|remove|delete|upgrade|switch": 0.7,
    },
    Concern.DUTY: {"owe|due|obliged|liable|accountable": 0.8, "what|which must|have_to|need_to do|keep|deliver": 0.5,
        "have_to do": 0.5, "sign|signed|promised|agreed to|on|it|this": 0.6,
        "legal|legally|compliant|comply|compliance|gdpr|lawful": 0.7, "allowed": 0.5, "on_the_hook": 0.7,
        "do_now|do_next|next_step": 0.5},
    Concern.EVERYONE: {"everyone|everybody": 0.5, "people cannot|with|disability": 0.4, "mouse|blind|deaf": 0.7,
        "inclusive": 0.8},
}  # fmt: skip
"""What a worry sounds like."""

HELPS: Final[dict[Concern, dict[Can, float]]] = {
    Concern.INCIDENT: {
        Can.ANALYZE_LOGS: 1.0, Can.TRACE_ERRORS: 0.85, Can.CORRELATE_EVENTS: 0.85, Can.BUILD_TIMELINE: 0.8,
        Can.CHECK_DATA_QUALITY: 0.75, Can.DETECT_DRIFT: 0.65, Can.COMPARE_METRICS: 0.7,
        Can.REVIEW_MIGRATIONS: 0.7, Can.CHECK_API_CONTRACT: 0.65, Can.ASSESS_EXPOSURE: 0.4, Can.RUN_TESTS: 0.6,
        Can.COMPARE_ENVIRONMENTS: 0.45, Can.VALIDATE_CONFIG: 0.5, Can.VALIDATE_SCHEMA: 0.55, Can.REVIEW_QUERIES: 0.6,
        Can.FIND_IMPACT: 0.4, Can.LINT: 0.5,
    },
    Concern.BREACH: {Can.ANALYZE_LOGS: 1.0, Can.BUILD_TIMELINE: 0.85, Can.CORRELATE_EVENTS: 0.85,
        Can.ASSESS_EXPOSURE: 0.85, Can.SECRET_SCAN: 0.75, Can.SECURITY_AUDIT: 0.6, Can.AUDIT_INFRASTRUCTURE: 0.5},
    Concern.SHARE: {Can.SECRET_SCAN: 1.0, Can.REDACT_DOCUMENT: 0.9, Can.ASSESS_EXPOSURE: 0.8,
        Can.AUDIT_INFRASTRUCTURE: 0.5, Can.SECURITY_AUDIT: 0.5, Can.CLASSIFY: 0.3, Can.EXTRACT_CONSTRAINTS: 0.35},
    Concern.SHIP: {
        Can.RUN_TESTS: 1.0, Can.LINT: 0.65, Can.AUDIT_DEPENDENCIES: 0.75, Can.VALIDATE_CONFIG: 0.85,
        Can.REVIEW_MIGRATIONS: 0.95, Can.CHECK_API_CONTRACT: 0.95, Can.COMPARE_METRICS: 0.95,
        Can.COMPARE_ENVIRONMENTS: 0.8, Can.SECURITY_AUDIT: 0.65,
        Can.SECRET_SCAN: 0.52, Can.AUDIT_INFRASTRUCTURE: 0.75, Can.CHECK_ACCESSIBILITY: 0.85, Can.DETECT_DRIFT: 0.75,
        Can.CHECK_DATA_QUALITY: 0.7, Can.VALIDATE_SCHEMA: 0.75, Can.REVIEW_QUERIES: 0.7, Can.EXTRACT_CONSTRAINTS: 0.5,
        Can.REDACT_DOCUMENT: 0.3,
    },
    Concern.STATE: {
        Can.SUMMARIZE: 0.7, Can.LINT: 0.75, Can.RUN_TESTS: 0.75, Can.MEASURE_COMPLEXITY: 0.7,
        Can.VALIDATE_CONFIG: 0.8, Can.AUDIT_INFRASTRUCTURE: 0.85, Can.COMPARE_ENVIRONMENTS: 0.5,
        Can.ANALYZE_LOGS: 0.85, Can.TRACE_ERRORS: 0.7, Can.CHECK_DATA_QUALITY: 0.9,
        Can.VALIDATE_SCHEMA: 0.8, Can.PROFILE_DATA: 0.75, Can.DETECT_DRIFT: 0.7, Can.COMPARE_METRICS: 0.8,
        Can.REVIEW_QUERIES: 0.8, Can.REVIEW_MIGRATIONS: 0.75, Can.CHECK_API_CONTRACT: 0.9,
        Can.CHECK_ACCESSIBILITY: 0.9, Can.AUDIT_DEPENDENCIES: 0.6,
        Can.EXTRACT_CONSTRAINTS: 0.7, Can.BUILD_TIMELINE: 0.6, Can.ASSESS_EXPOSURE: 0.45, Can.SECRET_SCAN: 0.65,
        Can.SECURITY_AUDIT: 0.7, Can.COMPARE: 0.4,
    },
    Concern.ORIENT: {Can.SUMMARIZE: 1.0, Can.MAP_DEPENDENCIES: 0.9, Can.MEASURE_COMPLEXITY: 0.55,
        Can.PROFILE_DATA: 0.6, Can.CLASSIFY: 0.35, Can.EXTRACT_CONSTRAINTS: 0.45, Can.RUN_TESTS: 0.3,
        Can.ANALYZE_LOGS: 0.45},
    Concern.PREPARE: {
        Can.SUMMARIZE: 0.95, Can.EXTRACT_CONSTRAINTS: 0.8, Can.CHECK_API_CONTRACT: 0.85,
        Can.CHECK_ACCESSIBILITY: 0.85, Can.LINT: 0.65, Can.RUN_TESTS: 0.7, Can.COMPARE_METRICS: 0.85,
        Can.REVIEW_MIGRATIONS: 0.85, Can.REVIEW_QUERIES: 0.75, Can.CHECK_DATA_QUALITY: 0.8,
        Can.VALIDATE_SCHEMA: 0.55, Can.AUDIT_INFRASTRUCTURE: 0.85, Can.VALIDATE_CONFIG: 0.75,
        Can.BUILD_TIMELINE: 0.65, Can.ANALYZE_LOGS: 0.6, Can.COMPARE: 0.7, Can.SECURITY_AUDIT: 0.55,
        Can.MEASURE_COMPLEXITY: 0.55, Can.DETECT_DRIFT: 0.65, Can.ASSESS_EXPOSURE: 0.55,
        Can.COMPARE_ENVIRONMENTS: 0.5, Can.AUDIT_DEPENDENCIES: 0.5, Can.PROFILE_DATA: 0.5,
    },
    Concern.TRUST: {Can.CHECK_DATA_QUALITY: 1.0, Can.VALIDATE_SCHEMA: 0.85, Can.DETECT_DRIFT: 0.85,
        Can.PROFILE_DATA: 0.6, Can.REVIEW_QUERIES: 0.8, Can.COMPARE_METRICS: 0.85, Can.RUN_TESTS: 0.5,
        Can.ANALYZE_LOGS: 0.4, Can.COMPARE: 0.4},
    Concern.UNDO: {Can.ANALYZE_LOGS: 0.9, Can.COMPARE_METRICS: 0.95, Can.RUN_TESTS: 0.9, Can.CORRELATE_EVENTS: 0.6,
        Can.COMPARE: 0.6, Can.REVIEW_MIGRATIONS: 0.6, Can.FIND_IMPACT: 0.55, Can.TRACE_ERRORS: 0.55,
        Can.COMPARE_ENVIRONMENTS: 0.6, Can.DETECT_DRIFT: 0.7, Can.CHECK_API_CONTRACT: 0.6, Can.VALIDATE_CONFIG: 0.5,
        Can.CHECK_DATA_QUALITY: 0.5},
    Concern.CATCHUP: {Can.SUMMARIZE: 1.0, Can.BUILD_TIMELINE: 0.85, Can.ANALYZE_LOGS: 0.8, Can.COMPARE: 0.5,
        Can.CORRELATE_EVENTS: 0.5, Can.COMPARE_METRICS: 0.5, Can.EXTRACT_CONSTRAINTS: 0.4, Can.CLASSIFY: 0.4},
    Concern.BETTER: {Can.COMPARE_METRICS: 1.0, Can.DETECT_DRIFT: 0.75, Can.COMPARE: 0.7, Can.CHECK_DATA_QUALITY: 0.55,
        Can.EXTRACT_CONSTRAINTS: 0.45, Can.RUN_TESTS: 0.5, Can.ANALYZE_LOGS: 0.5, Can.CHECK_API_CONTRACT: 0.55},
    Concern.DRIFTED: {Can.COMPARE_METRICS: 0.9, Can.DETECT_DRIFT: 1.0, Can.CHECK_DATA_QUALITY: 0.6, Can.COMPARE: 0.8,
        Can.COMPARE_ENVIRONMENTS: 0.55, Can.ANALYZE_LOGS: 0.7, Can.CORRELATE_EVENTS: 0.5,
        Can.CHECK_API_CONTRACT: 0.6, Can.VALIDATE_SCHEMA: 0.55, Can.REVIEW_MIGRATIONS: 0.45,
        Can.EXTRACT_CONSTRAINTS: 0.5, Can.REVIEW_QUERIES: 0.45},
    Concern.DIFFERS: {Can.COMPARE_ENVIRONMENTS: 1.0, Can.COMPARE: 0.8, Can.CHECK_API_CONTRACT: 0.85,
        Can.VALIDATE_CONFIG: 0.65, Can.ANALYZE_LOGS: 0.7, Can.TRACE_ERRORS: 0.55, Can.VALIDATE_SCHEMA: 0.7,
        Can.COMPARE_METRICS: 0.6, Can.DETECT_DRIFT: 0.6, Can.CHECK_DATA_QUALITY: 0.5},
    Concern.RECOVER: {Can.AUDIT_INFRASTRUCTURE: 0.95, Can.VALIDATE_CONFIG: 0.8, Can.COMPARE_ENVIRONMENTS: 0.85,
        Can.EXTRACT_CONSTRAINTS: 0.75, Can.SUMMARIZE: 0.6, Can.ANALYZE_LOGS: 0.75, Can.REVIEW_MIGRATIONS: 0.4},
    Concern.SLOW: {Can.ANALYZE_LOGS: 0.9, Can.REVIEW_QUERIES: 0.95, Can.CORRELATE_EVENTS: 0.7,
        Can.MEASURE_COMPLEXITY: 0.6, Can.TRACE_ERRORS: 0.5, Can.COMPARE_METRICS: 0.6, Can.COMPARE_ENVIRONMENTS: 0.5,
        Can.VALIDATE_CONFIG: 0.5},
    Concern.RISK: {Can.SECURITY_AUDIT: 1.0, Can.SECRET_SCAN: 0.85, Can.AUDIT_INFRASTRUCTURE: 0.95,
        Can.AUDIT_DEPENDENCIES: 0.7, Can.REVIEW_MIGRATIONS: 0.6, Can.ASSESS_EXPOSURE: 0.6, Can.VALIDATE_CONFIG: 0.5,
        Can.REVIEW_QUERIES: 0.5, Can.EXTRACT_CONSTRAINTS: 0.6, Can.CHECK_API_CONTRACT: 0.4},
    Concern.CHANGE: {Can.FIND_IMPACT: 0.95, Can.CHECK_API_CONTRACT: 1.0, Can.MAP_DEPENDENCIES: 0.55,
        Can.REVIEW_MIGRATIONS: 0.8, Can.COMPARE: 0.6, Can.RUN_TESTS: 0.6, Can.COMPARE_METRICS: 0.85,
        Can.DETECT_DRIFT: 0.5, Can.AUDIT_DEPENDENCIES: 0.45},
    Concern.DUTY: {Can.EXTRACT_CONSTRAINTS: 1.0, Can.SUMMARIZE: 0.65, Can.COMPARE: 0.65, Can.ASSESS_EXPOSURE: 0.7,
        Can.REDACT_DOCUMENT: 0.3, Can.SECRET_SCAN: 0.35},
    Concern.EVERYONE: {Can.CHECK_ACCESSIBILITY: 1.0},
}  # fmt: skip
"""How much each capability helps with a worry, where there is something to work on."""
