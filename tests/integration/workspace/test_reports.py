"""Figures over stored rows: the people's own queries and the report give the numbers that were computed by hand.

Eleven rows of one brand on two platforms, made by importing and cleaning real texts:

| question | platform | answers |
|---|---|---|
| q1 | kimi     | names it first of a list, names it second of a list, names it without order |
| q1 | deepseek | names another brand, refuses |
| q2 | kimi     | names it first of a list |
| q2 | deepseek | empty |
"""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.errors import UsageError
from answerwatch.figures.records import NaReason
from answerwatch.workspace import Workspace
from answerwatch.workspace.reports.verbs import Basis
from tests.databases import on_every_database

FIRST = "推荐以下手机：\n\n1. 华为：拍照好，系统流畅，续航也不错。\n2. 荣耀：价格实惠，适合学生使用。\n"
SECOND = "推荐以下手机：\n\n1. 荣耀：价格实惠，适合学生使用。\n2. 华为：拍照好，系统流畅，续航也不错。\n"
PLAIN = "市面上的手机很多，华为是其中一家，销量一直比较稳定，用户评价也各不相同。"
OTHER = "这个价位可以看看荣耀，它的屏幕和续航都不错，日常使用也很流畅，价格合适。"
REFUSED = "抱歉，我无法回答这个问题。"

ANSWERS = [
    ("q1", "kimi", FIRST),
    ("q1", "kimi", SECOND),
    ("q1", "kimi", PLAIN),
    ("q1", "deepseek", OTHER),
    ("q1", "deepseek", REFUSED),
    ("q2", "kimi", FIRST),
    ("q2", "deepseek", ""),
]

ONE_QUESTION = """
    SELECT platform, is_mentioned, is_recommended, recommendation_rank FROM answer_metric
    WHERE question_id = :q AND brand_name = :b ORDER BY platform, round
"""
ONE_BATCH = """
    SELECT brand_name, COUNT(*) AS total_samples, SUM(is_valid) AS valid_samples, SUM(is_mentioned) AS mentioned,
           ROUND(SUM(is_mentioned) * 100.0 / NULLIF(SUM(is_valid), 0), 1) AS mention_rate
    FROM answer_metric WHERE batch_id = :batch GROUP BY brand_name
"""
BRANDS = """
    SELECT brand_name, COUNT(DISTINCT clean_task_id) AS total_tasks, SUM(is_mentioned) AS mentioned_tasks,
           ROUND(SUM(is_mentioned) * 100.0 / COUNT(*), 1) AS mention_rate
    FROM clean_result WHERE is_valid = 1 AND cleaned_at >= :since GROUP BY brand_name
"""


def import_answers(ws: Workspace, folder: Path, answers: list[tuple[str, str, str]], brand: str | None) -> str:
    rows = [
        {"question_id": question, "question": f"手机 {question} 哪个好", "platform": platform, "answer": answer, "n": n}
        for n, (question, platform, answer) in enumerate(answers)
    ]
    file = folder / f"{len(rows)}-{brand}.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batch = ws.samples.import_file(file, brand=brand, scene="RECOMMEND").batch_id
    assert batch is not None
    ws.cleaning.run()
    return batch


@pytest.fixture
def batch(ws: Workspace, tmp_path: Path) -> str:
    ws.brands.add("华为", aliases=["HUAWEI"])
    ws.brands.add("荣耀", aliases=["HONOR"])
    return import_answers(ws, tmp_path, ANSWERS, "华为")


@on_every_database
def test_one_question_over_the_platforms(ws: Workspace, batch: str) -> None:
    with ws.store.reading() as read:
        rows = read.all(text(ONE_QUESTION), {"q": "q1", "b": "华为"})

    assert [tuple(row) for row in rows] == [
        ("deepseek-import", 0, 0, None),
        ("deepseek-import", None, None, None),
        ("kimi-import", 1, 1, 1),
        ("kimi-import", 1, 1, 2),
        ("kimi-import", 1, 0, None),
    ]


@on_every_database
def test_one_batch(ws: Workspace, batch: str) -> None:
    with ws.store.reading() as read:
        (row,) = read.all(text(ONE_BATCH), {"batch": batch})

    assert tuple(row) == ("华为", 7, 5, 4, 80.0)


@on_every_database
def test_how_often_a_brand_is_found(ws: Workspace, batch: str) -> None:
    since = datetime.now(UTC) - timedelta(days=1)
    with ws.store.reading() as read:
        (row,) = read.all(text(BRANDS), {"since": since.strftime("%Y-%m-%d %H:%M:%S")})

    assert tuple(row) == ("华为", 5, 4, 80.0)


