"""Which planner a name stands for.

    offline · local · scripted:FILE · recorded:FILE · command:CMD
    openai:MODEL · openrouter:MODEL · anthropic:MODEL · gemini:MODEL · ollama:MODEL
    https://BASE#MODEL · a name of [planners.NAME] · a name that another package brings

A package brings planners by the entry point group `plantwin.planners`; what it names is called with the text after
the colon and the catalog, and returns a planner. It cannot take a name that is taken.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plantwin.cloud.planner import Planner, Use, Uses, sends
from plantwin.config.planners import PlannerEntry
from plantwin.config.settings import Settings
from plantwin.errors import InputError, PlanTwinError
from plantwin.types.capability import Catalog

if TYPE_CHECKING:
    from plantwin.cloud.dialects import Dialect
    from plantwin.cloud.endpoint import Endpoint
    from plantwin.cloud.remote import Remote


ANY: Final = "MODEL"
"""Stands for a model in the name of a provider."""


@dataclass(frozen=True)
class Row:
    """One planner."""

    name: str
    audience: str = ""
    locality: str = ""
    problem: str = ""
    """Why it cannot be used as it is; empty when nothing is known against it."""
    reachable: bool | None = None
    """None where it was not looked at."""
    sends: bool = True
    """Whether what it is told may reach anybody."""
    use: Use = field(default_factory=Use)


def roster(registry: Registry, *, check: bool = False) -> Iterator[Row]:
    """The built-in ones, the person's own, the providers, and those of other packages.

    `check`: ask remote servers too whether they answer; nothing of any twin is sent for that.
    """
    uses = registry.uses.all()
    seen: set[str] = set()
    names = ["offline", "local", *registry.settings.planners, *(f"{provider}:{ANY}" for provider in PROVIDERS)]
    for name in names:
        mine = [use for use in uses if use == name or (name.endswith(f":{ANY}") and use.startswith(name[: -len(ANY)]))]
        seen |= set(mine)
        yield _row(registry, name, check, _sum([uses[used] for used in mine]))
    for name in sorted(brought()):
        yield Row(name, use=uses.get(name, Use()))
        seen.add(name)
    for name in sorted(set(uses) - seen):  # used by address, or no longer configured
        yield Row(name, use=uses[name])


def _row(registry: Registry, name: str, check: bool, use: Use) -> Row:
    try:
        planner: Planner = registry.planner(name)
    except PlanTwinError as error:
        return Row(name, *_whom(name), str(error), use=use)
    problem, reachable = "", None
    asked = getattr(planner, "reachable", None)
    if asked is not None and (check or planner.locality == "local"):
        problem = asked()
        reachable = not problem
    return Row(name, planner.audience, planner.locality, problem, reachable, sends(planner), use)


def _whom(name: str) -> tuple[str, str]:
    """Audience and locality of a provider that cannot be used yet."""
    from plantwin.cloud.endpoint import endpoint_of

    provider = PROVIDERS.get(name.partition(":")[0])
    try:
        endpoint = endpoint_of(address_of(provider)) if provider else None
        return (endpoint.audience, "local" if endpoint.local else "remote") if endpoint else ("", "")
    except PlanTwinError:
        return "", ""


def _sum(uses: list[Use]) -> Use:
    return Use(
        sum(use.requests for use in uses),
        sum(use.input_tokens for use in uses),
        sum(use.output_tokens for use in uses),
        sum(use.cost for use in uses),
    )


GROUP: Final = "plantwin.planners"
EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - read from a variable, not listened on


@dataclass(frozen=True)
class Provider:
    """A provider that can be named without any configuration."""

    kind: str
    url: str
    url_env: str | None
    key_env: tuple[str, ...]
    needs_key: bool = True


PROVIDERS: Final[dict[str, Provider]] = {
    "openai": Provider("openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",)),
    "openrouter": Provider("openai", "https://openrouter.ai/api/v1", "OPENROUTER_BASE_URL", ("OPENROUTER_API_KEY",)),
    "anthropic": Provider("anthropic", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)),
    "gemini": Provider(
        "gemini", "https://generativelanguage.googleapis.com", "GEMINI_BASE_URL", ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    ),
    "ollama": Provider("ollama", "http://127.0.0.1:11434", "OLLAMA_HOST", ("OLLAMA_API_KEY",), needs_key=False),
}
BUILT_IN: Final = ("offline", "local", "scripted", "recorded", "command", *PROVIDERS, "http", "https")
"""Names that nobody else can take."""
_audience = re.compile(r"[a-z0-9._-]{1,64}")


@dataclass(frozen=True)
class Registry:
    """Makes planners from names."""

    settings: Settings
    catalog: Catalog
    folder: Path | None = None
    """Where use is counted; None for nowhere."""
    keyless: bool = False
    """Whether a missing key is no error: for looking at what would be sent, where nothing is."""

    @property
    def uses(self) -> Uses:
        """What planners have been used for."""
        return Uses(self.folder, self.settings.planner.prices)

    def planner(self, name: str) -> Planner:
        """The planner of this name."""
        sort, _, argument = name.partition(":")
        if name in self.settings.planners:
            return self.configured(name)
        if sort in ("http", "https"):
            url, _, model = name.partition("#")
            if not model:
                raise InputError("a planner's URL without a model: https://BASE#MODEL is needed")
            from plantwin.cloud.endpoint import endpoint_of

            return self._remote(f"{endpoint_of(url).origin}#{model}", PlannerEntry(url=url, model=model))
        if sort in PROVIDERS and argument:
            provider = PROVIDERS[sort]
            return self._remote(name, PlannerEntry(kind=provider.kind, model=argument), provider, sort)
        if made := self._embedded(sort, argument):
            return made
        if sort not in BUILT_IN and (found := brought().get(sort)):
            return _checked(found, argument, self.catalog)
        if sort in PROVIDERS:
            raise InputError(f"{sort} needs a model: {sort}:MODEL")
        raise InputError(
            "no planner has that name: there are offline, local, openai:MODEL, openrouter:MODEL, anthropic:MODEL, "
            "gemini:MODEL, ollama:MODEL, https://BASE#MODEL, command:CMD, scripted:FILE, recorded:FILE and those of "
            "[planners] in your configuration; `plantwin planners` lists them"
        )

    def configured(self, name: str) -> Planner:
        """The planner of `[planners.NAME]`."""
        entry = self.settings.planners[name]
        if entry.kind == "command" and entry.command is not None:
            from plantwin.cloud.command import Command

            return Command(
                entry.command,
                self.catalog,
                name=name,
                audience=entry.audience,
                seconds=entry.seconds,
                environment=entry.environment,
                shell=entry.shell,
            )
        provider = next((known for known in PROVIDERS.values() if known.kind == entry.kind), None)
        return self._remote(name, entry, provider if entry.url is None else None)

    def _embedded(self, sort: str, argument: str) -> Planner | None:
        """Those that are part of PlanTwin and speak to nobody, or to a program of the person's."""
        match sort, bool(argument):
            case "offline", False:
                from plantwin.cloud.offline import Offline

                return Offline(self.catalog)
            case "local", False:
                from plantwin.cloud.local import Local

                chosen = self.settings.model
                return Local(
                    self.catalog,
                    endpoint=chosen.endpoint,
                    model=chosen.name or "",
                    weights=chosen.weights,
                    context=chosen.context,
                )
            case "scripted", True:
                from plantwin.cloud.scripted import Scripted

                return Scripted.from_file(Path(argument).expanduser())
            case "recorded", True:
                from plantwin.cloud.recorded import Recorded

                return Recorded.from_file(Path(argument).expanduser())
            case "command", True:
                from plantwin.cloud.command import Command

                return Command.from_text(argument, self.catalog)
        return None

    def _remote(
        self, name: str, entry: PlannerEntry, provider: Provider | None = None, service: str | None = None
    ) -> Remote:
        # Loaded when it is needed: most sessions speak to nobody.
        from plantwin.cloud.dialects import Form, Wishes
        from plantwin.cloud.endpoint import endpoint_of, found_key
        from plantwin.cloud.remote import Manner, Remote, Whom
        from plantwin.cloud.transport import Line, Transport

        url = entry.url or (provider and address_of(provider)) or ""
        endpoint = endpoint_of(url, plain_http=entry.unsafe_plain_http)
        variables = (entry.key_env,) if entry.key_env else provider.key_env if provider else ()
        # A key of a provider goes to that provider, or to the address that the person gave in its place.
        key = found_key(variables, entry.keyring or service)
        if (
            key is None
            and not self.keyless
            and (entry.key_env or (provider and provider.needs_key and not endpoint.local))
        ):
            wanted = " or ".join(variables)
            raise InputError(f"no key: set {wanted}, or `keyring set plantwin {entry.keyring or service or name}`")
        return Remote(
            name,
            dialect_of(entry, endpoint),
            Transport(endpoint, Line(entry.connect_seconds, entry.read_seconds, entry.proxy, entry.ca)),
            key[0] if key else None,
            Manner(
                wishes=Wishes(entry.model or "", entry.effort, entry.max_tokens, entry.temperature, entry.seed),
                form=Form(entry.form) if entry.form else None,
                seconds=entry.seconds,
                retries=entry.retries,
                uses=self.uses,
            ),
            self.catalog,
            # Who says whom a port tells, and not that it is trusted, says that it leads there.
            Whom(_told(entry, endpoint, name), entry.audience is not None and not entry.trusted, entry.trusted),
        )


