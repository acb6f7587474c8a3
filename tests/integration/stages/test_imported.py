"""Answers collected elsewhere: numbers that the file decides, one transaction, the same cleaning."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerwatch.domain.work import CLEAN
from answerwatch.errors import UsageError
from answerwatch.reading import READER_VERSION
from answerwatch.stages.collect.imported import ImportBatch, ImportedAnswer, Numbering, keep_file, store_imported
from answerwatch.stages.collect.records import LONGEST_ANSWER
from answerwatch.store.schema import answer_sample, clean_result, clean_state, question_usage_log
from tests.integration.stages.conftest import MakeLine
from tests.integration.stages.line import Line

SHA = "0123456789abcdef" * 4


def answer(row: int, text: str = "砚山咖啡不错。", **values: str | int | None) -> ImportedAnswer:
    usual = ImportedAnswer(row=row, query_text="哪个咖啡好？", answer=text, platform="doubao-import")
    return ImportedAnswer(**{name: values.get(name, getattr(usual, name)) for name in usual.__slots__})


def import_all(line: Line, answers: Iterator[ImportedAnswer] | list[ImportedAnswer]) -> int:
    file = line.folder / "answers.jsonl"
    file.write_text("the file as it is", "utf-8")
    batch = ImportBatch(
        batch_id="IMPORT_1",
        brand_name="",
        file=keep_file(line.objects, file),
        cleaner_version=READER_VERSION,
        now=datetime.now(UTC),
    )
    return line.store.transact(lambda tx: store_imported(tx, batch, answers)).samples


def test_rows_get_questions_and_rounds_from_the_file_alone() -> None:
    rows = [
        answer(1),
        answer(2),
        answer(3, platform="kimi-import"),
        answer(4, query_text="另一个问题？"),
        answer(5, question_id="Q7"),
        answer(6, question_id="Q7"),
    ]
    numbering = Numbering("IMPORT_1", SHA)
    found = [numbering.number(row) for row in rows]
    first = f"I{SHA[:10]}_1"
    assert [(one.question_id, one.round) for one in found] == [
        (first, 1), (first, 2), (first, 1), (f"I{SHA[:10]}_4", 1), ("Q7", 1), ("Q7", 2),
    ]  # fmt: skip
    assert found[1].sub_task_id == f"IMPORT_1_Q{first}_doubao-import_R2"


def test_imported_answers_are_cleaned_like_all_others(make_line: MakeLine) -> None:
    line = make_line()
    cut_off = answer(4, "砚山咖啡不错，因为它", finish_reason="timeout")
    assert import_all(line, [answer(1), answer(2, "很抱歉，我无法回答。"), answer(3, ""), cut_off]) == 4
    line.run(CLEAN)
    found = [(row["is_valid"], row["invalid_reason"], row["brand_name"]) for row in line.rows(clean_result)]
    assert found == [(1, None, ""), (0, "refused", ""), (0, "empty", ""), (0, "timeout", "")]
    assert line.count(question_usage_log, "status") == {"success": 4}
    assert line.count(clean_state, "current_state") == {"completed": 4}


def test_a_file_of_many_rows_is_never_held_whole(make_line: MakeLine) -> None:
    line = make_line()
    alive = 0
    most = 0

    class Counted(str):
        """An answer that counts how many of its kind are alive."""

        __slots__ = ()

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def rows() -> Iterator[ImportedAnswer]:
        nonlocal alive, most
        for number in range(1, 2001):
            alive += 1
            most = max(most, alive)
            yield answer(number, Counted(f"第{number}个答案：砚山咖啡不错。"))

    assert import_all(line, rows()) == 2000
    assert most <= 1100


def test_one_row_too_long_and_nothing_is_stored(make_line: MakeLine) -> None:
    line = make_line()
    with pytest.raises(UsageError, match="row 2 has 5,000,001 characters"):
        import_all(line, [answer(1), answer(2, "a" * (LONGEST_ANSWER + 1))])
    assert line.rows(answer_sample) == line.rows(question_usage_log) == []
    assert line.is_idle()


def test_the_same_file_is_kept_once(make_line: MakeLine, tmp_path: Path) -> None:
    line = make_line()
    file = tmp_path / "a.csv"
    file.write_bytes(b"\xef\xbb\xbfq,a\r\n1,2\r\n")
    assert keep_file(line.objects, file) == keep_file(line.objects, file)
