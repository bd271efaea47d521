"""`intent` mode: of the person's sentence only closed intents and families cross.

The sentence is matched against public words; what matches says which capability or family is meant. No
word of the sentence itself leaves, so nothing in it can.
"""

from __future__ import annotations

import re
from typing import Final

from plantwin.private.goal import MAX_GOAL
from plantwin.types.goal import MAX_FAMILIES, MAX_INTENTS
from plantwin.types.twin import canonical
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family

INTENTS: Final[tuple[tuple[Can, str], ...]] = (
    (
        Can.SECURITY_AUDIT,
        r"secur\w*|vulnerab\w*|weakness\w*|exploit\w*|harden\w*|audit\w*|(?:un)?safe|attack\w*|risk\w*",
    ),
    (Can.SECRET_SCAN, r"secrets?|credentials?|leak\w*|api keys?|tokens?|passwords?|hard-?coded"),
    (Can.COMPARE, r"compar\w*|differ\w*|diff|versus|vs|against|same as|between|consisten\w*"),
    (Can.SUMMARIZE, r"summar\w*|overview|explain\w*|outline|digest|tell me about|what (?:is|does|are)|describe\w*"),
    (
        Can.EXTRACT_CONSTRAINTS,
        r"constraints?|requirements?|obligations?|limits?|must|deadlines?|terms|prohibit\w*|compl(?:y|ies|iance)",
    ),
    (Can.CLASSIFY, r"classif\w*|categor\w*|sort\w*|group\w*|by kind"),
    (Can.SEARCH_SIMILAR, r"similar\w*|duplicat\w*|alike|like this|copies|resembl\w*|looks? like"),
    (
        Can.REDACT_DOCUMENT,
        r"redact\w*|(?:anonymi|pseudonymi)[sz]\w*|mask\w*|black\w* out|scrub\w*|sanitis\w*|sanitiz\w*|share\w* outside",
    ),
    (Can.LINT, r"lint\w*|style|clean ?up|code quality|smells?|dead code|unused|syntax errors?"),
    (Can.MEASURE_COMPLEXITY, r"complex\w*|maintainab\w*|refactor\w*|simplif\w*|hot ?spots?|technical debt"),
    (
        Can.MAP_DEPENDENCIES,
        r"dependenc\w*|depends|imports?|architecture|uses what|(?:what|who) uses|call graph|circular",
    ),
    (Can.FIND_IMPACT, r"impact\w*|affect\w*|break\w* if|change of|blast radius|touch\w*|safe to (?:change|remove)"),
    (Can.RUN_TESTS, r"run\w* (?:the |its |all )?(?:unit )?tests?|test suite|tests? pass\w*|failing tests?"),
    (Can.ANALYZE_LOGS, r"logs?|anomal\w*|error rate|traffic|what went wrong|outages?|brute force"),
    (Can.TRACE_ERRORS, r"trace\w*|stack ?traces?|exceptions?|crash\w*|bugs?|root cause|fail\w*|debug\w*"),
    (
        Can.CORRELATE_EVENTS,
        r"correlat\w*|coincid\w*|related to the deploy|caus(?:ed|es?)|after the (?:deploy\w*|release)",
    ),
    (Can.BUILD_TIMELINE, r"timelines?|chronolog\w*|what happened|(?:sequence|order) of events|when did|post-?mortem"),
    (Can.ASSESS_EXPOSURE, r"expos\w*|breach\w*|compromis\w*|incident\w*|how bad|leaked|rotat\w*"),
    (Can.VALIDATE_CONFIG, r"config\w*|settings?|misconfig\w*|validat\w*|manifests?|yaml|workflows?|dockerfiles?"),
    (Can.COMPARE_ENVIRONMENTS, r"environments?|staging|production|prod and|drift between|env files?"),
    (
        Can.AUDIT_INFRASTRUCTURE,
        r"infrastructur\w*|terraform|kubernetes|cluster|firewall|network|buckets?|cloud|dockerfiles?",
    ),
    (Can.PROFILE_DATA, r"profil\w*|columns?|distribution\w*|data ?sets?|statistics|explore the data"),
    (
        Can.CHECK_DATA_QUALITY,
        r"data quality|quality of|missing values?|nulls?|dirty|clean\w* data|duplicate rows?|outliers?|orphan\w*",
    ),
    (Can.VALIDATE_SCHEMA, r"schemas?|conform\w*|fields? match|table definitions?"),
    (Can.DETECT_DRIFT, r"drift\w*|shift\w*|changed over time|snapshots?"),
    (
        Can.COMPARE_METRICS,
        r"metrics?|accuracy|benchmark\w*|regress\w*|experiments?|performance|(?:best|better) (?:run|model)",
    ),
    (Can.REVIEW_QUERIES, r"quer(?:y|ies)|sql|slow|index\w*|n\+1|full table scans?"),
    (Can.REVIEW_MIGRATIONS, r"migrations?|schema changes?|rollback|downtime|zero-downtime"),
    (
        Can.CHECK_API_CONTRACT,
        r"apis?|endpoints?|contracts?|openapi|swagger|interface|graphql|protobuf|grpc|routes?|breaking changes?|"
        r"backwards?[- ]compatib\w*",
    ),
    (Can.CHECK_ACCESSIBILITY, r"accessib\w*|a11y|wcag|screen readers?|alt texts?|contrast|keyboard navigation|aria"),
    (
        Can.AUDIT_DEPENDENCIES,
        r"packages|package (?:versions?|updates?|managers?)|outdated|cves?|supply chain|licen[cs]es?|lock ?files?|"
        r"unpinned|third[- ]party|end of life",
    ),
    (
        Can.EXPLAIN_PROJECT,
        r"what(?:'s| is) (?:this|the) (?:project|repo\w*|folder|code ?base|app\w*)|about this|get(?:ting)? started|"
        r"(?:this|the) (?:project|repo\w*|folder|code ?base)|where (?:do|should|to) (?:i |we )?(?:start|begin)|"
        r"how (?:do|can|to) (?:i |we |you )?(?:run|start|build|install|set ?up|use)|entry ?points?|"
        r"tech(?:nology)? stack|onboard\w*",
    ),
    (
        Can.MEASURE_SIZE,
        r"how (?:big|large|long|many (?:files|lines))|lines of code|loc|(?:largest|biggest|longest) files?|"
        r"(?:programming )?languages?|size of|count (?:the )?(?:files|lines)",
    ),
    (
        Can.CHANGES_SINCE,
        r"chang(?:ed|es)|recent\w*|lately|commits?|what(?:'s| is) new|git log|history|last (?:week|month|day)s?",
    ),
    (Can.FIND_DUPLICATES, r"duplicat\w*|copies|copied|copy-?paste\w*|redundan\w*|same (?:code|content|file)"),
    (Can.LIST_TODOS, r"todos?|fixmes?|to-?dos?|open (?:points|tasks|issues)|unfinished|left to do"),
    (Can.LIST_LICENSES, r"licen[cs]\w*|gpl|copyleft|open source terms"),
    (
        Can.LIST_EXPOSED_PORTS,
        r"ports?|listen\w*|open to the (?:internet|network)|which services are (?:open|exposed|reachable)",
    ),
    (
        Can.FIND_PERSONAL_DATA,
        r"personal (?:data|information)|pii|gdpr|private data|customer data|e-?mail addresses|phone numbers",
    ),
    (
        Can.LIST_INVENTORY,
        r"(?:which|what|list|all) (?:\w+ )?(?:endpoints?|routes|databases?|packages?|librar(?:y|ies)|images?|"
        r"resources?|variables|providers?|tables|playbooks|hosts|workflows|services|versions?)|crates?|gems?|"
        r"versions? of",
    ),
    (Can.LIST_ENVIRONMENT_VARIABLES, r"environment variables?|env(?:ironment)? vars?|\.env\b"),
    (
        Can.FIND_CODE,
        r"where (?:is|are|do|does|in|can)|which (?:file|function|class|module)|how (?:is|are|does|do) \w+ ",
    ),
    (
        Can.FIND_TESTS,
        r"tests? (?:of|for|cover\w*)|untested|no tests|without tests|(?:has|have|is|are) (?:\w+ )?tests?|test coverage|"
        r"which tests",
    ),
    (
        Can.FIND_DEAD_CODE,
        r"dead code|unused|never used|not used|unreferenced|orphan(?:ed)? (?:code|files?)|can be (?:removed|deleted)",
    ),
    (Can.REPORT, r"report\w*|write[ -]?up|document the findings|one document"),
)
"""Each capability with the public words that ask for it."""

