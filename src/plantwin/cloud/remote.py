"""A planner behind HTTP: a conversation in a provider's dialect, sent to one endpoint.

Exactly the bytes of each request go to the witness before they are sent. A model is held to the form of a plan as
strictly as its server can; what a server cannot do is found out once and remembered.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from plantwin.boundary.release import Released
from plantwin.cloud.conversation import Conversation, Talk
from plantwin.cloud.dialects import Dialect, Form, Reading, Wishes
from plantwin.cloud.endpoint import Key
from plantwin.cloud.planner import Uses, Witnessed
from plantwin.cloud.transport import AGAIN, LostError, Transport, messages, pause
from plantwin.errors import InputError, PlannerError
from plantwin.types.capability import Capability

UNFIT: Final = frozenset({400, 415, 422, 500, 501})
"""Status codes of a server that may not be able to do the form it was asked for."""
NO_TOOLS: Final = 404
"""How a router says that no server behind it has tools. For any other form it means an unknown model."""
MEANINGS: Final[dict[int, str]] = {
    400: "it does not accept the request: check the model's name and the options you set for it",
    401: "it does not accept the key: check it",
    402: "the account has no credit left",
    403: "the key may not use this model: check your rights",
    404: "it does not know the model or the address: check both",
    413: "the request is too large for it: lower limits.max_objects",
    422: "it does not accept the request: check the model's name and the options you set for it",
    429: "its rate limit is reached: wait, and try again",
    529: "it is overloaded: wait, and try again",
}


class RefusedError(PlannerError):
    """The server answered with an error."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def refused(status: int) -> RefusedError:
    """The error for a status: what it means, and what to do."""
    if 300 <= status < 400:
        meaning = "it redirects elsewhere, which is not followed: set the address that it redirects to"
    else:
        meaning = MEANINGS.get(status, "try again later" if status >= 500 else "check its address and settings")
    return RefusedError(f"the planner's server answered {status}: {meaning}", status)


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a planner is asked."""

    wishes: Wishes
    form: Form | None = None
    """The form to ask for, where the person has chosen one."""
    seconds: float = 120.0
    retries: int = 3
    uses: Uses = field(default_factory=lambda: Uses(None))


@dataclass(frozen=True)
class Whom:
    """Who learns what a planner is sent, as the person says."""

    audience: str | None = None
    """Their name, where it does not follow from the address."""
    elsewhere: bool = False
    """Whether it counts as remote although it is reached on this machine."""
    trusted: bool = False
    """Whether what it is sent stays with the person."""


class Remote(Witnessed):
    """One model of one provider."""

    sends = True

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        transport: Transport,
        key: Key | None,
        manner: Manner,
        catalog: Mapping[str, Capability],
        whom: Whom,
    ) -> None:
        super().__init__()
        self.name = name
        self.audience = whom.audience or transport.endpoint.audience
        self.locality = "local" if transport.endpoint.local and not whom.elsewhere else "remote"
        self.trusted = whom.trusted
        self._dialect = dialect
        self._transport = transport
        self._key = key
        self._manner = manner
        self._conversation = Conversation(catalog)

    def __repr__(self) -> str:
        return f"<Remote {self.audience}>"

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Send the conversation with these envelopes, and return what the model answers."""
        talk = self._conversation.hear(envelopes)
        try:
            reading = self._read(talk, time.monotonic() + self._manner.seconds)
        except BaseException:
            self._conversation.unheard()
            raise
        self._conversation.answered(reading.text)
        self._manner.uses.add(self.name, self._manner.wishes.model, reading.input_tokens, reading.output_tokens)
        return reading.text.encode("utf-8", "replace")

    def ready(self) -> None:
        """Say so where nothing listens on this machine, before anything is told for it. Nothing is sent."""
        if self.locality == "local" and not self._transport.listened():
            raise PlannerError("nothing listens where the planner should be: check its address, and start it")

    def reachable(self, seconds: float = 5.0) -> str:
        """Whether its server answers: empty, or what is wrong. Nothing of any twin is sent."""
        try:
            headers = self._dialect.headers(self._key)
            until = time.monotonic() + seconds
            with self._transport.request("GET", self._dialect.listing, headers, None, until) as reply:
                if reply.status >= 300:
                    raise refused(reply.status)
        except (PlannerError, InputError) as error:
            return str(error)
        return ""

    @property
    def _endpoint(self) -> str:
        return f"{self._transport.endpoint.origin}#{self._manner.wishes.model}"

    def _forms(self) -> list[Form]:
        """What to ask for, in order: the person's choice alone, or what worked last and everything looser."""
        if self._manner.form is not None:
            if self._manner.form not in self._dialect.forms:
                raise InputError(f"form = {self._manner.form.value}: this kind of planner cannot do that")
            return [self._manner.form]
        forms = list(self._dialect.forms)
        worked = self._manner.uses.form(self._endpoint)
        return forms[forms.index(Form(worked)) :] if worked in forms else forms

    def _read(self, talk: Talk, until: float) -> Reading:
        forms = self._forms()
        for number, form in enumerate(forms):
            last = number == len(forms) - 1
            try:
                reading = self._exchange(self._dialect.body(talk, self._manner.wishes, form), until, patient=last)
            except RefusedError as error:
                unfit = error.status in UNFIT or (form is Form.TOOL and error.status == NO_TOOLS)
                if last or not unfit:
                    raise
                continue
            if self._manner.form is None:
                self._manner.uses.remember(self._endpoint, form.value)
            return reading
        raise PlannerError("the planner has no form in which it can be asked")

    def _exchange(self, tree: dict[str, Any], until: float, *, patient: bool) -> Reading:
        """Send one request, again where that can help. `patient`: there is no looser form to fall back to."""
        body = json.dumps(tree, ensure_ascii=True, separators=(",", ":")).encode()
        retries = self._manner.retries
        for attempt in range(retries + 1):
            headers: Mapping[str, str] = {}
            try:
                return self._once(body, until)
            except _Again as error:
                failure: PlannerError = error.failure
                headers = error.headers
            except LostError as error:
                failure = error
            # Some servers fail where they should refuse: one more try tells a mishap from an inability.
            hopeless = not patient and attempt >= 1 and isinstance(failure, RefusedError) and failure.status == 500
            wait = pause(attempt, headers)
            if attempt == retries or hopeless or wait is None or time.monotonic() + wait >= until:
                break
            time.sleep(wait)
        raise failure from None

    def _once(self, body: bytes, until: float) -> Reading:
        fields = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        fields |= self._dialect.headers(self._key)
        self.witness(body, self._transport.endpoint.origin, self._conversation.version)
        path = self._dialect.path(self._manner.wishes)
        with self._transport.request("POST", path, fields, body, until) as reply:
            if reply.status in AGAIN:
                raise _Again(refused(reply.status), reply.headers)
            if reply.status != 200:
                raise refused(reply.status)
            reading = Reading()
            for message in messages(reply):
                self._dialect.read(message, reading)
        if not reading.ended:
            raise LostError("the planner's answer broke off before its end")
        return reading


class _Again(Exception):  # noqa: N818 - a signal between two functions
    """The server is busy, for the time that its headers say."""

    def __init__(self, failure: RefusedError, headers: Mapping[str, str]) -> None:
        super().__init__()
        self.failure = failure
        self.headers = headers