def dialect_of(entry: PlannerEntry, endpoint: Endpoint) -> Dialect:
    """How to speak to it."""
    from plantwin.cloud.dialects import Anthropic, Gemini, Ollama, OpenAI

    others: dict[str, type[Dialect]] = {"anthropic": Anthropic, "gemini": Gemini, "ollama": Ollama}
    return others[entry.kind]() if entry.kind in others else OpenAI(endpoint.audience, entry.key_header)


def _told(entry: PlannerEntry, endpoint: Endpoint, name: str) -> str | None:
    """The audience that the person gives it: any name, or its own where it is trusted and on this machine."""
    if entry.trusted:
        if not endpoint.local:
            raise InputError("trusted = true is for planners on this machine alone: remove it")
        return entry.audience or f"trusted-{name}"
    return entry.audience


def address_of(provider: Provider) -> str:
    """Its base URL: the one of the environment where that is set."""
    chosen = os.environ.get(provider.url_env or "", "").strip()
    if not chosen:
        return provider.url
    if provider.url_env != "OLLAMA_HOST":
        return chosen
    # Ollama's own forms: a host, a host with a port, or a URL; 0.0.0.0 is how a server listens, not where it is.
    whole = chosen if "://" in chosen else f"http://{chosen}"
    scheme, _, rest = whole.partition("://")
    place, slash, path = rest.partition("/")
    host, _, port = place.rpartition(":") if re.search(r":\d*$", place) else (place, "", "")
    host = "127.0.0.1" if host in ("", EVERYWHERE) else host
    port = port or ("11434" if scheme == "http" else "")
    return f"{scheme}://{host}{':' if port else ''}{port}{slash}{path}"


def brought() -> Mapping[str, EntryPoint]:
    """Planners of other packages, by name. A name that two of them give is nobody's."""
    found: dict[str, EntryPoint] = {}
    twice: set[str] = set()
    for entry in entry_points(group=GROUP):
        if entry.name in found:
            twice.add(entry.name)
        found[entry.name] = entry
    return {name: value for name, value in found.items() if name not in twice and name not in BUILT_IN}


def _checked(found: EntryPoint, argument: str, catalog: Catalog) -> Planner:
    """What an entry point makes, looked at before it is used."""
    try:
        make: Callable[[str, Catalog], Planner] = found.load()
        planner = make(argument, catalog)
    except PlanTwinError:
        raise
    except Exception as error:
        raise InputError(f"the planner of another package cannot be made ({type(error).__name__})") from None
    sound = isinstance(planner.name, str) and callable(planner.plan)
    if not sound or not _audience.fullmatch(planner.audience) or planner.locality not in ("local", "remote"):
        raise InputError("the planner of another package has no name, audience or locality")
    return planner
