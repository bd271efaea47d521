"""`plantwin rules`: what detection looks for, and whether every rule keeps its word."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.output import colourful, note, write_json, write_json_list, write_line
from plantwin.surfaces.cli.wanted import add_selection
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin.private.redact.rules import Rule

EXAMPLE = "plantwin rules --group secret"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument(
        "action", nargs="?", choices=("test",), metavar="test", help="run each rule's own examples instead"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document, a rule to a line")
    add_selection(parser)


def run(options: argparse.Namespace) -> int:
    """List the rules that the options choose, or test them."""
    from plantwin.private import config
    from plantwin.private.redact.rules import load
    from plantwin.private.redact.selection import selection
    from plantwin.surfaces.cli.wanted import words

    every = (*load(), *config.load().rules)
    wanted = selection({rule.type for rule in every}, words(options.type), words(options.group), options.confidence)
    rules = [rule for rule in every if wanted.keeps(rule.type, rule.group, rule.confidence)]
    if options.action == "test":
        return _test(rules, options.json)
    if options.json:
        write_json_list("rules", {}, "rules", map(members, rules))
    else:
        _show(rules)
    return 0


def members(rule: Rule) -> dict[str, Any]:
    """One rule as JSON members."""
    from plantwin.private.redact.rules import text_of

    return {
        "type": rule.type,
        "group": rule.group,
        "confidence": rule.confidence,
        "description": rule.description,
        "origin": rule.origin or "shipped",
        "examples": [text_of(each) for each in rule.examples],
        "counterexamples": [text_of(each) for each in rule.counterexamples],
    }


def _show(rules: list[Rule]) -> None:
    from plantwin.private.redact.rules import text_of

    bold, plain = ("\x1b[1m", "\x1b[0m") if colourful() else ("", "")
    for rule in rules:
        write_line(
            f"{bold}{rule.type}{plain}  {rule.group}, {rule.confidence} confidence: {printable(rule.description)}"
        )
        for title, examples in (("found", rule.examples), ("not found", rule.counterexamples)):
            for example in examples:
                write_line(f"    {title:<10} {printable(text_of(example))}")
    note(f"{plural(len(rules), 'rule')}. The examples are made up.")


def _test(rules: list[Rule], as_json: bool) -> int:
    from plantwin.private.inspection import detector_for
    from plantwin.private.redact.proof import failures

    failed = list(failures(rules, detector_for()))
    examples = sum(len(rule.examples) + len(rule.counterexamples) for rule in rules)
    if as_json:
        write_json(
            "rules", {"tested": len(rules), "examples": examples, "failures": [each._asdict() for each in failed]}
        )
        return int(bool(failed))
    for each in failed:
        kind = "example" if each.expected else "counterexample"
        verdict = "is not found" if each.expected else "is found"
        write_line(f"{each.type}: {kind} {each.example} {verdict}" if each.example else f"{each.type}: has no example")
    write_line(f"{plural(len(rules), 'rule')}, {plural(examples, 'example')}: {plural(len(failed), 'failure')}.")
    return int(bool(failed))
