"""Results of Bright Data's scrapers of assistants (ChatGPT, AI Mode, Gemini, Perplexity, Grok, Copilot)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import left_out, records, source, text

NAME = "brightdata"
PATHS: Paths = ((ITEM,),)
MANY = False

_HOSTS = {
    "chatgpt.com": "chatgpt", "chat.openai.com": "chatgpt", "perplexity.ai": "perplexity", "grok.com": "grok",
    "gemini.google.com": "gemini", "google.com": "google-ai-mode", "copilot.microsoft.com": "copilot",
}  # fmt: skip
_KEPT = ("url", "country", "index", "web_search_triggered")


def knows(record: Record) -> bool:
    """Tell whether a record is a result."""
    return "prompt" in record and ("answer_text" in record or "answer_text_markdown" in record)


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield the one answer, or why there is none."""
    answer = text(record, "answer_text_markdown") or text(record, "answer_text")
    if not answer and record.get("error"):
        yield left_out(record["error"])
        return
    host = (urlsplit(text(record, "url")).hostname or "").removeprefix("www.")
    found = {
        "question": record.get("prompt"),
        "answer": answer,
        "asked_at": record.get("timestamp"),
        "model": record.get("model"),
        "searched": record.get("web_search_triggered"),
        "sources": [
            *(source(one) for one in records(record, "citations")),
            *(source(one, kind="retrieved") for one in records(record, "search_sources")),
        ],
    }
    platform = {"platform": _HOSTS[host]} if host in _HOSTS else {}
    yield found | platform | {name: record[name] for name in _KEPT if record.get(name) is not None}
