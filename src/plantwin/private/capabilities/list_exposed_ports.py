"""List the network ports that a file opens: containers, servers, infrastructure, settings and code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.infrastructure import compose, kubernetes, nginx
from plantwin.private.facts import private
from plantwin.private.formats import settings
from plantwin.private.formats.dockerfile import instructions
from plantwin.private.formats.document import MAP, SYNTAXES, Document, Node, read
from plantwin.private.formats.hcl import Block, blocks
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.nginx import directives
from plantwin.private.formats.source_views import MASKS, views
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Ports"
SERVICES = {
    20: "FTP", 21: "FTP", 22: "SSH", 23: "Telnet", 25: "SMTP", 53: "DNS", 80: "HTTP", 110: "POP3", 143: "IMAP",
    389: "LDAP", 443: "HTTPS", 445: "SMB", 587: "SMTP", 636: "LDAPS", 1433: "SQL Server", 1521: "Oracle",
    1883: "MQTT", 2049: "NFS", 2181: "ZooKeeper", 2375: "Docker API", 2376: "Docker API", 2379: "etcd", 3306: "MySQL",
    3389: "RDP", 4222: "NATS", 5432: "PostgreSQL", 5601: "Kibana", 5672: "AMQP", 6379: "Redis", 6443: "Kubernetes API",
    8123: "ClickHouse", 9000: "", 9042: "Cassandra", 9090: "Prometheus", 9092: "Kafka", 9200: "Elasticsearch",
    10250: "kubelet", 11211: "Memcached", 15672: "RabbitMQ management", 27017: "MongoDB",
}  # fmt: skip
"""What usually answers at a port."""
STORES = frozenset((1433, 1521, 2049, 2181, 2375, 2379, 3306, 5432, 6379, 9042, 9092, 9200, 11211, 27017, 445, 23))
"""Ports that should not be reachable from everywhere."""
PUBLIC, HOST, INSIDE, LOCAL = "everywhere", "the host's network", "other containers", "this machine"
_PUBLISHED = re.compile(
    r"(?:(?P<host>\d+\.[\d.]+|\[[^\]]+\]|\$\{[^}]*\}):)?(?:(?P<outer>\d+(?:-\d+)?|\$\{?[^}:]*(?::-(?P<usual>\d+))?\}?):)?"
    r"(?P<inner>\d+(?:-\d+)?|\$\{[^}]*\})(?:/(?P<protocol>\w+))?"
)
_LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
_EVERY = ("*", "0.0.0.0", "::", "[::]")  # noqa: S104 - read from settings, never bound
_WORLD = frozenset(("0.0.0.0/0", "::/0", "*"))
_GROUP = re.compile(r"security_?group|firewall|security_rule|network_acl")
"""Resources that are firewalls."""
LONGEST = 400
"""Characters of a setting's name and value, and of a rule, in which ports are looked for."""
_SOURCES = ("cidr_blocks", "ipv6_cidr_blocks", "cidr_ipv4", "cidr_ipv6", "source_ranges", "source_address_prefix")


@private
class Port(NamedTuple):
    """One port that a file opens."""

    line: int
    number: str
    """A number, a range, or the name of what states it."""
    by: str
    reach: str


def run(job: Job) -> Result:
    """List the ports of every input."""
    sources = [source(given) for given in job.inputs if not given.is_result]
    known = [file for file in sources if not file.binary and _readable(file)]
    if not known:
        return failed(TITLE, "Neither code, settings nor infrastructure that is read here.", [OutcomeTag.UNPARSABLE])
    examined, rows, state = [], [], []
    for file in known:
        document = read(file)
        ports = list(dict.fromkeys(_ports(file, document)))
        examined.append(Examined(file, [_finding(port) for port in ports]))
        rows += [[port.number, plain(port.by), plain(port.reach), code(f"{file.label}:{port.line}")] for port in ports]
        state += [OutcomeTag.TRUNCATED] if file.truncated or not document.whole else []
        state += [OutcomeTag.UNPARSABLE] if document.faults and not document.sound and not document.templated else []
    state += [OutcomeTag.UNPARSABLE] if len(known) < len(sources) else []
    return concluded(
        job, TITLE, examined, tool="declared ports, and calls that listen", state=state,
        tables=table(["Port", "Opened by", "Reachable from", "Where"], rows),
        facts={"ports": [[port, by, reach, where.strip("`")] for port, by, reach, where in rows]},
        per_rule=500, quoted=True,
    )  # fmt: skip


