"""Configuration and data files: syntax, keys stated twice, values that YAML reads otherwise than they look."""

from __future__ import annotations

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.infrastructure import syntax
from plantwin.private.formats.document import read
from plantwin.vocabulary import OutcomeTag

FORMATS = frozenset(("yaml", "json", "toml", "ini", "env", "properties", "xml", "jsonl", "editorconfig", "systemd"))
MOST = 200


def findings(source: Source) -> list[Finding] | None:
    """Return the findings of one file; none where it could not be read to its end."""
    if source.format == "jsonl":
        return list(syntax.validate_json_lines(source.text))[:MOST]
    document = read(source)
    if document.cut and not document.faults:
        return None
    checks = (syntax.validate, syntax.validate_ini_keys, syntax.validate_yaml_scalars)
    found = [finding for check in checks for finding in check(document)][:MOST]
    # What validate_config calls an invalid value is a likely defect among the tags of lint.
    return [
        msgspec.structs.replace(finding, tag=OutcomeTag.LIKELY_DEFECT.value)
        if finding.tag == OutcomeTag.INVALID_VALUES.value
        else finding
        for finding in found
    ]
