"""What an import of questions decides about each row, refuses and tells; and who did what to a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace
from answerwatch.workspace.exports.views import ExportRequest
from answerwatch.workspace.questions.editing import Edit
from answerwatch.workspace.questions.views import QuestionImport
from tests.databases import on_every_database
from tests.workbooks import text, write_workbook

pytestmark = on_every_database


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def told(outcome: QuestionImport) -> list[tuple[int, str, str]]:
    return [(error.line, error.column, error.reason) for error in outcome.errors]


@pytest.fixture
def asked(ws: Workspace, tmp_path: Path) -> Workspace:
    """A bank whose first question has an answer, and whose second was never asked."""
    ws.questions.add("手机哪个好", scene="RISK", question_id="Q1", keywords=["手机"])
    ws.questions.add("平板哪个好", scene="RISK", question_id="Q2")
    row = {"question": "手机哪个好", "answer": "都好", "platform": "kimi", "question_id": "Q1"}
    ws.samples.import_file(write(tmp_path / "answers.jsonl", json.dumps(row)))
    return ws


def test_a_bank_that_went_through_a_workbook_is_unchanged(ws: Workspace, tmp_path: Path) -> None:
    words, intent = ["a\rb", "c\x0bd", "e;f"], "one\r\ntwo\x0bthree"
    ws.questions.add("手机\r\n哪个好\x0b", scene="RISK", question_id="Q1", keywords=words, intent=intent)
    ws.questions.add("手机\n哪个好", scene="RISK", question_id="Q2")
    ws.questions.add("平板\x0b哪个好", scene="RISK", question_id="Q3")
    before = ws.questions.list()
    file = tmp_path / "bank.xlsx"
    ws.exports.rows(ExportRequest(what="questions", file=file))

    outcome = ws.questions.import_file(file, apply=True)

    assert (told(outcome), outcome.changes, outcome.unchanged) == ([], (), 3)
    assert ws.questions.list() == before


def test_an_id_that_was_asked_is_not_used_for_another_question(asked: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "编号,问题\nQ1,扫地机器人有什么缺点\nQ2,扫地机器人续航多久\n")

    outcome = asked.questions.import_file(file, apply=True)

    assert told(outcome) == [(2, "编号", "id_reused")]
    assert "手机哪个好" in outcome.errors[0].message
    assert [one.version for one in asked.questions.list()] == [1, 1], "Q2 was never asked, but nothing is half done"
    reworded = write(tmp_path / "r.csv", "编号,问题\nQ1,哪款手机好\nQ2,扫地机器人续航多久\n")
    assert asked.questions.import_file(reworded, apply=True).new_versions == 2
    assert asked.questions.edit("Q1", Edit(query_text="扫地机器人有什么缺点")).version == 3


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ("q1,新的问题", (2, "编号", "id_alike")),
        ("Ｑ1,新的问题", (2, "编号", "id_alike")),
        ("Q9,新的问题\nq9,另一个", (3, "编号", "id_alike")),
        ("q9,新的问题\nQ9,另一个", (3, "编号", "id_alike")),
        ("Q9,新的问题\nQ9,另一个", (3, "编号", "duplicate_id")),
        ("Q9,手机哪个好", (2, "编号", "text_known")),
        ("Q2,手机哪个好", (2, "编号", "text_known")),
        ("Q8,新的问题\nQ9,新的问题", (3, "问题", "text_twice")),
        ("Q1,手机哪款好\n,手机哪个好", (3, "问题", "text_left")),
        ("2.02607E+16,新的问题", (2, "编号", "rounded")),
        ("Q 9,新的问题", (2, "编号", "bad_value")),
    ],
)
def test_a_row_that_would_split_a_history_is_refused_in_a_dry_run_too(
    asked: Workspace, tmp_path: Path, rows: str, error: tuple[int, str, str]
) -> None:
    file = write(tmp_path / "q.csv", f"编号,问题\n{rows}\n")

    dry = asked.questions.import_file(file, scene="RISK")
    outcome = asked.questions.import_file(file, scene="RISK", apply=True)

    assert told(dry) == told(outcome) == [error]
    assert (outcome.applied, outcome.missing) == (False, None)
    assert [one.question_id for one in asked.questions.list()] == ["Q1", "Q2"]


def test_ids_are_mended_where_nothing_is_lost(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "编号,问题\n20260701.0,手机哪个好\n\u3000Q2 \u00a0,平板哪个好\n")

    assert ws.questions.import_file(file, apply=True).new == 2
    assert [one.question_id for one in ws.questions.list()] == ["20260701", "Q2"]


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"id": True, "question": "x"}, ("id", "bad_value")),
        ({"id": 1e22, "question": "x"}, ("id", "rounded")),
        ({"id": ["Q1"], "question": "x"}, ("id", "bad_value")),
        ({"question": ["x"]}, ("question", "bad_value")),
        ({"question": {"a": 1}}, ("question", "bad_value")),
        ({"question": 5}, ("question", "bad_value")),
        ({"question": "x", "intent": ["a"]}, ("intent", "bad_value")),
        ({"question": "x", "keywords": {"a": 1}}, ("keywords", "bad_value")),
        ({"question": "x", "keywords": ["a", 1]}, ("keywords", "bad_value")),
        ({"question": "x", "keywords": 7}, ("keywords", "bad_value")),
        ({"question": "x", "scene": ["RISK"]}, ("scene", "bad_value")),
        ({"question": "x", "active": [1]}, ("active", "bad_value")),
    ],
)
def test_json_of_a_wrong_type_is_an_error_of_its_row(
    ws: Workspace, tmp_path: Path, row: dict[str, object], error: tuple[str, str]
) -> None:
    file = write(tmp_path / "q.jsonl", json.dumps(row))

    outcome = ws.questions.import_file(file, apply=True)

    assert told(outcome) == [(1, *error)]
    assert ws.questions.list() == ()


def test_numbers_of_json_that_are_whole_can_be_ids(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", '{"id": 20260701, "question": "a"}\n{"id": 20260702.0, "question": "b"}\n')

    ws.questions.import_file(file, apply=True)

    assert [one.question_id for one in ws.questions.list()] == ["20260701", "20260702"]


def test_a_row_without_an_id_finds_its_question_by_text_and_scene(asked: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "问题,关键词\n手机哪个好,手机;平板\n手机哪个好,电脑\n新的问题,\n")

    untold = asked.questions.import_file(file, apply=True)
    outcome = asked.questions.import_file(file, scene="risk", apply=True)

    assert told(untold) == [(2, "scene_type", "scene_untold"), (3, "scene_type", "scene_untold")]
    assert (outcome.changed, outcome.new, outcome.repeated) == (1, 1, 1)
    assert [(note.line, note.reason) for note in outcome.notes] == [(3, "duplicate")]
    assert asked.questions.show("Q1").question.target_keywords == ("手机", "平板")


def test_questions_that_the_file_leaves_out_are_told_and_stay(asked: Workspace, tmp_path: Path) -> None:
    asked.questions.add("第三个", scene="RISK", question_id="Q3")
    asked.questions.retire(["Q3"])
    file = write(tmp_path / "q.csv", "编号,问题\nQ1,手机哪个好\n")

    outcome = asked.questions.import_file(file, apply=True)

    assert (outcome.unchanged, outcome.missing, outcome.missing_first) == (1, 1, ("Q2",))
    assert [one.is_active for one in asked.questions.list()] == [True, True, False]


def test_a_retired_question_is_told_and_restored_only_where_the_file_says_so(asked: Workspace, tmp_path: Path) -> None:
    asked.questions.retire(["Q1"], note="停产")
    silent = write(tmp_path / "a.csv", "编号,问题\nQ1,手机哪个好\n")
    saying = write(tmp_path / "b.csv", "编号,问题,启用\nQ1,手机哪个好,是\n")

    outcome = asked.questions.import_file(silent, apply=True)
    assert ([note.reason for note in outcome.notes], outcome.unchanged) == (["retired"], 1)

    restored = asked.questions.import_file(saying, apply=True, note="又上市了")
    assert [change.fields for change in restored.changes] == [(("is_active", False, True),)]
    entries = asked.questions.history("Q1").activity
    assert [(one.action, one.detail["note"]) for one in entries] == [
        ("question.retire", "停产"),
        ("question.restore", "又上市了"),
    ]


def test_the_history_keeps_who_retired_and_restored_a_question_and_why(ws: Workspace) -> None:
    ws.questions.add("手机哪个好", scene="RISK", question_id="Q1")
    ws.questions.retire(["Q1"], note=" 停产 ")
    ws.questions.retire(["Q1"], note="again")
    ws.questions.restore(["Q1"])

    entries = ws.questions.history("Q1").activity

    assert [(one.action, one.actor, one.detail) for one in entries] == [
        ("question.retire", ws.settings.actor, {"note": "停产"}),
        ("question.restore", ws.settings.actor, {"note": ""}),
    ]


def test_columns_and_sheets_are_chosen_as_for_answers(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "号,提问内容,备注\nQ1,手机哪个好,x\n")

    with pytest.raises(UsageError, match="提问内容"):
        ws.questions.import_file(file)
    with pytest.raises(UsageError, match="nothing_such"):
        ws.questions.import_file(file, columns={"nothing_such": "query_text", "提问内容": "query_text"})
    with pytest.raises(UsageError, match="wrong_field"):
        ws.questions.import_file(file, columns={"提问内容": "wrong_field"})
    outcome = ws.questions.import_file(file, columns={"号": "question_id", "提问内容": "query_text"})

    assert (outcome.columns, outcome.delimiter) == (
        (("号", "question_id"), ("提问内容", "query_text"), ("备注", "")), ",",
    )  # fmt: skip


def test_a_list_of_questions_in_json_and_a_sheet_of_a_workbook_are_read(ws: Workspace, tmp_path: Path) -> None:
    listed = write(tmp_path / "q.json", '[{"问题": "手机哪个好"}, {"问题": "平板哪个好", "编号": "Q7"}]')
    pages = {"说明": [[text("请看下一页")]], "题库": [[text("问题")], [text("电脑哪个好")]]}
    book = write_workbook(tmp_path / "q.xlsx", pages)

    outcome = ws.questions.import_file(listed, apply=True)
    sheet = ws.questions.import_file(book, apply=True, sheet="题库")

    assert (outcome.format, outcome.new, sheet.format, sheet.sheet, sheet.sheets) == (
        "json", 2, "xlsx", "题库", ("说明", "题库"),
    )  # fmt: skip
    assert len(ws.questions.list()) == 3


def test_questions_of_a_bank_that_is_spelt_alike_already_come_back_unchanged(ws: Workspace, tmp_path: Path) -> None:
    both = write(tmp_path / "q.csv", "编号,问题\nq1,手机哪个好\nQ2,平板哪个好\n")
    ws.questions.import_file(both, apply=True)
    with pytest.raises(UsageError, match="q1"):
        ws.questions.add("第三个", scene="RISK", question_id="Q1")

    for ending in ("csv", "jsonl", "xlsx"):
        ws.exports.rows(ExportRequest(what="questions", file=tmp_path / f"bank.{ending}"))
        outcome = ws.questions.import_file(tmp_path / f"bank.{ending}", apply=True)
        assert (outcome.unchanged, outcome.changes, outcome.errors, outcome.notes) == (2, (), (), ())


@pytest.mark.parametrize(
    ("known", "added"),
    [
        ("Q20261201_001", "Ｑ20261201_001"),
        ("Ｑ1", "q1"),
        ("ｑ1", "Ｑ1"),
        ("问题A", "问题ａ"),
        ("Q①", "q1"),
        ("é1", "É1"),
    ],
)
def test_ids_alike_by_case_or_width_are_refused_by_hand_as_in_a_file(
    ws: Workspace, tmp_path: Path, known: str, added: str
) -> None:
    ws.questions.add("手机哪个好", scene="RISK", question_id=known)

    with pytest.raises(UsageError, match=known) as caught:
        ws.questions.add("平板哪个好", scene="RISK", question_id=added)
    file = write(tmp_path / "q.csv", f"编号,问题\n{added},平板哪个好\n")

    assert caught.value.code == "question_alike"
    assert told(ws.questions.import_file(file)) == [(2, "编号", "id_alike")]
    assert [one.question_id for one in ws.questions.list()] == [known]


def test_an_id_that_nobody_wrote_is_like_no_other(ws: Workspace) -> None:
    plain = ws.questions.add("手机哪个好", scene="RISK").question_id
    ws.questions.add("平板哪个好", scene="RISK", question_id=f"q{plain[1:-1]}2")

    assert ws.questions.add("电脑哪个好", scene="RISK").question_id == f"{plain[:-1]}3"


def test_a_line_that_is_wrong_is_told_once(ws: Workspace, tmp_path: Path) -> None:
    ws.questions.add("手机哪个好", scene="RISK", question_id="Q1")
    ws.questions.add("平板哪个好", scene="RISK", question_id="Q2")
    file = write(tmp_path / "q.csv", "编号,问题\nq1,手机哪个好\nq2,电脑哪个好\n")

    outcome = ws.questions.import_file(file, scene="RISK", apply=True)

    assert told(outcome) == [(2, "编号", "text_known"), (3, "编号", "id_alike")]
    assert outcome.bad_rows == 2


def test_a_question_is_branded_when_its_text_names_a_brand_of_the_newest_lexicon(ws: Workspace, tmp_path: Path) -> None:
    ws.questions.add("华为手机怎么样", scene="RISK", question_id="Q1")
    ws.questions.add("华为云怎么样", scene="RISK", question_id="Q2")
    ws.questions.add("手机哪个好", scene="RISK", question_id="Q3")
    assert [one.branded for one in ws.questions.list()] == [None, None, None]
    assert ws.questions.list(branded=True) == ws.questions.list(branded=False) == ()

    ws.brands.add("华为", aliases=["HUAWEI"], exclude=["华为云"])

    assert [one.branded for one in ws.questions.list()] == [True, False, False]
    assert [one.question_id for one in ws.questions.list(branded=False, limit=1)] == ["Q2"]
    assert [one.question_id for one in ws.questions.list(branded=False, after="Q2")] == ["Q3"]
    assert ws.questions.show("Q1").question.branded is True
    file = tmp_path / "bank.jsonl"
    ws.exports.rows(ExportRequest(what="questions", file=file, columns=("branded", "question_id")))
    assert [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] == [
        {"branded": 1, "question_id": "Q1"}, {"branded": 0, "question_id": "Q2"}, {"branded": 0, "question_id": "Q3"},
    ]  # fmt: skip


def test_of_many_changes_and_errors_the_first_are_told_and_all_are_counted(ws: Workspace, tmp_path: Path) -> None:
    good = write(tmp_path / "a.csv", "编号,问题\n" + "".join(f"Q{n},第{n}个\n" for n in range(1_200)))
    bad = write(tmp_path / "b.csv", "编号,问题\n" + "".join(f"Q{n},\n" for n in range(3_000)))

    outcome = ws.questions.import_file(good, apply=True)
    refused = ws.questions.import_file(bad, apply=True)

    assert (outcome.new, len(outcome.changes), outcome.missing) == (1_200, 1_000, 0)
    assert (len(refused.errors), refused.bad_rows) == (1_000, 1_000)
    assert len(ws.questions.list(limit=2_000)) == 1_200


def test_long_texts_do_not_add_up_among_what_is_told(ws: Workspace, tmp_path: Path) -> None:
    long = "长" * 19_990
    file = write(tmp_path / "q.csv", "编号,问题\n" + "".join(f"Q{n},{n}{long}\n" for n in range(150)))

    outcome = ws.questions.import_file(file, apply=True)

    assert (outcome.new, outcome.applied) == (150, True)
    assert 100 <= len(outcome.changes) < 150


@pytest.mark.parametrize(("field", "value"), [("意图", "长" * 20_001), ("关键词", ";".join(["长" * 200] * 101))])
def test_intent_and_keywords_have_an_end(ws: Workspace, tmp_path: Path, field: str, value: str) -> None:
    outcome = ws.questions.import_file(write(tmp_path / "q.csv", f"问题,{field}\n甲,{value}\n"))

    assert told(outcome) == [(2, field, "too_long")]


def test_a_file_that_is_the_whole_bank_retires_what_it_leaves_out(asked: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "编号,问题\nQ1,手机哪个好\nQ9,新的问题\n")

    dry = asked.questions.import_file(file, whole=True)
    assert (dry.missing, dry.missing_first, dry.retires_missing) == (1, ("Q2",), True)
    assert asked.questions.show("Q2").question.is_active
    asked.questions.import_file(file, whole=True, apply=True, note="换季")

    assert [one.is_active for one in asked.questions.list()] == [True, False, True]
    assert [one.detail["note"] for one in asked.questions.history("Q2").activity] == ["换季"]
    assert asked.questions.import_file(file, whole=True).missing == 0


@pytest.mark.parametrize("rows", ["", "Q1,\n", "q1,新的问题\n"])
def test_a_file_with_errors_or_without_rows_retires_nothing(asked: Workspace, tmp_path: Path, rows: str) -> None:
    file = write(tmp_path / "q.csv", f"编号,问题\n{rows}")

    if rows:
        assert not asked.questions.import_file(file, whole=True, apply=True).applied
    else:
        with pytest.raises(UsageError, match="would retire all"):
            asked.questions.import_file(file, whole=True, apply=True)

    assert [one.is_active for one in asked.questions.list()] == [True, True]
