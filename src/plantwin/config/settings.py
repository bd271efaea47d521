"""Settings of the trusted core, from the person's own file alone: an observed folder cannot loosen anything.

    $XDG_CONFIG_HOME/plantwin/config.toml

Checked whole before anything is done. A message names the file, the key and what is needed there; it never
quotes what stands there. The section `[detect]` of the same file belongs to the private side.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from plantwin.boundary.approval import LIFETIME, LONGEST
from plantwin.boundary.budget import Sharing, Weighted
from plantwin.config.accountants import Folder
from plantwin.config.budget import Budget, Section
from plantwin.config.planners import PlannerChoice, Planners, incomplete
from plantwin.errors import ConfigError, PlanTwinError
from plantwin.types.capability import Capability
from plantwin.types.envelope import MAX_OBJECTS, MAX_TURNS
from plantwin.types.goal import ADDED, MAX_ADDED
from plantwin.types.ledger import Audience, Limits
from plantwin.types.prices import BOUNDLESS
from plantwin.types.sets import MAX_SETS
from plantwin.vocabulary import Kind, member

LIMIT: Final = 256 << 10
"""Bytes of a config or policy file at most."""
_DAYS: Final = {"h": 3600.0, "d": 86400.0, "w": 604800.0}
NO_LABELS: Final[frozenset[str]] = frozenset()
_audience = re.compile(r"[a-z0-9._-]{1,64}")
_place = re.compile(r"(?P<what>.*?)(?: - at `(?:key` in `)?\$?\.?(?P<at>[^`]*)`)?", re.DOTALL)
_words = re.compile(r"regex '\^\(([\w|-]+)\)")
_unknown = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)

Number = Annotated[int, Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, Meta(ge=1, le=LONGEST)]
Name = Annotated[str, Meta(pattern=r"^[a-z0-9._-]{1,64}\Z")]
Group = Annotated[tuple[Name, ...], Meta(min_length=2, max_length=64)]
Groups = Annotated[tuple[Group, ...], Meta(max_length=64)]
Text = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[^\x00]*\Z")]


class Limiting(Section, frozen=True):
    """How often, how much and how long."""

    turns_per_hour: Number = Limits().turns_per_hour
    fields_per_hour: Number = Limits().fields_per_hour
    refusals_per_hour: Number = Limits().refusals_per_hour
    max_turns: Annotated[int, Meta(ge=1, le=MAX_TURNS)] = 4
    max_objects: Annotated[int, Meta(ge=1, le=MAX_OBJECTS)] = 40
    max_tokens: Number = 12_000
    planner_seconds: Seconds = 120.0
    max_sets: Annotated[int, Meta(ge=1, le=MAX_SETS)] = 24
    """Sets that a planner is told of at first."""
    max_files: Number | None = None
    """Members of sets that one step examines; without it, all."""
    step_seconds: Seconds = 600.0
    """How long a step over a set may take."""


class TwinChoice(Section, frozen=True):
    """What a planner is told of: sets, or objects one by one as in the paper."""

    mode: Annotated[str, Meta(pattern=r"^(sets|objects)\Z")] = "sets"


class Privacy(Section, frozen=True):
    """How small a set may be."""

    k: Annotated[int, Meta(ge=2, le=1000)] = 5
    """Fewest members of a set, unless the goal names it."""
    others: Annotated[str, Meta(pattern=r"^(unknown|known)\Z")] = "unknown"
    """Whether a planner may know all objects but one: then every member of a set pays the whole price."""


class Audiences(Section, frozen=True):
    """Who shares with whom."""

    same: Groups = ()
    colluding: Groups = ()


class PolicyChoice(Section, frozen=True):
    """A policy that ships, or one's own file."""

    name: Annotated[str, Meta(pattern=r"^(default|strict|team|local-only)\Z")] = "default"
    file: Text | None = None


