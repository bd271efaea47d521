"""What shows that a text binds two sides, and what shows that something has happened: by a few signs of each."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft

_OPENING = 1500
"""Sides are named at the beginning."""
_LOOK = 16 << 10
_TITLE = re.compile(
    r"(?:^|[a-z] )(?:agreement|contract|memorandum of understanding|deed|lease|conditions of)(?= |$|,|:|\()", re.I
)
_TITLED = 80
_NOT_TITLE = re.compile(
    r"\b(?:modules?|services?|system|api|schema|tests?|requirements?|specification|data model)\b", re.I
)
_BETWEEN = re.compile(
    r"\b[Bb]etween (?:the )?[A-Z][^.;\n]{1,80}(?:\n[^.;\n]{1,80}){0,2}?\sand\s(?:the )?\w"
    r"|^[ \t*_]{0,4}(?:Lender|Borrower|Lessor|Lessee|Landlord|Tenant|Supplier|Buyer|Seller|Client|Contractor|Licensor"
    r"|Licensee|Grantor|Grantee|Employer|First party|Second party)[*_]{0,2}: \S",
    re.M,
)
"""Two sides by name, or a line that labels one."""
_SIGNED = re.compile(
    r"\b(?:un)?signed(?: on| for| by| at|,? \d|\.)|\bsignatures?:|\bin witness whereof\b|\bundersigned\b", re.I
)
_MUTUAL = re.compile(
    r"\bthis agreement\b|\bthis contract\b|\beither (?:side|party)\b|\bboth (?:sides|parties)\b|\bthe parties\b"
    r"|\b(?:lends|leases|lets|sells|grants) to the\b|\bgoverned by the laws?\b|\blaw applies\b|\bwhat we agreed\b",
    re.I,
)
_HAPPENED = re.compile(
    r"\b(?:incident|outage|breach|attack(?:er|ed)?|compromised|malware|phishing|ransomware|intrusion|suspicious|crash(?:ed"
    r"|es)?|failed|failing|failures?|(?:is|was|went|were) down|broken?|cracked|stolen|leak(?:ed|ing)?|unauthori[sz]ed"
    r"|exfiltrat\w{1,4}|isolated|contained|recover(?:ed|s)|rolled back|restart(?:ed|ing)|errors?|alert(?:ed|s)?|firing"
    r"|paged|time ?outs?|timed out|killed|quarantined|revoked|escalated|noticed|detected|reported|blocked|unreachable"
    r"|disabled|locked out|complain(?:ed|ts)|refused|refusals?|unavailable|tripped|degraded)\b"
)
"""Words of what goes wrong."""
_TOLD = re.compile(r"\b(?:called|confirmed|stopped|opened|closed|switched|found|saw|told|restored|lost|had been)\b")
"""Words of what people did or met, in the past: they tell of a mishap where one is named."""
_LEAST = 2


def describe_pact(draft: Draft, text: str) -> None:
    """Count the sorts of signs of an agreement: its title and another, or all three others."""
    opening = text[:_OPENING]
    title = draft.outline.headings[0][:_TITLED] if draft.outline.headings else ""
    titled = _TITLE.search(title) is not None and _NOT_TITLE.search(title) is None
    signs = (
        (_BETWEEN.search(opening) is not None)
        + (_SIGNED.search(opening) is not None or _SIGNED.search(text[-_OPENING:]) is not None)
        + (_MUTUAL.search(text[:_LOOK]) is not None)
    )
    if signs + titled >= (_LEAST if titled else _LEAST + 1):
        draft.add("pact", signs + titled)


def mishaps(text: str) -> int:
    """How many different words of mishaps a text in lower case holds: a list of times without any is a plan."""
    found = {match[0] for match in _HAPPENED.finditer(text, 0, _LOOK)}
    if len(found) >= _LEAST or (found and _TOLD.search(text, 0, _LOOK)):
        return len(found)
    return 0
