"""What people set right: it outlives newer readings, reaches figures and files, and two can say it at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from answerwatch.clock import SystemClock
from answerwatch.errors import UsageError
from answerwatch.figures.accuracy.records import Measure
from answerwatch.stages.clean.redo import queue_redo
from answerwatch.store.database import Store
from answerwatch.workspace import Workspace, open_workspace, to_dict
from tests.databases import on_every_database

pytestmark = on_every_database

ANSWERS = [
    "推荐华为手机，拍照不错。",
    "1. 小米\n2. 华为\n3. 菊厂",
    "抱歉，我无法回答这个问题。",
]


@pytest.fixture
def read(ws: Workspace, tmp_path: Path) -> Workspace:
    """Three answers, read; the last one is none."""
    ws.brands.add("华为")
    ws.brands.add("小米")
    rows = [{"question": f"q{n}", "platform": "kimi", "answer": answer} for n, answer in enumerate(ANSWERS)]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    ws.samples.import_file(file, scene="RECOMMEND", brand="华为")
    ws.cleaning.run()
    return ws


def sample(ws: Workspace, answer: int) -> str:
    """The id of one of the answers."""
    found = {ws.samples.show(one.sub_task_id).raw_response: one.sub_task_id for one in ws.samples.list()}
    return found[ANSWERS[answer]]


def queued(ws: Workspace) -> None:
    """Put all answers to work anew, and let them wait."""
    store = Store(ws.settings.database_url)
    now = SystemClock().now()
    with store.writing() as tx:
        assert queue_redo(tx, None, cleaner_version="r3", force=True, note="", now=now).answers == len(ANSWERS)
    store.close()


def figures(ws: Workspace, brand: str = "华为", *, as_read: bool = False) -> dict[str, float | None]:
    report = ws.reports.report(brand, as_read=as_read)
    return {one.name: one.value for one in report.report.overall.figures}


def test_what_is_set_right_outlives_a_newer_reading_and_says_when_that_has_learnt_it(read: Workspace) -> None:
    task = sample(read, 1)
    done = read.cleaning.correct(task, "mention", "yes", brand="华为", at="15:17", note="nickname")
    assert (done.text, done.read_value, done.reads_now, done.agrees_now) == ("菊厂", "no", "no", False)

    read.brands.add_alias("华为", "菊厂")
    read.cleaning.redo(everything=True)

    (listed,) = read.cleaning.corrections()
    assert (listed.read_value, listed.reads_now, listed.agrees_now) == ("no", "yes", True)
    assert read.cleaning.explain(task).corrections == (listed,)
    assert read.reports.report("华为").corrected == 0  # read and right are the same now


def test_while_a_newer_reading_is_still_waiting_the_one_in_force_is_set_right(read: Workspace) -> None:
    task = sample(read, 0)
    queued(read)

    done = read.cleaning.correct(task, "mention", "no", brand="华为", at="2:4")

    assert done.read_value == "yes"
    assert figures(read)["visibility"] == 0.5
    assert figures(read, as_read=True)["visibility"] == 1


def test_a_mention_of_another_brand_counts_in_shares_of_voice(read: Workspace) -> None:
    before = figures(read)["mention_share"]

    read.cleaning.correct(sample(read, 1), "mention", "no", brand="小米", at="3:5")

    assert before == pytest.approx(2 / 3)
    assert figures(read)["mention_share"] == 1
    assert figures(read, as_read=True)["mention_share"] == before
    assert read.reports.report("华为").corrected == 1


def test_of_an_answer_that_is_one_after_all_brands_are_unknown_and_never_absent(read: Workspace) -> None:
    read.cleaning.correct(sample(read, 2), "is_valid", "valid")

    report = read.reports.report("华为")

    assert (report.report.overall.valid, report.unread, report.corrected) == (3, 1, 1)
    assert figures(read)["visibility"] == 1
    read.cleaning.correct(sample(read, 2), "mention", "yes", brand="华为", at="0:2")
    assert read.reports.report("华为").unread == 0


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("recommendation_rank", "1", "correction_absent"),
        ("is_recommended", "yes", "correction_absent"),
        ("polarity", "warned", "correction_absent"),
        ("is_top_pick", "yes", "correction_absent"),
    ],
)
def test_advice_about_a_brand_that_is_not_there_is_refused(read: Workspace, field: str, value: str, error: str) -> None:
    with pytest.raises(UsageError) as refused:
        read.cleaning.correct(sample(read, 0), field, value, brand="小米")

    assert refused.value.code == error
    assert read.cleaning.corrections() == ()


def test_two_people_who_say_different_things_at_once_leave_one_value(read: Workspace, made_home: Path) -> None:
    task = sample(read, 1)

    def say(rank: int) -> None:
        with open_workspace(made_home) as mine:
            mine.cleaning.correct(task, "recommendation_rank", str(rank), brand="华为", note=f"n{rank}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(say, (1, 3, 4, 5, 6, 7)))

    (left,) = read.cleaning.corrections()
    assert left.value in {"1", "3", "4", "5", "6", "7"}
    assert figures(read)["mean_rank"] == int(left.value)


def test_the_same_value_by_two_at_once_is_one_correction(read: Workspace, made_home: Path) -> None:
    task = sample(read, 1)

    def say(_number: int) -> int:
        with open_workspace(made_home) as mine:
            return mine.cleaning.correct(task, "recommendation_rank", "5", brand="华为").correction_id

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(say, range(4)))) == 1


def test_lists_are_narrowed_to_a_brand_and_a_batch(read: Workspace) -> None:
    task = sample(read, 1)
    read.cleaning.correct(task, "has_citation", "yes")
    read.cleaning.correct(task, "recommendation_rank", "5", brand="小米")
    read.cleaning.correct(task, "recommendation_rank", "6", brand="华为")
    batch = read.samples.show(task).sample.batch_id

    def values(*, brand: str | None = None, batch: str | None = None) -> list[str]:
        return [one.value for one in read.cleaning.corrections(brand=brand, batch=batch)]

    assert values() == values(batch=batch) == ["yes", "5", "6"]
    assert values(brand="小米") == ["5"]
    with pytest.raises(UsageError):
        values(batch="none")


def rows_by_id(file: Path) -> Mapping[str, Mapping[str, object]]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {str(row["id"]): row for row in rows}


def test_labelled_rows_hold_what_is_right_and_the_reader_fails_only_there(read: Workspace, tmp_path: Path) -> None:
    said: list[Callable[[], object]] = [
        lambda: read.cleaning.correct(sample(read, 1), "mention", "yes", brand="华为", at="15:17"),
        lambda: read.cleaning.correct(sample(read, 0), "is_recommended", "none", brand="华为"),
        lambda: read.cleaning.correct(sample(read, 2), "is_valid", "no_answer"),
    ]
    for one in said:
        one()
    file = tmp_path / "labels.jsonl"

    assert read.cleaning.write_labelled(file) == 3

    rows = rows_by_id(file)
    assert rows[sample(read, 2)]["validity"] == "no_answer"
    assert [one["is_recommended"] for one in rows[sample(read, 0)]["brands"]] == [None]  # type: ignore[attr-defined]
    measured = {one.measure: one for one in read.evaluations.run(file).measures}
    assert (measured[Measure.MENTION_F1].numerator, measured[Measure.MENTION_F1].denominator) == (
        6,
        7,
    )  # one of four is missed
    assert measured[Measure.VALIDITY].value == 1
    assert measured[Measure.RANK].value == 1


def test_corrections_are_plain_data(read: Workspace) -> None:
    done = read.cleaning.correct(sample(read, 1), "has_citation", "yes", note="n")

    assert to_dict(done)["agrees_now"] is False