def _readable(read: Source) -> bool:
    """Tell whether a file is of a form in which ports are looked for."""
    return read.format in MASKS or read.format in SYNTAXES or read.format in settings.FORMATS or serves(read)


def _finding(port: Port) -> Finding:
    number = int(port.number) if port.number.isdigit() else 0
    service = SERVICES.get(number, "")
    grave = number in STORES and port.reach in (PUBLIC, HOST)
    return Finding(
        line=port.line,
        severity=(Severity.MEDIUM if grave else Severity.LOW).value,
        tag=OutcomeTag.EXPOSED_SERVICE.value,
        message=f"Port {port.number}{f' ({service})' if service else ''}: {port.by}, reachable from {port.reach}",
        hint="Bind it to 127.0.0.1 or leave it inside the network." if grave else "",
    )


def _ports(read: Source, document: Document) -> Iterator[Port]:
    """Yield the ports that a file opens, by what it is."""
    if document.syntax == "dockerfile":
        yield from _dockerfile(read.text)
    elif document.syntax == "hcl":
        yield from _terraform(document)
    elif compose.is_compose(document):
        yield from _compose(document)
    elif kubernetes.is_kubernetes(document):
        for root in document.roots:
            yield from _kubernetes(root)
    elif nginx.is_nginx(document):
        yield from _nginx(read.text)
    else:
        opened = in_code if read.format in MASKS else in_settings
        for line, number, by, host in opened(read):
            yield Port(line, number, by, host if by.startswith("the firewall") and host not in _EVERY else _reach(host))


def _reach(host: str) -> str:
    return LOCAL if host in _LOOPBACK else PUBLIC if host in _EVERY else HOST


def _dockerfile(text: str) -> Iterator[Port]:
    for instruction in instructions(text):
        if instruction.name == "EXPOSE":
            for word in instruction.words:
                yield Port(instruction.line, word.partition("/")[0], "the image (EXPOSE)", INSIDE)


def _compose(document: Document) -> Iterator[Port]:
    for name, service in document.root.map["services"].map.items():
        for port in service.entries("ports"):
            text = _short(port)
            match = _PUBLISHED.fullmatch(text)
            outer = (match["usual"] or match["outer"] or "a random port") if match else text
            host = (match["host"] or "*") if match else "*"
            inner = f" (port {match['inner']} inside)" if match and match["inner"] != outer else ""
            yield Port(port.line, outer, f"service {name}{inner}", _reach(host))
        for port in service.entries("expose"):
            yield Port(port.line, port.text, f"service {name} (expose)", INSIDE)
        if service.value("network_mode") == "host":
            yield Port(service.line_of("network_mode"), "all", f"service {name} (network_mode: host)", HOST)


def _short(port: Node) -> str:
    """Return a published port in the short syntax."""
    if port.kind != MAP:
        return port.text
    host, published = port.value("host_ip"), port.value("published")
    return f"{host + ':' if host else ''}{published + ':' if published else ''}{port.value('target')}"


