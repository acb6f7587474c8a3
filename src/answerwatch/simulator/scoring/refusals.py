"""Refusals in the words of real servers, and the faults of a call."""

from collections.abc import Callable, Mapping
from typing import Any

from answerwatch.simulator.plans import encode
from answerwatch.simulator.scoring.behaviour import Behaviour, Refusing
from answerwatch.simulator.scoring.protocols import Made
from answerwatch.simulator.wire import HTML, Act, Headers, Step, http_reply

_PAGE = b"<!DOCTYPE html><html><head><title>Gateway</title></head><body>Not this way</body></html>"

# Status and body: JSON, a page, or nothing.
Refusal = tuple[int, Mapping[str, Any] | bytes | None]


def too_many(count: int, behaviour: Behaviour) -> Refusal:
    """Return how a server refuses more texts than it takes."""
    most = behaviour.most_texts
    if behaviour.refusing is Refusing.TEI:
        text = f"batch size {count} > maximum allowed batch size {most}"
        return 413, {"error": text, "error_type": "Validation"}
    if behaviour.refusing is Refusing.DASHSCOPE:
        text = (
            "<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger "
            f"than {most}.: input.contents"
        )
        return 400, {"error": {"message": text, "type": "InvalidParameter", "param": None, "code": "InvalidParameter"}}
    if behaviour.refusing is Refusing.SILICONFLOW:
        text = f"input batch size {count} > maximum allowed batch size {most}"
        return 413, {"code": 20042, "message": text, "data": None}
    if behaviour.refusing is Refusing.OPENAI:
        text = (
            f"Invalid 'input': array too long. Expected an array with maximum length {most}, but got an array with "
            f"length {count} instead."
        )
        kind = "invalid_request_error"
        return 400, {"error": {"message": text, "type": kind, "param": "input", "code": "array_above_max_length"}}
    return 413, _PAGE if behaviour.refusing is Refusing.GATEWAY else None


def too_long(length: int, behaviour: Behaviour) -> Refusal:
    """Return how a server refuses a text that is too long."""
    if behaviour.refusing is Refusing.TEI:
        text = f"`inputs` must have less than {behaviour.longest} tokens. Given: {length}"
        return 413, {"error": text, "error_type": "Validation"}
    if behaviour.refusing in (Refusing.BARE, Refusing.GATEWAY):
        return 413, _PAGE if behaviour.refusing is Refusing.GATEWAY else None
    text = f"Range of input length should be [1, {behaviour.longest}]"
    return 400, {"error": {"message": text, "type": "InvalidParameter", "param": None, "code": "InvalidParameter"}}


def poisoned(behaviour: Behaviour) -> Refusal:
    """Return how a server refuses a text for what it says."""
    if behaviour.refusing in (Refusing.TEI, Refusing.BARE, Refusing.GATEWAY):
        return 422, {"error": "the tokenizer failed at an input", "error_type": "Tokenizer"}
    text = "Input text data may contain inappropriate content."
    code = "data_inspection_failed"
    return 400, {"error": {"message": text, "type": code, "param": None, "code": code}}


def refused(refusal: Refusal) -> tuple[int, tuple[Step, ...]]:
    """Return status and steps of a refusal."""
    status, body = refusal
    if isinstance(body, bytes):
        return status, (http_reply(status, body, content_type=HTML),)
    return status, (http_reply(status, b"" if body is None else encode(body)),)


def broken(fault: str, behaviour: Behaviour, other_origin: str) -> tuple[int | None, tuple[Step, ...]] | None:
    """Return status and steps of a fault that leaves no numbers; None for one that spoils them."""
    retry: Headers = (("retry-after", f"{behaviour.retry_after_s:g}"),)
    if fault.isdecimal():
        status = int(fault)
        body = encode({"error": {"message": f"status {status}", "type": "fault", "code": None}})
        return status, (http_reply(status, body, headers=retry if status in (429, 503) else ()),)
    return _BROKEN[fault](other_origin) if fault in _BROKEN else None


_BROKEN: Mapping[str, Callable[[str], tuple[int | None, tuple[Step, ...]]]] = {
    "html": lambda _: (200, (http_reply(200, _PAGE, content_type=HTML),)),
    "redirect": lambda origin: (302, (http_reply(302, b"", headers=(("location", f"{origin}/__sim/portal"),)),)),
    "reset": lambda _: (None, (Act.RESET,)),
    "silence": lambda _: (None, (Act.SILENCE,)),
    "cut": lambda _: (200, (http_reply(200, b'{"data": [{"index": 0, "embed'),)),
}


def _fewer(made: Made) -> Made:
    return Made(made.values[:-1], made.index[:-1])


def _twice(made: Made) -> Made:
    return Made(made.values, [made.index[0], *made.index[:-1]])


def _astray(made: Made) -> Made:
    return Made(made.values, [*made.index[:-1], len(made.index)])


SPOILT: Mapping[str, Callable[[Made], Made]] = {
    # A row is missing.
    "short": _fewer,
    # One index stands twice, another one not at all.
    "duplicate": _twice,
    # An index that nobody sent.
    "astray": _astray,
    # No index at all.
    "no_index": lambda made: Made(made.values, [None for _ in made.index]),
    # Words where numbers belong.
    "words": lambda made: Made(["none" for _ in made.values], made.index),
}
