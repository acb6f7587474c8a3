"""Results of DataForSEO: tasks with results, of its scraper (`markdown`) or of its calls of models (`items`)."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, reach, records, source, text

NAME = "dataforseo"
PATHS: Paths = (("tasks", ITEM),)
MANY = True

_FUNCTIONS = {
    "chat_gpt": "chatgpt",
    "chatgpt": "chatgpt",
    "gemini": "gemini",
    "claude": "claude",
    "perplexity": "perplexity",
}


def knows(record: Record) -> bool:
    """Tell whether a record is a task."""
    return "result" in record and isinstance(record.get("data"), dict)


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the answers of a task, or why there is none."""
    found = list(records(record, "result"))
    if not found:
        yield left_out(record.get("status_message") or "result")
    for result in found:
        sections = [(text(item, "type"), one) for item in records(result, "items") for one in records(item, "sections")]
        thought = [one for kind, one in sections if _is_thought(kind, one)]
        spoken = [one for kind, one in sections if not _is_thought(kind, one)]
        annotated = [source(one) for section in spoken for one in records(section, "annotations")]
        platform = next((_FUNCTIONS[part] for part in _function(record) if part in _FUNCTIONS), None)
        yield {
            **({"platform": platform} if platform else {}),
            "question": text(result, "keyword")
            or text(record, "data", "keyword")
            or text(record, "data", "user_prompt"),
            "answer": text(result, "markdown") or "\n\n".join(text(one, "text") for one in spoken),
            "reasoning": "\n\n".join(text(one, "text") for one in thought),
            "asked_at": result.get("datetime"),
            "model": result.get("model") or result.get("model_name"),
            "searched": result.get("web_search"),
            "sources": [
                *(source(one) for one in records(result, "sources")),
                *annotated,
                *(source(one, kind="retrieved") for one in records(result, "search_results")),
            ],
            "external_id": record.get("id"),
            "language": result.get("language_code"),
            "location": result.get("location_code"),
            "fan_out_queries": result.get("fan_out_queries"),
        }


def _is_thought(kind: str, section: dict[str, object]) -> bool:
    """Tell whether a section is what a model thought before it spoke."""
    return kind == "reasoning" or text(section, "type") == "summary_text"


def _function(record: Record) -> list[str]:
    """Return the parts of the task's address: `v3/ai_optimization/chat_gpt/...`."""
    path = reach(record, "path")
    parts = path if isinstance(path, list) else []
    return [str(part) for part in parts] + [text(record, "data", "se"), text(record, "data", "function")]
