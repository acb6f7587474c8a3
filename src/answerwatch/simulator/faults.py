"""The fault table: name -> function that plans the reply of one call.

Functions only plan; the connection carries the steps out. A fault with several spellings has each under its own name
(`empty_null`) and, under the short name (`empty`), a choice among them by dice.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial

from answerwatch.simulator import content_faults as content
from answerwatch.simulator import transport_faults as transport
from answerwatch.simulator.error_replies import ERRORS
from answerwatch.simulator.errors import ScriptError
from answerwatch.simulator.family import Call
from answerwatch.simulator.plans import error, ok
from answerwatch.simulator.settings import FaultSpec, Language
from answerwatch.simulator.wire import Plan

Fault = Callable[[Call], Plan]

OK = FaultSpec("ok")


def any_of(call: Call, *, names: tuple[str, ...]) -> Plan:
    """Choose one of the spellings by the call's dice."""
    return FAULTS[call.dice.pick("spelling", names)](call)


def _spellings(*names: str) -> Fault:
    """Return a fault that is one of these."""
    return partial(any_of, names=names)


FAULTS: Mapping[str, Fault] = {
    "ok": ok,
    "ok_sources_chat": partial(ok, cite=True),
    "ok_no_search": partial(ok, cite=False),
    "reasoning": content.reasoning,
    "reasoning_think": content.reasoning_think,
    **{name: partial(error, name=name) for name in ERRORS},
    "e400_risk": _spellings("e400_risk_deepseek", "e400_risk_kimi", "e400_risk_qwen"),
    "e429_bare": transport.bare_429,
    "e429_quota": _spellings("e429_quota_kimi", "e429_quota_openai", "e429_quota_glm"),
    "content_filter": partial(content.content_filter, finish="content_filter"),
    "content_filter_sensitive": partial(content.content_filter, finish="sensitive"),
    "refusal_text": content.refusal_text,
    "refusal_text_zh": partial(content.refusal_text, language=Language.ZH),
    "refusal_text_en": partial(content.refusal_text, language=Language.EN),
    "flaky_n": transport.flaky,
    "hang": transport.hang,
    "hang_after_headers": transport.hang_after_headers,
    "keepalive_blank": transport.keepalive_blank,
    "keepalive_forever": transport.keepalive_forever,
    "truncated_json": _spellings("truncated_json_honest", "truncated_json_short"),
    "truncated_json_honest": partial(transport.truncated_json, honest=True),
    "truncated_json_short": partial(transport.truncated_json, honest=False),
    "html_200": partial(transport.html_page, status=200),
    "html_504": partial(transport.html_page, status=504),
    "login_redirect": transport.login_redirect,
    "error_in_200": content.error_in_200,
    "choices_null": content.choices_null,
    "empty": _spellings("empty_text", "empty_blank", "empty_null"),
    "empty_text": partial(content.empty, text=""),
    "empty_blank": partial(content.empty, text=" \n\t\n "),
    "empty_null": partial(content.empty, text=None),
    "truncated_length": content.truncated_length,
    "reset": _spellings("reset_before", "reset_mid"),
    "reset_before": transport.reset_before,
    "reset_mid": transport.reset_mid,
    "slow_first_byte": transport.slow_first_byte,
    "garbled": _spellings(
        "garbled_gbk",
        "garbled_control",
        "garbled_nul",
        "garbled_surrogate",
        "garbled_zero_width",
        "garbled_bom",
    ),
    "garbled_gbk": content.garbled_gbk,
    "garbled_bom": content.garbled_bom,
    "garbled_control": partial(content.garbled_text, inserted="\x01\x08\x1b[31m\x7f"),
    "garbled_nul": partial(content.garbled_text, inserted="\x00"),
    "garbled_surrogate": partial(content.garbled_text, inserted="\ud83d"),
    "garbled_zero_width": partial(content.garbled_text, inserted="\u200b\ufeff\u2060"),
    "repeat_loop": content.repeat_loop,
    "huge": content.huge,
    "injection": content.injection,
    "duplicate_delivery": transport.duplicate_delivery,
    "model_swapped": content.model_swapped,
    "clock_skew": content.clock_skew,
    "gzip_bad": transport.gzip_bad,
    "usage_missing": content.usage_missing,
}

# A bare status is the shortest way to write a sequence: `429,429,ok`.
_SHORT: Mapping[str, str] = {
    "401": "e401",
    "402": "e402",
    "403": "e403_overdue",
    "404": "e404_model",
    "422": "e422",
    "429": "e429_retry_after",
    "500": "e500",
    "502": "e502",
    "503": "e503",
    "504": "html_504",
    "529": "e529",
    "200": "ok",
}
_FLAKY = re.compile(r"flaky_(\d+)")


def parse_fault(text: str) -> FaultSpec:
    """Read `name`, `name:number`, `flaky_3` or a bare status; raise ScriptError for a name that is not in the table."""
    name, colon, number = text.strip().partition(":")
    if flaky := _FLAKY.fullmatch(name):
        return FaultSpec("flaky_n", float(flaky[1]))
    name = _SHORT.get(name, name)
    if name not in FAULTS:
        near = get_close_matches(name, FAULTS, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(FAULTS))}"
        raise ScriptError(f"unknown fault {name!r}{hint}")
    return FaultSpec(name, _amount(text, number) if colon else None)


def parse_faults(text: str) -> tuple[FaultSpec, ...]:
    """Read faults separated by commas."""
    return tuple(parse_fault(part) for part in text.split(","))


def _amount(text: str, number: str) -> float:
    """Read the number behind the colon: finite and not negative."""
    try:
        amount = float(number)
    except ValueError:
        amount = -1.0
    if not 0 <= amount < 1e6:
        raise ScriptError(f"in fault {text!r}, what follows the colon must be a number from 0 to a million")
    return amount


def plan_reply(fault: FaultSpec, call: Call) -> Plan:
    """Plan the reply of a call that has this fault."""
    return FAULTS[fault.name](call if fault.amount is None else replace(call, amount=fault.amount))
