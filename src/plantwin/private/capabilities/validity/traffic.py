"""Services, ingresses and autoscalers: whether what they lead to is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.placed.node import MAP, TEXT
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity.objects import WORKLOADS, Thing
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity


def service(thing: Thing, everything: Sequence[Thing]) -> Iterator[Issue]:
    """What a Service sends to."""
    node = thing.node
    if node.value("apiVersion") != "v1":
        return
    spec = node.at("spec")
    if spec is None or node.value("spec", "type") == "ExternalName":
        return
    if "ports" not in spec.map and spec.value("clusterIP") != "None":
        yield Issue(
            node.line_of("spec"),
            _S.HIGH,
            _T.MISSING_PART,
            "k8s/service-ports",
            f"Service `{thing.name}` has no ports",
            "Add one.",
        )
    for port in spec.entries("ports"):
        number = port.at("nodePort")
        if number is not None and number.number is not None and not 30000 <= number.number <= 32767:
            yield Issue(
                port.line_of("nodePort"),
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "k8s/nodePort",
                "nodePort is outside 30000 to 32767, the usual range",
                "Correct it.",
            )
    selector = spec.at("selector")
    if selector is None or selector.kind != MAP or thing.document.templated:
        return
    wanted = {key: value.text for key, value in selector.map.items()}
    workloads = [each for each in everything if each.kind in WORKLOADS and each.labels and not each.document.templated]
    matched = [each for each in workloads if wanted.items() <= each.labels.items()]
    near = [
        each
        for each in workloads
        if each.document is thing.document
        or set(wanted.values()) & set(each.labels.values())
        or each.name == thing.name
    ]
    if not matched and near:
        yield Issue(
            spec.line_of("selector"),
            _S.HIGH,
            _T.BROKEN_REFERENCE,
            "k8s/service-selector",
            f"Service `{thing.name}` selects no pod: no template here has all of its labels",
            f"`{near[0].name}` is close; make the labels equal.",
        )
    for each in matched[:5]:
        pod = each.pod
        ports = [
            port
            for container in (pod.entries("containers") if pod is not None else [])
            for port in container.entries("ports")
        ]
        named, numbers = {port.value("name") for port in ports}, {port.value("containerPort") for port in ports}
        for port in spec.entries("ports"):
            target = port.at("targetPort") or port.at("port")
            if target is None or not ports or not target.scalar:
                continue
            if target.kind == TEXT and not target.text.isdigit() and target.text not in named:
                yield Issue(
                    target.line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "k8s/targetPort",
                    f"Service `{thing.name}` sends to port `{target.text}`, which `{each.name}` does not name",
                    "Correct the name.",
                )
            elif target.number is not None and target.text not in numbers:
                yield Issue(
                    target.line,
                    _S.MEDIUM,
                    _T.BROKEN_REFERENCE,
                    "k8s/targetPort",
                    f"Service `{thing.name}` sends to port {target.text}, which `{each.name}` does not list",
                    "Compare with containerPort.",
                )


def ingress(thing: Thing, everything: Sequence[Thing]) -> Iterator[Issue]:
    """What an Ingress sends to."""
    services = {each.name: each for each in everything if each.kind == "Service"}
    for rule in thing.node.entries("spec", "rules"):
        for path in rule.entries("http", "paths"):
            if "pathType" not in path.map and thing.node.value("apiVersion") == "networking.k8s.io/v1":
                yield Issue(
                    path.line,
                    _S.HIGH,
                    _T.MISSING_PART,
                    "k8s/pathType",
                    f"A path of Ingress `{thing.name}` has no pathType",
                    "Add Prefix or Exact.",
                )
            name = path.value("backend", "service", "name")
            number = path.at("backend", "service", "port", "number")
            service = services.get(name)
            if service is not None and number is not None:
                ports = {port.value("port") for port in service.node.entries("spec", "ports")}
                if ports and number.text not in ports:
                    yield Issue(
                        number.line,
                        _S.HIGH,
                        _T.BROKEN_REFERENCE,
                        "k8s/ingress-port",
                        f"Ingress `{thing.name}` sends to port {number.text[:8]} of `{name}`, which does not offer it",
                        "Correct it.",
                    )


def scaler(thing: Thing, everything: Sequence[Thing]) -> Iterator[Issue]:
    """What an autoscaler is bound to."""
    least, most = thing.node.at("spec", "minReplicas"), thing.node.at("spec", "maxReplicas")
    if most is None and not thing.document.templated:
        yield Issue(
            thing.node.line_of("spec"),
            _S.HIGH,
            _T.MISSING_PART,
            "k8s/hpa",
            f"Autoscaler `{thing.name}` has no maxReplicas",
            "Add it.",
        )
    elif (
        least is not None
        and most is not None
        and least.number is not None
        and most.number is not None
        and least.number > most.number
    ):
        yield Issue(
            least.line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "k8s/hpa",
            f"Autoscaler `{thing.name}` has a minimum above its maximum",
            "Swap them.",
        )
