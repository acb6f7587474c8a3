"""Questions of requests, for files of answers that do not repeat them."""

from __future__ import annotations

from pathlib import Path

from answerwatch.domain.said import Said
from answerwatch.errors import UsageError
from answerwatch.workspace.files.json_rows import json_lines
from answerwatch.workspace.files.tables import look_through
from answerwatch.workspace.samples.vendor_json.protocol import Record
from answerwatch.workspace.samples.vendor_json.reach import reach, text, texts

MOST_REQUESTS = 200_000
"""Requests that are held in memory; vendors take 50,000 to 200,000 in one batch."""

_IDS = ("custom_id", "key", "idempotencyKey", "id", "request_id")
_INNER = ("body", "params", "request", "payload")


def question_of(request: object) -> str:
    """Return what a request asks: its last message of the user; '' when it is none that is known.

    >>> question_of({"body": {"messages": [{"role": "user", "content": "哪个好"}]}})
    '哪个好'
    """
    for inner in _INNER:
        if isinstance(reach(request, inner), dict):
            return question_of(reach(request, inner))
    for name in ("messages", "input", "contents"):
        found = reach(request, name)
        if isinstance(found, str) and found:
            return found
        asked = _last_of_user(found)
        if asked:
            return asked
    return next((found for name in ("question", "prompt", "query") if (found := text(request, name))), "")


def _last_of_user(messages: object) -> str:
    if not isinstance(messages, list):
        return ""
    for message in reversed(messages):
        if reach(message, "role") in ("user", None):
            asked = texts(message, "content") or texts(message, "parts")
            if asked:
                return asked
    return ""


def read_requests(path: Path) -> dict[str, str]:
    """Return the questions of a file of requests (JSONL) by their ids; raises UsageError when it is none."""
    source = look_through(path, file_format="jsonl")
    questions: dict[str, str] = {}
    for line, request in json_lines(source):
        found = None if isinstance(request, Said) else _request(request)
        if found is None:
            text_ = f"{path}, line {line}: this is no request with an id and a question."
            raise UsageError("requests_line", text_, file=str(path), line=line)
        questions[found[0]] = found[1]
        if len(questions) > MOST_REQUESTS:
            text_ = f"{path} has more than {MOST_REQUESTS:,} requests; split it and the answers."
            raise UsageError("requests_many", text_, file=str(path), most=f"{MOST_REQUESTS:,}")
    return questions


def _request(request: Record) -> tuple[str, str] | None:
    id_ = next((str(request[name]) for name in _IDS if request.get(name)), None)
    asked = question_of(dict(request))
    return (id_, asked) if id_ and asked else None
