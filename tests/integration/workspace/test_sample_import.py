"""Importing answers collected elsewhere."""

import csv
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answerwatch.domain.batches import BatchStatus
from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace
from tests import answer_formats as made
from tests.databases import on_every_database

pytestmark = on_every_database

ROW = {"platform": "Kimi", "question": "手机哪个好", "answer": "推荐华为，拍照和续航都不错。"}


def write_jsonl(path: Path, rows: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_csv(path: Path, rows: list[list[str]], encoding: str = "utf-8") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_the_pool_is_imported_whole_and_once(ws: Workspace, shared_data: Path) -> None:
    file = shared_data / "answers_pool.jsonl"

    preview = ws.samples.import_file(file, dry_run=True)
    first = ws.samples.import_file(file)
    second = ws.samples.import_file(file)

    assert (preview.rows, preview.imported, preview.batch_id) == (731, 0, None)
    assert (first.rows, first.imported, first.errors, first.known) == (731, 731, (), False)
    assert (second.known, second.batch_id, second.imported) == (True, first.batch_id, 0)
    (batch,) = ws.batches.list()
    assert (batch.total, batch.completed, batch.status, batch.total_questions) == (731, 731, BatchStatus.COMPLETED, 201)
    assert all(platform.endswith("-import") for platform in batch.platforms)


def test_chinese_headers_and_spreadsheet_encodings_are_understood(ws: Workspace, tmp_path: Path) -> None:
    rows = [
        ["平台", "问题", "回答", "时间", "引用链接", "模型", "是否联网", "备注"],
        ["通义", "手机哪个好", "推荐华为。", "2026/7/1 08:30", "https://a.example, https://b.example", "q3", "是", "n"],
    ]
    result = ws.samples.import_file(write_csv(tmp_path / "a.csv", rows, "gb18030"), scene="recommend")

    assert (result.encoding, result.format) == ("GB18030", "csv")
    (line,) = ws.samples.list(batch=result.batch_id)
    sample = ws.samples.show(line.sub_task_id)
    assert (line.platform, line.scene_type, line.model_served) == ("qwen-import", "RECOMMEND", "q3")
    assert line.collected_at == datetime(2026, 7, 1, 0, 30, tzinfo=UTC)
    assert [citation.domain for citation in sample.citations] == ["a.example", "b.example"]
    assert sample.provenance == {"是否联网": "是", "备注": "n", "searched": True}


def test_repeated_questions_become_rounds_and_repeated_rows_are_left_out(ws: Workspace, tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "answer": "推荐荣耀。"}, ROW, {**ROW, "platform": "deepseek"}]

    result = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", rows))

    assert (result.rows, result.imported, result.duplicates) == (4, 3, 1)
    assert [(note.line, note.reason) for note in result.notes] == [(3, "duplicate")]
    places = {(one.question_id, one.platform, one.round) for one in ws.samples.list()}
    (question,) = {question for question, _, _ in places}
    assert places == {
        (question, "kimi-import", 1),
        (question, "kimi-import", 2),
        (question, "deepseek-import", 1),
    }


def test_one_bad_row_keeps_all_rows_out(ws: Workspace, tmp_path: Path) -> None:
    bad = [
        {"question": "q", "answer": "a"},
        {**ROW, "question": ""},
        {**ROW, "answer": ["list"]},
        {**ROW, "asked_at": "yesterday"},
        {**ROW, "scene": "two words"},
        {"platform": "kimi", "question": "q"},
        "no object",
    ]

    result = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", [ROW, *bad]))

    assert [(error.line, error.column, error.reason) for error in result.errors] == [
        (2, "platform", "missing"),
        (3, "question", "missing"),
        (4, "answer", "bad_value"),
        (5, "asked_at", "bad_value"),
        (6, "scene", "bad_value"),
        (7, "answer", "missing"),
        (8, "", "bad_json"),
    ]
    assert result.batch_id is None
    assert ws.batches.list() == ()
    assert not list(tmp_path.rglob("*.jsonl.gz")), "a file of which nothing is stored is not kept either"


