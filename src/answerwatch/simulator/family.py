"""The seam between the faults and the protocol families: what a family has to provide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from answerwatch.simulator.answers import Answer
from answerwatch.simulator.dice import Dice
from answerwatch.simulator.settings import Settings


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request body asks for, whatever the protocol."""

    model: str
    question: str
    stream: bool = False

    @property
    def base_model(self) -> str:
        """Return the model without the fault suffix."""
        return self.model.partition("@")[0]

    @property
    def fault_suffix(self) -> str:
        """Return what follows the @ of the model, or an empty string."""
        return self.model.partition("@")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A success as a protocol-free record; a family turns it into its own JSON."""

    answer: Answer
    # None is a JSON null where the text should be.
    text: str | None
    model: str
    finish: str = "stop"
    thinking: str | None = None
    with_usage: bool = True
    # Unix seconds; fixed, because equal calls must give equal bytes.
    created: int = 1_790_000_000


@dataclass(frozen=True, slots=True)
class Family:
    """A protocol: where it is served, how it is read and how its replies look."""

    name: str
    # Ends of the paths that this family answers with POST.
    suffixes: tuple[str, ...]
    # Reads a body; raises ValueError with a sentence for the client when it is not of this protocol.
    read: Callable[[bytes], Asked]
    # Builds the JSON object of a success.
    success: Callable[[Reply, Asked, Dice], Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One admitted request, as a fault sees it."""

    asked: Asked
    family: Family
    settings: Settings
    profile: str
    seed: int
    # The how-manyth admitted request for the same thing, from 1.
    turn: int
    # Decides everything but the answer's text, which has its own dice.
    dice: Dice
    answer_dice: Dice
    # Number behind the fault's colon.
    amount: float | None = None
    # Address of this server under another host name, for redirects.
    other_origin: str = field(default="http://localhost")