@on_every_database
def test_a_batch_without_valid_answers_gives_null_not_an_error(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    empty = import_answers(ws, tmp_path, [("q1", "kimi", REFUSED), ("q2", "kimi", "")], "华为")

    with ws.store.reading() as read:
        (row,) = read.all(text(ONE_BATCH), {"batch": empty})
    overall = ws.reports.report("华为").report.overall

    assert tuple(row) == ("华为", 2, 0, None, None)
    assert overall.figure("visibility").value is None
    assert overall.figure("visibility").na_reason is NaReason.NO_VALID_ANSWERS
    assert dict(overall.losses) == {"refused": 1, "empty": 1}


@on_every_database
def test_the_report_gives_the_same_numbers_with_everything_they_rest_on(ws: Workspace, batch: str) -> None:
    view = ws.reports.report("huawei")

    assert (view.report.brand, view.basis, view.batches, view.unread, view.not_cleaned) == (
        "华为", Basis.OWN, (batch,), 0, 0,
    )  # fmt: skip
    by_platform = {part.platform: part for part in view.report.by_platform}
    kimi, deepseek = by_platform["kimi-import"], by_platform["deepseek-import"]
    seen = kimi.figure("visibility")
    assert (kimi.planned, kimi.valid, seen.numerator, seen.denominator, seen.value) == (4, 4, 4, 4, 1.0)
    assert (deepseek.planned, deepseek.valid, deepseek.figure("visibility").value) == (3, 1, 0.0)
    assert dict(deepseek.losses) == {"refused": 1, "empty": 1}
    # Two questions: (1 + 1 + 0) / 3 and 1 / 1, each with the same weight.
    assert kimi.figure("recommendation_rate").value == pytest.approx((2 / 3 + 1) / 2)
    assert view.report.overall.figure("visibility").value == pytest.approx(0.5)
    assert view.report.versions.lexicon == ("2",)


@on_every_database
def test_rep_na_not_zero_rank(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    ws.brands.add("荣耀")
    answers = [("q1", "kimi", FIRST), ("q1", "kimi", SECOND), ("q1", "kimi", PLAIN), ("q1", "kimi", REFUSED)]
    import_answers(ws, tmp_path, [*answers, ("q1", "deepseek", PLAIN)], "华为")

    report = ws.reports.report("华为").report
    by_platform = {part.platform: part for part in report.by_platform}
    kimi = by_platform["kimi-import"]

    mean = kimi.figure("mean_rank")
    assert (mean.value, mean.denominator) == (1.5, 2)
    assert kimi.figure("top1_rate").value == pytest.approx(1 / 3)
    assert kimi.figure("top3_rate").value == pytest.approx(2 / 3)
    assert kimi.figure("mrr").value == pytest.approx(0.5)
    assert by_platform["deepseek-import"].figure("mean_rank").value is None
    assert report.overall.figure("mean_rank").value == 1.5


@on_every_database
def test_answers_read_before_the_brand_was_tracked_are_unread_never_zero(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("荣耀")
    import_answers(ws, tmp_path, [("q1", "kimi", OTHER), ("q2", "kimi", FIRST)], None)
    ws.brands.add("华为")

    view = ws.reports.report("华为")

    assert (view.unread, view.report.overall.valid) == (2, 2)
    figure = view.report.overall.figure("visibility")
    assert (figure.value, figure.na_reason) == (None, NaReason.NOT_MEASURED)
    assert ws.reports.report("荣耀").report.overall.figure("visibility").value == 1.0


@on_every_database
def test_a_brand_without_batches_of_its_own_is_read_from_all_batches(ws: Workspace, batch: str) -> None:
    view = ws.reports.report("荣耀")

    assert view.basis is Basis.ALL
    visibility = view.report.overall.figure("visibility")
    assert (visibility.numerator, visibility.denominator) == (4, 5)


@on_every_database
def test_a_report_can_be_narrowed(ws: Workspace, batch: str) -> None:
    now = datetime.now(UTC)

    assert ws.reports.report("华为", platforms=["月之暗面-import"]).report.overall.planned == 4
    assert ws.reports.report("华为", scenes=["risk"]).report.overall.planned == 0
    assert ws.reports.report("华为", since=now).report.overall.planned == 0
    assert ws.reports.report("华为", until=now, batches=[batch]).report.overall.planned == 7
    with pytest.raises(UsageError, match="no batch"):
        ws.reports.report("华为", batches=["BATCH_X"])
    with pytest.raises(UsageError, match="not tracked"):
        ws.reports.report("小米")


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (ONE_BATCH.replace(":batch", "'b'"), "ix_answer_sample_batch_id"),
        (ONE_QUESTION.replace(":q", "'q'").replace(":b", "'b'"), "ix_answer_sample_"),
        (BRANDS.replace(":since", "'2026-01-01'"), "ix_clean_result_"),
        ("SELECT * FROM question_bank WHERE scene_type = 'RISK' AND is_active = 1", "ix_question_bank_scene_type"),
        ("SELECT status, COUNT(*) FROM question_usage_log WHERE batch_id = 'b' GROUP BY status", "usage_log_batch_id"),
        ("SELECT * FROM task_batch WHERE batch_status = 'running'", "ix_task_batch_batch_status"),
        ("SELECT * FROM task_batch ORDER BY created_at DESC LIMIT 50", "ix_task_batch_created_at"),
        ("SELECT * FROM entity_match_detail WHERE clean_task_id = 'x'", "entity_match_detail"),
        ("SELECT * FROM clean_state WHERE current_state = 'pending'", "ix_clean_state_current_state"),
    ],
)
def test_list_and_report_queries_use_their_indexes(ws: Workspace, query: str, index: str) -> None:
    with ws.store.reading() as read:
        plan = " ".join(str(row.detail) for row in read.all(text(f"EXPLAIN QUERY PLAN {query}")))

    assert index in plan
    assert "SCAN question" not in plan
    assert "SCAN entity" not in plan
