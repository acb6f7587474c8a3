"""The export of a DeepSeek account: conversations as trees of messages that are made of fragments, or plain ones."""

from __future__ import annotations

from collections.abc import Iterator

from answerwatch.domain.said import Said
from answerwatch.workspace.files.json_pieces import ITEM
from answerwatch.workspace.samples.vendor_json.protocol import Paths, Record
from answerwatch.workspace.samples.vendor_json.reach import reach, records, source, text

NAME = "deepseek"
PATHS: Paths = ((ITEM,),)
MANY = True


def knows(record: Record) -> bool:
    """Tell whether a record is a conversation of DeepSeek: a tree without a current node."""
    return isinstance(record.get("mapping"), dict) and "current_node" not in record


def answers(record: Record) -> Iterator[dict[str, object] | Said]:
    """Yield each question of a conversation with what was answered to it last."""
    question, asked_at = "", None
    for message in _way(record):
        asked = _asked(message)
        if asked:
            question, asked_at = asked, message.get("inserted_at")
        elif question and (answer := _joined(message, "RESPONSE") or text(message, "content")):
            yield {
                "platform": "deepseek",
                "question": question,
                "answer": answer,
                "asked_at": asked_at,
                "model": text(message, "model") or None,
                "reasoning": _joined(message, "THINK") or text(message, "reasoning_content"),
                "sources": list(_sources(message)),
                "searched": bool(list(_sources(message))) or None,
                "conversation_id": record.get("id"),
                "conversation": record.get("title"),
            }
            question = ""


def _way(record: Record) -> Iterator[dict[str, object]]:
    """Yield the messages from the root along the newest child of each."""
    mapping = record["mapping"]
    if not isinstance(mapping, dict):
        return
    roots = [name for name, node in mapping.items() if reach(node, "parent") is None]
    at: object = "root" if "root" in mapping else next(iter(roots), None)
    seen: set[object] = set()
    while isinstance(at, str) and at not in seen:
        seen.add(at)
        message = reach(mapping, at, "message")
        if isinstance(message, dict):
            yield message
        at = reach(mapping, at, "children", -1)


def _asked(message: dict[str, object]) -> str:
    role = text(message, "role").upper() or text(message, "author", "role").upper()
    return _joined(message, "REQUEST") or (text(message, "content") if role == "USER" else "")


def _joined(message: dict[str, object], kind: str) -> str:
    parts = [text(one, "content") for one in records(message, "fragments") if text(one, "type").upper() == kind]
    return "\n\n".join(filter(None, parts))


def _sources(message: dict[str, object]) -> Iterator[dict[str, object]]:
    for fragment in records(message, "fragments"):
        yield from (source(one) for one in records(fragment, "results"))
    yield from (source(one) for one in records(message, "search_results"))
