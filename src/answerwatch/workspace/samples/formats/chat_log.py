"""Logs of chat endpoints: a reply a line, alone or beside its request. The old logs of Perplexity are of this kind."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.completions import of_openai
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, text
from answerwatch.workspace.samples.vendor_json.requests import question_of

NAME = "chat-log"
PATHS: Paths = ((ITEM,), ())
MANY = False

_MAKERS = (
    ("sonar", "perplexity"), ("pplx", "perplexity"), ("gpt", "openai"), ("deepseek", "deepseek"), ("kimi", "kimi"),
    ("moonshot", "kimi"), ("qwen", "qwen"), ("doubao", "doubao"), ("glm", "glm"), ("grok", "grok"),
)  # fmt: skip


def knows(record: Record) -> bool:
    """Tell whether a record is a reply, or has one beside its request."""
    return isinstance(reach(_reply(record), "choices"), list)


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    reply = _reply(record)
    found = of_openai(reply)
    if "answer" not in found:
        yield left_out(text(reply, "error", "message") or "choices[0].message")
        return
    asked = question_of({name: value for name, value in record.items() if name != "response"})
    model = text(reply, "model").rpartition("/")[2].lower()
    platform = next((maker for beginning, maker in _MAKERS if model.startswith(beginning)), None)
    yield {
        **({"platform": platform} if platform else {}),
        **({"question": asked} if asked else {}),
        "external_id": record.get("custom_id") or record.get("id") or reach(reply, "id"),
        **found,
    }


def _reply(record: Record) -> object:
    inner = record.get("response")
    return inner if isinstance(inner, dict) else dict(record)
