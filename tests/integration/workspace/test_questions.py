"""The question bank through its verbs."""

import csv
import json
import re
from pathlib import Path

import pytest

from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace
from answerwatch.workspace.questions.editing import Edit
from answerwatch.workspace.questions.views import QuestionRow
from tests.databases import on_every_database

pytestmark = on_every_database


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_added_questions_get_ids_of_the_day_one_after_another(ws: Workspace) -> None:
    first = ws.questions.add(" 手机哪个好 ", scene="recommend", keywords=["手机"])
    second = ws.questions.add("手机哪个好", scene="COMPARE")

    assert first.question_id.endswith("_001")
    assert second.question_id.endswith("_002")
    assert (first.query_text, first.scene_type, first.version) == ("手机哪个好", "RECOMMEND", 1)
    assert [one.question_id for one in ws.questions.list(scene="compare")] == [second.question_id]
    assert ws.questions.show(first.question_id).last_success is None


@pytest.mark.parametrize(
    ("text", "scene", "id_"),
    [("", "RECOMMEND", None), ("手机", "no scene!", None), ("手机", "RECOMMEND", "a b"), ("x" * 20_001, "RISK", None)],
)
def test_a_bad_question_is_refused(ws: Workspace, text: str, scene: str, id_: str | None) -> None:
    with pytest.raises(UsageError):
        ws.questions.add(text, scene=scene, question_id=id_)

    assert ws.questions.list() == ()


def test_a_question_that_is_there_is_not_added_again(ws: Workspace) -> None:
    known = ws.questions.add("手机哪个好", scene="RECOMMEND")

    with pytest.raises(UsageError, match=known.question_id):
        ws.questions.add("手机哪个好", scene="RECOMMEND")
    with pytest.raises(UsageError, match=known.question_id):
        ws.questions.add("另一个问题", scene="RECOMMEND", question_id=known.question_id)


def test_an_import_is_a_dry_run_first_and_changes_nothing_the_second_time(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "question_id,scene,question,keywords\nQ1,RISK,有什么缺点,手机;平板\n")

    assert not ws.questions.import_file(file).applied
    assert ws.questions.list() == ()
    applied = ws.questions.import_file(file, apply=True)
    again = ws.questions.import_file(file, apply=True)

    assert [change.kind for change in applied.changes] == ["new"]
    assert (again.changes, again.unchanged) == ((), 1)
    assert ws.questions.show("Q1").question.target_keywords == ("手机", "平板")


def test_another_text_makes_a_new_version_and_other_keywords_do_not(ws: Workspace) -> None:
    ws.questions.add("手机哪个好", scene="RECOMMEND", question_id="Q1")

    def row(text: str, keywords: tuple[str, ...]) -> QuestionRow:
        return QuestionRow(line=1, question_id="Q1", scene_type=None, query_text=text, target_keywords=keywords)

    (tagged,) = ws.questions.import_rows([row("手机哪个好", ("手机",))], apply=True)
    (reworded,) = ws.questions.import_rows([row("哪款手机好", ("手机",))], apply=True)

    assert (tagged.kind, reworded.kind) == ("changed", "new_version")
    assert tagged.fields == (("target_keywords", (), ("手机",)),)
    assert reworded.fields == (("query_text", "手机哪个好", "哪款手机好"),)
    detail = ws.questions.show("Q1")
    assert detail.question.version == 2
    assert [version.query_text for version in detail.versions] == ["手机哪个好", "哪款手机好"]


def test_one_bad_row_keeps_all_rows_out(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "id,scene,question\nQ1,RISK,好\nQ2,RISK,\nQ1,RISK,又一个\nQ4,a b c,好\n")

    result = ws.questions.import_file(file, apply=True)

    assert not result.applied
    found = [(error.line, error.column, error.reason) for error in result.errors]
    assert found == [(3, "question", "missing"), (4, "id", "duplicate_id"), (5, "scene", "bad_value")]
    assert ws.questions.list() == ()


def test_jsonl_rows_are_read_by_their_keys(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.jsonl", '{"问题": "A\\u2028B哪个好", "关键词": ["a", "b"]}\n\n{"问题": "C"}\nnot json\n')

    result = ws.questions.import_file(file, scene="COMPARE")

    assert [change.query_text for change in result.changes] == ["A\u2028B哪个好", "C"]
    assert [(error.line, error.reason) for error in result.errors] == [(4, "bad_json")]


def test_a_file_without_a_question_column_is_refused_naming_its_columns(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "标题,备注\na,b\n")

    with pytest.raises(UsageError, match="标题, 备注"):
        ws.questions.import_file(file)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"PK\x03\x04rest"])
