"""The bubblewrap sandbox: what a worker sees of the machine, and the command that starts it there.

It sees the interpreter, this package, its dependencies, the system's libraries, its inputs and an empty
temporary folder. It has no network, no other process, no device but the null one, and no `/proc`.
What starts programs sees more, and shuts itself in further: see `enclosure`.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import plantwin
from plantwin.private.capabilities.adapters import installed as engines
from plantwin.private.execution import kernel

ENVIRONMENTS = (".venv", "venv", "env", ".env")
DEPTH = 2
"""Folders below the root in which environments are looked for."""
MOST = 8
_STANDARD = re.compile(r"/usr(?:/local)?")
"""What the sandbox shows anyway."""


def environments(root: Path) -> list[Path]:
    """Return the virtual environments of a folder: at its top and in its parts."""
    found: list[Path] = []
    folders = [root]
    for _ in range(DEPTH + 1):
        for folder in folders:
            found += [folder / name for name in ENVIRONMENTS if (folder / name / "pyvenv.cfg").is_file()]
        try:
            folders = [
                Path(entry.path)
                for folder in folders[:200]
                for entry in os.scandir(folder)
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith((".", "node_modules"))
            ]
        except OSError:
            break
    return found[:MOST]


def interpreters(root: Path) -> list[str]:
    """Return the folders that the environments' interpreters need and a sandbox would not show.

    A link of the folder decides where to look, so that only what is a Python installation is shown, and of it
    programs and libraries alone.
    """
    return _interpreters(environments(root), os.path.realpath(root))


def environment_of(program: str, root: Path) -> list[str]:
    """Return the folders that a program of a virtual environment needs; none for one that stands alone."""
    prefix = Path(os.path.realpath(program)).parent.parent
    inside = Path(os.path.realpath(root))
    if not (prefix / "pyvenv.cfg").is_file() or prefix.is_relative_to(inside) or inside.is_relative_to(prefix):
        return []
    return [str(prefix), *_interpreters([prefix], str(inside))]


def _interpreters(environments: Iterable[Path], inside: str) -> list[str]:
    shown: dict[str, None] = {}
    for environment in environments:
        program = Path(os.path.realpath(environment / "bin" / "python"))
        prefix = program.parent.parent
        # Shown a second time by another path, what is hidden of the folder would not be.
        around = prefix.is_relative_to(inside) or Path(inside).is_relative_to(prefix)
        if around or _STANDARD.fullmatch(str(prefix)) or not _is_installation(program):
            continue
        shown |= dict.fromkeys(str(part) for part in (prefix / "bin", prefix / "lib") if part.is_dir())
    return list(shown)


def _is_installation(program: Path) -> bool:
    """Return whether a program is the interpreter of an installation: named so, a file, beside its library."""
    name = re.fullmatch(r"python(3\.\d{1,2})?3?", program.name)
    try:
        regular = stat.S_ISREG(program.stat().st_mode)
    except OSError:
        return False
    libraries = (program.parent.parent / "lib").glob("python3.*/os.py")
    return name is not None and regular and program.parent.name == "bin" and any(libraries)


SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/lib", "/lib32", "/lib64", "/libx32")
STORES = ("/nix/store", "/gnu/store")
"""Where some systems keep every library."""
PUBLIC = ("/etc/ld.so.cache", "/usr/share/zoneinfo")
DEVICES = ("/dev/null", "/dev/urandom")
CERTIFICATES = ("/etc/ssl/certs", "/etc/pki/ca-trust/extracted")
HOME = "/app"
"""Where the sandbox shows this package."""
INPUTS = "/in"
RULES = "/rules"
"""Where it shows the compiled form of the detector's rules, which takes a second to make."""
PROJECT = "/project"
"""Where it shows the whole folder, to what runs the folder's own code."""
PROGRAMS = ("/bin", "/usr/bin", "/usr/local/bin", "/usr/local/lib", "/usr/share", "/etc/alternatives", "/usr/local/go")
"""What other programs need besides libraries; the last is where Go is installed."""
HOSTS = Path(__file__).with_name("hosts")
"""The names of the loopback, which is all the network that tests have."""
TOOLS = "/tools"
"""Where it shows the programs of engines, to what starts programs."""
MORE_DEVICES = ("/dev/zero", "/dev/full", "/dev/random")
"""What other programs expect besides."""
SHARED = "/dev/shm"  # noqa: S108 (its own)
"""Memory that processes of a test share, as large as the temporary folder."""
SCRATCH = "/tmp"  # noqa: S108 (its own)
PLACES = ("/usr/bin", "/bin", "/usr/local/bin")
"""Where `bwrap` is looked for first."""
PATIENCE = 10.0
"""Seconds that the trial may take."""