class LedgerChoice(Section, frozen=True):
    """Where what was told is recorded."""

    kind: Annotated[str, Meta(pattern=r"^(sqlite|postgres)\Z")] = "sqlite"
    dsn_env: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}\Z")] | None = None
    path: Text | None = None
    budgets: Annotated[str, Meta(pattern=r"^(team|person)\Z")] = "team"
    """Whose a budget is: all members use up one, or each role of the database one of its own."""


class Sandbox(Section, frozen=True):
    """What one step may use."""

    require: bool = False
    show_secrets: bool = False
    """Whether code of the folder, such as its tests, may read files that hold secrets."""
    seconds: Seconds = 60.0
    memory_mb: Annotated[int, Meta(ge=64, le=1_048_576)] = 2048
    processes: Annotated[int, Meta(ge=1, le=4096)] = 16
    output_mb: Annotated[int, Meta(ge=1, le=1024)] = 16


class Label(Section, frozen=True):
    """A label for every path that matches."""

    glob: Annotated[str, Meta(pattern=r"^/?[^/\x00][^\x00]{0,499}\Z")]
    label: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]{0,39}\Z")]
    root: Text | None = None


class Approval(Section, frozen=True):
    """How long a question stays open, and audiences whose client may answer it in a person's place."""

    lifetime: Seconds = LIFETIME
    clients: Annotated[tuple[str, ...], Meta(max_length=16)] = ()


class GoalChoice(Section, frozen=True):
    """What of a goal crosses, and which words the person adds to the lexicon. `verbatim` takes an option each time."""

    mode: Annotated[str, Meta(pattern=r"^(intent|lexicon)\Z")] = "lexicon"
    words: Annotated[tuple[Annotated[str, Meta(pattern=rf"^{ADDED}\Z")], ...], Meta(max_length=MAX_ADDED)] = ()


class RulesChoice(Section, frozen=True):
    """Which checks the person does not want."""

    off: Annotated[tuple[Annotated[str, Meta(pattern=r"^[A-Z][A-Z0-9-]{1,59}\Z")], ...], Meta(max_length=1000)] = ()


class EnginesChoice(Section, frozen=True):
    """What the field's own tools need from the person."""

    semgrep_rules: Annotated[str, Meta(min_length=1, max_length=4000)] | None = None
    """A file or folder of rules for semgrep or opengrep; without one they are not asked. Nothing is ever fetched."""


class SessionChoice(Section, frozen=True):
    """Which built-in capabilities a session has."""

    catalog: Annotated[str, Meta(pattern=r"^(orchestration|coarse|fine)\Z")] = "orchestration"


class ModelChoice(Section, frozen=True):
    """The model of the planner `local`: its file, or a server of the person's own on this machine."""

    weights: Text | None = None
    endpoint: Text | None = None
    name: Text | None = None
    context: Annotated[int, Meta(ge=1024, le=131_072)] = 2048