def test_a_file_that_is_no_table_is_refused(ws: Workspace, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "q.txt"
    file.write_bytes(content)

    with pytest.raises(UsageError):
        ws.questions.import_file(file)


def test_a_file_that_is_not_there_is_refused(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        ws.questions.import_file(tmp_path / "none.csv")


def test_rep_csv_bom_sep_header(ws: Workspace, shared_data: Path) -> None:
    file = shared_data / "inputs" / "rep-csv-bom-sep-header" / "questions_bom_sep.csv"

    result = ws.questions.import_file(file, apply=True)

    assert (result.encoding, result.delimiter, result.rows) == ("UTF-8", ";", 3)
    assert dict(result.columns)["question_id"] == "question_id"
    assert [question.question_id for question in ws.questions.list()] == ["Q001", "Q002", "Q003"]
    assert ws.questions.list()[0].query_text == "手机;平板哪个好"
    assert [(note.line, note.reason) for note in result.notes] == [(5, "mark_removed")]
    assert ws.questions.import_file(file, apply=True).changes == ()


@pytest.mark.parametrize("name", ["questions_gbk.csv", "questions_gb18030.csv"])
def test_rep_csv_gbk_short(ws: Workspace, shared_data: Path, name: str) -> None:
    file = shared_data / "inputs" / "rep-csv-gbk-short" / name

    result = ws.questions.import_file(file, apply=True)

    assert result.encoding == "GB18030"
    assert [field for _, field in result.columns] == ["question_id", "scene_type", "query_text", "target_keywords"]
    texts = {question.question_id: question.query_text for question in ws.questions.list()}
    if name == "questions_gbk.csv":
        assert texts == {"Q001": "手机哪个好"}
    else:
        assert texts == {"Q001": "预算5000，哪个好", "Q002": "𠮷野家好吃吗", "Q003": "500€的耳机选哪个"}


def test_rep_csv_gbk_short_neither_encoding_is_refused_with_the_place(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_bytes(b"question\n" + b"\xff\xff\n")

    with pytest.raises(UsageError, match="offset 9"):
        ws.questions.import_file(file)


def test_rep_csv_gbk_short_an_encoding_can_be_forced(ws: Workspace, tmp_path: Path) -> None:
    file = write(tmp_path / "q.csv", "問題,場景\n手機哪個好,RISK\n", "big5")

    with pytest.raises(UsageError, match="no encoding"):
        ws.questions.import_file(file, encoding="klingon")
    with pytest.raises(UsageError, match="bad byte at offset"):
        ws.questions.import_file(file, encoding="utf-8")
    result = ws.questions.import_file(file, encoding="big5", scene="RISK")

    assert [change.query_text for change in result.changes] == ["手機哪個好"]


def test_cells_may_span_lines_and_errors_name_where_the_row_begins(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    with file.open("w", encoding="utf-8", newline="") as target:
        rows = [["question", "scene"], ["第一行\n第二行", "RISK"], ["", "RISK"], ["好", "RISK", "too", "many"]]
        csv.writer(target).writerows(rows)

    result = ws.questions.import_file(file)

    assert [(error.line, error.reason) for error in result.errors] == [(4, "missing"), (5, "too_many_cells")]


@pytest.mark.parametrize(
    ("text", "sign"), [("手机\x01哪个好", "U+0001"), ("\u202e手机哪个好", "U+202E"), ("手\u200b机", "U+200B")]
)
def test_characters_that_nobody_sees_are_refused_by_hand_and_by_file(
    ws: Workspace, tmp_path: Path, text: str, sign: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(sign)):
        ws.questions.add(text, scene="RISK")
    with pytest.raises(UsageError, match=re.escape(sign)):
        ws.questions.add("手机哪个好", scene="RISK", keywords=["手机", text])
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps({"query_text": text}), encoding="utf-8")

    outcome = ws.questions.import_file(file, apply=True)

    assert [(error.column, error.reason, sign in error.message) for error in outcome.errors] == [
        ("query_text", "unseen", True)
    ]
    assert ws.questions.list() == ()


def test_line_ends_and_joined_emoji_are_no_hidden_characters(ws: Workspace) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    assert ws.questions.add(f"手机\r\n{family}\t哪个好", scene="RISK").query_text == f"手机\r\n{family}\t哪个好"


@pytest.mark.parametrize("question_id", ["../5", "Q/4", "Q\\4"])
def test_ids_with_slashes_are_refused_by_hand_and_by_file(ws: Workspace, tmp_path: Path, question_id: str) -> None:
    with pytest.raises(UsageError, match="slash"):
        ws.questions.add("手机哪个好", scene="RISK", question_id=question_id)
    row = {
        "query_text": "手机哪个好",
        "question_id": question_id,
        "question": "手机哪个好",
        "answer": "都好",
        "platform": "kimi",
    }
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")

    for outcome in (ws.questions.import_file(file, apply=True), ws.samples.import_file(file)):
        assert [(error.column, error.reason) for error in outcome.errors] == [("question_id", "bad_value")]


@pytest.mark.parametrize("number", ["1e400", "-1e400"])
def test_a_number_too_large_to_be_read_is_no_id(ws: Workspace, tmp_path: Path, number: str) -> None:
    file = tmp_path / "q.jsonl"
    ids = f'"question_id": {number}, "brand": {number}'
    row = f'{{{ids}, "query_text": "q", "question": "q", "answer": "a", "platform": "kimi"}}'
    file.write_text(row, encoding="utf-8")

    for outcome in (ws.questions.import_file(file, apply=True), ws.samples.import_file(file)):
        assert [(error.column, error.reason) for error in outcome.errors] == [("question_id", "bad_value")]
    refused = ws.brands.import_file(file, apply=True).errors
    assert [(error.column, error.reason) for error in refused] == [("brand", "bad_value")]


@pytest.mark.parametrize("text", ["\u200b", "\ufeff", "\x01\x02", "\u3000\u2060"])
def test_a_question_with_nothing_to_see_is_missing(ws: Workspace, text: str) -> None:
    with pytest.raises(UsageError, match="missing"):
        ws.questions.add(text, scene="RISK")


@pytest.mark.parametrize(
    "around",
    [
        " {} ",
        "\N{IDEOGRAPHIC SPACE}{}\N{NO-BREAK SPACE}",
        "\N{ZERO WIDTH SPACE}{}\N{ZERO WIDTH NO-BREAK SPACE}",
        "\N{EM SPACE}{}\n",
    ],
)
def test_what_looks_the_same_is_the_same_whichever_way_it_comes_in(ws: Workspace, tmp_path: Path, around: str) -> None:
    text, word, intent = (around.format(one) for one in ("手机哪个好", "手机", "挑一部"))
    with (tmp_path / "q.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["问题编号", "场景", "问题", "关键词", "意图"], ["Q1", "RISK", text, word, intent]])
    row = QuestionRow(
        line=1,
        question_id="Q2",
        scene_type="OTHER",
        query_text=text,
        target_keywords=(word,),
        intent_description=intent,
    )

    ws.questions.import_file(tmp_path / "q.csv", apply=True)
    ws.questions.import_rows([row], apply=True)
    ws.questions.add(text, scene="COMPARE", question_id="Q3", keywords=[word], intent=intent)
    ws.questions.add("平板哪个好", scene="EVALUATE", question_id="Q4")
    ws.questions.edit("Q4", Edit(query_text=text, keywords=(word, around.format("")), intent=intent))

    found = ws.questions.list()
    assert [one.question_id for one in found] == ["Q1", "Q2", "Q3", "Q4"]
    assert {(one.query_text, one.target_keywords, one.intent_description) for one in found} == {
        ("手机哪个好", ("手机",), "挑一部")
    }
    with pytest.raises(UsageError, match="Q3"):
        ws.questions.add(text, scene="COMPARE")


def test_replaced_characters_of_a_question_are_told(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "a\\u0000\\ud800b", "scene": "RISK"}\n', encoding="utf-8")

    result = ws.questions.import_file(file, apply=True)

    assert [(note.line, note.reason) for note in result.notes] == [(1, "altered")]
    assert [question.query_text for question in ws.questions.list()] == ["a\ufffd\ufffdb"]


def test_a_file_of_bad_lines_only_tells_the_lines(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text("[]\nnull\n{\n", encoding="utf-8")

    assert [error.line for error in ws.questions.import_file(file, apply=True).errors] == [1, 2, 3]
    assert [error.line for error in ws.samples.import_file(file).errors] == [1, 2, 3]


def test_an_edit_of_text_or_scene_makes_a_version_and_of_anything_else_none(ws: Workspace) -> None:
    ws.questions.add("哪款扫地机器人好？", scene="RECOMMEND", question_id="Q1")

    assert ws.questions.edit("Q1", Edit(keywords=("扫地机",), intent="选购")).version == 1
    assert ws.questions.edit("Q1", Edit(query_text="哪款扫地机器人最好？"), note="问得更明确").version == 2
    assert ws.questions.edit("Q1", Edit(query_text=" 哪款扫地机器人最好？ ")).version == 2
    edited = ws.questions.edit("Q1", Edit(scene="compare"))

    assert (edited.version, edited.scene_type, edited.target_keywords) == (3, "COMPARE", ("扫地机",))
    first, second, third = ws.questions.history("Q1").versions
    assert [piece for piece in second.pieces if piece.kind != "same"] == [("added", "最")]
    assert (first.version.query_text, second.version.note, third.version.scene_type) == (
        "哪款扫地机器人好？", "问得更明确", "COMPARE",
    )  # fmt: skip
    assert [one.answers for one in (first, second, third)] == [0, 0, 0]


def test_an_edit_to_what_another_question_asks_is_refused(ws: Workspace) -> None:
    ws.questions.add("甲？", scene="RISK", question_id="Q1")
    ws.questions.add("乙？", scene="RISK", question_id="Q2")

    with pytest.raises(UsageError) as refused:
        ws.questions.edit("Q2", Edit(query_text="甲？"))
    with pytest.raises(UsageError) as empty:
        ws.questions.edit("Q2", Edit(query_text="  "))
    with pytest.raises(UsageError) as nothing:
        ws.questions.edit("Q2", Edit())
    with pytest.raises(UsageError) as unknown:
        ws.questions.edit("Q3", Edit(scene="RISK"))

    assert "Q1" in refused.value.text
    assert (empty.value.code, nothing.value.code) == ("question_bad", "edit_nothing")
    assert "Q3" in unknown.value.text
    assert ws.questions.show("Q2").question.version == 1


def test_retired_questions_are_left_out_of_new_batches_until_they_are_restored(ws: Workspace) -> None:
    for number in (1, 2):
        ws.questions.add(f"问题{number}？", scene="RISK", question_id=f"Q{number}")

    with pytest.raises(UsageError):
        ws.questions.retire(["Q1", "Q9"])
    assert [one.question_id for one in ws.questions.list(active=True)] == ["Q1", "Q2"]

    assert [one.is_active for one in ws.questions.retire(["Q1"])] == [False]
    assert [one.question_id for one in ws.questions.list(active=True)] == ["Q2"]
    assert [one.version for one in ws.questions.restore(["Q1", "Q2"])] == [1, 1]
    assert [one.question_id for one in ws.questions.list(active=True)] == ["Q1", "Q2"]


@pytest.mark.parametrize("bad", ["\0", "\ud83d"])
def test_what_no_database_holds_is_replaced_in_all_texts_of_a_question(ws: Workspace, bad: str) -> None:
    ws.questions.add("甲？", scene="RISK", question_id="Q1")

    wanted = Edit(query_text=f"乙{bad}？", keywords=(f"词{bad}",), intent=f"意图{bad}")
    edited = ws.questions.edit("Q1", wanted, note=f"原因{bad}" + "长" * 2_000)

    assert (edited.query_text, edited.target_keywords, edited.intent_description) == (
        "乙\ufffd？", ("词\ufffd",), "意图\ufffd",
    )  # fmt: skip
    note = ws.questions.history("Q1").versions[1].version.note
    assert note.startswith("原因\ufffd长")
    assert len(note) == 500


def test_keywords_that_hold_a_separator_come_back_from_the_cell_that_an_export_wrote(
    ws: Workspace, tmp_path: Path
) -> None:
    bank = write(
        tmp_path / "bank.csv", 'question_id,query_text,target_keywords\nQ1,甲？,"[""a;b"",""c""]"\nQ2,乙？,[x；y\n'
    )

    ws.questions.import_file(bank, apply=True)

    assert [one.target_keywords for one in ws.questions.list()] == [("a;b", "c"), ("[x", "y")]
