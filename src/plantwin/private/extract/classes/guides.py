"""Rows for the guides family: documents that explain."""

# fmt: off
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
    Row("readme", "stem", "readme", 5.0, "no=license_text,version_heading"),
    Row("readme", "stem", "readme", 3.0, "has=license_text,version_heading"),
    Row("readme", "stem", "liesmich lisezmoi leeme read_me readme_first about", 4.0),
    Row("readme", "path", "liesmich lisezmoi", 2.6),
    Row("readme", "text", "this_directory this_folder this_repo this_package this_library enthaelt see_the"
        " contains", 0.9),
    Row("readme", "feature", "code_block", 0.8),
    Row("readme", "heading", "installation install usage license contributing quickstart feature badge development",
        0.6),
    Row("readme", "text", "npm_install pip_install getting_started git_clone this_repository this_project", 0.6),
    # user_guide
    Row("user_guide", "feature", "code_block", 1.6),
    Row("user_guide", "feature", "numbered_step", 1.5),
    Row("user_guide", "feature", "command", 1.2),
    Row("user_guide", "feature", "instruction", 2.6, "min=2 share=operation:1"),
    Row("user_guide", "feature", "instruction", 1.0, "max=1"),
    Row("user_guide", "text", "before_you your_name you_use you_want you_need you_see you_hear as_usual"
        " after_that", 0.7),
    Row("user_guide", "text", "portal password click tip note_that the_settings your_clock browser help_desk"
        " welcome", 0.4),
    Row("user_guide", "heading", "if_you connecting setting_up your before_you it_does exporting recording", 1.0),
    Row("user_guide", "file", "*.1 *.2 *.3 *.4 *.5 *.6 *.7 *.8", 5.0),
    Row("user_guide", "folder", "tutorials guides howto how-to manual help onboarding", 4.0),
    Row("user_guide", "folder", "handbook", 1.5),
    Row("user_guide", "heading", "usage tutorial guide getting_started start install configure example faq how_to",
        1.3),
    Row("user_guide", "heading", "setup configuration option troubleshooting reference walkthrough overview step", 0.7),
    Row("user_guide", "heading", "first_day first_steps your_first synopsis description command_line", 1.2),
    Row("user_guide", "text", "click_on you_can select_the open_the choose_the press_the button menu screen", 0.7),
    Row("user_guide", "text", "if_you for_example this_guide this_tutorial you_will your_account tab", 0.5),
    Row("user_guide", "path", "guide tutorial howto manual faq usage help start walkthrough quickstart onboarding",
        2.4),
    Row("user_guide", "path", "doc docs reference user", 0.6),
    # design_document
    Row("design_document", "feature", "decision", 5.0),
    Row("design_document", "file", "*.puml *.plantuml *.mmd *.mermaid *.drawio *.dot *.d2", 5.0),
    Row("design_document", "folder", "adr adrs rfc rfcs design designs architecture decisions proposals", 4.0),
    Row("design_document", "heading", "architecture design decision consequence alternative context tradeoff", 1.6),
    Row("design_document", "heading", "proposal component rationale motivation non_goal background approach diagram",
        1.0),
    Row("design_document", "heading", "overview goal data_flow open_question option considered trade_off", 0.8),
    Row("design_document", "text", "we_considered alternatives trade_off tradeoff architecture we_chose rejected", 1.0),
    Row("design_document", "text", "we_decided we_will instead_of because_the simpler component components service",
        0.4),
    Row("design_document", "heading", "why_we why how_the how_it is_built part layer internal structure data_model"
        " status", 0.8),
    Row("design_document", "text", "trade_offs we_accept we_looked we_moved we_store we_keep would_have used_to"
        " the_price", 0.8),
    Row("design_document", "text", "module layer layers invariant latency replica cache lazily eventual"
        " consistency queue", 0.4),
    Row("design_document", "text", "entry entries stores writes reads rebuilt in_memory interface protocol"
        " writes_a goes_through", 0.3),
    Row("design_document", "text", "was_tried and_rejected was_rejected the_cost we_use doubled leaked painful"
        " status_accepted status_proposed superseded_by consequences we_need event_sourcing", 1.2),
    Row("design_document", "path", "arch internals internal", 2.0),
    Row("design_document", "path", "design architecture adr rfc proposal decision blueprint", 2.6),
    # runbook
    Row("runbook", "feature", "command", 2.0),
    Row("runbook", "feature", "numbered_step", 2.6, "has=command,code_block"),
    Row("runbook", "feature", "numbered_step", 0.8, "no=command,code_block"),
    Row("runbook", "feature", "operation", 0.9, "min=2 has=numbered_step no=command,code_block"),
    Row("runbook", "feature", "operation", 3.0, "min=2 share=instruction:1"),
    Row("runbook", "feature", "operation", 0.8),
    Row("runbook", "text", "page_on duty_engineer duty log_in still_down call_the wait_for within_an the_alert"
        " you_see", 0.6),
    Row("runbook", "heading", "does_not is_full is_down not_come power_cut unreachable renewing restarting fails", 1.2),
    Row("runbook", "folder", "runbooks runbook playbooks oncall on-call sops", 5.0),
    Row("runbook", "heading", "runbook rollback escalation escalate symptom diagnosis mitigation recovery failover",
        1.8),
    Row("runbook", "heading", "procedure verify verification alert restore playbook on_call restart if_it when_to",
        1.0),
    Row("runbook", "text", "restart rollback escalate page_the on_call symptoms systemctl kubectl runbook journalctl",
        0.8),
    Row("runbook", "text", "revoke failover use_this roll_back if_it check_the verify drain alert", 0.6),
    Row("runbook", "path", "runbook playbook oncall operations ops recovery rollback failover restore", 2.6),
    # changelog
    Row("changelog", "feature", "version_heading", 8.0, "min=2"),
    Row("changelog", "feature", "version_heading", 4.0, "max=1 has=list_item,paragraph,numbered_step"),
    Row("changelog", "stem", "changelog changes history news releases release_notes release-notes",
        6.0, "has=version_heading"),
    Row("changelog", "stem", "changelog changes history news releases release_notes release-notes",
        3.0, "no=version_heading"),
    Row("changelog", "heading", "added changed fixed removed deprecated unreleased", 0.9, "has=version_heading"),
    Row("changelog", "heading", "release_notes change_log changelog whats_new breaking_change", 2.6),
    Row("changelog", "text", "fixed added removed released deprecated breaking", 0.4),
    Row("changelog", "path", "changelog changes history whatsnew", 2.4),
    Row("changelog", "path", "release relnotes news whatsnew", 2.2),
    # dataset_card
    Row("dataset_card", "feature", "table", 1.2),
    Row("dataset_card", "feature", "field_table", 3.0, "no=api_path"),
    Row("dataset_card", "text", "collected_by digitised measured gaps missing stations variables records columns"
        " sampled", 0.5),
    Row("dataset_card", "text", "held_out known_limits macro not_for use_it intended labelled_by per_row one_row", 0.8),
    Row("dataset_card", "stem", "dataset_card model_card datasheet modelcard data_card", 5.0),
    Row("dataset_card", "heading", "dataset datasheet limitation intended_use bias provenance model_card"
        " data_collection", 1.8),
    Row("dataset_card", "heading",
        "field column training_data metric evaluation source preprocessing split composition collection",
        0.9),
    Row("dataset_card", "heading", "origin limit intended out_of known_limit model_detail ethical", 0.9),
    Row("dataset_card", "text", "dataset rows origin fields limits exported grain sampled collected columns", 0.7),
    Row("dataset_card", "text", "trained_on training_data intended_use missing_values annotators model_card do_not_use",
        1.0),
    Row("dataset_card", "path", "card datasheet dataset dictionary", 2.4),
    # meeting_notes
    Row("meeting_notes", "feature", "todo", 0.9),
    Row("meeting_notes", "feature", "correspondence", 6.0),
    Row("meeting_notes", "feature", "timeline", 1.6, "no=mishap,version_heading"),
    Row("meeting_notes", "heading", "handover hand_over rota", 1.8),
    Row("meeting_notes", "path", "handover rota", 2.4),
    Row("meeting_notes", "feature", "timetable", 3.0, "no=version_heading,prohibition"),
    Row("meeting_notes", "text", "who_pays agreed_on the_phone asked open who_covers to_do next budget hire launch"
        " chair", 0.5),
    Row("meeting_notes", "text", "minutes apologies approved any_other the_chair treasurer committee yours"
        " sincerely", 1.0),
    Row("meeting_notes", "stem", "todo todos agenda minutes memo", 3.0),
    Row("meeting_notes", "folder", "plans plan roadmap", 2.0),
    Row("meeting_notes", "folder", "meetings minutes standups retros meeting-notes correspondence mail", 4.0),
    Row("meeting_notes", "heading", "attendee present agenda meeting action_item participant standup sync retro", 1.8),
    Row("meeting_notes", "heading", "discussion decision next_step todo follow plan roadmap week notes action", 0.7),
    Row("meeting_notes", "text",
        "attendees agenda minutes_of retro standup notes_from call_with next_call next_meeting",
        1.6),
    Row("meeting_notes", "text", "action_items went_well did_not parking_lot regards dear hi thanks cheers sync", 1.0),
    Row("meeting_notes", "text", "decided next_time takes_notes weekly", 1.0),
    Row("meeting_notes", "text", "asked_for we_said they_want agreed said by_friday next_week talked present actions",
        0.6),
    Row("meeting_notes", "path", "meeting minutes standup retro agenda letter memo plan roadmap correspondence", 2.4),
    Row("meeting_notes", "path", "notes note mail email", 1.2),
    # general_document
    Row("general_document", "format", "markdown rst asciidoc text office pdf latex html", 1.2),
    Row("general_document", "feature", "paragraph", 0.3),
    Row("general_document", "format", "diff patch bibtex", 3.0),
)
