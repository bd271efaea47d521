"""`plantwin rules`: what detection and checks look for, and whether every rule keeps its word."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plantwin.errors import InputError
from plantwin.surfaces.cli.detect import add_selection
from plantwin.surfaces.cli.output import colourful, write_json, write_json_list, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.rules import Rule as CheckRule
    from plantwin.private.capabilities.engine.rules import RuleFile
    from plantwin.private.detect.rules import Rule

EXAMPLE = "plantwin rules show K8S-PRIVILEGED"
PAGED = True


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "action", nargs="?", choices=("test", "show"), metavar="test|show",
        help="run each detection rule's own examples, or show the rules that are named",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="RULE", help="with show: ids of checks, or types of detection")
    parser.add_argument("--json", action="store_true", help="print one JSON document, a rule to a line")
    parser.add_argument("--capability", metavar="NAME", help="list the checks of this capability instead")
    parser.add_argument("--topic", metavar="NAME", help="list the checks of this topic instead, such as kubernetes")
    parser.add_argument("--markdown", action="store_true", help="with --topic: print the page of docs/rules")
    add_selection(parser)


def run(options: argparse.Namespace) -> int:
    """List the rules that the options choose, show some, or test them."""
    if options.action == "show":
        return _shown(options.names, options.json)
    if options.names:
        raise InputError("rules: names are given with show: plantwin rules show RULE")
    if options.markdown or options.capability or options.topic:
        return _checks(options)
    from plantwin.private import config
    from plantwin.private.detect.rules import load
    from plantwin.private.detect.summary import selection
    from plantwin.surfaces.cli.detect import words

    every = (*load(), *config.load().rules)
    wanted = selection({rule.type for rule in every}, words(options.type), words(options.group), options.confidence)
    rules = [rule for rule in every if wanted.keeps(rule.type, rule.group, rule.confidence)]
    if options.action == "test":
        return _test(rules, options.json)
    if options.json:
        write_json_list("rules", {}, "rules", map(members, rules))
    else:
        write_line(
            f"{plural(len(rules), 'rule')} of detection. Checks of a capability: plantwin rules --capability NAME"
        )
        _show(rules)
    return 0


def _checks(options: argparse.Namespace) -> int:
    """List the checks of a capability or a topic."""
    from plantwin.private.capabilities.engine import rules

    topics = rules.names()
    if options.topic and options.topic not in topics:
        raise InputError(f"rules: no such topic; there are: {', '.join(topics)}")
    files = {name: rules.load(name) for name in ([options.topic] if options.topic else topics)}
    if options.capability:
        files = {name: file for name, file in files.items() if file.capability == options.capability}
        if not files:
            raise InputError("rules: this capability has no rows of rules; see: plantwin capabilities")
    if options.markdown:
        write_line("\n".join(line for name, file in files.items() for line in markdown(name, file)))
        return 0
    rows = [check_members(name, rule) for name, file in files.items() for rule in file.rule]
    if options.json:
        write_json_list("rules", {}, "rules", rows)
        return 0
    write_line(f"{plural(len(rows), 'check')}. plantwin rules show RULE tells more.")
    for row in rows:
        write_line(f"{row['rule']:<34} {row['severity']:<9} {printable(row['message'])}")
    return 0


def check_members(topic: str, rule: CheckRule) -> dict[str, Any]:
    """One check as JSON members."""
    return {
        "rule": rule.id, "topic": topic, "severity": rule.severity.value, "tag": rule.tag.value,
        "message": rule.message, "hint": rule.hint, "reference": rule.reference, "confidence": rule.confidence,
        "examples": [{"file": case.file, "text": case.text, "found": case.found} for case in rule.example],
    }  # fmt: skip


def markdown(topic: str, file: RuleFile) -> list[str]:
    """The page of docs/rules for one topic."""
    lines = [f"# {file.title}", "", f"Made by `plantwin rules --topic {topic} --markdown`; do not edit by hand.", ""]
    lines += ["| rule | severity | what it says | what to do | reference |", "|---|---|---|---|---|"]
    for rule in file.rule:
        cells = (f"`{rule.id}`", rule.severity.value, rule.message, rule.hint, rule.reference)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


def _shown(names: list[str], as_json: bool) -> int:
    """Show the rules that are named: checks by id, detection by type."""
    from plantwin.private import config
    from plantwin.private.capabilities.engine import rules
    from plantwin.private.detect.rules import load

    checks = {rule.id: check_members(topic, rule) for topic in rules.names() for rule in rules.load(topic).rule}
    detection = {rule.type: rule for rule in (*load(), *config.load().rules)}
    if not names:
        raise InputError("rules: which one? plantwin rules show RULE")
    unknown = [name for name in names if name.upper() not in checks and name not in detection]
    if unknown:
        raise InputError("rules: no such rule; see: plantwin rules, plantwin rules --capability NAME")
    chosen = [checks[name.upper()] for name in names if name.upper() in checks]
    found = [detection[name] for name in names if name in detection]
    if as_json:
        write_json("rules", {"rules": [*chosen, *map(members, found)]})
        return 0
    for row in chosen:
        write_line(f"{row['rule']}  {row['severity']} {row['tag']}, {row['confidence']} confidence ({row['topic']})")
        write_line(f"    {printable(row['message'])}")
        for title in ("hint", "reference"):
            if row[title]:
                write_line(f"    {title}: {printable(row[title])}")
        for example in row["examples"]:
            write_line(f"    {'found' if example['found'] else 'not found'} in {printable(example['file'])}:")
            for line in example["text"].rstrip("\n").split("\n"):
                write_line(f"        {printable(line)}")
    if chosen:
        write_line('    switch it off: rules.off in the configuration; at one line: a comment "plantwin: ignore RULE"')
    if found:
        _show(found)
    return 0


def members(rule: Rule) -> dict[str, Any]:
    """One rule as JSON members."""
    from plantwin.private.detect.rules import text_of

    return {
        "type": rule.type,
        "group": rule.group,
        "confidence": rule.confidence,
        "description": rule.description,
        "origin": rule.origin or "shipped",
        "examples": [text_of(example) for example in rule.examples],
        "counterexamples": [text_of(counterexample) for counterexample in rule.counterexamples],
    }


def _show(rules: list[Rule]) -> None:
    from plantwin.private.detect.rules import text_of

    bold, plain = ("\x1b[1m", "\x1b[0m") if colourful() else ("", "")
    for rule in rules:
        write_line(
            f"{bold}{rule.type}{plain}  {rule.group}, {rule.confidence} confidence: {printable(rule.description)}"
        )
        for title, examples in (("found", rule.examples), ("not found", rule.counterexamples)):
            for example in examples:
                write_line(f"    {title:<10} {printable(text_of(example))}")


def _test(rules: list[Rule], as_json: bool) -> int:
    from plantwin.private.detect.rules import failures
    from plantwin.private.inspection import detector_for

    failed = list(failures(rules, detector_for()))
    examples = sum(len(rule.examples) + len(rule.counterexamples) for rule in rules)
    if as_json:
        write_json(
            "rules", {"tested": len(rules), "examples": examples, "failures": [failure._asdict() for failure in failed]}
        )
        return int(bool(failed))
    for failure in failed:
        kind = "example" if failure.expected else "counterexample"
        verdict = "is not found" if failure.expected else "is found"
        write_line(
            f"{failure.type}: {kind} {failure.example} {verdict}"
            if failure.example
            else f"{failure.type}: has no example"
        )
    write_line(f"{plural(len(rules), 'rule')}, {plural(examples, 'example')}: {plural(len(failed), 'failure')}.")
    return int(bool(failed))
