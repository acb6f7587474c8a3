"""How a fake scoring server behaves; can be exchanged while it runs."""

import json
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from answerwatch.simulator.errors import ScriptError


class Refusing(StrEnum):
    """In whose words too many texts, or a bad one, are refused."""

    TEI = "tei"
    DASHSCOPE = "dashscope"
    SILICONFLOW = "siliconflow"
    OPENAI = "openai"
    # 413 without a text.
    BARE = "bare"
    # 413 as a page of HTML.
    GATEWAY = "gateway"


class Tells(StrEnum):
    """Where the revision of the model is told."""

    INFO = "info"
    HEADER = "header"
    BODY = "body"
    NOWHERE = "nowhere"


# The model is exchanged for another one before it answers.
OTHER_MODEL = "other_model"
# No faults of the reply.
HARMLESS = frozenset({"ok", OTHER_MODEL})
# Faults that leave no numbers, besides any status.
BREAKING = frozenset({"html", "redirect", "reset", "silence", "cut"})
# Faults that leave numbers which cannot be told apart.
SPOILING = frozenset({"short", "duplicate", "astray", "no_index", "words"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One fake server; field names are those of `POST /__sim/scoring`."""

    model: str = "sim-embed"
    # Numbers depend on model and revision, whether or not the revision is told.
    revision: str = "rev-a"
    tells: Tells = Tells.INFO
    dimensions: int = 64
    # What `/info` of TEI calls the model: `embedding`, `reranker`, `classifier`; empty: it does not say.
    model_type: str = ""
    # Texts, documents or pairs in a call at most.
    most_texts: int = 32
    # Characters of one text at most.
    longest: int = 8192
    # A text that holds this is refused by itself; empty: none.
    poison: str = ""
    refusing: Refusing = Refusing.TEI
    # Rows that have an index come in another order than the texts.
    shuffled: bool = True
    # Share of the largest number that is added to numbers, differently in each call.
    noise: float = 0.0
    # Faults of the next calls, one each: a status, or a name of HARMLESS, BREAKING and SPOILING.
    faults: tuple[str, ...] = ()
    # A text that holds the first has numbers that are none: `nan` or `wrong_length` is the second.
    spoilt: tuple[str, str] | None = None
    # Calls at once; one more gets 429.
    max_in_flight: int | None = None
    retry_after_s: float = 0.05
    latency_s: float = 0.0
    # Accepted API keys; empty accepts any caller.
    keys: frozenset[str] = frozenset()


def changed(old: Behaviour, values: dict[str, Any]) -> Behaviour:
    """Return a behaviour with other values; raises ScriptError for fields that there are not."""
    known = {field.name for field in fields(Behaviour)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ScriptError(f"scoring has no {unknown[0]!r}; it has {', '.join(sorted(known))}")
    faults = [str(one) for one in values.get("faults", ())]
    strange = [one for one in faults if one not in HARMLESS | BREAKING | SPOILING and not one.isdecimal()]
    if strange:
        names = ", ".join(sorted(HARMLESS | BREAKING | SPOILING))
        raise ScriptError(f"scoring knows no fault {strange[0]!r}; it knows statuses, {names}")
    kinds: dict[str, Any] = {"refusing": Refusing, "tells": Tells, "faults": tuple, "keys": frozenset}
    try:
        return replace(old, **{name: kinds[name](value) if name in kinds else value for name, value in values.items()})
    except (TypeError, ValueError) as error:
        raise ScriptError(f"scoring: {error}") from error


def parse(body: bytes) -> tuple[str, dict[str, Any]]:
    """Return profile and fields of a control request; raises ScriptError for what is no JSON object."""
    try:
        values = json.loads(body)
    except ValueError as error:
        raise ScriptError("scoring wants a JSON object") from error
    if not isinstance(values, dict):
        raise ScriptError("scoring wants a JSON object")
    return str(values.pop("profile", "default")), values
