"""Replies and surfaces for the tests of the platforms room."""

import json
from datetime import UTC, datetime, timedelta

from answerwatch.domain.answers import Ask, Reply
from answerwatch.platforms.records import Surface

NOW = datetime(2026, 11, 30, 10, 0, 0, tzinfo=UTC)
ASK = Ask(sub_task_id="BATCH_20261130100000_ACME_QQ1_kimi_R1", query_text="哪款扫地机器人好？", attempt=1)


def surface(**fields: object) -> Surface:
    """A surface of the generic platform."""
    values: dict[str, object] = {"name": "test", "product": "test", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    return Surface(**(values | fields))  # type: ignore[arg-type]  # a test names the fields it needs


def reply(status: int | None = 200, body: object = b"", *headers: tuple[str, str], error: str | None = None) -> Reply:
    """A reply; a body that is not bytes is sent as JSON, text as it is."""
    raw = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    return Reply(
        started_at=NOW - timedelta(seconds=2), ended_at=NOW, status=status, headers=headers, body=raw, error=error
    )


def chat_body(content: object = "推荐A牌。", finish: str | None = "stop", **message: object) -> dict[str, object]:
    """The body of an answer of the chat family."""
    return {
        "id": "c1",
        "model": "m-served",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 40},
    }
