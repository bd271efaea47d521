"""HCL: Terraform, OpenTofu, Packer, Nomad and their variable files."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.extract.languages.drafts import MAX_NAMES, Draft, text_of
from plantwin.private.extract.languages.masks import HCL as MASK
from plantwin.private.extract.languages.masks import Text, separate
from plantwin.private.extract.languages.meanings.resources import resource_feature
from plantwin.private.extract.languages.spec import FULL_LIMIT, Language, read_into
from plantwin.private.extract.languages.trees import Grammar
from plantwin.private.facts import Outline

MAX_SETTINGS = 200

_header = expressions.compile(rb'\s*+(\w++)(?:[ \t]++"?([\w.-]++)"?)?+(?:[ \t]++"?([\w.-]++)"?)?+[ \t]*+\{')
_module = expressions.compile(rb'\n[ \t]*+source[ \t]*+=[ \t]*+"(\.{1,2}/[^"\n]{0,180})"')
_read = expressions.compile(
    rb'\b(?:file|templatefile|filebase64|filemd5|yamldecode\(file)\(\s*+"(?:\$\{path\.\w++\}/)?+([^"\n${}]{1,180})"'
)
_setting = expressions.compile(
    rb'\n([A-Za-z_][\w-]{0,80}+)[ \t]*+=[ \t]*+("[^"\n$]{0,200}"|[\w.-]{1,60}+)[ \t]*+(?=\n|#|\Z)'
)
_facts: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (expressions.compile(pattern), feature)
    for pattern, feature in (
        (rb'"(?:0\.0\.0\.0/0|::/0)"|publicly_accessible\s*=\s*true|acl\s*=\s*"public-read', "public_exposure"),
        (rb'(?:actions?|Action|resources|Resource|identifiers)"?\s*[=:]\s*\[?\s*"\*"', "open_permission"),
        (
            rb"\b(?:encrypted|storage_encrypted|enable_key_rotation|block_public_acls|block_public_policy"
            rb"|deletion_protection"
            rb"|enable_log_file_validation|multi_az|versioning|https_only)\s*=\s*false"
            rb"|backup_retention_period\s*=\s*0\b",
            "disabled_protection",
        ),
        (rb"retention\w*\s*=|lifecycle_rule|expiration\s*\{", "retention"),
        (
            rb"\b(?:instance_type|machine_type|vm_size|desired_capacity|memory|cpu|replicas|node_count)\s*=",
            "resource_limit",
        ),
        (rb"\bhealth_check\b|liveness_probe|readiness_probe", "health_check"),
        (rb"secretsmanager|ssm_parameter|vault_|key_vault_secret|secret_manager", "secret_ref"),
        (rb"\bschedule_expression\s*=|\bcron\(", "schedule"),
        (rb"force_destroy\s*=\s*true|skip_final_snapshot\s*=\s*true", "destructive"),
        (rb'\bimage\s*=\s*"', "image_ref"),
        (rb'\bversion\s*=\s*"\d', "pinned"),
        (rb'\bversion\s*=\s*"[~>]', "unpinned"),
    )
)
QUERY = "(config_file (body (block) @block))"
RULES = expressions.compile(rb'\n(?P<block>\w++(?:[ \t]++"?[\w.-]++"?){0,2}+[ \t]*+\{)')


def _block(draft: Draft, raw: bytes) -> None:
    found = _header.match(raw[:400])
    if not found:
        return
    kind, first, second = (text_of(part) if part else "" for part in found.groups())
    if kind in ("resource", "data"):
        draft.name(first)
        draft.name(second)
        draft.call(first)
        if kind == "resource":
            draft.provide("terraform", f"{first}.{second}")
        feature = resource_feature(first)
        if feature:
            draft.count(feature)
    elif kind in ("variable", "output", "locals", "provider", "terraform"):
        draft.count("infra_variable")
        if first:
            draft.name(first)
    elif kind == "module":
        draft.name(first)
        draft.count("dependency")
    elif kind in ("job", "group", "task"):
        draft.name(first)
        draft.count("workload")
    elif kind in ("source", "build", "provisioner"):
        draft.count("build_step")
        # A source with a name of its own is the machine that an image is made from.
        draft.count("infra_compute", kind == "source" and bool(second))
    elif first:
        draft.name(first)


def _also(draft: Draft, text: Text) -> None:
    plain = text.with_strings()
    for source in _module.findall(plain):
        draft.refer("terraform", text_of(source), "imports")
    for target in _read.findall(plain):
        draft.refer("path", text_of(target.lstrip(b"/")), "reads")
    for pattern, feature in _facts:
        draft.count(feature, len(pattern.findall(plain)))


HCL = Language(
    how="terraform",
    mask=MASK,
    rules=RULES,
    handlers={"block": _block},
    grammar=Grammar("tree_sitter_hcl", QUERY, depth=3),
    also=_also,
)


def read_hcl(data: bytes, path: str) -> Outline:
    """Outline one HCL file; assignments of the outermost level are settings."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:FULL_LIMIT]:
        return Outline(format="hcl", parsed=False, lines=lines)
    draft = Draft("terraform", path)
    parsed = read_into(draft, HCL, data)
    outline = draft.finish("hcl", lines, parsed)
    # comments go, strings stay: values are what settings are compared by
    plain = separate(MASK, data[:FULL_LIMIT]).with_strings()
    for key, value in _setting.findall(b"\n" + plain)[:MAX_SETTINGS]:
        name = text_of(key)
        outline.settings.append((name, text_of(value.strip(b'"'))))
        if name not in draft.names and len(outline.names) < MAX_NAMES:
            outline.names.append(name)
    if outline.settings:
        outline.features["key"] = len(outline.settings)
    return outline


READERS = {"hcl": read_hcl}
