"""Configuration files: the security rules that audit_infrastructure and validate_config run as well."""

from __future__ import annotations

import msgspec

from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.audit_infrastructure import uncovered
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.infrastructure import iam, settings
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.capabilities.infrastructure.technologies import technology
from plantwin.private.formats.document import read
from plantwin.private.formats.values import words

FORMATS = words("yaml json toml ini env properties hcl editorconfig systemd dockerfile nginx apache")
_TAGS = {tag.value for tag in catalog()["security_audit"].tags}
_OTHER_TAGS = {"DOCKER-IMAGE-TAG": "insecure_setting", "AWS-S3-PUBLIC-ACCESS-BLOCK": "missing_check"}
"""Rules with a tag that this capability does not declare, which it reports all the same, and the tag it uses."""


def audit(source: Source) -> tuple[list[Finding], bool, str]:
    """Return the weaknesses that this capability declares, whether the file parses, and resources without rules."""
    document = read(source)
    known = technology(document)
    project = Project([document])
    found = list(known.audit(document, project)) if known.audit is not None else []
    if known.plain_values:
        places = {(finding.line, finding.tag) for finding in found}
        found += [finding for finding in settings.audit(document) if (finding.line, finding.tag) not in places]
    if document.syntax in ("yaml", "json") and known.name != "CloudFormation":
        found += iam.audit_document(document)
    told = [msgspec.structs.replace(finding, tag=_OTHER_TAGS.get(finding.rule, finding.tag)) for finding in found]
    return [finding for finding in told if finding.tag in _TAGS], document.sound, uncovered(project, frozenset())