FAMILIES: Final[tuple[tuple[Family, str], ...]] = (
    (Family.APPLICATION, r"service|module|handler|code|application|backend|auth\w*|payment\w*|logic"),
    (Family.INTERFACE, r"page|component|frontend|ui|form|template|screen"),
    (Family.DATA_PIPELINE, r"pipeline|etl|transform\w*|ingest\w*"),
    (Family.DATABASE, r"database|tables?|sql|migrations?"),
    (Family.DATASET, r"data ?sets?|csv|records?|rows?|customers?|data"),
    (Family.MACHINE_LEARNING, r"models?|training|experiments?|ml|notebooks?"),
    (Family.INFRASTRUCTURE, r"infrastructure|terraform|servers?|network|cluster"),
    (Family.DELIVERY, r"deploy\w*|ci|builds?|docker\w*|containers?|release"),
    (Family.DEPENDENCIES, r"dependenc\w*|packages|lock ?files?"),
    (Family.CONFIGURATION, r"config\w*|settings?|environments?"),
    (Family.CREDENTIALS, r"secrets?|credentials?|keys?|certificates?|passwords?"),
    (Family.TESTING, r"tests?|fixtures?"),
    (Family.CONTRACTS, r"api|contract|openapi|interface"),
    (Family.LOGS, r"logs?|errors?|traffic|access log"),
    (Family.SECURITY, r"incident|postmortem|findings|breach"),
    (Family.GUIDES, r"docs?|documentation|readme|runbooks?|guides?"),
    (Family.AGREEMENTS, r"requirements?|polic(?:y|ies)|contracts?|licen[cs]es?|terms"),
)

_intents = tuple((word, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)) for word, pattern in INTENTS)
_by_name: Final[dict[str, re.Pattern[str]]] = {word.value: pattern for word, pattern in _intents}
_families = tuple((word, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)) for word, pattern in FAMILIES)


def topic(can: str, word: str) -> bool:
    """Whether a word asks for this capability."""
    pattern = _by_name.get(can)
    return pattern is not None and pattern.fullmatch(word) is not None


def intents(text: str, available: frozenset[Can]) -> tuple[Can, ...]:
    """The capabilities that a goal asks for, among those there are; those named first where there are too many."""
    text = text[:MAX_GOAL]
    found = [
        (match.start(), word) for word, pattern in _intents if word in available and (match := pattern.search(text))
    ]
    return canonical(word for _, word in sorted(found)[:MAX_INTENTS])


def families(text: str) -> tuple[Family, ...]:
    """The families of objects that a goal speaks of."""
    text = text[:MAX_GOAL]
    found = [(match.start(), word) for word, pattern in _families if (match := pattern.search(text))]
    return canonical(word for _, word in sorted(found)[:MAX_FAMILIES])
