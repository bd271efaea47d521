"""A private PostgreSQL on a Unix socket in a temporary folder, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path


def program(name: str) -> str:
    """One of PostgreSQL's programs: the newest in Debian's place, else the one on PATH."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda each: float(each.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if found is None:
        raise RuntimeError(f"PostgreSQL's {name} is not installed: install the package postgresql")
    return os.path.realpath(found)


class Server:
    """Started at once, ended by its id; listens on its socket alone."""

    def __init__(self, *, synced: bool = False) -> None:
        """`synced`: commits reach the disk. A test does not need that, for the machine itself does not crash."""
        self._synced = synced
        self._free: list[str] = []
        # A socket's path has little room, so the folder's is short whatever the caller's temporary folder is.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        # The server ends with whoever started it, even when that is killed.
        self._as = ["setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:
            user = _unprivileged()
            self._as += [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.dsn = f"host={self.folder} port=5432 dbname=postgres user=tester"
        self._environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": str(self.folder)}
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self._run(
                [program("initdb"), "-D", f"{self.folder}/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "-N"]
            )
            self.start()
        except BaseException:
            self.close()
            raise

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(
            [*self._as, *command], cwd=self.folder, env=self._environment, capture_output=True, check=False, timeout=120
        )
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')[-800:]}")

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "unix_socket_permissions": "0777",
            "port": "5432",
            "shared_buffers": "32MB",
            "max_connections": "60",
            "autovacuum": "off",
            "fsync": "on" if self._synced else "off",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self._as, program("postgres"), "-D", f"{self.folder}/data", *options],
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + 60
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "log").read_text(errors="replace")[-800:])
            time.sleep(0.05)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.dsn, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends it and cuts all connections; SIGQUIT is a crash."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None

    def database(self) -> str:
        """An empty database; its DSN."""
        import psycopg

        if self._free:
            return self._free.pop()
        name = f"ledger_{secrets.token_hex(6)}"
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.dsn.replace("dbname=postgres", f"dbname={name}")

    def give_back(self, dsn: str) -> None:
        """Empty a database for the next who wants one."""
        import psycopg

        with psycopg.connect(dsn) as connection:
            connection.execute("SET client_min_messages = error")
            connection.execute("DROP SCHEMA IF EXISTS plantwin CASCADE")
        self._free.append(dsn)

    def close(self) -> None:
        """End it and remove its folder."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def _unprivileged() -> pwd.struct_passwd:
    """PostgreSQL refuses to run as root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no user postgres or nobody to run PostgreSQL as")
