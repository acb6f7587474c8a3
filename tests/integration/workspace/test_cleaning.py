"""Cleaning through its verbs."""

import json
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.domain.clean_states import CleanState
from answerwatch.errors import UsageError
from answerwatch.reading import Lexicon
from answerwatch.workspace import Workspace, to_dict
from answerwatch.workspace.batches.views import Snapshot
from tests.databases import on_every_database

pytestmark = on_every_database

ANSWER = "推荐华为手机，拍照和续航都不错，系统也很流畅；而华为云是另一项业务。"


def import_answers(ws: Workspace, folder: Path, answers: list[str]) -> list[str]:
    rows = [{"question": f"q{n}", "platform": "kimi", "answer": answer} for n, answer in enumerate(answers)]
    file = folder / "answers.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batch = ws.samples.import_file(file, scene="RECOMMEND").batch_id
    return [sample.sub_task_id for sample in ws.samples.list(batch=batch)]


def test_cleaning_runs_until_nothing_is_left(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    import_answers(ws, tmp_path, [ANSWER, "抱歉，我无法回答这个问题。", "", ANSWER + "！"])
    seen: list[Snapshot] = []

    run = ws.cleaning.run(progress=seen.append)

    assert (run.cleaned, run.valid, run.invalid, run.failed, run.outstanding) == (4, 2, 2, 0, 0)
    assert run.succeeded
    assert (seen[-1].total, seen[-1].done) == (4, 4)
    assert dict(ws.cleaning.status().states)[CleanState.COMPLETED] == 4
    assert ws.cleaning.run().cleaned == 0


def test_pending_tasks_get_the_lexicon_of_now(ws: Workspace, tmp_path: Path) -> None:
    (sample,) = import_answers(ws, tmp_path, [ANSWER])
    ws.brands.add("华为")

    run = ws.cleaning.run()
    again = ws.cleaning.run()

    assert (run.renewed, again.renewed) == (1, 0)
    explained = ws.cleaning.explain(sample)
    assert explained.lexicon_version == 1
    assert [brand.brand_name for brand in explained.brands] == ["华为"]


def test_why_a_brand_was_not_recognised_is_explained(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为", exclude=["华为云"])
    ws.brands.add("小米")
    (sample,) = import_answers(ws, tmp_path, [ANSWER])
    ws.cleaning.run()

    by_sample = ws.cleaning.explain(sample)
    by_task = ws.cleaning.explain(by_sample.clean_task_id)

    assert by_sample == by_task
    assert (by_sample.state, by_sample.is_valid, by_sample.not_found) == (CleanState.COMPLETED, True, ("小米",))
    accepted, rejected = by_sample.matches
    assert (accepted.text, accepted.match_position, accepted.is_valid_match) == ("华为", 2, True)
    assert rejected.is_valid_match is False
    assert (rejected.reason, rejected.covered_by) == ("excluded", "华为云")
    assert accepted.covered_by is None
    states = [step.to_state for step in by_sample.history]
    assert states == ["validating", "valid", "extracting", "extracted", "completed"]
    assert json.loads(json.dumps(to_dict(by_sample)))["brands"][0]["brand_name"] == "华为"
    with pytest.raises(UsageError, match="no clean task or sample"):
        ws.cleaning.explain("nothing")


def test_pronouns_are_explained_and_told_from_mentions(ws: Workspace, tmp_path: Path) -> None:
    ws.brands.add("华为")
    (sample,) = import_answers(ws, tmp_path, ["首选华为，它省电。"])
    ws.cleaning.run()

    explained = ws.cleaning.explain(sample)

    assert [(match.text, match.via, match.counts) for match in explained.matches] == [
        ("华为", "alias", True),
        ("它", "pronoun", False),
    ]
    assert [brand.mention_count for brand in explained.brands] == [1]


def test_a_text_is_cleaned_for_a_quick_try(ws: Workspace) -> None:
    ws.brands.add("华为")

    own = ws.cleaning.text(ANSWER)
    other = ws.cleaning.text(ANSWER, lexicon=Lexicon.of({"Xiaomi": ["小米"]}))

    assert own.of("华为") is not None
    assert own.of("华为").is_mentioned  # type: ignore[union-attr]  # the line above says that it is there
    assert other.of("华为").is_mentioned is False  # type: ignore[union-attr]  # a valid answer has a reading


def test_a_stopped_cleaning_leaves_the_rest_for_later(ws: Workspace, tmp_path: Path) -> None:
    import_answers(ws, tmp_path, [ANSWER + str(n) for n in range(20)])
    stop = threading.Event()
    stop.set()

    stopped = ws.cleaning.run(stop=stop)
    rest = ws.cleaning.run()

    assert stopped.cleaned + rest.cleaned == 20
    assert rest.outstanding == 0


def test_a_task_that_works_for_too_long_is_stuck(ws: Workspace, tmp_path: Path) -> None:
    (sample,) = import_answers(ws, tmp_path, [ANSWER])
    long_ago = ws.store.clock.now() - timedelta(minutes=6)
    with ws.store.writing() as tx:
        values = {"state": "validating", "at": long_ago.strftime("%Y-%m-%d %H:%M:%S.%f")}
        tx.run(text("UPDATE clean_state SET current_state = :state, updated_at = :at"), values)

    (stuck,) = ws.cleaning.stuck()

    assert stuck.clean_task_id.startswith(sample)
    assert (stuck.state, stuck.since) == (CleanState.VALIDATING, long_ago)
    assert ws.cleaning.status().stuck == 1
    assert ws.status().stuck == 1
