"""Results of cloro: a reply with its text and sources and the prompt beside it, or a task with its reply."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, records, source, text
from answerwatch.workspace.samples.vendor_json.requests import question_of

NAME = "cloro"
PATHS: Paths = ((ITEM,), ())
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is a result, or a task."""
    return ("success" in record and "result" in record) or bool(text(record, "task", "taskType"))


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    reply = record if "result" in record else record.get("response")
    result = reach(reply, "result") or reply
    answer = text(result, "markdown") or text(result, "text")
    if not answer and (reach(reply, "success") is not True or "task" in record):
        yield left_out(reach(reply, "error") or text(record, "task", "status") or "success: false")
        return
    asked = question_of(dict(record)) or question_of(result)
    kind = text(record, "task", "taskType")
    yield {
        **({"platform": kind.lower()} if kind else {}),
        **({"question": asked} if asked else {}),
        "answer": answer,
        "asked_at": reach(record, "task", "createdAt"),
        "model": reach(result, "model"),
        "sources": [source(one) for one in records(result, "sources")],
        "external_id": reach(record, "task", "idempotencyKey") or reach(record, "task", "id"),
        "country": record.get("country"),
        "search_queries": reach(result, "searchQueries"),
    }
