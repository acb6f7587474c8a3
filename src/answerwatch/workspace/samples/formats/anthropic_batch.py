"""Output of Anthropic's batch service: an answer a line, questions in the file of requests."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.completions import of_anthropic
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, text

NAME = "anthropic-batch"
PATHS: Paths = ((ITEM,),)
MANY = False


def knows(record: Record) -> bool:
    """Tell whether a record is a line of output."""
    return "custom_id" in record and isinstance(reach(record.get("result"), "type"), str)


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    result = record["result"]
    if reach(result, "type") != "succeeded":
        yield left_out(text(result, "error", "error", "message") or reach(result, "type"))
        return
    yield {"platform": "anthropic", "external_id": record["custom_id"], **of_anthropic(reach(result, "message"))}
