"""Output of Gemini's batch service: an answer a line, questions in the file of requests or, from Vertex, beside it."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.completions import of_gemini
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, text
from answerwatch.workspace.samples.vendor_json.requests import question_of

NAME = "gemini-batch"
PATHS: Paths = ((ITEM,),)
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is a line of output."""
    has_reply = isinstance(reach(record.get("response"), "candidates"), list)
    return has_reply or ("key" in record and ("error" in record or "response" in record))


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    reply = record.get("response")
    if not isinstance(reach(reply, "candidates"), list):
        yield left_out(text(record.get("error"), "message") or text(record, "status") or "response.candidates")
        return
    asked = question_of(record.get("request"))
    found = {"platform": "gemini", "external_id": record.get("key"), **of_gemini(reply)}
    yield found | ({"question": asked} if asked else {})