class Settings(Section, frozen=True):
    """Everything that the person may set about the trusted core."""

    budget: Budget = Budget()
    limits: Limiting = Limiting()
    audiences: Audiences = Audiences()
    policy: PolicyChoice = PolicyChoice()
    ledger: LedgerChoice = LedgerChoice()
    sandbox: Sandbox = Sandbox()
    labels: Annotated[tuple[Label, ...], Meta(max_length=1000)] = ()
    approval: Approval = Approval()
    rules: RulesChoice = RulesChoice()
    engines: EnginesChoice = EnginesChoice()
    session: SessionChoice = SessionChoice()
    twin: TwinChoice = TwinChoice()
    privacy: Privacy = Privacy()
    goal: GoalChoice = GoalChoice()
    model: ModelChoice = ModelChoice()
    planner: PlannerChoice = PlannerChoice()
    planners: Planners = msgspec.field(default_factory=dict)
    capabilities: dict[str, Any] = msgspec.field(default_factory=dict)
    """The person's own capabilities, as they are written: the private side checks and runs them."""

    def accountant(self, catalog: Iterable[Capability] = (), folder: Folder = ()) -> Weighted:
        """Who sets the prices and limits of an object. `folder`: all objects, for those who look at all of them."""
        return self.budget.chosen(catalog, folder, self.privacy.k)

    def heard_by(self, audience: str) -> Settings:
        """The same, with the accountant of this audience."""
        who = self.budget.audiences.get(audience, self.budget.accountant)
        return msgspec.structs.replace(self, budget=msgspec.structs.replace(self.budget, accountant=who))

    def unlisted(self) -> frozenset[Kind]:
        """Kinds whose threshold is nothing: a planner that is rationed is not told that there are any."""
        return frozenset(member(Kind, kind) for kind, most in asdict(self.budget.thresholds.kind).items() if most == 0)

    def sharing(self, *, limited: bool = True) -> Sharing:
        """Who pays for what is told of sets."""
        most = self.budget.cell if limited else BOUNDLESS
        return Sharing(self.privacy.k, most, self.privacy.others == "known")

    @property
    def refresh_seconds(self) -> float | None:
        """After how long what was told no longer counts; None for never."""
        period = self.budget.refresh
        return int(period[:-1]) * _DAYS[period[-1]] if period else None

    def rates(self) -> Limits:
        """The hourly limits."""
        limits = self.limits
        return Limits(limits.turns_per_hour, limits.fields_per_hour, limits.refusals_per_hour)

    def audience(self, name: str) -> Audience:
        """A provider with everyone it must be assumed to share with, over any number of hands."""
        if not _audience.fullmatch(name):
            raise ConfigError("audience: a name of lower-case letters, digits, dots and dashes is needed")
        shared = {name}
        groups = [set(group) for group in (*self.audiences.same, *self.audiences.colluding)]
        while more := set().union(*(group for group in groups if group & shared)) - shared:
            shared |= more
        return Audience(name, tuple(sorted(shared)))

    def labels_of(self, root: Path, path: str) -> frozenset[str]:
        """Labels of a path below an observed root. Looking from a higher or deeper folder takes none away."""
        if not self.labels:
            return NO_LABELS
        whole = f"{root.as_posix().rstrip('/')}/{path}"
        return frozenset(each.label for each in self.labels if _labelled(each, whole, path))


def _labelled(row: Label, whole: str, path: str) -> bool:
    place = whole
    if row.root is not None:
        base = row.root.rstrip("/") + "/"
        if not whole.startswith(base):
            return False
        place = whole.removeprefix(base)
    if row.glob.startswith("/"):
        return _pattern(row.glob).match(place if row.root is not None else path) is not None
    return _pattern(row.glob).search(place) is not None


@lru_cache(1024)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob over paths: `*` crosses folders, a leading slash anchors it, a folder includes what is in it."""
    text = translate(glob.strip("/"))[:-2]  # without its own end of the text
    return re.compile(("" if glob.startswith("/") else r"(?:\A|/)") + text + r"(?:/.*)?\Z", re.DOTALL)


def user_config() -> Path:
    """The person's own file."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(base) if base.startswith("/") else Path(os.path.expanduser("~")) / ".config"  # noqa: PTH111
    return folder / "plantwin" / "config.toml"


def load_settings(file: str | os.PathLike[str] | None = None) -> Settings:
    """Settings from a file, or from the person's own where there is one; else what ships."""
    path = user_config() if file is None else Path(file).expanduser()
    if file is None and not os.path.lexists(path):
        return Settings()
    try:
        tree = tomllib.loads(own_text(path, ConfigError))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"line \d+", str(error))
        raise _wrong(path, place[0] if place else "file", "not valid TOML: correct it there") from None
    tree.pop("detect", None)
    try:
        settings = msgspec.convert(tree, Settings)
    except msgspec.ValidationError as error:
        raise _wrong(path, *_explained(str(error))) from None
    return _settled(settings, path, tree)