BOOT = (
    "import sys; at = sys.argv.index('--'); sys.path[:0] = sys.argv[at + 1:]; "
    # msgspec does as well without it, and it takes a tenth of a worker's start.
    "sys.modules['typing_extensions'] = None; import msgspec; del sys.modules['typing_extensions']; "
    "from plantwin.private.execution.worker import main; main(int(sys.argv[1]), load=sys.argv[2])"
)


TRIAL = (
    "import os, socket; "
    f"print(os.stat('{INPUTS}/0').st_ino, os.getuid(), [name for _, name in socket.if_nameindex()], os.listdir('/'))"
)
"""Tells whether an input shows, whether another user runs it, and what it sees of networks and of the machine."""


class Boot(NamedTuple):
    """How a worker starts: its first line of Python, and folders to import from besides the installed ones."""

    code: str = BOOT
    folders: tuple[str, ...] = ()


class Bubblewrap(NamedTuple):
    """An installed `bwrap` that works here, and what it can do beyond the oldest one that is served."""

    program: str
    binds_descriptors: bool
    forbids_namespaces: bool


@functools.cache
def bubblewrap() -> Bubblewrap | None:
    """The sandbox of this machine, or none; `unusable` says why. Found by one trial launch."""
    found = _probed()
    return None if isinstance(found, str) else found


def unusable() -> str:
    """Why there is no sandbox here, with the next step, in one line; empty where there is one."""
    if bubblewrap() is not None:
        return ""
    found = _probed()
    return found if isinstance(found, str) else "the sandbox did not start at first: try again"


