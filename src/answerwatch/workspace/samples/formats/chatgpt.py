"""The export of a ChatGPT account: `conversations.json`, alone or in its archive.

A conversation is a tree of messages; what was on the screen at last is the way from `current_node` to the root.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import reach, records, source, text, texts

NAME = "chatgpt"
PATHS: Paths = ((ITEM,),)
MANY = True

_BEGIN, _END, _NEXT = "\ue200", "\ue201", "\ue202"
_MARKER = re.compile(f"{_BEGIN}([^{_BEGIN}{_END}]*){_END}")
_ALONE = re.compile("[\ue200-\ue206]")
_HIDDEN = "is_visually_hidden_from_conversation"


def knows(record: Record) -> bool:
    """Tell whether a record is a conversation."""
    return isinstance(record.get("mapping"), dict) and "current_node" in record


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield each question of a conversation with what was answered to it."""
    asked: dict[str, object] | None = None
    given: list[dict[str, object]] = []
    for message in _way(record):
        role = text(message, "author", "role")
        if role == "user":
            yield from _answer(record, asked, given)
            asked, given = message, []
        elif role == "assistant":
            given.append(message)
    yield from _answer(record, asked, given)


def _way(record: Record) -> list[dict[str, object]]:
    """Return the messages from the root to the current node; a circle ends where it closes."""
    mapping = record["mapping"]
    seen: dict[str, dict[str, object]] = {}
    at = record.get("current_node")
    while isinstance(mapping, dict) and isinstance(at, str) and at not in seen:
        node = mapping.get(at)
        if not isinstance(node, dict):
            break
        message = node.get("message")
        seen[at] = message if isinstance(message, dict) else {}
        at = node.get("parent")
    return [one for one in reversed(seen.values()) if one and reach(one, "metadata", _HIDDEN) is not True]


def _answer(
    record: Record, asked: dict[str, object] | None, given: list[dict[str, object]]
) -> Iterator[dict[str, object]]:
    """Yield a question with its answer; a question that got none is left out, as in a conversation that was cut."""
    spoken = [one for one in given if _is_answer(one)]
    question = _text(asked) if asked else ""
    if not question or not spoken:
        return
    last = spoken[-1]
    yield {
        "platform": "chatgpt",
        "question": question,
        "answer": "\n\n".join(filter(None, (_without_markers(one) for one in spoken))),
        "asked_at": reach(asked, "create_time") or record.get("create_time"),
        "model": text(last, "metadata", "model_slug") or None,
        "finish_reason": text(last, "metadata", "finish_details", "type") or None,
        "reasoning": "\n\n".join(
            text(one, "content") for each in given for one in records(each, "content", "thoughts")
        ),
        "sources": [found for one in given for found in _sources(one)],
        "external_id": last.get("id"),
        "conversation_id": record.get("conversation_id") or record.get("id"),
        "conversation": record.get("title"),
    }


def _is_answer(message: dict[str, object]) -> bool:
    kind = text(message, "content", "content_type") or "text"
    to_all = reach(message, "recipient") in (None, "all")
    return kind in ("text", "multimodal_text") and to_all and bool(_text(message).strip())


def _text(message: object) -> str:
    return texts(message, "content", "parts")


def _without_markers(message: dict[str, object]) -> str:
    """Return the text of an answer; markers of sources go, and those of names become the names."""
    names = {
        text(one, "matched_text"): text(one, "name") or text(one, "alt")
        for one in records(message, "metadata", "content_references")
        if "entity" in text(one, "type")
    }
    shown = _MARKER.sub(lambda found: names.get(found[0]) or _shown(found[1]), _text(message))
    return _ALONE.sub("", shown)


def _shown(marker: str) -> str:
    """Return what a marker shows: `entity` has its name as the second element of a list, `url` its text."""
    kind, *rest = marker.split(_NEXT)
    if kind == "url" and rest:
        return rest[0]
    if kind == "entity" and rest:
        try:
            return text(json.loads(rest[0]), 1)
        except ValueError:
            return ""
    return ""


def _sources(message: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield sources of a message: those at its text, then those that its search found."""
    for one in records(message, "metadata", "content_references"):
        for item in (one, *records(one, "items")):
            if text(item, "url"):
                yield source(item)
            yield from (source(other) for other in records(item, "supporting_websites"))
    for one in records(message, "metadata", "citations"):
        inner = reach(one, "metadata")
        yield source(inner if isinstance(inner, dict) else one)
    for group in records(message, "metadata", "search_result_groups"):
        yield from (source(one, kind="retrieved") for one in records(group, "entries"))
