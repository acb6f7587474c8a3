"""The state of one platform profile: its bucket, the calls in flight and the counts behind "the n-th request"."""

import math
from collections import Counter
from dataclasses import dataclass

from answerwatch.simulator.bucket import StrictBucket
from answerwatch.simulator.dice import Dice
from answerwatch.simulator.family import Asked
from answerwatch.simulator.inbound import Request
from answerwatch.simulator.settings import AnswerMode, Settings


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose calls are counted together: those of one X-Sim-Key, or else of one key, question and model."""

    sim_key: str | None
    key: str | None
    question_sha: str
    # As asked, fault suffix included: calls with different suffixes are counted apart.
    model: str

    @property
    def token(self) -> str:
        """Return a text that stands for this identity; the API key does not change what is answered."""
        if self.sim_key is not None:
            return f"key|{self.sim_key}"
        return self.question_token

    @property
    def question_token(self) -> str:
        """Return a text that stands for question and model, without the fault suffix."""
        return f"question|{self.question_sha}|{self.model.partition('@')[0]}"

    @property
    def counted(self) -> tuple[str | None, ...]:
        """Return what the counters go by."""
        return (self.sim_key,) if self.sim_key is not None else (self.key, self.question_sha, self.model)


class Profile:
    """A platform on the server; the settings can be exchanged while it runs."""

    def __init__(self, name: str, seed: int, settings: Settings) -> None:
        """Start with a full bucket and nothing counted."""
        self.name = name
        self.seed = seed
        self.in_flight = 0
        self._attempts: Counter[tuple[str | None, ...]] = Counter()
        self._turns: Counter[tuple[str | None, ...]] = Counter()
        self.use(seed, settings)

    def use(self, seed: int, settings: Settings) -> None:
        """Take over new settings; counts stay, the bucket starts full."""
        self.seed = seed
        self.settings = settings
        size = settings.bucket
        self._bucket = StrictBucket(size.rate, size.capacity, size.slack) if size else None

    def next_attempt(self, identity: Identity) -> int:
        """Count a request that arrived."""
        self._attempts[identity.counted] += 1
        return self._attempts[identity.counted]

    def next_turn(self, identity: Identity) -> int:
        """Count a request that was admitted."""
        self._turns[identity.counted] += 1
        return self._turns[identity.counted]

    def accepts(self, request: Request) -> bool:
        """Say whether the API key is one of those allowed."""
        return not self.settings.keys or request.api_key in self.settings.keys

    def offers(self, asked: Asked) -> bool:
        """Say whether the model exists here."""
        return not self.settings.models or asked.base_model in self.settings.models

    def bucket_wait(self, arrived: float) -> int:
        """Take a token; return 0, or the whole seconds to wait when there is none."""
        return math.ceil(self._bucket.take(arrived)) if self._bucket else 0

    def is_full(self) -> bool:
        """Say whether more calls are in flight than are allowed, the present one included."""
        limit = self.settings.max_in_flight
        return limit is not None and self.in_flight > limit

    def dice(self, identity: Identity, turn: int) -> Dice:
        """Return the dice of one turn, for everything but the answer's text."""
        return Dice(f"{self.seed}|{self.name}|{identity.token}|{turn}")

    def answer_dice(self, identity: Identity, turn: int) -> Dice:
        """Return the dice of the answer's text, which depend on less when the settings say so."""
        if self.settings.answers is AnswerMode.BY_COUNT:
            return self.dice(identity, turn)
        if self.settings.answers is AnswerMode.BY_KEY:
            return Dice(f"{self.seed}|{self.name}|{identity.token}")
        return Dice(f"{self.seed}|{self.name}|{identity.question_token}")

    def latency(self, dice: Dice) -> float:
        """Return how many seconds this turn's answer takes."""
        slow, usual = self.settings.slow, self.settings.latency
        if slow.share and dice.chance("slow", slow.share):
            return slow.seconds
        return dice.log_normal("latency", median=usual.median_ms, p95=usual.p95_ms) / 1000
