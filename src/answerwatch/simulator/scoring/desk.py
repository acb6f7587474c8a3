"""All fake scoring servers of one simulator, and the log of what they were asked."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from answerwatch.simulator.inbound import Request
from answerwatch.simulator.plans import encode
from answerwatch.simulator.scoring.behaviour import HARMLESS, OTHER_MODEL, Behaviour, Tells, changed
from answerwatch.simulator.scoring.numbers import shuffled
from answerwatch.simulator.scoring.protocols import PROTOCOLS, Asked, Made, Protocol, numbers_of
from answerwatch.simulator.scoring.refusals import SPOILT, Refusal, broken, poisoned, refused, too_long, too_many
from answerwatch.simulator.wire import Headers, Step, http_reply, pause, perform

PREFIX = "/scoring/"
_INFO = "/info"


@dataclass(slots=True, kw_only=True)
class ScoringCall:
    """One request for numbers."""

    n: int
    profile: str
    path: str
    texts: int = 0
    fault: str | None = None
    status: int | None = None
    answered: bool = False
    # What was asked for, so that tests can tell the canary from their own texts.
    every: tuple[str, ...] = ()
    with_key: bool = False


@dataclass(slots=True)
class _Server:
    behaviour: Behaviour = field(default_factory=Behaviour)
    in_flight: int = 0
    turn: int = 0
    most_in_flight: int = 0


class ScoringDesk:
    """Serves `/scoring/PROFILE/...`; each profile is a server of its own."""

    def __init__(self) -> None:
        """Start with servers that behave well."""
        self.calls: list[ScoringCall] = []
        self._servers: dict[str, _Server] = {}

    def change(self, profile: str, values: dict[str, Any]) -> Behaviour:
        """Change how a server behaves; raises ScriptError for fields that there are not."""
        server = self._server(profile)
        server.behaviour = changed(server.behaviour, values)
        return server.behaviour

    def reset(self) -> None:
        """Forget calls and behaviours."""
        self.calls.clear()
        self._servers.clear()

    def logged(self) -> list[dict[str, object]]:
        """Return all calls, oldest first."""
        return [asdict(call) for call in self.calls]

    def most_at_once(self, profile: str) -> int:
        """Return how many calls were in flight at once at most."""
        return self._server(profile).most_in_flight

    async def handle(
        self, request: Request, writer: asyncio.StreamWriter, gone: asyncio.Event, other_origin: str
    ) -> bool:
        """Answer one request; return whether the connection can take another."""
        profile, _, rest = request.path.removeprefix(PREFIX).partition("/")
        server, path = self._server(profile), f"/{rest}"
        call = ScoringCall(n=len(self.calls) + 1, profile=profile, path=path, with_key=bool(request.api_key))
        self.calls.append(call)
        server.in_flight += 1
        server.most_in_flight = max(server.most_in_flight, server.in_flight)
        try:
            call.status, steps = self._decide(request, server, call, other_origin)
            await pause(server.behaviour.latency_s, gone)
            sent = await perform(steps, writer, gone)
            call.answered = sent.whole
            return sent.open
        finally:
            server.in_flight -= 1

    def _server(self, profile: str) -> _Server:
        return self._servers.setdefault(profile, _Server())

    def _decide(
        self, request: Request, server: _Server, call: ScoringCall, other_origin: str
    ) -> tuple[int | None, tuple[Step, ...]]:
        behaviour = server.behaviour
        if behaviour.keys and request.api_key not in behaviour.keys:
            # As some do: the key that was sent stands in the refusal.
            text = f"Incorrect API key provided: {request.api_key}."
            return 401, (http_reply(401, encode({"error": {"message": text, "code": "invalid_api_key"}})),)
        if call.path == _INFO and request.method == "GET":
            return 200, (http_reply(200, encode(_info(behaviour))),)
        protocol = next((one for one in PROTOCOLS if call.path == one.suffix), None)
        if protocol is None or request.method != "POST":
            return refused((404, {"error": f"nothing is served under {call.path[:80]}"}))
        try:
            body = json.loads(request.body)
            asked = protocol.read(body)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return refused((422, {"error": f"the body is not of the protocol: {error!r}"}))
        call.texts, call.every = asked.count, asked.every
        return self._answer(server, call, (protocol, body, asked), other_origin)

    def _answer(
        self,
        server: _Server,
        call: ScoringCall,
        what: tuple[Protocol, dict[str, Any], Asked],
        other_origin: str,
    ) -> tuple[int | None, tuple[Step, ...]]:
        protocol, body, asked = what
        call.fault = _next_fault(server)
        behaviour = server.behaviour
        if call.fault is not None and (plan := broken(call.fault, behaviour, other_origin)) is not None:
            return plan
        if (refusal := _refusal(asked, behaviour)) is not None:
            return refused(refusal)
        server.turn += 1
        made = _arranged(
            numbers_of(asked, behaviour, server.turn), call.fault, shuffle=behaviour.shuffled and protocol.has_index
        )
        document = protocol.reply(body, made, behaviour)
        head: Headers = (("x-model-revision", behaviour.revision),) if behaviour.tells is Tells.HEADER else ()
        return 200, (http_reply(200, json.dumps(document).encode(), headers=head),)


def _next_fault(server: _Server) -> str | None:
    """Return the fault of this call, None for one that is answered; the model is exchanged where that is wanted."""
    behaviour = server.behaviour
    if behaviour.max_in_flight is not None and server.in_flight > behaviour.max_in_flight:
        return "429"
    if not behaviour.faults:
        return None
    fault, *rest = behaviour.faults
    server.behaviour = replace(behaviour, faults=tuple(rest))
    if fault == OTHER_MODEL:
        server.behaviour = replace(server.behaviour, revision=f"{behaviour.revision}-next")
    return None if fault in HARMLESS else fault


def _info(behaviour: Behaviour) -> Mapping[str, object]:
    return {
        "model_id": behaviour.model,
        "model_sha": behaviour.revision if behaviour.tells is Tells.INFO else None,
        "model_type": {behaviour.model_type: {}} if behaviour.model_type else None,
        "max_client_batch_size": behaviour.most_texts,
        "max_input_length": behaviour.longest,
        "max_concurrent_requests": 512,
        "auto_truncate": False,
        "version": "1.9.3",
    }


def _refusal(asked: Asked, behaviour: Behaviour) -> Refusal | None:
    if asked.count > behaviour.most_texts:
        return too_many(asked.count, behaviour)
    longest = max(map(len, asked.every), default=0)
    if longest > behaviour.longest:
        return too_long(longest, behaviour)
    if behaviour.poison and any(behaviour.poison in text for text in asked.every):
        return poisoned(behaviour)
    return None


def _arranged(made: Made, fault: str | None, *, shuffle: bool) -> Made:
    if shuffle:
        order = shuffled(len(made.values))
        made = Made([made.values[place] for place in order], order)
    return made if fault is None else SPOILT[fault](made)
