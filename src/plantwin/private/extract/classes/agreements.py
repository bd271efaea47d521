"""Rows for the agreements family: documents that bind."""

from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    ("requirements_spec", "standards_document", "policy_document", "contract_document", "license"), "document"
)

ROWS = (
    # requirements_spec
    Row("requirements_spec", "feature", "requirement", 6.0, "min=3 share=prose_unit:0.2 no=license_text"),
    Row("requirements_spec", "feature", "requirement", 1.0, "no=license_text"),
    Row(
        "requirements_spec",
        "heading",
        "requirement functional acceptance criteria story specification scope constraint",
        1.5,
    ),
    Row("requirements_spec", "heading", "performance assumption goal nonfunctional security", 0.5),
    Row("requirements_spec", "path", "requirement spec srs prd specification story epic acceptance", 2.6),
    # standards_document
    Row("standards_document", "feature", "requirement", 2.5, "has=code_block,table no=license_text"),
    Row("standards_document", "heading", "convention naming style guideline standard rule formatting principle", 1.8),
    Row("standards_document", "heading", "commit branch review checklist comment", 0.8),
    Row(
        "standards_document",
        "path",
        "standard convention style styleguide guideline contributing rule coding conduct",
        2.6,
    ),
    Row("standards_document", "stem", "contributing code_of_conduct styleguide style_guide conventions", 4.5),
    # policy_document
    Row(
        "policy_document", "feature", "obligation", 3.5, "min=2 share=prose_unit:0.08 no=definition_clause,license_text"
    ),
    Row("policy_document", "feature", "requirement", 2.5, "min=2 has=obligation no=license_text"),
    Row(
        "policy_document", "heading", "policy compliance enforcement exception responsibility violation acceptable", 1.7
    ),
    Row("policy_document", "heading", "purpose scope retention privacy rights data role review access cookies", 0.8),
    Row("policy_document", "path", "policy privacy retention compliance acceptable governance security", 2.4),
    Row("policy_document", "stem", "privacy_policy security policy privacy", 3.5),
    # contract_document
    Row("contract_document", "feature", "definition_clause", 5.5, "share=prose_unit:0.05 no=license_text"),
    Row("contract_document", "feature", "obligation", 4.0, "has=definition_clause no=license_text"),
    Row("contract_document", "feature", "obligation", 2.5, "min=3 no=license_text"),
    Row(
        "contract_document",
        "heading",
        "agreement party termination liability governing indemnification warranty fees",
        1.7,
    ),
    Row("contract_document", "heading", "term confidentiality payment definition services notice assignment law", 0.8),
    Row("contract_document", "path", "contract agreement nda msa sla dpa terms sow addendum", 2.6),
    # license
    Row("license", "feature", "license_text", 10.0),
    Row("license", "format", "license", 6.0),
    Row("license", "stem", "license licence copying unlicense notice copyright license-mit license-apache", 6.0),
    Row("license", "path", "license licence copying eula", 2.4),
)