def _settled(settings: Settings, path: Path, tree: dict[str, Any]) -> Settings:
    """What spans several keys: one policy, a ledger that can be opened, paths that mean one place."""
    policy, ledger = settings.policy, settings.ledger
    if policy.file is not None and "name" in tree["policy"]:
        raise _wrong(path, "policy", "name or file is needed, not both")
    if ledger.kind == "postgres" and (ledger.dsn_env is None or ledger.path is not None):
        raise _wrong(path, "ledger.dsn_env", "the name of the environment variable with the DSN is needed, and no path")
    if ledger.kind == "sqlite" and ledger.dsn_env is not None:
        raise _wrong(path, "ledger.dsn_env", 'only with kind = "postgres"')
    if ledger.kind == "sqlite" and ledger.budgets != "team":
        raise _wrong(path, "ledger.budgets", 'only with kind = "postgres"')
    for name, entry in settings.planners.items():
        if lacking := incomplete(entry):
            raise _wrong(path, f"planners.{name}.{lacking[0]}", lacking[1])
    budget = settings.budget
    if asdict(budget.costs) != asdict(Budget().costs) and "weighted" not in (
        budget.accountant,
        *budget.audiences.values(),
    ):
        raise _wrong(
            path, "budget.costs", 'they hold with budget.accountant = "weighted" alone: set it, or leave them out'
        )
    for name in budget.audiences:
        shared = settings.audience(name).shared
        if len({settings.heard_by(other).budget.accountant for other in shared}) > 1:
            raise _wrong(path, f"budget.audiences.{name}", "audiences that share a budget need the same accountant")
    for number, row in enumerate(settings.labels):
        if row.root is not None and not row.root.startswith(("/", "~/")):
            raise _wrong(path, f"labels[{number}].root", "an absolute path is needed")
    replace = msgspec.structs.replace
    return replace(
        settings,
        policy=replace(policy, file=_placed(policy.file, path)),
        ledger=replace(ledger, path=_placed(ledger.path, path)),
        engines=replace(settings.engines, semgrep_rules=_placed(settings.engines.semgrep_rules, path)),
        model=replace(settings.model, weights=_placed(settings.model.weights, path)),
        labels=tuple(replace(row, root=_real(row.root)) for row in settings.labels),
        planners={name: replace(row, ca=_placed(row.ca, path)) for name, row in settings.planners.items()},
    )


def own_text(path: Path, error: type[PlanTwinError]) -> str:
    """The text of a file of the person's own: regular, readable, of bounded size, UTF-8; else `error`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise error(f"{path.name}: not a regular file: put one there")
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(LIMIT + 1)
        finally:
            os.close(handle)
        if len(data) > LIMIT:
            raise error(f"{path.name}: larger than {LIMIT >> 10} KiB: make it smaller")
        return data.decode()
    except OSError as cause:
        raise error(f"{path.name}: cannot be read ({cause.strerror}): make it a readable file") from None
    except UnicodeDecodeError:
        raise error(f"{path.name}: not UTF-8 text: save it as UTF-8") from None


def _explained(message: str) -> tuple[str, str]:
    """Key and need. Of msgspec's messages only that about an unknown field quotes what stands there: its name."""
    found = _place.fullmatch(message)
    what, at = (found["what"], found["at"] or "") if found else ("not valid", "")
    if unknown := _unknown.fullmatch(what):
        name = "".join(each if each.isascii() and each.isprintable() else "?" for each in unknown["name"])[:80]
        return (f"{at}.{name}" if at else name), "unknown key: docs/configuration.md lists all; correct or remove it"
    if words := _words.search(what):
        return at, f"one of {', '.join(words[1].split('|'))} is needed"
    return at or "file", what.replace("`", "")


def _wrong(path: Path, key: str, need: str) -> ConfigError:
    return ConfigError(f"{path.name} (your configuration): {key}: {need}")


def _placed(text: str | None, config: Path) -> str | None:
    return None if text is None else str(config.parent.absolute() / Path(text).expanduser())


def _real(root: str | None) -> str | None:
    return None if root is None else os.path.realpath(os.path.expanduser(root))  # noqa: PTH111
