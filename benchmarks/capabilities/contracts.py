"""API contracts and schemas: real documents, also with planted faults, by us and by the validators of the field."""

from __future__ import annotations

import copy
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from benchmarks.capabilities.section import HEADS, PACKAGES, Section, files, judged, peer, sampled
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.report import rank

MOST = 12
Document = dict[str, Any]


def _operations(document: Document) -> Iterator[Document]:
    for path in document.get("paths", {}).values():
        yield from (path[method] for method in ("get", "post", "put", "delete") if isinstance(path.get(method), dict))


def _no_title(document: Document) -> None:
    document["info"].pop("title", None)


def _broken_reference(document: Document) -> None:
    next(_operations(document))["responses"] = {"200": {"$ref": "#/components/responses/NobodyDefinesThis"}}


def _no_description(document: Document) -> None:
    next(_operations(document))["responses"] = {"200": {"content": {}}}


def _parameter_nowhere(document: Document) -> None:
    next(_operations(document))["parameters"] = [{"name": "q", "schema": {"type": "string"}}]


def _same_operation(document: Document) -> None:
    first, second, *_ = [*_operations(document)]
    first["operationId"] = second["operationId"] = "planted"


FAULTS: tuple[Callable[[Document], None], ...] = (
    _no_title, _broken_reference, _no_description, _parameter_nowhere, _same_operation,
)  # fmt: skip


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    return [*_contracts(data), *_schemas(data)]


def _contracts(data: Path | None) -> Iterator[Section]:
    documents = []
    for path in sampled([path for path in _named(data, "openapi") if path.stat().st_size < 400_000], MOST):
        try:
            read = yaml.safe_load(path.read_text("utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError):
            continue
        if isinstance(read, dict) and str(read.get("openapi", "")).startswith("3") and len([*_operations(read)]) > 1:
            documents.append(json.loads(json.dumps(read, default=str)))
    if not documents:
        return
    with tempfile.TemporaryDirectory() as folder:
        paths, labels = [], []
        for number, document in enumerate(documents):
            for sort, plant in (("sound", None), *((fault.__name__, fault) for fault in FAULTS)):
                made = copy.deepcopy(document)
                if plant:
                    plant(made)
                paths.append(Path(folder, f"{number}{sort}.json"))
                paths[-1].write_text(json.dumps(made), "utf-8")
                labels.append(plant is not None)
        begun = time.perf_counter()
        counts = [_grave("check_api_contract", [path]) for path in paths]
        seconds = time.perf_counter() - begun
        step = len(FAULTS) + 1
        # A published document has faults of its own: a planted one is found where there is one finding more.
        flags = [n > counts[at - at % step] if at % step else n > 0 for at, n in enumerate(counts)]
        # One at a time: it ends at the first document that it stumbles over.
        done = [run for path in paths if (run := peer(["openapi-spec-validator", str(path)]))]
        sound = [": OK" in run.text for run in done]
        theirs = [not fine and (at % step == 0 or sound[at - at % step]) for at, fine in enumerate(sound)]
    rows = [judged("ours", labels, flags, seconds)]
    longer = sum(run.seconds for run in done)
    rows.append(judged("openapi-spec-validator", labels, theirs if len(done) == len(paths) else None, longer))
    text = (
        f"{len(documents)} published OpenAPI documents, and each with one of {len(FAULTS)} faults planted. A published "
        "document that is flagged may be at fault; the validator says only whether a document is sound, so that it is "
        "given no fault of a document that was not. Ours uses it as a library, beside rules of our own."
    )
    yield Section("check_api_contract: planted faults", text, HEADS, rows)


def _schemas(data: Path | None) -> Iterator[Section]:
    """Validate workflows against the JSON Schema of workflows, as published by SchemaStore."""
    schemas = sorted(PACKAGES.glob("check_jsonschema/builtin_schemas/vendor/github-workflows.json"))
    schemas += sorted((data or PACKAGES).glob("github-workflows.json"))
    workflows = sampled([path for path in _named(data, "") if path.parent.name == "workflows"], MOST * 2)
    if not schemas or not workflows:
        return
    with tempfile.TemporaryDirectory() as folder:
        paths, labels = [], []
        for number, path in enumerate(workflows):
            text = path.read_text("utf-8")
            for sort, made in (("sound", text), ("planted", text.replace("runs-on:", "runs-onn:", 1))):
                paths.append(Path(folder, f"{number}{sort}.yaml"))
                paths[-1].write_text(made, "utf-8")
                labels.append(sort == "planted" and made != text)
        begun = time.perf_counter()
        flags = [_grave("validate_schema", [path, schemas[0]]) > 0 for path in paths]
        seconds = time.perf_counter() - begun
        done = peer(["check-jsonschema", "--output-format", "json", "--schemafile", str(schemas[0]), *map(str, paths)])
        told = {error["filename"] for error in json.loads(done.text)["errors"]} if done else set()
    rows = [judged("ours", labels, flags, seconds)]
    theirs = [str(path) in told for path in paths] if done else None
    rows.append(judged("check-jsonschema", labels, theirs, done.seconds if done else 0))
    text = f"{len(workflows)} public GitHub workflows, and each with a key misspelt, against their JSON Schema."
    yield Section("validate_schema: workflows", text, HEADS, rows)


def _named(data: Path | None, start: str) -> list[Path]:
    found = files(data, (".yaml", ".yml", ".json")) if data else []
    return [path for path in found if path.name.lower().startswith(start)]


def _grave(capability: str, paths: list[Path]) -> int:
    inputs = tuple(Input(name=path.name, file=str(path)) for path in paths)
    findings = function(capability)(Job(capability=capability, inputs=inputs)).findings
    return sum(rank(finding.severity) >= rank("medium") for finding in findings)
