"""Plans that everything else is varied from: a written answer, and an error with a body."""

import json
from collections.abc import Mapping

from answerwatch.simulator.answers import Answer, Prompt, answer_language, compose
from answerwatch.simulator.error_replies import ERRORS
from answerwatch.simulator.family import Call, Reply
from answerwatch.simulator.settings import Settings
from answerwatch.simulator.wire import Plan, http_reply

# Stands for an answer where the reply holds none.
NOTHING = Answer("")


def prompt_of(call: Call) -> Prompt:
    """Return what the text of this call's answer depends on."""
    question = call.asked.question
    language = answer_language(call.settings, question)
    return Prompt(call.seed, call.profile, question, language, call.settings, call.answer_dice)


def write(call: Call, *, cite: bool | None = None) -> Answer:
    """Compose the answer of this call."""
    return compose(prompt_of(call), cite=cite)


def reply_of(call: Call, answer: Answer) -> Reply:
    """Return the ordinary reply with this answer."""
    return Reply(answer=answer, text=answer.text, model=call.settings.served_model or call.asked.base_model)


_TO_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encode(data: Mapping[str, object]) -> bytes:
    """Return JSON as platforms send it: UTF-8, except that texts with lone surrogates are escaped."""
    try:
        return _TO_JSON(data).encode()
    except UnicodeEncodeError:
        return json.dumps(data).encode()


def body_of(call: Call, reply: Reply) -> bytes:
    """Return the response body of a success in the call's protocol."""
    return encode(call.family.success(reply, call.asked, call.dice))


def delivered(call: Call, reply: Reply) -> Plan:
    """Plan a success; a reply without visible text counts as no answer."""
    answer = reply.answer if (reply.text or "").strip() else None
    return Plan(status=200, steps=(http_reply(200, body_of(call, reply)),), works=True, answer=answer)


def ok(call: Call, *, cite: bool | None = None) -> Plan:
    """Answer the question."""
    return delivered(call, reply_of(call, write(call, cite=cite)))


def error(call: Call, *, name: str) -> Plan:
    """Answer with a row of the error table."""
    return turned_away(name, call.settings, amount=call.amount)


def turned_away(name: str, settings: Settings, *, amount: float | None = None) -> Plan:
    """Answer with a row of the error table a request that did not become a call."""
    row = ERRORS[name]
    reply = http_reply(row.status, encode(row.body()), headers=row.headers(settings, amount))
    return Plan(status=row.status, steps=(reply,))


def message(status: int, text: str) -> Plan:
    """Answer with an error of the simulator itself, which no vendor sends."""
    body = encode({"error": {"message": f"simulator: {text}", "type": "simulator_error", "param": None, "code": None}})
    return Plan(status=status, steps=(http_reply(status, body),))
