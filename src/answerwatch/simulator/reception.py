"""The reception: gives every request its place in the log, its limit check and its reply."""

import asyncio
import hashlib
import re
import time

from answerwatch.simulator.chat import CHAT
from answerwatch.simulator.choice import choose_fault
from answerwatch.simulator.errors import ScriptError
from answerwatch.simulator.family import Asked, Call, Family
from answerwatch.simulator.faults import plan_reply
from answerwatch.simulator.inbound import Request
from answerwatch.simulator.log import CallLog, CallRecord, calendar_time
from answerwatch.simulator.plans import encode, message, turned_away
from answerwatch.simulator.profile import Identity, Profile
from answerwatch.simulator.scoring.desk import ScoringDesk
from answerwatch.simulator.script import Script
from answerwatch.simulator.transport_faults import portal
from answerwatch.simulator.wire import Plan, http_reply, pause, perform

# A further protocol family is one file and one entry here.
FAMILIES: tuple[Family, ...] = (CHAT,)
DEFAULT_PROFILE = "default"
PORTAL_PATH = "/__sim/portal"
_DEFAULT_MODELS = ("sim-answer",)
_MODELS_SUFFIX = "/models"
_VERSION = re.compile(r"v\d\w*")


def split_path(path: str) -> tuple[str, str]:
    """Return profile and endpoint of a path: `/kimi/v1/chat/completions` is ("kimi", "/chat/completions")."""
    for suffix in (_MODELS_SUFFIX, *(suffix for family in FAMILIES for suffix in family.suffixes)):
        if path.endswith(suffix):
            first = path[: -len(suffix)].strip("/").split("/")[0]
            return (DEFAULT_PROFILE if not first or _VERSION.fullmatch(first) else first), suffix
    return DEFAULT_PROFILE, path


