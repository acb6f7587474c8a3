"""Two generations side by side: which answers are read otherwise, why, and the figures before and after."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace, to_dict
from answerwatch.workspace.cleaning.views import Changed
from tests.databases import on_every_database

pytestmark = on_every_database

ANSWERS = [
    "推荐华为手机，拍照不错。",
    "菊厂的手机系统流畅，值得买。",
    "抱歉，我无法回答这个问题。",
    "小米手机便宜，推荐。",
]


@pytest.fixture
def redone(ws: Workspace, tmp_path: Path) -> Workspace:
    """Four answers of two generations; the second lexicon knows a nickname and excludes a phrase."""
    ws.brands.add("华为")
    ws.brands.add("小米")
    rows = [{"question": f"q{n}", "platform": "kimi", "answer": answer} for n, answer in enumerate(ANSWERS)]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    ws.samples.import_file(file, scene="RECOMMEND", brand="华为")
    ws.cleaning.run()
    ws.brands.add_alias("华为", "菊厂")
    ws.brands.exclude("小米", "小米手机")
    ws.cleaning.redo(everything=True)
    return ws


def test_what_changed_is_counted_and_told_with_the_matches_that_came_or_went(redone: Workspace) -> None:
    diff = redone.cleaning.diff()

    assert (diff.compared, diff.changed) == (4, 2)
    counted = {kind: count for kind, count in diff.kinds if count}
    assert counted == {Changed.MENTIONED: 1, Changed.MENTIONS: 1, Changed.RECOMMENDED: 1, Changed.MATCHES: 2}
    (step,) = diff.steps
    assert (step.before.generation, step.after.generation, step.answers) == (1, 2, 4)
    assert (step.before.lexicon_version, step.after.lexicon_version) == (2, 4)
    came, went = diff.answers
    assert [(one.column, one.before, one.after) for one in came.fields][:2] == [
        ("is_mentioned", 0, 1),
        ("mention_count", 0, 1),
    ]
    assert [(one.matched_alias, one.reason_before, one.reason_after) for one in came.matches] == [
        ("菊厂", None, "accepted")
    ]
    assert [(one.matched_alias, one.reason_before, one.reason_after, one.covered_by) for one in went.matches] == [
        ("小米", "accepted", "excluded", "小米手机")
    ]
    assert went.fields == ()
    assert list(redone.cleaning.changes()) == list(diff.answers)
    assert redone.cleaning.diff(limit=1).answers == diff.answers[:1]
    assert json.loads(json.dumps(to_dict(diff)))["changed"] == 2


def test_rates_before_and_after_are_those_of_the_figures(redone: Workspace) -> None:
    visibility, _ = redone.cleaning.diff().rates

    assert (visibility.brand_name, visibility.before.name) == ("华为", "visibility")
    assert (visibility.before.numerator, visibility.before.denominator) == (1, 3)
    assert (visibility.after.numerator, visibility.after.denominator) == (2, 3)
    published = redone.reports.report("华为").report.overall.figure("visibility")
    assert (visibility.after.value, visibility.after.low, visibility.after.high, visibility.after.method) == (
        published.value,
        published.low,
        published.high,
        published.method,
    )


def test_the_figures_of_one_brand_in_all_answers(redone: Workspace) -> None:
    diff = redone.cleaning.diff(brand="小米")

    assert (diff.compared, diff.changed) == (4, 1)
    (answer,) = diff.answers
    assert {one.column: (one.before, one.after) for one in answer.fields}["is_mentioned"] == (1, 0)
    visibility, _ = diff.rates
    assert (visibility.before.numerator, visibility.after.numerator) == (1, 0)


def test_generations_are_chosen_by_number(redone: Workspace) -> None:
    redone.brands.add("荣耀")
    batch = redone.batches.list()[0].batch_id
    redone.cleaning.redo(batch=batch)

    last = redone.cleaning.diff()
    whole = redone.cleaning.diff(older=1)
    middle = redone.cleaning.diff(older=1, newer=2, batch=batch)

    assert (last.compared, last.changed) == (4, 0)
    assert [(step.before.generation, step.after.generation) for step in whole.steps] == [(1, 3)]
    assert (whole.changed, middle.changed) == (2, 2)
    assert [(step.before.generation, step.after.generation) for step in middle.steps] == [(1, 2)]
    assert redone.cleaning.diff(older=2, newer=3).changed == 0
    for wrong, match in (({"older": 9}, "no generation 9"), ({"older": 2, "newer": 2}, "older than")):
        with pytest.raises(UsageError, match=match):
            redone.cleaning.diff(**wrong)  # type: ignore[arg-type]  # the keys are the test's own


def test_an_answer_that_failed_is_a_change_of_validity(redone: Workspace) -> None:
    with redone.store.writing() as tx:
        tx.run(text("UPDATE answer_sample SET response_length = 1 WHERE raw_response LIKE '%菊厂%'"))
    redone.cleaning.redo(everything=True, force=True)

    (answer,) = redone.cleaning.diff().answers

    assert ("is_valid", 1, None) in [(one.column, one.before, one.after) for one in answer.fields]