def test_rows_that_leave_something_out_get_what_the_caller_says(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    file = write_jsonl(tmp_path / "a.jsonl", [{"question": "q", "answer": ""}])

    result = ws.samples.import_file(file, platform="文心一言", scene="RISK", brand="华为")

    (sample,) = ws.samples.list()
    assert (sample.platform, sample.scene_type, sample.brand_name) == ("ernie-import", "RISK", "华为")
    assert result.batch_id is not None
    assert result.batch_id.endswith("_华为")
    with pytest.raises(UsageError, match="not tracked"):
        ws.samples.import_file(file, platform="kimi", brand="小米")


def test_a_file_without_the_needed_columns_is_refused(ws: Workspace, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv", [["标题", "问题"], ["a", "b"]])

    with pytest.raises(UsageError, match="answer, platform"):
        ws.samples.import_file(file)
    assert ws.batches.list() == ()


def test_rep_nul_surrogate(ws: Workspace, shared_data: Path) -> None:
    ws.brands.add("A牌")
    file = shared_data / "inputs" / "rep-nul-surrogate" / "answers_nul_surrogates.jsonl"

    result = ws.samples.import_file(file)
    ws.cleaning.run()

    assert (result.imported, result.altered) == (6, 5)
    samples = {one.query_text: one for one in (ws.samples.show(line.sub_task_id) for line in ws.samples.list())}
    assert samples["问题1"].raw_response == "推\ufffd荐A牌"
    assert samples["问题4"].raw_response == "A牌\ufffd\ufffd很好"
    assert [samples[f"问题{number}"].altered_characters for number in range(1, 7)] == [1, 1, 1, 2, 1, 0]
    first = ws.cleaning.explain(samples["问题1"].sample.sub_task_id)
    last = ws.cleaning.explain(samples["问题6"].sample.sub_task_id)
    assert [match.match_position for match in first.matches] == [3]
    assert [match.match_position for match in last.matches] == [1]


def test_rep_csv_huge_field(ws: Workspace, tmp_path: Path) -> None:
    def answer(length: int) -> str:
        return ("推荐A牌。" * (length // 5 + 1))[:length]

    fine = [["Kimi", f"q{length}", answer(length)] for length in (131_071, 131_073, 400_000)]
    header = ["平台", "问题", "回答"]
    refused = ws.samples.import_file(
        write_csv(tmp_path / "four.csv", [header, *fine, ["Kimi", "q", answer(5_000_001)]])
    )
    taken = ws.samples.import_file(write_csv(tmp_path / "three.csv", [header, *fine]))

    (error,) = refused.errors
    assert (error.line, error.reason) == (5, "too_long")
    assert "5,000,001" in error.message
    assert "5,000,000" in error.message
    assert refused.rows == 3
    assert taken.imported == 3
    assert sorted(one.response_length for one in ws.samples.list()) == [131_071, 131_073, 400_000]


def test_rep_xlsx_formula_no_cache(ws: Workspace, shared_data: Path) -> None:
    file = shared_data / "inputs" / "rep-xlsx-formula-no-cache" / "answers_formulas.xlsx"

    preview = ws.samples.import_file(file, dry_run=True)
    refused = ws.samples.import_file(file)
    taken = ws.samples.import_file(file, skip_errors=True)

    for outcome in (preview, refused, taken):
        assert [(error.line, error.column, error.reason) for error in outcome.errors] == [
            (4, "回答", "bad_cell"),
            (5, "回答", "bad_cell"),
        ]
        assert ["cell C4" in outcome.errors[0].message, "cell C5" in outcome.errors[1].message] == [True, True]
        assert all("spreadsheet program" in error.message for error in outcome.errors)
    assert (preview.format, preview.sheet, preview.batch_id, refused.batch_id) == ("xlsx", "回答", None, None)
    assert (taken.imported, taken.bad_rows) == (3, 2)
    answers = {ws.samples.show(one.sub_task_id).raw_response for one in ws.samples.list(batch=taken.batch_id)}
    assert answers == {"推荐A牌。", "推荐B牌。", "=1+1 是等式，推荐A牌。"}


def test_a_dry_run_shows_how_a_file_is_read(ws: Workspace, tmp_path: Path) -> None:
    rows = [["甲方", "问题", "回答", "备注"], ["Kimi", "哪个好", "推荐华为。" * 30, "n"]]
    file = write_csv(tmp_path / "a.csv", rows, "utf-8-sig")

    outcome = ws.samples.import_file(file, columns={"甲方": "platform"}, dry_run=True)

    assert (outcome.format, outcome.encoding, outcome.delimiter, outcome.sheet) == ("csv", "UTF-8", ",", None)
    assert outcome.columns == (("甲方", "platform"), ("问题", "question"), ("回答", "answer"), ("备注", ""))
    (first,) = outcome.first
    assert (first.line, first.platform, first.question, len(first.answer)) == (2, "kimi-import", "哪个好", 60)
    with pytest.raises(UsageError, match="no column '乙方'; its columns are 甲方, 问题, 回答, 备注"):
        ws.samples.import_file(file, columns={"乙方": "platform"})
    with pytest.raises(UsageError, match="No field is called 'brand'"):
        ws.samples.import_file(file, columns={"甲方": "brand"})


def test_answers_that_another_file_brought_are_told_and_not_stored_twice(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    newer = {**ROW, "asked_at": "2026-07-01T08:30:00+08:00"}
    first = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", [ROW]))
    second = ws.samples.import_file(write_jsonl(tmp_path / "b.jsonl", [newer, ROW, {**ROW, "surface": "app"}]))
    again = ws.samples.import_file(write_jsonl(tmp_path / "c.jsonl", [ROW, newer]))
    focal = ws.samples.import_file(tmp_path / "c.jsonl", brand="华为")

    (known,) = ws.samples.list(batch=first.batch_id)
    assert (second.rows, second.imported, second.stored_before) == (3, 2, 1)
    assert [(note.line, note.reason) for note in second.notes] == [(2, "stored")]
    assert known.sub_task_id in second.notes[0].message
    assert (again.imported, again.stored_before, again.batch_id, again.known) == (0, 2, None, False)
    assert (focal.imported, focal.stored_before) == (0, 2)


def test_answers_of_two_surfaces_are_two_answers_and_keep_their_surface(ws: Workspace, tmp_path: Path) -> None:
    rows = [{**ROW, "platform": name} for name in ("deepseek-app", "DeepSeek-search", "deepseek", "deepseek-app")]

    outcome = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", rows))

    assert (outcome.rows, outcome.imported, outcome.duplicates) == (4, 3, 1)
    shown = [ws.samples.show(one.sub_task_id) for one in ws.samples.list(batch=outcome.batch_id)]
    kept = [one.provenance["surface"] for one in shown if isinstance(one.provenance, dict)]
    assert sorted(map(str, kept)) == ["app", "search"]


@pytest.mark.parametrize(
    "told",
    [
        ({"question_id": "A"}, {"question_id": "B"}),
        ({"question_id": "A", "question_version": 1}, {"question_id": "A", "question_version": 2}),
        ({"scene": "RISK"}, {"scene": "RECOMMEND"}),
        ({"external_id": "r1"}, {"external_id": "r2"}),
        ({"external_id": {"$oid": "r1"}}, {"external_id": {"$oid": "r2"}}),
    ],
    ids=["question", "version", "scene", "external-id", "external-record"],
)
def test_rows_that_say_the_same_and_are_told_apart_are_two_answers(
    ws: Workspace, tmp_path: Path, told: tuple[dict[str, object], dict[str, object]]
) -> None:
    first, second = ({**ROW, **one} for one in told)

    outcome = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", [first, second, first]))

    assert (outcome.rows, outcome.imported, outcome.duplicates) == (3, 2, 1)


def test_an_answer_counts_once_whatever_brand_it_was_imported_for(ws: Workspace, tmp_path: Path) -> None:
    for brand in ("华为", "荣耀"):
        ws.brands.add(brand)
    file = write_jsonl(tmp_path / "a.jsonl", [{**ROW, "answer": "推荐华为和荣耀。"}])

    for focal in (None, "华为", "荣耀"):
        ws.samples.import_file(file, brand=focal)
    ws.cleaning.run()

    assert [ws.reports.report(brand).report.overall.planned for brand in ("华为", "荣耀")] == [1, 1]


def test_ids_that_a_spreadsheet_changed_are_mended_or_refused(ws: Workspace, tmp_path: Path) -> None:
    rows = [["编号", "题号", "平台", "问题", "回答"], ["1", "20260701.0", "kimi", "q", "a"]]
    taken = ws.samples.import_file(write_csv(tmp_path / "a.csv", rows))
    refused = ws.samples.import_file(
        write_csv(tmp_path / "b.csv", [*rows, ["2", "2.02607E+16", "kimi", "q", "b"]]), dry_run=True
    )

    assert [one.question_id for one in ws.samples.list(batch=taken.batch_id)] == ["20260701"]
    assert [(error.line, error.column, error.reason) for error in refused.errors] == [(3, "题号", "rounded")]


def test_an_export_with_many_answers_gives_each_question_its_own_samples(ws: Workspace, tmp_path: Path) -> None:
    file = made.archive(tmp_path / "export.zip", {"conversations.json": made.CHATGPT})

    outcome = ws.samples.import_file(file)

    (sample,) = ws.samples.list(batch=outcome.batch_id)
    detail = ws.samples.show(sample.sub_task_id)
    assert (outcome.format, sample.platform, detail.reasoning) == ("chatgpt", "openai-import", "先比较镜头")
    assert [(str(one.kind), one.domain) for one in detail.citations] == [
        ("cited", "a.example"),
        ("cited", "b.example"),
        ("retrieved", "c.example"),
    ]


def test_an_id_stands_for_one_question(ws: Workspace, tmp_path: Path) -> None:
    first = {**ROW, "question_id": "Q1"}
    rows = [
        first,
        {**first, "question": "手機 哪个好？", "answer": "a"},
        {**first, "question": "电脑哪个好", "answer": "b"},
        {**first, "question_id": "Q2", "answer": "c"},
        {**first, "question": "电脑哪个好", "answer": "d"},
    ]

    refused = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", rows))
    taken = ws.samples.import_file(tmp_path / "a.jsonl", skip_errors=True)

    assert [(error.line, error.column, error.reason) for error in refused.errors] == [
        (3, "question_id", "other_question"),
        (5, "question_id", "other_question"),
    ]
    assert "Q1 stands for another question in line 1" in refused.errors[0].message
    assert (refused.batch_id, taken.imported, taken.bad_rows) == (None, 3, 2)


def test_versions_of_a_question_are_told_apart(ws: Workspace, tmp_path: Path) -> None:
    old, new = ({**ROW, "question_id": "Q1", "question_version": version} for version in (1, 2))
    rows = [old, {**new, "question": "电脑哪个好"}, {**new, "answer": "b"}]

    refused = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", rows))
    taken = ws.samples.import_file(write_jsonl(tmp_path / "b.jsonl", rows[:2]))

    (error,) = refused.errors
    assert (error.line, "version 2 of Q1 stands for another question in line 2" in error.message) == (3, True)
    assert taken.imported == 2
    assert [(one.question_version, one.round) for one in ws.samples.list()] == [(1, 1), (2, 2)]


def test_the_same_file_read_in_another_way_is_another_import(ws: Workspace, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv", [["问题", "回答", "备选"], ["q", "a", "b"]])

    first = ws.samples.import_file(file, platform="kimi")
    again = ws.samples.import_file(file, platform="kimi")
    elsewhere = ws.samples.import_file(file, platform="豆包")
    other = ws.samples.import_file(file, platform="kimi", columns={"备选": "answer"})
    scene = ws.samples.import_file(file, platform="kimi", scene="RISK")

    assert (again.known, again.batch_id, again.imported) == (True, first.batch_id, 0)
    assert [(one.imported, one.known) for one in (first, elsewhere, other)] == [(1, False)] * 3
    assert len({first.batch_id, elsewhere.batch_id, other.batch_id}) == 3
    assert (scene.imported, scene.stored_before, scene.batch_id) == (0, 1, None)


def test_an_id_that_is_another_question_in_the_bank_is_noted(ws: Workspace, tmp_path: Path) -> None:
    ws.questions.add("手机哪个好", scene="RECOMMEND", question_id="Q1")
    ws.questions.add("电脑哪个好", scene="RECOMMEND", question_id="Q2")
    rows = [{**ROW, "question_id": id_, "answer": text} for id_, text in (("Q1", "a"), ("Q2", "b"), ("Q2", "c"))]

    outcome = ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", rows))

    assert outcome.imported == 3
    assert [(note.line, "电脑哪个好" in note.message) for note in outcome.notes if note.reason == "other_in_bank"] == [
        (2, True)
    ]


def test_values_that_no_database_holds_as_they_are_do_not_stop_an_import(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    extremes = ["1e400", "-1e400", "1e-400", str(2**70), "NaN", "true", '"\\u0000"', '{"\\ud800": ["\\u0000", 1e400]}']
    host = ".".join(["a" * 60] * 4) + ".example"
    rows = [f'{{"platform": "kimi", "question": "q", "answer": "{n}", "x": {one}}}' for n, one in enumerate(extremes)]
    long = {**ROW, "model": "m" * 5_000, "sources": [f"https://{host}/{'p' * 9_000}"], "备注" * 500: "n" * 100_000}
    file.write_text("\n".join([*rows, json.dumps(long)]), encoding="utf-8")

    outcome = ws.samples.import_file(file)

    assert (outcome.errors, outcome.imported) == ((), 9)
    assert [ws.samples.show(line.sub_task_id).raw_response for line in ws.samples.list()][:2] == ["0", "1"]


def test_a_batch_counts_its_questions_with_ids_and_without(ws: Workspace, tmp_path: Path) -> None:
    told = [{**ROW, "question_id": id_, "answer": f"{id_}{n}"} for id_ in ("Q1", "Q2") for n in range(2)]
    untold = [{**ROW, "question": f"问{n % 3}", "answer": str(n)} for n in range(6)]

    ws.samples.import_file(write_jsonl(tmp_path / "a.jsonl", [*told, *untold]))

    assert [(batch.total_questions, batch.total) for batch in ws.batches.list()] == [(5, 10)]
