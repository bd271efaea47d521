"""The files of one job, seen together, and the names of the folder around them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Job
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.facts import Private
from plantwin.private.formats.document import Document
from plantwin.private.formats.hcl import Block, blocks

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.cloud import Resource
    from plantwin.private.capabilities.infrastructure.kubernetes import KubernetesObject

GENERATED = known_keys("folder", "generated")
"""Folders that tools fill: what is missing there will be made."""
SCANNED = known_keys("folder", "scanned_extensions")
"""Extensions of files that a scan lists; others may exist without being known here."""


class Folder:
    """The paths of the whole folder, where the job was given them, and the keys that environment files set."""

    def __init__(self, job: Job | None = None) -> None:
        neighbours = job.surroundings.objects if job is not None else ()
        self.known = bool(neighbours)
        self.names = {neighbour.name for neighbour in neighbours}
        self.names |= {given.name for given in (job.inputs if job is not None else ()) if not given.is_result}
        self.keys = {neighbour.name: frozenset(key for key, _ in neighbour.keys) for neighbour in neighbours}
        self.folders = {"."}
        for name in self.names:
            folder = posixpath.dirname(name)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)

    def missing(self, holder: str, path: str, *, folder: bool = False) -> bool:
        """Return whether a path that is named relative to the file `holder` certainly does not exist."""
        path = path.strip().split("#", 1)[0]
        if not self.known or not path or path[0] in "/~$-<" or any(mark in path for mark in "*?${}%:|<> "):
            return False
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(holder), path))
        if whole.startswith("..") or set(whole.split("/")[:-1]) & GENERATED or whole in GENERATED:
            return False
        if whole in self.names or whole in self.folders:
            return False
        name = posixpath.basename(whole).lower()
        return folder or name.rpartition(".")[2] in SCANNED or name.startswith(("dockerfile", ".env"))

    def siblings(self, holder: str, names: Iterable[str]) -> list[str]:
        """Return the paths of these names that exist in the folder of `holder`."""
        folder = posixpath.dirname(holder)
        return [path for name in names if (path := posixpath.join(folder, name)) in self.names]

    def complete(self, holder: str, extensions: tuple[str, ...], given: Iterable[str]) -> bool:
        """Return whether every file with these extensions in the folder of `holder` is among those given."""
        folder = posixpath.dirname(holder)
        here = {name for name in self.names if posixpath.dirname(name) == folder and name.endswith(extensions)}
        return self.known and here <= set(given)


class Project(Private):
    """The documents of one job. What several checks look up in all of them is collected once."""

    def __init__(self, documents: Sequence[Document], job: Job | None = None) -> None:
        self.documents = documents
        self.folder = Folder(job)
        self._blocks: dict[int, Block] = {}

    def blocks(self, document: Document) -> Block:
        """Return the HCL blocks of a document."""
        if id(document) not in self._blocks:
            self._blocks[id(document)] = blocks(Document(document.source, "hcl"))
        return self._blocks[id(document)]

    @cached_property
    def kubernetes_objects(self) -> list[KubernetesObject]:
        """The objects that all manifests declare."""
        from plantwin.private.capabilities.infrastructure.kubernetes import objects

        return [declared for document in self.documents for declared in objects(document)]

    @cached_property
    def resources(self) -> list[Resource]:
        """The cloud resources that all Terraform files and CloudFormation templates declare."""
        from plantwin.private.capabilities.infrastructure import cloud, terraform

        found: list[Resource] = []
        for document in self.documents:
            if document.syntax == "hcl":
                found += terraform.resources(document, self.blocks(document))
            elif cloud.is_cloudformation(document):
                found += cloud.template_resources(document)
        return found
