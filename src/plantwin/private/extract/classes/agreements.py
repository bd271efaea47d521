"""Rows for the agreements family: documents that bind."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    ("requirements_spec", "standards_document", "policy_document", "contract_document", "license"), "document"
)

ROWS = (
    # requirements_spec
    Row("requirements_spec", "feature", "requirement", 5.5, "min=3 share=prose_unit:0.2 no=license_text,pact"),
    Row("requirements_spec", "feature", "requirement", 0.8, "no=license_text"),
    Row("requirements_spec", "folder", "requirements specs specifications stories", 3.0),
    Row("requirements_spec", "heading", "requirement functional acceptance criteria story specification", 1.5),
    Row("requirements_spec", "heading", "performance assumption nonfunctional non_functional out_of constraint", 0.6),
    Row("requirements_spec", "text", "acceptance_criteria user_story as_a i_want so_that the_system", 1.2),
    Row("requirements_spec", "text", "shall must_be must_not given must", 0.5),
    Row("requirements_spec", "path", "requirement spec srs prd specification story epic acceptance", 2.6),
    # standards_document
    Row("standards_document", "feature", "requirement", 2.0, "min=2 has=code_block,table no=license_text,pact"),
    Row("standards_document", "heading", "convention naming style guideline standard rule formatting principle", 1.8),
    Row("standards_document", "heading", "commit branch review checklist comment indentation", 1.2),
    Row("standards_document", "stem", "contributing code_of_conduct styleguide style_guide conventions", 4.5),
    Row("standards_document", "text", "convention conventions naming style we_use prefer avoid checklist guideline",
        0.8),
    Row("standards_document", "text", "always never lint review_the one_per snake_case pull_request reviewers", 0.6),
    Row("standards_document", "path", "standard convention style styleguide guideline contributing rule coding conduct",
        2.6),
    Row("standards_document", "feature", "norm", 2.8, "min=3 share=instruction:1"),
    Row("standards_document", "feature", "norm", 0.6, "max=2"),
    Row("standards_document", "text", "do_not capitals underscore abbreviations plural imperative noun form"
        " iso_8601 reuse", 0.5),
    Row("standards_document", "heading", "rule naming tag label how_we branch interface", 0.8),
    # policy_document
    Row("policy_document", "feature", "prohibition", 3.2, "min=2 no=definition_clause,license_text"),
    Row("policy_document", "feature", "prohibition", 1.2, "max=1 no=definition_clause,license_text"),
    Row("policy_document", "text", "in_force responsible responsible_for reviews_it is_reviewed works_council"
        " volunteers", 0.8),
    Row("policy_document", "text", "mandatory violations consent withdraw_your cookies we_keep we_use your_data"
        " erase", 0.7),
    Row("policy_document", "text", "applies_to approved_by human_resources exceptions_are ban refusal refused"
        " comply staff_who", 0.8),
    Row("policy_document", "heading", "principle not_permitted what_we deadline applicability owner approved"
        " review", 0.7),
    Row("policy_document", "feature", "obligation",
        3.0, "min=2 share=prose_unit:0.08 no=definition_clause,license_text"),
    Row("policy_document", "feature", "requirement", 2.0, "min=2 has=obligation no=license_text"),
    Row("policy_document", "folder", "policies policy compliance governance", 4.0),
    Row("policy_document", "heading", "policy compliance enforcement exception violation acceptable", 1.7),
    Row("policy_document", "heading", "purpose scope retention privacy rights responsibility cookies your_rights", 0.9),
    Row("policy_document", "text", "policy employees staff contractors exceptions breaches disciplinary dismissal",
        0.9),
    Row("policy_document", "text", "approved_by reviewed_every personal_data retention we_collect your_rights must_not",
        0.8),
    Row("policy_document", "text", "data_protection privacy this_policy applies_to not_permitted forbidden compliance",
        0.9),
    Row("policy_document", "path", "policy privacy retention compliance acceptable governance", 2.4),
    Row("policy_document", "stem", "privacy_policy security policy privacy", 3.5),
    # contract_document
    Row("contract_document", "feature", "definition_clause", 5.5, "share=prose_unit:0.05 no=license_text"),
    Row("contract_document", "feature", "obligation", 3.5, "has=definition_clause no=license_text"),
    Row("contract_document", "feature", "obligation", 2.5, "min=3 no=license_text"),
    Row("contract_document", "feature", "pact", 5.0, "no=license_text,correspondence"),
    Row("contract_document", "feature", "requirement", 2.0, "min=2 has=pact no=license_text,correspondence"),
    Row("contract_document", "folder", "contracts agreements", 3.0),
    Row("contract_document", "heading", "agreement party termination liability governing indemnification warranty fees",
        1.7),
    Row("contract_document", "heading", "term confidentiality payment definition services notice assignment law", 0.8),
    Row("contract_document", "text",
        "agreement party parties hereby whereas liability termination governing_law clause",
        0.8),
    Row("contract_document", "text",
        "shall_pay supplier customer_shall provider_shall undersigned terminate indemnify written_notice",
        0.9),
    Row("contract_document", "path", "contract agreement nda msa sla dpa terms sow addendum", 2.6),
    Row("contract_document", "text", "landlord tenant rent deposit sublet either_party either_side between signed"
        " payable notice", 0.8),
    Row("contract_document", "text", "terms_of governed_by laws_of the_fees fees invoice liability_is"
        " these_terms", 0.7),
    # license
    Row("license", "text", "rights_reserved non_exclusive non_transferable royalty_free commercial_use attribution"
        " attribute", 1.2),
    Row("license", "text", "may_use creative_commons open_data made_available derivative_works public_domain"
        " all_rights", 1.2),
    Row("license", "text", "free_to right_to grants_every grants warranty permitted_listening copies"
        " copyright_holders", 0.8),
    Row("license", "feature", "license_text", 10.0),
    Row("license", "format", "license", 6.0),
    Row("license", "stem", "license licence copying unlicense notice copyright license-mit license-apache", 6.0),
    Row("license", "text", "permission_is free_of as_is without_warranty redistribute sublicense any_kind",
        1.4, "no=definition_clause"),
    Row("license", "text", "copyright no_event licensed_under liable any_person this_notice",
        0.8, "no=definition_clause"),
    Row("license", "path", "license licence copying eula", 2.6),
)
