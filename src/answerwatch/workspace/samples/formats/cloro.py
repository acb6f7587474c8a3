"""Results of cloro: a reply with its text and sources, the prompt beside it."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.formats.protocol import Paths, Record
from answerwatch.workspace.samples.formats.reach import left_out, reach, records, source, text
from answerwatch.workspace.samples.formats.requests import question_of

NAME = "cloro"
PATHS: Paths = ((ITEM,), ())
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is a result."""
    return "success" in record and "result" in record


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    result = record["result"]
    answer = text(result, "markdown") or text(result, "text")
    if record["success"] is not True and not answer:
        yield left_out(record.get("error") or "success: false")
        return
    asked = question_of(dict(record)) or question_of(result)
    yield {
        **({"question": asked} if asked else {}),
        "answer": answer,
        "model": reach(result, "model"),
        "sources": [source(one) for one in records(result, "sources")],
        "country": record.get("country"),
        "search_queries": reach(result, "searchQueries"),
    }