def _kubernetes(root: Node) -> Iterator[Port]:
    kind, name = root.value("kind"), root.value("metadata", "name")
    if kind == "Service":
        sort = root.value("spec", "type") or "ClusterIP"
        reach = {"LoadBalancer": PUBLIC, "NodePort": "the nodes' network"}.get(sort, "the cluster")
        for port in root.entries("spec", "ports"):
            number = port.value("nodePort") or port.value("port")
            yield Port(port.line, number, f"Service {name} ({sort})", reach)
        return
    if kind == "Ingress":
        yield Port(root.line, "443" if root.at("spec", "tls") is not None else "80", f"Ingress {name}", PUBLIC)
        return
    for pod in _pods(root):
        for container in (*pod.entries("containers"), *pod.entries("initContainers")):
            for port in container.entries("ports"):
                shared = pod.at("hostNetwork")
                onto = port.value("hostPort") or (
                    port.value("containerPort") if shared is not None and shared.true else ""
                )
                number = onto or port.value("containerPort")
                by = f"container {container.value('name')} of {kind} {name}"
                yield Port(port.line, number, by, "the nodes' network" if onto else "the cluster")


def _pods(root: Node) -> Iterator[Node]:
    """Yield the pod specifications of a workload."""
    for path in (("spec",), ("spec", "template", "spec"), ("spec", "jobTemplate", "spec", "template", "spec")):
        found = root.at(*path)
        if found is not None and found.kind == MAP and "containers" in found.map:
            yield found


def _nginx(text: str) -> Iterator[Port]:
    root, _ = directives(text)
    for directive in root.within():
        if directive.name == "listen" and directive.words:
            host, _, number = directive.words[0].rpartition(":")
            if number.isdigit():
                yield Port(directive.line, number, "nginx", _reach(host or "*"))


def _terraform(document: Document) -> Iterator[Port]:
    """Yield what rules of security groups and firewalls let in."""
    for resource in blocks(document).blocks:
        inwards = resource.labels[:1] != ["aws_security_group_rule"] or _text(resource, "type") == "ingress"
        for block in resource.within() if inwards else ():
            first = _text(block, "from_port") or _text(block, "port")
            if not first or block.type == "egress" or "egress" in resource.labels[0]:
                continue
            last = _text(block, "to_port") or first
            number = "all" if (first, last) in (("0", "0"), ("-1", "-1"), ("0", "65535")) else first
            sources = {
                item.text for key in _SOURCES if (node := block.attributes.get(key)) for item in node.items or [node]
            }
            reach = PUBLIC if sources & _WORLD else f"{', '.join(sorted(sources))[:80]}" if sources else "its network"
            yield Port(
                block.line,
                number if last == first or number == "all" else f"{first}-{last}",
                f"{resource.address} (firewall)" if _GROUP.search(resource.labels[0]) else resource.address,
                reach,
            )


def _text(block: Block, key: str) -> str:
    node = block.attributes.get(key)
    return node.text if node is not None and node.scalar else ""


_TABLES = beside(__file__)
_CALLS = tuple((re.compile(row["pattern"]), row["by"]) for row in _TABLES["call"])
_ENDPOINT, _KEY, _OTHER, _FIREWALL, _RULE = (
    re.compile(_TABLES["names"][name]) for name in ("called", "key", "other", "firewall", "rule")
)
"""What stands before a port that is called and not opened; settings that name a port; those that name another's; those
that open one in a firewall, and those of a rule of a security group."""
_LET_IN = re.compile(r"(?:port=)?[\"']?(?P<port>\d{1,5}(?:[:-]\d{1,5})?)(?:/(?:tcp|udp))?[\"']?")
_KEPT_OUT = re.compile(r"\brule=[\"']?(?:deny|reject)|\bstate=[\"']?(?:disabled|absent)")
_LISTEN = re.compile(r"(?:ListenStream|ListenDatagram|^listen|^bind|\.bind|\.listen)\w*$", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:(?P<host>[\w.\[\]:*-]{0,60}):)?(?P<port>\d{2,5})")
_APACHE = re.compile(r"^\s*(?:Listen|Port)\s+(?:(?P<host>[\d.]{7,15}|\[::\]|\*):)?(?P<port>\d{2,5})\b", re.MULTILINE)

Opened = tuple[int, str, str, str]
"""Line, number, what opens it, and the address it is bound to."""


