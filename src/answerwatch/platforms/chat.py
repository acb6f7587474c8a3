"""The OpenAI chat family: `POST /chat/completions`, not streamed; pure."""

from __future__ import annotations

import json
from urllib.parse import quote

import orjson

from answerwatch.domain.answers import Ask, RawAnswer, Received, Reply, stopped_at_limit, stopped_by_filter
from answerwatch.platforms.bodies import at, parse, word
from answerwatch.platforms.classify import Trouble, failure_of, find_trouble, request_id, settle
from answerwatch.platforms.records import HttpCall, Means, Surface
from answerwatch.platforms.sources import find_citations, has_searched

BROKEN_OFF = {
    "insufficient_system_resource": Means.OVERLOADED,
    "network_error": Means.SERVER_ERROR,
    "error": Means.SERVER_ERROR,
}
"""Finish reasons, in lower case, that say the platform gave up: what there is of a text is no answer."""


def request(ask: Ask, surface: Surface) -> HttpCall:
    """Return the call that asks exactly the question: no system prompt, no word added."""
    body = {
        "model": surface.model,
        "messages": [{"role": "user", "content": ask.query_text}],
        "stream": False,
        **surface.body,
    }
    headers = (("content-type", "application/json"), ("accept", "application/json"), *surface.headers)
    if surface.task_header is not None:
        # An id holds a brand in any script, a header only ASCII.
        headers = (*headers, (surface.task_header.lower(), quote(ask.sub_task_id)))
    return HttpCall(
        sub_task_id=ask.sub_task_id,
        attempt=ask.attempt,
        platform=surface.name,
        url=surface.base_url.rstrip("/") + surface.path,
        headers=headers,
        body=_encoded(body),
    )


def read(reply: Reply, surface: Surface) -> Received:
    """Return the answer or the classified failure; an empty answer is both."""
    body = parse(reply.body)
    trouble = find_trouble(reply, body, surface.rules)
    if trouble is not None:
        received = settle(trouble, reply, surface)
        return _with_empty_answer(received, surface) if trouble.means is Means.EMPTY else received
    document = body.document or {}
    choice = _first_choice(document)
    if choice is None:
        message = (
            "the reply has neither an answer nor an error that is known; check that the base URL is a chat endpoint"
        )
        return settle(Trouble(means=Means.BAD_REPLY, message=message), reply, surface)
    return _read_choice(reply, surface, document, choice)


def _encoded(body: dict[str, object]) -> bytes:
    """Return the request's JSON; a question with a lone surrogate goes out as its escape."""
    try:
        return orjson.dumps(body)
    except orjson.JSONEncodeError:
        return json.dumps(body).encode("ascii")


def _read_choice(reply: Reply, surface: Surface, document: dict[str, object], choice: dict[str, object]) -> Received:
    """Return what a reply of the right shape holds."""
    finish = word(choice.get("finish_reason"))
    given_up = BROKEN_OFF.get((finish or "").lower())
    if given_up is not None:
        return settle(Trouble(means=given_up, message=f"the platform broke off: {finish}", code=finish), reply, surface)
    answer = _answer(reply, surface, document, choice)
    if answer.text.strip() or answer.filtered:
        return Received(reply=reply, answer=answer)
    where = ", all of it went into thinking" if answer.reasoning else ""
    trouble = Trouble(means=Means.EMPTY, message=f"the answer is empty, finish reason {finish}{where}")
    return Received(reply=reply, answer=answer, failure=failure_of(trouble, reply))


def _answer(reply: Reply, surface: Surface, document: dict[str, object], choice: dict[str, object]) -> RawAnswer:
    """Return the answer with all that is known about how it was made."""
    message = _message(choice)
    finish = word(choice.get("finish_reason"))
    searched = has_searched(document, message)
    return RawAnswer(
        text=_text(message, choice),
        reasoning=_reasoning(message),
        model_served=word(document.get("model")),
        finish_reason=finish,
        truncated=stopped_at_limit(finish),
        filtered=stopped_by_filter(finish),
        search_asked=surface.search_asked,
        searched=searched if searched or surface.exposes_citations else None,
        prompt_tokens=_count(at(document, "usage", "prompt_tokens")),
        completion_tokens=_count(at(document, "usage", "completion_tokens")),
        request_id=request_id(reply) or word(document.get("id")) or word(document.get("request_id")),
        citations=find_citations(document, message),
    )


def _with_empty_answer(received: Received, surface: Surface) -> Received:
    """Return an empty body's failure together with the empty sample that is stored when retries are used up."""
    reply = received.reply
    answer = RawAnswer(text="", search_asked=surface.search_asked, request_id=request_id(reply))
    return Received(reply=reply, answer=answer, failure=received.failure)


def _first_choice(document: dict[str, object]) -> dict[str, object] | None:
    """Return the first choice, None when the reply has none."""
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _message(choice: dict[str, object]) -> dict[str, object]:
    """Return the message of a choice, empty when it has none."""
    message = choice.get("message")
    return message if isinstance(message, dict) else {}


def _text(message: dict[str, object], choice: dict[str, object]) -> str:
    """Return the answer's text: a string, text parts in a list, or the words of a refusal; never the thinking."""
    content = message.get("content")
    if isinstance(content, list):
        parts = (part if isinstance(part, str) else at(part, "text") for part in content)
        content = "".join(part for part in parts if isinstance(part, str))
    options = (content, message.get("refusal"), choice.get("text"))
    texts = [option for option in options if isinstance(option, str)]
    return next((text for text in texts if text.strip()), texts[0] if texts else "")


def _reasoning(message: dict[str, object]) -> str | None:
    """Return the thinking that the platform keeps apart, None when there is none."""
    options = (message.get("reasoning_content"), message.get("reasoning"))
    return next((text for text in options if isinstance(text, str) and text.strip()), None)


def _count(value: object) -> int | None:
    """Return a number of tokens, None when it is not known: unknown is not zero."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if 0 <= value < 2**53 else None
