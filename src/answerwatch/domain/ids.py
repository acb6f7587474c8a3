"""Identifiers: how they are built, how long they may be. Nothing is ever truncated."""

from __future__ import annotations

import re
import uuid
from datetime import datetime

from answerwatch.domain.texts import in_short
from answerwatch.errors import UsageError

KEY_LENGTH = 191
"""Characters a key column holds (utf8mb4 index limit of older MySQL)."""

SUB_TASK_ID_LENGTH = 180
"""Characters of a sub-task id at most, so that `_G{generation}` still fits a key column."""

_WHITE = re.compile(r"\s")


def check_key(kind: str, value: str, *, longest: int = KEY_LENGTH) -> str:
    """Return `value` unchanged when it can be a key; `kind` names it in the error.

    Raises UsageError for an empty value, white space, control characters or too many characters.
    """
    if not value:
        raise UsageError("key_empty", f"{kind} is empty; give it a value.", kind=kind)
    if _WHITE.search(value) or not value.isprintable():
        raise UsageError(
            "key_blank",
            f"{kind} {in_short(value)!r} holds white space or control characters; remove them.",
            kind=kind,
            value=in_short(value),
        )
    if len(value) > longest:
        raise UsageError(
            "key_long",
            f"{kind} {value[:40]!r}... has {len(value)} characters, at most {longest} are possible; shorten it.",
            kind=kind,
            value=value[:40],
            length=len(value),
            longest=longest,
        )
    return value


def check_id(kind: str, value: str, *, longest: int = KEY_LENGTH) -> str:
    """Return `value` unchanged when it can be an id that people give; raises UsageError for what is no key either.

    A slash is refused: ids become parts of addresses and of the names of files.
    """
    if "/" in value or "\\" in value:
        shown = in_short(value)
        raise UsageError("key_slash", f"{kind} {shown!r} holds a slash; use - or _ instead.", kind=kind, value=shown)
    return check_key(kind, value, longest=longest)


def batch_id(created_at: datetime, brand_name: str, suffix: str = "") -> str:
    """Return `BATCH_YYYYMMDDHHMMSS_XXXX[suffix]`: UTC second and the first four letters of the brand in upper case.

    Characters that cannot stand in a key are left out; a brand without any becomes `ALL`.
    """
    letters = "".join(ch for ch in brand_name if ch.isalnum())[:4].upper() or "ALL"
    return f"BATCH_{created_at:%Y%m%d%H%M%S}_{letters}{suffix}"


def group_id(created_at: datetime, brand_name: str, suffix: str = "") -> str:
    """Return `GROUP_YYYYMMDDHHMMSS_XXXX[suffix]` for batches that are created together (the first one's brand)."""
    return batch_id(created_at, brand_name, suffix).replace("BATCH", "GROUP", 1)


def sub_task_id(batch: str, question_id: str, platform: str, round_: int) -> str:
    """Return `{batch}_Q{question}_{platform}_R{round}`; raises UsageError when it is too long for a key."""
    return check_key("sub_task_id", f"{batch}_Q{question_id}_{platform}_R{round_}", longest=SUB_TASK_ID_LENGTH)


def clean_task_id(sub_task: str, generation: int) -> str:
    """Return `{sub_task}_G{generation}`, the id of the one clean task of a sample in a generation."""
    return f"{sub_task}_G{generation}"


def new_token() -> str:
    """Return a fresh claim token; a worker's name is never one."""
    return uuid.uuid4().hex
