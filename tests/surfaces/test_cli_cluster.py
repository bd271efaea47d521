"""`--on`: a real Dask cluster, on this machine and in network namespaces of its own, one of whose workers dies."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dask.config
import pytest

from benchmarks.harness import small_tree
from plantwin.errors import InputError
from plantwin.surfaces.cluster import DaskCluster, cluster_at

DASK = Path(sys.executable).with_name("dask")
FILES = 700


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree") / "folder"
    small_tree(root, FILES)
    (root / "keys.env").write_text("DATABASE_URL=postgres://shop:Tr0ub4dor-and-3@db.internal/shop\n")
    return root


def plantwin(*arguments):
    command = [sys.executable, "-m", "plantwin", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def started(*command, cwd, env=None, inside=()):
    return subprocess.Popen(
        [*inside, str(DASK), *command], cwd=cwd, env={**os.environ, **(env or {})},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def ended(*processes):
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)


def joined(cluster, workers, seconds=90):
    """Wait until so many workers have joined."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(InputError):
            client = cluster._connected()
            try:
                if len(client.nthreads()) >= workers:
                    return
            finally:
                client.close()
        time.sleep(0.5)
    raise AssertionError("the workers did not join")


def told(tree, state, *options):
    """What `scan` and `do` say, without what differs from run to run."""
    found = plantwin("scan", str(tree), "--state", str(state), "--json", *options)
    assert found.returncode == 0, found.stderr
    summary = json.loads(found.stdout)["summary"]
    done = plantwin("do", "secret_scan", str(tree), "--state", str(state), "--json", *options)
    assert done.returncode == 0, done.stderr
    listed = plantwin("objects", str(tree), "--state", str(state), "--json")
    objects = sorted(
        (entry["path"], entry["semantic_class"], entry["sensitivity"]) for entry in json.loads(listed.stdout)["objects"]
    )
    return (
        {name: value for name, value in summary.items() if name not in ("seconds", "phases")},
        objects,
        json.loads(done.stdout)["result"],
    )


@pytest.fixture(scope="module")
def here(tree, tmp_path_factory):
    return told(tree, tmp_path_factory.mktemp("here"))


def test_a_local_cluster_gives_the_same_as_this_machine(tree, here, tmp_path):
    port = "38786"
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", cwd=tmp_path)
    worker = started(
        "worker", f"tcp://127.0.0.1:{port}", "--host", "127.0.0.1", "--nworkers", "2", "--nthreads", "1",
        "--no-dashboard", cwd=tmp_path,
    )  # fmt: skip
    try:
        joined(DaskCluster(f"dask://127.0.0.1:{port}"), 2)
        assert told(tree, tmp_path / "state", "--on", f"dask://127.0.0.1:{port}") == here
    finally:
        ended(worker, scheduler)
    gone = plantwin("scan", str(tree), "--state", str(tmp_path / "state"), "--on", f"dask://127.0.0.1:{port}")
    assert gone.returncode == 0, "nothing changed, so nobody has to be asked"
    (tree / "part00").rename(tree / "part01")
    try:
        gone = plantwin("scan", str(tree), "--state", str(tmp_path / "state"), "--on", f"dask://127.0.0.1:{port}")
        assert gone.returncode == 2
        assert "no Dask scheduler answers" in gone.stderr
    finally:
        (tree / "part01").rename(tree / "part00")


def certificates(folder, addresses):
    """A key and a certificate that signs itself, for these addresses."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cluster")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(each)) for each in addresses]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    settings = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(folder / "cert.pem")}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(folder / "cert.pem")
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{role}__KEY"] = str(folder / "key.pem")
    return settings


@pytest.fixture
def hosts():
    """Two network namespaces, each joined to this one by a pair of interfaces: addresses here, addresses there."""
    names = [f"plantwin{os.getpid() % 10000}{letter}" for letter in "ab"]
    networks = [f"10.213.{os.getpid() % 200}.", f"10.214.{os.getpid() % 200}."]
    try:
        for name, network in zip(names, networks, strict=True):
            for command in (
                f"ip netns add {name}",
                f"ip link add {name[-8:]}h type veth peer name {name[-8:]}g",
                f"ip link set {name[-8:]}g netns {name}",
                f"ip addr add {network}1/24 dev {name[-8:]}h",
                f"ip link set {name[-8:]}h up",
                f"ip -n {name} addr add {network}2/24 dev {name[-8:]}g",
                f"ip -n {name} link set {name[-8:]}g up",
                f"ip -n {name} link set lo up",
                f"ip -n {name} route add default via {network}1",
            ):
                subprocess.run(command.split(), check=True, capture_output=True)
        yield [(name, f"{network}1", f"{network}2") for name, network in zip(names, networks, strict=True)]
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def test_encryption_without_certificates_is_refused():
    with pytest.raises(InputError, match="TLS needs certificates"):
        next(DaskCluster("dask+tls://127.0.0.1:1").spread([b""]))


def test_a_worker_that_dies_costs_nothing_but_time(tree, here, tmp_path, hosts, monkeypatch):
    secure = certificates(tmp_path, [address for _, here_, there in hosts for address in (here_, there)])
    for name, value in secure.items():
        monkeypatch.setenv(name, value)
    dask.config.refresh()
    port, address = "38787", hosts[0][1]
    scheduler = started(
        "scheduler", "--protocol", "tls", "--host", address, "--port", port, "--no-dashboard", cwd=tmp_path
    )
    options = ("--protocol", "tls", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    workers = [
        started(
            "worker", f"tls://{address}:{port}", *options, "--host", own,
            cwd=tmp_path, inside=("ip", "netns", "exec", name),
        )
        for name, _, own in hosts
    ]  # fmt: skip
    address = f"dask+tls://{address}:{port}"
    try:
        cluster = DaskCluster(address)
        joined(cluster, 2)
        replies = []
        for number, reply in cluster.spread([b"junk"] * 12):
            replies.append((number, reply))
            if len(replies) == 2:
                ended(workers[0])
        assert sorted(replies) == [(number, b"") for number in range(12)]
        assert told(tree, tmp_path / "state", "--on", address) == here
    finally:
        ended(*workers, scheduler)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("dask://10.1.2.3:8786", "travel unencrypted"),
        ("dask://cluster.example:8786", "travel unencrypted"),
        ("tcp://127.0.0.1:8786", "an address such as"),
        ("dask://127.0.0.1", "an address such as"),
        ("dask://127.0.0.1:port", "an address such as"),
        ("", "an address such as"),
    ],
)
def test_addresses_that_are_not_used(address, said):
    with pytest.raises(InputError, match=said):
        cluster_at(address)
