"""Results of promptfoo: one JSON document with a list of outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, text
from answerwatch.workspace.samples.vendor_json.requests import question_of

NAME = "promptfoo"
PATHS: Paths = (("results", "results", ITEM), ("results", ITEM))
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is an output."""
    return (
        "provider" in record and isinstance(record.get("prompt"), dict) and ("response" in record or "vars" in record)
    )


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    output = reach(record, "response", "output")
    if output is None:
        yield left_out(reach(record, "response", "error") or record.get("error") or "response.output")
        return
    provider = text(record, "provider", "id") or text(record, "provider")
    platform, _, model = provider.partition(":")
    yield {
        "platform": platform or None,
        "question": _question(record),
        "answer": output if isinstance(output, str) else json.dumps(output, ensure_ascii=False),
        "model": model.rpartition(":")[2] or None,
        "finish_reason": text(record, "response", "finishReason") or None,
        "sources": reach(record, "response", "citations") or reach(record, "response", "metadata", "citations"),
        "external_id": record.get("id"),
        "provider": provider,
        "success": record.get("success"),
        "vars": record.get("vars"),
    }


def _question(record: Record) -> str:
    """Return the prompt; one of several messages is asked by its last."""
    raw = text(record, "prompt", "raw")
    if raw.lstrip().startswith("["):
        try:
            return question_of({"messages": json.loads(raw)}) or raw
        except (ValueError, RecursionError):
            return raw
    return raw
