"""Replies of chat endpoints as they came: what several formats hold inside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from answerwatch.workspace.samples.vendor_json.reach import reach, records, source, text, texts


def of_openai(body: object) -> dict[str, object]:
    """Return what a chat completion or a response says; no `answer` when it says nothing."""
    message = reach(body, "choices", 0, "message")
    parts = [part for one in records(body, "output") for part in records(one, "content")]
    answer = texts(message, "content") if message else "".join(text(part, "text") for part in parts)
    holders = [message, *parts]
    found: dict[str, object] = {
        "model": text(body, "model") or None,
        "asked_at": reach(body, "created") or reach(body, "created_at"),
        "finish_reason": text(body, "choices", 0, "finish_reason")
        or text(body, "incomplete_details", "reason")
        or None,
        "reasoning": text(message, "reasoning_content") or text(message, "reasoning"),
        "sources": list(chain(_annotated(holders), _top(body))),
        "request_id": reach(body, "id"),
    }
    return found | ({"answer": answer} if message or parts else {})


def _annotated(holders: list[object]) -> Iterator[dict[str, object]]:
    for holder in holders:
        for one in records(holder, "annotations"):
            inner = reach(one, "url_citation")
            yield source(inner if isinstance(inner, dict) else one)


def _top(body: object) -> Iterator[dict[str, object]]:
    """Yield sources beside the message, as Perplexity gives them: addresses alone, and with titles what was found."""
    cited = reach(body, "citations")
    titles = {one.get("url"): one.get("title") for one in records(body, "search_results")}
    for url in cited if isinstance(cited, list) else ():
        if isinstance(url, str):
            yield {"url": url, "title": titles.get(url), "kind": "cited"}
    yield from (source(one, kind="retrieved") for one in records(body, "search_results"))


def of_anthropic(message: object) -> dict[str, object]:
    """Return what a message says."""
    blocks = list(records(message, "content"))
    spoken = [block for block in blocks if block.get("type") == "text"]
    cited = [source(one) for block in spoken for one in records(block, "citations")]
    found = [source(one, kind="retrieved") for block in blocks for one in records(block, "content")]
    return {
        "model": text(message, "model") or None,
        "finish_reason": text(message, "stop_reason") or None,
        "answer": "".join(text(block, "text") for block in spoken),
        "reasoning": "\n\n".join(filter(None, (text(block, "thinking") for block in blocks))),
        "sources": [*cited, *found],
        "request_id": reach(message, "id"),
    }


def of_gemini(response: object) -> dict[str, object]:
    """Return what a response says."""
    parts = list(records(response, "candidates", 0, "content", "parts"))
    chunks = records(response, "candidates", 0, "groundingMetadata", "groundingChunks")
    webs = (reach(chunk, "web") for chunk in chunks)
    return {
        "model": text(response, "modelVersion") or None,
        "asked_at": reach(response, "createTime"),
        "finish_reason": text(response, "candidates", 0, "finishReason") or None,
        "answer": "".join(text(part, "text") for part in parts if part.get("thought") is not True),
        "reasoning": "".join(text(part, "text") for part in parts if part.get("thought") is True),
        "sources": [source(web) for web in webs if isinstance(web, dict)],
        "request_id": reach(response, "responseId"),
    }
