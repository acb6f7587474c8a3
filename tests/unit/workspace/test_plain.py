"""Views as JSON values."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from answerwatch.domain.batches import BatchStatus
from answerwatch.errors import UsageError
from answerwatch.workspace import to_dict
from answerwatch.workspace.files.columns import ANSWER_COLUMNS, QUESTION_COLUMNS, map_columns, read_flag


@dataclass(frozen=True)
class View:
    at: datetime
    status: BatchStatus
    parts: tuple[float | None, ...]
    file: Path


def test_moments_are_utc_enums_are_words_and_unknown_is_null() -> None:
    at = datetime(2026, 7, 1, 8, 30, tzinfo=timezone(timedelta(hours=8)))

    assert to_dict(View(at, BatchStatus.PARTIAL, (0.5, None), Path("a") / "b")) == {
        "at": "2026-07-01T00:30:00Z",
        "status": "partial",
        "parts": [0.5, None],
        "file": str(Path("a") / "b"),
    }


def test_what_json_does_not_know_is_a_mistake_of_ours() -> None:
    with pytest.raises(UsageError, match="object"):
        to_dict({"x": object()})
    with pytest.raises(TypeError, match="no view"):
        to_dict(datetime.now(UTC))


def test_every_field_is_taken_by_its_surest_name() -> None:
    assert map_columns(["prompt", "Question", "平台", "回答", "other"], ANSWER_COLUMNS) == {
        "Question": "question",
        "平台": "platform",
        "回答": "answer",
    }
    assert map_columns(["問題", "場景"], QUESTION_COLUMNS) == {"問題": "query_text", "場景": "scene_type"}
    assert map_columns(["\ufeff query-text\u00a0"], QUESTION_COLUMNS) == {"\ufeff query-text\u00a0": "query_text"}


@pytest.mark.parametrize(("written", "flag"), [("是", True), (" NO ", False), ("", None), (None, None), (1, True)])
def test_yes_and_no_are_read_as_people_write_them(written: object, *, flag: bool | None) -> None:
    assert read_flag(written) is flag


def test_what_is_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(ValueError, match="neither yes nor no"):
        read_flag("maybe")
