"""Output of OpenAI's batch service: an answer a line, questions in the file of requests."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.completions import of_openai
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, text

NAME = "openai-batch"
PATHS: Paths = ((ITEM,),)
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is a line of output."""
    return "custom_id" in record and "response" in record


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    found = of_openai(reach(record["response"], "body"))
    if "answer" not in found:
        status = reach(record["response"], "status_code")
        why = text(record.get("error"), "message") or text(record["response"], "body", "error", "message")
        yield left_out(why or f"status {status}")
        return
    yield {"platform": "openai", "external_id": record["custom_id"], **found}
