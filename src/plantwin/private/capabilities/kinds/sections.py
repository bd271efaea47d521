"""Sections of documents by what they do: from their titles in four languages, else from what stands in them."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.common.documents import sections
from plantwin.private.capabilities.kinds.part import Part

_TITLES: tuple[tuple[str, str], ...] = (
    ("open points", r"todo|open (?:points?|questions?|issues?)|roadmap|known (?:issues|limitations|bugs)|future work|limitations?|offene|questions ouvertes|pendiente"),
    ("changes", r"change ?log|changes|history|release notes?|what'?s new|unreleased|v?\d+\.\d+(?:\.\d+)?\b|breaking|migration|upgrad\w+|änderungen|historique|cambios|added|removed|fixed|changed|deprecated"),
    ("definitions", r"definitions?|terminology|glossary|acronyms|abbreviations|terms used|begriffe|definitionen|définitions|definiciones|conventions"),
    ("legal", r"licen[cs]e|copyright|legal|warranty|liabilit\w+|disclaimer|governing law|termination|confidential\w*|indemn\w+|terms|intellectual property|trademark|haftung|lizenz|licencia|garantie"),
    ("security and privacy", r"security|privacy|vulnerab\w+|threat\w*|authenticat\w+|authori[sz]ation|data protection|access control|datenschutz|sicherheit|sécurité|seguridad|encryption|permissions|retention|your rights|cookies"),
    ("requirements", r"requirements?|acceptance|constraints|shall|must|obligations|duties|responsibilit\w+|prerequisites?|depend\w+|anforderungen|voraussetzungen|exigences|requisitos|service levels?|sla"),
    ("installation", r"install\w*|set ?up|setup|getting started|quick ?start|build\w*|compil\w+|download|deploy\w*|einrichtung|démarrage|instalación"),
    ("procedure", r"steps?|procedure|how to|runbook|instructions|usage|using|tutorial|guide|workflow|process|rollback|recovery|restore|vorgehen|anleitung|procédure|uso|running|start|operation"),
    ("reference", r"api|reference|options?|commands?|arguments|parameters|configuration|settings|environment variables|endpoints?|methods?|functions?|schema|fields|flags|table of contents|contents|index|konfiguration|référence"),
    ("examples", r"examples?|demo|samples?|showcase|beispiele?|exemples?|ejemplos?"),
    ("design", r"architecture|design|overview of the|how it works|internals|structure|components|data model|implementation|background|concepts?|principles|architektur|conception"),
    ("findings", r"findings?|results?|evaluation|analysis|root cause|what happened|impact|timeline|lessons|discussion|why|also found|ergebnisse|résultats|resultados"),
    ("measures", r"action items?|remediation|mitigations?|recommendations?|next steps|what changes|corrective|maßnahmen|mesures|medidas"),
    ("testing", r"tests?|testing|verification|validation|benchmarks?|quality"),
    ("people", r"authors?|contact\w*|maintainers?|credits?|acknowledge?ments?|team|contribut\w+|support|community|sponsors?|kontakt|contacto|auteurs"),
    ("introduction", r"introduction|overview|about|summary|abstract|scope|purpose|goals?|motivation|description|einleitung|überblick|zusammenfassung|présentation|introducción|resumen|preamble|why|what is|features"),
    ("summary", r"conclusions?|fazit|conclusion"),
    ("appendix", r"appendix|annex|references|bibliography|further reading|see also|links|anhang|annexe|anexo"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(rf"(?:^|\W)(?:{pattern})(?:\W|$)", re.IGNORECASE)) for kind, pattern in _TITLES)
_DUTY = re.compile(r"\b(?:must|shall|required|muss|müssen|doit|doivent|debe|deben|deberá)\b", re.IGNORECASE)
_STEP = re.compile(r"\s{0,12}\d{1,3}[.)]\s")
_CODE = re.compile(r"\s{4}\S|```|~~~|\$ ")
_ROW = re.compile(r"\s{0,8}\|.*\|")


def kinds_of_sections(format: str, text: str) -> Iterator[Part]:
    """Each section with its kind."""
    upper: list[tuple[int, str]] = []
    for each in sections(format, text):
        lines = [line for line in each.body.split("\n") if line.strip()]
        kind = _titled(each.title) if each.title else "introduction"
        if not kind:
            kind = _shaped(lines) or next(
                (known for level, known in reversed(upper) if level < each.level and known), ""
            )
        upper = [(level, known) for level, known in upper if level < each.level] + [(each.level, kind)]
        yield Part(
            kind or ("heading" if not lines else "prose"), each.title or "(opening)", each.line, f"{len(lines)} lines"
        )


def _titled(title: str) -> str:
    return next((kind for kind, pattern in _PATTERNS if pattern.search(title[:200])), "")


def _shaped(lines: list[str]) -> str:
    if len(lines) < 2:
        return ""
    total = len(lines)
    if sum(_ROW.match(line) is not None for line in lines) * 2 > total:
        return "reference"
    if sum(_STEP.match(line) is not None for line in lines) * 3 > total:
        return "procedure"
    if sum(_DUTY.search(line[:400]) is not None for line in lines) * 3 > total:
        return "requirements"
    fences = sum(line.lstrip().startswith(("```", "~~~")) for line in lines)
    if fences >= 2 or sum(_CODE.match(line) is not None for line in lines) * 2 > total:
        return "examples"
    return ""
