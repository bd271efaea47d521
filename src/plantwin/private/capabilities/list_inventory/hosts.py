"""Read the hosts of Ansible inventories, with their addresses and groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.formats.document import Node, read

_FILE = re.compile(r"(?:^|/)(?:inventory|hosts)(?:[._-][\w.-]*)?$|(?:^|/)inventories/[^/]+(?:/[^/]+)?$|\.inventory$")
_SECTION = re.compile(r"\[(?P<group>[\w.-]+)(?::(?P<what>children|vars))?\]")
_ENTRY = re.compile(r"(?P<host>[A-Za-z0-9][\w.:\[\]-]*)(?P<rest>(?:[ \t]+[\w.-]+=.*)?)")
_ADDRESS = re.compile(r"\bansible_(?:ssh_)?host=[\"']?([^\s\"'#]+)")
_DEPTH = 8
"""Groups within groups that are followed."""


def is_inventory(place: str) -> bool:
    """Tell whether a file is an inventory, by its place."""
    return _FILE.search(place) is not None


def hosts(file: Source) -> Iterator[Item]:
    """Yield the hosts of an inventory in INI or YAML, and the groups that consist of groups."""
    if not is_inventory(file.label):
        return
    if file.format == "yaml":
        root = read(file).root
        for group, node in root.map.items():
            yield from _group(file, group, node, _DEPTH)
    elif file.format in ("ini", "text", "generic"):
        yield from _ini(file)


def _item(file: Source, host: str, address: str, group: str, line: int) -> Item:
    parts = [address, f"group {group}" if group else ""]
    return Item("host", host, ", ".join(filter(None, parts)), file.label, line)


def _ini(file: Source) -> Iterator[Item]:
    group, what = "", ""
    joined: dict[str, tuple[int, list[str]]] = {}
    for number, line in enumerate(file.text.split("\n"), start=1):
        text = line.strip()
        if section := _SECTION.fullmatch(text.partition("#")[0].strip()):
            group, what = section["group"], section["what"] or ""
        elif what != "vars" and (entry := _ENTRY.fullmatch(text.partition(" #")[0].strip())):
            if what == "children":
                joined.setdefault(group, (number, []))[1].append(entry["host"])
            else:
                address = _ADDRESS.search(entry["rest"])
                yield _item(file, entry["host"], address[1] if address else "", group, number)
    for name, (number, members) in joined.items():
        yield Item("host", f"[{name}]", f"group of {', '.join(members)}", file.label, number)


def _group(file: Source, group: str, node: Node, depth: int) -> Iterator[Item]:
    for host, variables in _below(node, "hosts").items():
        address = variables.value("ansible_host") or variables.value("ansible_ssh_host")
        yield _item(file, host, address, group, variables.line)
    for name, inner in _below(node, "children").items() if depth else ():
        yield from _group(file, name, inner, depth - 1)


def _below(node: Node, key: str) -> Mapping[str, Node]:
    found = node.at(key)
    return found.map if found is not None else {}
