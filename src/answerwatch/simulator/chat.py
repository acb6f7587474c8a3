"""The chat family: OpenAI-compatible `POST /v1/chat/completions` without streaming."""

import json
from collections.abc import Mapping

from answerwatch.simulator.answers import Citation
from answerwatch.simulator.dice import Dice
from answerwatch.simulator.family import Asked, Family, Reply


def read(body: bytes) -> Asked:
    """Return model and last user message; raise ValueError with a sentence for the client."""
    try:
        data = json.loads(body)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError("the body is not JSON") from error
    fields = data if isinstance(data, dict) else {}
    match fields.get("model"):
        case str(model) if model:
            return Asked(model, _last_user_text(fields.get("messages")), fields.get("stream") is True)
        case _:
            raise ValueError("the body needs a model")


def _last_user_text(messages: object) -> str:
    """Return the text of the last user message."""
    turns = messages if isinstance(messages, list) else []
    contents = [turn.get("content") for turn in turns if isinstance(turn, dict) and turn.get("role") == "user"]
    if not contents:
        raise ValueError("the body needs messages with at least one of role user")
    last = contents[-1]
    if isinstance(last, list):
        return "".join(str(part.get("text", "")) for part in last if isinstance(part, dict))
    return str(last)


def success(reply: Reply, asked: Asked, dice: Dice) -> Mapping[str, object]:
    """Return a chat completion."""
    message: dict[str, object] = {"role": "assistant", "content": reply.text}
    if reply.thinking is not None:
        message["reasoning_content"] = reply.thinking
    if reply.answer.citations:
        message["annotations"] = [_annotation(citation) for citation in reply.answer.citations]
    completion: dict[str, object] = {
        "id": f"chatcmpl-{dice.hexadecimal('id')}",
        "object": "chat.completion",
        "created": reply.created,
        "model": reply.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
    }
    if reply.with_usage:
        completion["usage"] = _usage(asked.question, reply)
    return completion


def _annotation(citation: Citation) -> dict[str, object]:
    """Return one cited source in the shape of the chat protocol."""
    return {
        "type": "url_citation",
        "url_citation": {
            "url": citation.source.url,
            "title": citation.source.title,
            "start_index": citation.start,
            "end_index": citation.end,
        },
    }


def _usage(question: str, reply: Reply) -> dict[str, int]:
    """Return token counts that follow the lengths, two characters a token."""
    prompt = 8 + len(question) // 2
    completion = (len(reply.text or "") + len(reply.thinking or "")) // 2
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


CHAT = Family("chat", ("/chat/completions",), read, success)