def in_code(read: Source) -> Iterator[Opened]:
    """Yield the ports that code listens on, as far as they stand in the call or beside it."""
    full = views(read.format, read.data).full.decode("utf-8", "replace")
    for number, line in enumerate(full.split("\n"), start=1):
        line = line[:1000]
        for pattern, by in _CALLS if any(character.isdigit() for character in line) else ():
            match = pattern.search(line)
            if match is not None and by.startswith("the firewall"):
                yield number, match["port"], by, _source(line)
                break
            if match is None or not 0 < int(match["port"]) < 65536 or _ENDPOINT.search(line[: match.start("port")]):
                continue
            host = match.groupdict().get("host")
            yield number, match["port"], by, host if host is not None else _beside(line)
            break


def _source(line: str) -> str:
    """Return whom a rule of a firewall lets in: everybody, where it names nobody."""
    named = re.search(r"(?:\s-s|--source|\bfrom)[ =](?!any\b)(\{\{[^}]*\}\}|\S+)", line)
    return named[1][:80] if named else "*"


def _beside(line: str) -> str:
    """Return the address that the same line binds to."""
    found = re.search(r"0\.0\.0\.0|127\.0\.0\.1|localhost|[\"']::[\"']", line)
    return found[0].strip("\"'") if found is not None else ""


def serves(read: Source) -> bool:
    """Tell whether a file holds the settings of a server that are lines of words: Apache, SSH."""
    return (
        re.search(r"(?:^|/)(?:sshd?_config|httpd|apache2?|ports|vhost|sites-\w+/)[^/]*$|\.conf$", read.label)
        is not None
    )


def in_settings(read: Source) -> Iterator[Opened]:
    """Yield the ports that plain settings give to the program itself."""
    if read.format not in settings.FORMATS:
        for match in _APACHE.finditer(read.text[: 1 << 18]) if serves(read) else ():
            line = read.text.count("\n", 0, match.start("port")) + 1
            yield line, match["port"], "the server's settings", match["host"] or "*"
        return
    stated = settings.settings(read.format, read.text)[0]
    yield from _let_in(stated)
    for setting in stated:
        listens = _LISTEN.search(setting.path)
        address = _ADDRESS.fullmatch(setting.value.strip())
        if address is None or not 0 < int(address["port"]) < 65536:
            continue
        if len(setting.path) <= LONGEST and (_FIREWALL.search(setting.path) or _RULE.search(setting.path)):
            continue
        if listens or (_KEY.search(setting.path) and not _OTHER.search(setting.path)):
            yield setting.line, address["port"], f"the setting {setting.path[:80]}", address["host"] or ""


def _let_in(stated: Sequence[settings.Setting]) -> Iterator[Opened]:
    """Yield the ports that settings open in a firewall or a security group, with whom they let in."""
    values = {setting.path: setting.value for setting in stated}
    for setting in stated:
        if len(setting.path) > LONGEST or len(setting.value) > LONGEST:
            continue
        beside = setting.path.rpartition(".")[0]
        if _KEPT_OUT.search(
            f"rule={values.get(f'{beside}.rule')} state={values.get(f'{beside}.state')} {setting.value}"
        ):
            continue
        ports = [match for part in re.split(r"[,\s]+", setting.value) if (match := _LET_IN.fullmatch(part))]
        if ports and _FIREWALL.search(setting.path):
            key = next(part for part in reversed(setting.path.split(".")) if not part.isdigit() and part != "port")
            yield from ((setting.line, port["port"], f"the firewall ({key[:80]})", "*") for port in ports)
        elif ports and _RULE.search(setting.path):
            first = ports[0]["port"]
            last = values.get(f"{beside}.to_port", first)
            number = first if last == first else f"{first}-{last}"
            whom = values.get(f"{beside}.cidr_ip", "") or "its network"
            yield setting.line, number, "the firewall (rule of a security group)", "*" if whom in _WORLD else whom
        elif "--dport" in setting.value:
            for pattern, by in _CALLS:
                if by == "the firewall (iptables)" and (match := pattern.search(setting.value)):
                    yield setting.line, match["port"], by, _source(setting.value)
