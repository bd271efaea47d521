"""Containers of pods: names, images, ports, variables, mounts, probes, quantities."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.node import LIST, MAP, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_PORT_NAME = re.compile(r"(?=[a-z0-9-]{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")


def container(each: Node, names: set[str], volumes: set[str] | None) -> Iterator[Issue]:
    """What is wrong with one container."""
    name = each.value("name")
    if "name" not in each.map:
        yield Issue(each.line, _S.HIGH, _T.MISSING_PART, "k8s/container-name", "A container has no name", "Add it.")
    elif name in names and "templatedvalue" not in name:
        yield Issue(
            each.line_of("name"),
            _S.HIGH,
            _T.DUPLICATION,
            "k8s/container-name",
            f"Two containers are named `{name}`",
            "Rename one.",
        )
    names.add(name)
    if "image" not in each.map:
        yield Issue(each.line, _S.HIGH, _T.MISSING_PART, "k8s/image", f"Container `{name}` has no image", "Add it.")
    for port in each.entries("ports"):
        number = port.at("containerPort")
        if number is not None and number.number is not None and not 0 < number.number <= 65535:
            yield Issue(
                port.line_of("containerPort"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "port-range",
                f"A port of `{name}` is outside 1 to 65535",
                "Correct it.",
            )
        label = port.value("name")
        if label and not _PORT_NAME.fullmatch(label) and "templated" not in label:
            yield Issue(
                port.line_of("name"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/port-name",
                f"A port name of `{name}` is not allowed: at most 15 small letters, digits and `-`",
                "Shorten it.",
            )
    for variable in each.entries("env"):
        value = variable.at("value")
        if variable.kind == MAP and "name" not in variable.map:
            yield Issue(
                variable.line, _S.HIGH, _T.MISSING_PART, "k8s/env", f"A variable of `{name}` has no name", "Add it."
            )
        if value is not None and value.kind in ("number", "boolean", MAP, LIST):
            yield Issue(
                variable.line_of("value"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/text",
                f"The value of `{variable.value('name')}` must be text; this is a {value.kind}",
                "Quote it.",
            )
        if value is not None and "valueFrom" in variable.map:
            yield Issue(
                variable.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/env",
                f"`{variable.value('name')}` has both value and valueFrom",
                "Keep one.",
            )
    for mount in each.entries("volumeMounts"):
        used = mount.value("name")
        if volumes is not None and used and used not in volumes:
            yield Issue(
                mount.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "k8s/volume",
                f"`{name}` mounts volume `{used}`, which the pod does not have",
                "Declare it under volumes.",
            )
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        found = each.at(probe)
        if (
            found is not None
            and found.kind == MAP
            and not {"httpGet", "exec", "tcpSocket", "grpc"} & found.map.keys()
            and found.map
        ):
            yield Issue(
                each.line_of(probe),
                _S.HIGH,
                _T.MISSING_PART,
                "k8s/probe",
                f"{probe} of `{name}` does not say what to ask",
                "Add httpGet, tcpSocket, grpc or exec.",
            )
    yield from _resources(each, name)


def _resources(each: Node, name: str) -> Iterator[Issue]:
    amounts: dict[tuple[str, str], float] = {}
    for side in ("requests", "limits"):
        holder = each.at("resources", side)
        for what, node in holder.map.items() if holder is not None else ():
            if not node.scalar or "$" in node.text or holder is None:
                continue
            amount = moments.quantity(node.text)
            line = holder.line_of(what)
            if amount is None:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "k8s/quantity",
                    f"{what} of `{name}` is no quantity ({node.text[:20]})",
                    "Write 500m for CPU, 512Mi for memory.",
                )
                continue
            amounts[side, what] = amount
            if what == "memory" and amount < 1 << 20:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "k8s/quantity",
                    f"Memory of `{name}` is {node.text[:20]}: less than one megabyte",
                    "Did you mean Mi? `m` is a thousandth of a byte.",
                )
            elif what == "cpu" and amount > 512:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "k8s/quantity",
                    f"CPU of `{name}` is {node.text[:20]}: that many cores",
                    "Did you mean `m`, thousandths?",
                )
    for what in ("cpu", "memory"):
        if amounts.get(("requests", what), 0) > amounts.get(("limits", what), float("inf")):
            yield Issue(
                each.line_of("resources"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/requests",
                f"`{name}` requests more {what} than its limit",
                "Raise the limit.",
            )
