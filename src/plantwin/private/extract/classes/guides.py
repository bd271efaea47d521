"""Rows for the guides family: documents that explain."""

from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = dict.fromkeys(
    (
        "readme",
        "user_guide",
        "design_document",
        "runbook",
        "changelog",
        "dataset_card",
        "meeting_notes",
        "general_document",
    ),
    "document",
)

ROWS = (
    # readme
    Row("readme", "stem", "readme", 6.0),
    Row("readme", "path", "readme", 2.5),
    Row("readme", "feature", "code_block", 1.0),
    Row(
        "readme", "heading", "installation install usage license contributing quickstart feature badge development", 0.8
    ),
    # user_guide
    Row("user_guide", "feature", "code_block", 1.8),
    Row("user_guide", "feature", "numbered_step", 2.0),
    Row("user_guide", "feature", "command", 1.2),
    Row("user_guide", "file", "*.1 *.2 *.3 *.4 *.5 *.6 *.7 *.8", 5.0),
    Row(
        "user_guide",
        "heading",
        "usage tutorial guide getting_started start install configure example faq how step",
        1.2,
    ),
    Row(
        "user_guide",
        "heading",
        "setup configuration option troubleshooting prerequisite reference walkthrough overview",
        0.7,
    ),
    Row(
        "user_guide", "path", "guide tutorial howto manual faq usage help start walkthrough quickstart onboarding", 2.4
    ),
    Row("user_guide", "path", "doc docs reference user", 0.8),
    # design_document
    Row("design_document", "feature", "decision", 5.5),
    Row(
        "design_document", "heading", "architecture design decision consequence alternative context goal tradeoff", 1.6
    ),
    Row(
        "design_document",
        "heading",
        "proposal component rationale overview motivation non_goal background approach diagram",
        0.9,
    ),
    Row("design_document", "path", "design architecture adr rfc proposal decision blueprint", 2.6),
    # runbook
    Row("runbook", "feature", "command", 2.0),
    Row("runbook", "feature", "numbered_step", 3.0, "has=command,code_block"),
    Row(
        "runbook", "heading", "runbook rollback escalation symptom diagnosis mitigation recovery restore failover", 1.8
    ),
    Row(
        "runbook",
        "heading",
        "procedure verify verification alert check step prerequisite playbook on_call restart",
        1.0,
    ),
    Row("runbook", "path", "runbook playbook oncall operations ops recovery rollback failover", 2.6),
    # changelog
    Row("changelog", "feature", "version_heading", 8.0, "min=2"),
    Row("changelog", "feature", "version_heading", 4.0, "max=1"),
    Row("changelog", "stem", "changelog changes history news releases release_notes", 6.0),
    Row(
        "changelog", "heading", "added changed fixed removed deprecated unreleased security", 0.8, "has=version_heading"
    ),
    Row("changelog", "heading", "release_notes change_log changelog", 2.0),
    Row("changelog", "path", "changelog release relnotes changes news whatsnew", 2.2),
    # dataset_card
    Row("dataset_card", "heading", "dataset datasheet limitation intended bias provenance collection model_card", 1.8),
    Row(
        "dataset_card",
        "heading",
        "field column training metric evaluation license source preprocessing split composition",
        0.8,
    ),
    Row("dataset_card", "path", "card datasheet dataset", 2.4),
    Row("dataset_card", "stem", "dataset_card model_card datasheet modelcard data_card", 4.0),
    # meeting_notes
    Row(
        "meeting_notes",
        "heading",
        "attendee agenda minutes meeting action discussion participant standup notes sync",
        1.8,
    ),
    Row("meeting_notes", "heading", "decision next todo follow retro plan roadmap week notes action", 0.6),
    Row("meeting_notes", "feature", "todo", 1.2),
    Row("meeting_notes", "feature", "correspondence", 6.0),
    Row("meeting_notes", "path", "meeting minutes standup retro agenda letter memo plan roadmap correspondence", 2.4),
    Row("meeting_notes", "path", "notes note mail email", 1.4),
    # general_document
    Row("general_document", "format", "markdown rst asciidoc text office pdf latex", 1.5),
    Row("general_document", "feature", "paragraph", 1.0),
)