class Reception:
    """All profiles of one server, and the log of what came in."""

    def __init__(self, script: Script, seed: int | None, log: CallLog) -> None:
        """Start with nothing counted; a seed given here replaces the script's."""
        self.log = log
        self.started = time.monotonic()
        # `http://localhost:port` once the port is known: another host name for the same server.
        self.other_origin = "http://localhost"
        self._seed = seed
        self._script = script
        self._profiles: dict[str, Profile] = {}
        # Servers of embeddings and scores; their calls are counted apart.
        self.scoring = ScoringDesk()

    def use(self, script: Script) -> None:
        """Take over a new script for all further requests; counts stay."""
        self._script = script
        for profile in self._profiles.values():
            profile.use(self.seed, script.settings_for(profile.name))

    def reset(self) -> None:
        """Forget all counts, bucket levels and log records, as if just started; calls in flight are let finish."""
        self._profiles = {}
        self.log.clear()
        self.scoring.reset()

    @property
    def seed(self) -> int:
        """Return the seed in force."""
        return self._script.seed if self._seed is None else self._seed

    def profile(self, name: str) -> Profile:
        """Return a profile, which is made when it is first asked for."""
        if name not in self._profiles:
            self._profiles[name] = Profile(name, self.seed, self._script.settings_for(name))
        return self._profiles[name]

    async def handle(self, request: Request, writer: asyncio.StreamWriter, gone: asyncio.Event) -> bool:
        """Answer one request; return whether the connection can take another."""
        name, endpoint = split_path(request.path)
        profile = self.profile(name)
        if request.method == "GET" and request.path != PORTAL_PATH:
            return (await perform(self._look_up(profile, endpoint, request).steps, writer, gone)).open
        record = self._arrive(request, profile)
        profile.in_flight += 1
        try:
            plan, wait = self._decide(request, endpoint, profile, record)
            await pause(wait, gone)
            return await self._deliver(plan, record, writer, gone)
        finally:
            profile.in_flight -= 1
            self.log.end(record, time.monotonic() - self.started)

    def _look_up(self, profile: Profile, endpoint: str, request: Request) -> Plan:
        """Answer a GET: the list of models, which costs nothing and is not logged."""
        if endpoint != _MODELS_SUFFIX:
            return message(404, f"nothing is served under {request.path[:80]}")
        if not profile.accepts(request):
            return turned_away("e401", profile.settings)
        models = profile.settings.models or _DEFAULT_MODELS
        listed = [
            {"id": model, "object": "model", "created": 1_790_000_000, "owned_by": "simulator"} for model in models
        ]
        return Plan(status=200, steps=(http_reply(200, encode({"object": "list", "data": listed})),))

    def _arrive(self, request: Request, profile: Profile) -> CallRecord:
        """Open the record of a request."""
        key = request.api_key
        record = CallRecord(
            n=self.log.next_number(),
            profile=profile.name,
            key=hashlib.sha256(key.encode()).hexdigest()[:8] if key else None,
            sim_key=request.headers.get("x-sim-key"),
            arrived=request.arrived - self.started,
            arrived_at=calendar_time(),
        )
        self.log.begin(record)
        return record

    def _decide(self, request: Request, endpoint: str, profile: Profile, record: CallRecord) -> tuple[Plan, float]:
        """Return the reply to a request and the seconds of work before it."""
        if request.path == PORTAL_PATH:
            record.fault = "portal"
            return portal(), 0.0
        family = next((family for family in FAMILIES if endpoint in family.suffixes), None)
        if family is None or request.method != "POST":
            record.fault = "no_route"
            return message(404, f"nothing is served under {request.path[:80]}"), 0.0
        try:
            asked = family.read(request.body)
        except ValueError as problem:
            record.fault = "unreadable"
            return message(400, str(problem)), 0.0
        identity = _note(asked, record)
        record.attempt = profile.next_attempt(identity)
        if plan := _turn_away(request, asked, profile, record):
            return plan, 0.0
        return self._answer(request, (family, asked, identity), profile, record)

    def _answer(
        self, request: Request, what: tuple[Family, Asked, Identity], profile: Profile, record: CallRecord
    ) -> tuple[Plan, float]:
        """Choose the fault of an admitted request and plan its reply."""
        family, asked, identity = what
        record.turn = turn = profile.next_turn(identity)
        dice = profile.dice(identity, turn)
        try:
            fault = choose_fault(
                asked,
                request.headers,
                profile.settings,
                question_sha=identity.question_sha,
                turn=turn,
                dice=dice,
            )
        except ScriptError as problem:
            record.fault = "unreadable"
            return message(400, str(problem)), 0.0
        record.fault = fault.name
        call = Call(
            asked=asked,
            family=family,
            settings=profile.settings,
            profile=profile.name,
            seed=profile.seed,
            turn=turn,
            dice=dice,
            answer_dice=profile.answer_dice(identity, turn),
            other_origin=self.other_origin,
        )
        plan = plan_reply(fault, call)
        return plan, profile.latency(dice) if plan.works else 0.0

    async def _deliver(self, plan: Plan, record: CallRecord, writer: asyncio.StreamWriter, gone: asyncio.Event) -> bool:
        """Send a reply and note what became of it."""
        if plan.answer is not None:
            record.brands = plan.answer.brands
            text = plan.answer.text.encode("utf-8", "surrogatepass")
            record.answer_sha = hashlib.sha256(text).hexdigest()
        sent = await perform(plan.steps, writer, gone)
        record.bytes = sent.size
        record.status = plan.status if sent.size else None
        record.answered = plan.complete and sent.whole
        return sent.open


def _note(asked: Asked, record: CallRecord) -> Identity:
    """Write into the record what was asked, and return whose turn it is."""
    sha = hashlib.sha256(asked.question.encode("utf-8", "surrogatepass")).hexdigest()
    record.model, record.question, record.question_sha = asked.model, asked.question, sha
    return Identity(record.sim_key, record.key, sha, asked.model)


def _turn_away(request: Request, asked: Asked, profile: Profile, record: CallRecord) -> Plan | None:
    """Return the refusal of a request that the profile does not let through."""
    if not profile.accepts(request):
        record.fault = "bad_key"
        return turned_away("e401", profile.settings)
    if asked.stream:
        record.fault = "unreadable"
        return message(400, "streaming is not served; send the request without stream")
    if not profile.offers(asked):
        record.fault = "e404_model"
        return turned_away("e404_model", profile.settings)
    if wait := profile.bucket_wait(request.arrived):
        record.fault = "bucket_strict"
        return turned_away("e429_retry_after", profile.settings, amount=float(wait))
    # The request itself is already counted as in flight.
    if profile.is_full():
        record.fault = "e429_concurrency"
        return turned_away("e429_concurrency", profile.settings)
    return None
