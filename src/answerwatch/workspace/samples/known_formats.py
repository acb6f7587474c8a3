"""All formats of answers, in the order in which they are tried; rows of a table are what is left."""

from __future__ import annotations

import re

from answerwatch.workspace.samples.formats import (
    anthropic_batch,
    brightdata,
    chat_log,
    chatgpt,
    cloro,
    dataforseo,
    deepseek,
    gemini_batch,
    openai_batch,
    promptfoo,
)
from answerwatch.workspace.samples.vendor_json.protocol import Format, Record

ROWS = "rows"
"""Rows whose columns say what they are: CSV, XLSX, JSON."""

FORMATS: tuple[Format, ...] = (
    chatgpt,
    deepseek,
    promptfoo,
    anthropic_batch,
    gemini_batch,
    openai_batch,
    brightdata,
    dataforseo,
    cloro,
    chat_log,
)


CONVERSATIONS = re.compile(r"(^|/)conversations[^/]*\.json$", re.IGNORECASE)
"""How files are named that hold the answers in the archive of an account."""


def format_of(record: Record, path: tuple[str, ...] | None = None) -> Format | None:
    """Return the format of a record, which lies under `path` of a document; None for rows."""
    return next((one for one in FORMATS if (path is None or path in one.PATHS) and one.knows(record)), None)