def _probed() -> Bubblewrap | str:
    """The sandbox of this machine, or why there is none."""
    if not sys.platform.startswith("linux"):
        return "the sandbox needs Linux: run plantwin in a Linux virtual machine or container"
    if not kernel.filtered():
        return f"there is no filter of system calls for {os.uname().machine}: use an x86-64 or arm64 machine"
    # No relative entry: it would name a program of the folder that we were started in.
    places = [*PLACES, *(folder for folder in os.get_exec_path() if folder.startswith("/"))]
    program = shutil.which("bwrap", path=os.pathsep.join(places))
    if program is None:
        return "bubblewrap is not installed: install the package bubblewrap (apt, dnf, pacman and apk have it)"
    try:
        known = subprocess.run(
            [program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env={}, check=False
        )
        help_ = known.stdout + known.stderr
        found = Bubblewrap(program, b"--ro-bind-fd" in help_, b"--disable-userns" in help_)
        why = _refused(found)
    except (OSError, subprocess.SubprocessError) as error:
        why = f"{program} cannot be run ({type(error).__name__}): reinstall the package bubblewrap"
    return why or found


def _refused(tool: Bubblewrap) -> str:
    """Why a worker would not start, or would see what it should not; empty where all is well."""
    with Path(__file__).open("rb") as file:
        trial = subprocess.run(
            [*command(tool, (file.fileno(),), 1 << 20), *interpreter(), "-c", TRIAL],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            env={},
            pass_fds=(file.fileno(),),
            check=False,
        )
        inode = os.fstat(file.fileno()).st_ino
    if trial.returncode == 0:
        if trial.stdout.startswith(b"%d 65534 ['lo'] [" % inode) and b"'proc'" not in trial.stdout:
            return ""
        return "bubblewrap runs a program without confining it: reinstall the package bubblewrap"
    if any(word in trial.stderr for word in (b"uid map", b"namespace", b"Operation not permitted", b"loopback")):
        return (
            "the kernel refuses user namespaces to this user: allow them (sysctl kernel.unprivileged_userns_clone=1, "
            "user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0), or, in a container, give it "
            "a seccomp profile that permits them"
        )
    return "bubblewrap does not start a program here: run `bwrap --ro-bind / / --unshare-all true` to see why"


def interpreter() -> list[str]:
    """The interpreter itself, past any virtual environment, isolated and without `site`."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return [os.path.realpath(base), "-I", "-S", "-B"]


@functools.cache
def dependencies() -> tuple[str, ...]:
    """Folders of installed packages on our own path. The folder we were started in is none of them."""
    folders = [*sys.path, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    installed = (os.path.realpath(folder) for folder in folders if os.path.isabs(folder))  # noqa: PTH117 (text throughout)
    return tuple(
        dict.fromkeys(
            folder
            for folder in installed
            if folder.endswith(("/site-packages", "/dist-packages")) and os.path.isdir(folder)  # noqa: PTH112
        )
    )


def package() -> str:
    """The folder of this package."""
    return str(Path(plantwin.__file__).resolve().parent)


def command(
    tool: Bubblewrap,
    descriptors: Sequence[int],
    scratch: int,
    *,
    private: Iterable[Path] = (),
    folders: Sequence[str] = (),
    copied: Collection[int] = (),
    rules: Iterable[Path] = (),
    project: Path | None = None,
    programs: bool = False,
    information: int = -1,
    block: int = -1,
) -> list[str]:
    """`bwrap` with everything but the program to run. Input `i` is the open file `descriptors[i]`, at `/in/i`.

    `private`: folders of which nothing may show, should one lie inside what does.
    `copied`: those of the descriptors whose content is shown as a copy in memory.
    `project`: the whole folder, shown read-only. `programs`: those of the system are shown too.
    `information`: a descriptor to which it writes the number of the process that everything inside ends with.
    `block`: one on which it waits until its users have been set, so that the worker can become another than we are.
    """
    words = [tool.program, "--unshare-all", "--unshare-user", "--cap-drop", "ALL"]
    words += ["--uid", "65534", "--gid", "65534"] if block < 0 else ["--userns-block-fd", str(block)]
    if programs:
        # The worker is the first process, which no other in there can end, stop or replace. It covers what they may
        # not see, and gives that right up before it starts one; with it go new namespaces, by the filter.
        words += ["--as-pid-1", "--cap-add", "CAP_SYS_ADMIN"]
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if block >= 0 else []
    elif tool.forbids_namespaces:
        words.append("--disable-userns")
    # No `--new-session`: it has one already, and all of it has to stay in the group that the guard ends.
    words += ["--die-with-parent", "--clearenv", "--hostname", "worker"]
    if information >= 0:
        words += ["--info-fd", str(information)]
    # First, since the interpreter itself may lie below it.
    words += ["--size", str(scratch), "--perms", "0700" if block < 0 else "1777", "--tmpfs", SCRATCH]
    words += ["--chdir", SCRATCH, "--setenv", "HOME", SCRATCH]
    first = len(words)
    words += _view(private, (*folders, *(_programs() if programs else ())))
    if programs:
        words += ["--proc", "/proc", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin"]
        if os.path.islink("/bin"):  # noqa: PTH114
            # Scripts name their shell by it.
            words += ["--symlink", os.readlink("/bin"), "/bin"]  # noqa: PTH115
        for name, path in engines.programs().items():
            words += ["--ro-bind", path, f"{TOOLS}/{name}"]
    if project is not None:
        words += ["--ro-bind", str(project), PROJECT, "--ro-bind", str(HOSTS), "/etc/hosts"]
        words += ["--size", str(scratch), "--perms", "1777", "--tmpfs", SHARED]
    words += ["--ro-bind", package(), f"{HOME}/plantwin"]
    for file in rules:
        words += ["--ro-bind-try", str(file), f"{RULES}/{file.name}"]
    for device in (*DEVICES, *(MORE_DEVICES if programs else ())):
        words += ["--dev-bind-try", device, device]
    for number, descriptor in enumerate(descriptors):
        # By the open file, never by its name: what lies at the path now may be another.
        if descriptor in copied:
            words += ["--perms", "0444", "--ro-bind-data", str(descriptor), f"{INPUTS}/{number}"]
        elif tool.binds_descriptors:
            words += ["--ro-bind-fd", str(descriptor), f"{INPUTS}/{number}"]
        else:
            words += ["--ro-bind", f"/proc/self/fd/{descriptor}", f"{INPUTS}/{number}"]
    if block >= 0:
        # Made on the way to a mount, a folder would be for root alone.
        words[first:first] = [word for folder in _parents(words[first:]) for word in ("--dir", folder)]
    words += ["--remount-ro", "/", "--"]
    return words


def _parents(words: Sequence[str]) -> list[str]:
    """The folders above every place that these options name last, the outermost first."""
    places = [word for word, after in zip(words, (*words[1:], "--"), strict=True) if after.startswith("--")]
    above = {str(folder) for place in places if place.startswith("/") for folder in Path(place).parents}
    return sorted(above - {"/"}, key=lambda folder: folder.count("/"))


def _programs() -> list[str]:
    return [program for program in PROGRAMS if os.path.isdir(program) and not os.path.islink(program)]  # noqa: PTH112, PTH114


def _view(private: Iterable[Path], folders: Sequence[str]) -> list[str]:
    """Read-only binds of the interpreter and the libraries, the outermost first."""
    shown: set[str] = set()
    words: list[str] = []
    for path in SYSTEM:
        if os.path.islink(path):  # noqa: PTH114
            words += ["--symlink", os.readlink(path), path]  # noqa: PTH115
        elif os.path.isdir(path):  # noqa: PTH112
            shown.add(path)
    base = Path(sys.base_prefix).resolve()
    shown.update((interpreter()[0], str(base / "lib"), str(base / "lib64")))
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shown.add(os.path.realpath(str(sysconfig.get_config_var("LIBDIR"))))
    shown.update((*STORES, *PUBLIC, *dependencies(), *folders))
    hidden = {str(folder.resolve()) for folder in private}
    hidden = {inner for inner in hidden if any(_below(inner, outer) for outer in shown)}
    for path in sorted(shown | hidden, key=lambda id_: id_.count("/")):
        words += ["--tmpfs", path, "--remount-ro", path] if path in hidden else ["--ro-bind-try", path, path]
    return words


def _below(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")
