"""Reads the single fields of a script into settings, with an error that names the field."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from answerwatch.simulator.errors import ScriptError
from answerwatch.simulator.faults import parse_fault
from answerwatch.simulator.settings import (
    AnswerMode,
    BrandOdds,
    BucketSize,
    FaultSpec,
    Language,
    Latency,
    Settings,
    Slow,
)


def read_settings(data: object, base: Settings, where: str) -> Settings:
    """Return `base` with the given fields replaced."""
    if data is None:
        return base
    values = _mapping(data, where.rstrip(".") or "the script")
    # Any: the fields have different types, and each reader returns the one of its field.
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name not in _READERS:
            near = get_close_matches(name, _READERS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(_READERS))}"
            raise ScriptError(f"unknown field {where}{name}; {hint}")
        changes[name] = _READERS[name](value, where + name)
    return replace(base, **changes)


def read_whole_number(value: object, where: str) -> int:
    """Read an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(where, "a whole number", value)
    return value


def _wrong(where: str, expected: str, value: object) -> ScriptError:
    """Return the error that says what was expected."""
    return ScriptError(f"{where} must be {expected}, not {value!r}")


def _mapping(value: object, where: str) -> dict[str, object]:
    """Read a mapping; its keys become text, because YAML reads `429` as a number."""
    if not isinstance(value, Mapping):
        raise _wrong(where, "a mapping", value)
    return {str(key): item for key, item in value.items()}


def _number(value: object, where: str) -> float:
    """Read a number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise _wrong(where, "a number from 0 upwards", value)
    return float(value)


def _share(value: object, where: str) -> float:
    """Read a number from 0 to 1."""
    number = _number(value, where)
    if number > 1:
        raise _wrong(where, "a share from 0 to 1", value)
    return number


def _positive(value: object, where: str) -> float:
    """Read a number above zero."""
    number = _number(value, where)
    if number == 0:
        raise _wrong(where, "a number above 0", value)
    return number


def _limit(value: object, where: str) -> int | None:
    """Read a whole number from 1, or null for no limit."""
    if value is None:
        return None
    number = read_whole_number(value, where)
    if number < 1:
        raise _wrong(where, "1 or more, or null for no limit", value)
    return number


def _parts(value: object, where: str, *, known: tuple[str, ...]) -> dict[str, float]:
    """Read a mapping of numbers in which only these names may stand."""
    parts = _mapping(value, where)
    if unknown := sorted(set(parts) - set(known)):
        raise ScriptError(f"unknown field {where}.{unknown[0]}; known are {', '.join(known)}")
    return {name: _number(part, f"{where}.{name}") for name, part in parts.items()}


def _latency(value: object, where: str) -> Latency:
    """Read a fixed time in milliseconds, or median and 95th percentile."""
    if not isinstance(value, Mapping):
        fixed = _number(value, where)
        return Latency(fixed, fixed)
    parts = _parts(value, where, known=("median_ms", "p95_ms"))
    median = parts.get("median_ms", 0.0)
    p95 = parts.get("p95_ms", median)
    if p95 < median:
        raise _wrong(f"{where}.p95_ms", f"at least median_ms ({median:g})", p95)
    return Latency(median, p95)


def _slow(value: object, where: str) -> Slow:
    """Read share and seconds."""
    parts = _parts(value, where, known=("share", "seconds"))
    return Slow(_share(parts.get("share", 0.0), f"{where}.share"), parts.get("seconds", 0.0))


def _bucket(value: object, where: str) -> BucketSize | None:
    """Read rate, capacity and slack, or null for no limit."""
    if value is None:
        return None
    parts = _parts(value, where, known=("rate", "capacity", "slack"))
    if missing := {"rate", "capacity"} - set(parts):
        raise ScriptError(f"{where} needs {', '.join(sorted(missing))}, for example {{rate: 5, capacity: 10}}")
    capacity = parts["capacity"]
    if capacity < 1:
        raise _wrong(f"{where}.capacity", "1 or more", capacity)
    return BucketSize(_positive(parts["rate"], f"{where}.rate"), capacity, parts.get("slack", 0.0))


def _mix(value: object, where: str) -> tuple[tuple[FaultSpec, float], ...]:
    """Read probabilities per fault; together at most 1."""
    mix = tuple(
        (_fault(name, where), _share(share, f"{where}.{name}")) for name, share in _mapping(value, where).items()
    )
    total = sum(share for _, share in mix)
    if total > 1 + 1e-9:
        raise _wrong(where, "probabilities that add up to at most 1", total)
    return mix


def _fault(value: object, where: str) -> FaultSpec:
    """Read one fault and say where it stands when it is unknown."""
    try:
        return parse_fault(str(value))
    except ScriptError as error:
        raise ScriptError(f"{where}: {error}") from error


def _sequence(value: object, where: str) -> tuple[FaultSpec, ...]:
    """Read a list of faults, or a text with commas."""
    items = value if isinstance(value, list) else str(value).split(",")
    return tuple(_fault(item, where) for item in items)


def _per_question(value: object, where: str) -> tuple[tuple[str, tuple[FaultSpec, ...]], ...]:
    """Read faults by part of the question."""
    listed = tuple(
        (needle, _sequence(faults, f"{where}.{needle}")) for needle, faults in _mapping(value, where).items()
    )
    for needle, faults in listed:
        if not needle or not faults:
            raise _wrong(f"{where}.{needle}", "a part of the question with at least one fault", faults)
    return listed


def _texts(value: object, where: str) -> tuple[str, ...]:
    """Read a list of texts."""
    if not isinstance(value, list):
        raise _wrong(where, "a list", value)
    return tuple(str(item) for item in value)


def _brands(value: object, where: str) -> dict[Language, tuple[BrandOdds, ...]]:
    """Read brands by language."""
    return {_language(name, where): _odds(listed, f"{where}.{name}") for name, listed in _mapping(value, where).items()}


def _odds(value: object, where: str) -> tuple[BrandOdds, ...]:
    """Read a list of names, or names with probabilities."""
    if isinstance(value, Mapping):
        return tuple(BrandOdds(str(name), _share(chance, f"{where}.{name}")) for name, chance in value.items())
    return tuple(BrandOdds(name) for name in _texts(value, where))


def _language(value: object, where: str) -> Language:
    """Read auto, zh or en."""
    try:
        return Language(str(value))
    except ValueError as error:
        raise _wrong(where, "auto, zh or en", value) from error


def _answers(value: object, where: str) -> AnswerMode:
    """Read by_count, by_key or by_question."""
    try:
        return AnswerMode(str(value))
    except ValueError as error:
        raise _wrong(where, "by_count, by_key or by_question", value) from error


def _optional_text(value: object, _: str) -> str | None:
    """Read a text, or null."""
    return None if value is None else str(value)


_READERS: Mapping[str, Callable[[object, str], object]] = {
    "latency": _latency,
    "slow": _slow,
    "bucket": _bucket,
    "max_in_flight": _limit,
    "faults": _mix,
    "sequence": _sequence,
    "per_question": _per_question,
    "retry_after_s": _number,
    "blank_every_s": _number,
    "keys": lambda value, where: frozenset(_texts(value, where)),
    "models": _texts,
    "served_model": _optional_text,
    "language": _language,
    "brands": _brands,
    "question_spread": _share,
    "sources_share": _share,
    "answers": _answers,
}
