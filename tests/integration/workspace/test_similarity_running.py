"""Similarity jobs while they run: scorers that fail, jobs that are cancelled, several jobs at once."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.domain.failures import Failure, Scope, Severity
from answerwatch.domain.similarity import JobStatus
from answerwatch.domain.work import SIMILARITY
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, ListSource
from tests.databases import on_every_database
from tests.integration.workspace.conftest import QUICK
from tests.scripted_scorers import BUSY, Judge, Scripted

pytestmark = on_every_database

LONG = "长" * 60_000
"""Two of them are two units of encoding."""


def submit(ws: Workspace, scorer: str, left: Sequence[str], right: Sequence[str], priority: int = 0) -> str:
    lists = ListSource(texts=tuple(left)), ListSource(texts=tuple(right))
    return ws.similarity.submit(
        JobRequest(left=lists[0], right=lists[1], scorer=scorer, finder="lexical", priority=priority)
    ).job_id  # fmt: skip


def test_a_scorer_that_is_busy_is_asked_again_and_nothing_is_lost(ws: Workspace) -> None:
    scorer = Scripted(faults=[BUSY, BUSY])
    ws.similarity.bring("scripted", scorer)

    ended = ws.similarity.run(submit(ws, "scripted", ["甲"], ["乙", "丙"]))

    assert (ended.status, ended.failed) == (JobStatus.COMPLETED, 0)
    assert [texts for _, texts in scorer.calls] == [("甲", "乙", "丙")] * 3
    assert ws.dead.list() == ()


def test_retries_of_a_block_are_counted(ws: Workspace) -> None:
    ws.similarity.bring("judge", Judge(faults=[BUSY]))
    job = submit(ws, "judge", ["甲"], ["乙"])

    ws.similarity.run(job)

    with ws.store.reading() as read:
        retries = read.all(text("SELECT retry_count FROM similarity_block"))
    assert [row.retry_count for row in retries] == [1]


def test_a_unit_whose_retries_are_used_up_is_a_dead_letter_and_the_rest_is_scored(ws: Workspace) -> None:
    scorer = Scripted()
    ws.similarity.bring("scripted", scorer)

    def fail(texts: Sequence[str]) -> None:
        scorer.faults = [BUSY] if "坏" in texts[0] else []

    scorer.before = fail
    job = submit(ws, "scripted", ["坏" + LONG, "甲" + LONG], ["乙", "丙"])

    ended = ws.similarity.run(job)

    letters = ws.dead.list(batch=job)
    assert (ended.status, ended.processed, ended.failed, ended.encoded) == (JobStatus.PARTIAL, 4, 2, 100.0)
    assert [(one.error_type, one.attempts) for one in letters] == [("timeout", 4)]
    assert [(one.side, one.line, one.reason) for one in ws.similarity.problems(job)] == [("left", 1, "failed")]
    scorer.before = len
    scorer.faults = []
    ws.dead.replay([letters[0].dead_id])
    mended = ws.similarity.run(job)
    assert (mended.status, mended.failed, mended.encoded, mended.eta_seconds) == (JobStatus.COMPLETED, 0, 100.0, 0.0)


def test_retries_are_a_setting(ws: Workspace, made_home: Path) -> None:
    with open_workspace(made_home, **{**QUICK, "similarity_retries": 0}) as strict:
        scorer = Scripted(faults=[BUSY])
        strict.similarity.bring("scripted", scorer)
        ended = strict.similarity.run(submit(strict, "scripted", ["甲"], ["乙"]))

    assert (ended.status, ended.failed, len(scorer.calls)) == (JobStatus.PARTIAL, 1, 1)


def test_trouble_with_a_key_parks_the_scorer_and_spends_no_retry(ws: Workspace) -> None:
    bad_key = Failure(error_type="bad_key", severity=Severity.PERMANENT, scope=Scope.KEY, message="who are you")
    scorer = Scripted(faults=[bad_key])
    ws.similarity.bring("scripted", scorer)
    job, stop = submit(ws, "scripted", ["甲"], ["乙"]), threading.Event()

    ws.similarity.run(job, progress=lambda _: stop.set() if ws.alerts.list() else None, stop=stop)

    assert ws.similarity.status(job).status is JobStatus.RUNNING
    assert len(scorer.calls) == 1
    assert ws.dead.list() == ()
    assert [one.kind for one in ws.alerts.list()] == ["lane_parked"]


def test_a_job_that_is_cancelled_while_it_runs_ends_at_its_next_chunk(ws: Workspace, made_home: Path) -> None:
    scorer = Scripted()
    ws.similarity.bring("scripted", scorer)
    job = submit(ws, "scripted", [f"{number}{LONG}" for number in range(4)], ["乙"])

    def cancel(_: Sequence[str]) -> None:
        with open_workspace(made_home) as other:
            other.similarity.cancel(job)

    scorer.before = cancel
    ended = ws.similarity.run(job)

    assert (ended.status, ended.processed) == (JobStatus.CANCELLED, 0)
    assert len(scorer.calls) == 1
    assert list(ws.similarity.above(job, -1.0)) == []


def test_two_jobs_run_in_the_order_of_their_priority_then_of_their_coming(ws: Workspace) -> None:
    scorer = Scripted()
    ws.similarity.bring("scripted", scorer)
    first = submit(ws, "scripted", ["一"], ["二"])
    second = submit(ws, "scripted", ["三"], ["四"])
    high = submit(ws, "scripted", ["五"], ["六"], priority=1)

    ws.similarity.run(second)

    assert [texts[0] for _, texts in scorer.calls] == ["五", "一", "三"]
    assert [one.status for one in ws.similarity.statuses([first, second, high])] == [JobStatus.COMPLETED] * 3


def test_two_workers_share_the_chunks_of_two_jobs(ws: Workspace, made_home: Path) -> None:
    both = threading.Barrier(2)
    scorers = [Scripted(), Scripted()]
    ws.similarity.bring("scripted", Scripted())
    jobs = [submit(ws, "scripted", [f"{name}{n}{LONG}" for n in range(3)], ["乙"]) for name in "一二"]

    def work(scorer: Scripted) -> None:
        scorer.before = lambda _: both.wait(20) if len(scorer.calls) == 1 else None
        with open_workspace(made_home, **QUICK) as mine:
            mine.similarity.bring("scripted", scorer)
            for job in jobs:
                mine.similarity.run(job)

    threads = [threading.Thread(target=work, args=(scorer,)) for scorer in scorers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    seen = [one for scorer in scorers for one in scorer.seen if one != "乙"]
    assert [one.status for one in ws.similarity.statuses(jobs)] == [JobStatus.COMPLETED] * 2
    assert len(seen) == len(set(seen)) == 6
    assert all(scorer.calls for scorer in scorers)
    assert not [one for one in ws.status().queues if one.queue == SIMILARITY and one.ready]


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_pair_scorer_that_fails_for_a_while_asks_for_no_stored_pair_again(ws: Workspace, *, symmetric: bool) -> None:
    judge = Judge(symmetric=symmetric)
    ws.similarity.bring("judge", judge)
    asked: list[int] = []

    def fail_once(pairs: Sequence[tuple[str, str]]) -> None:
        asked.append(len(pairs))
        judge.faults = [BUSY] if len(asked) == 2 else []

    judge.before = fail_once
    left, right = ([f"{side} {number}" for number in range(80)] for side in "左右")

    ended = ws.similarity.run(submit(ws, "judge", left, right))

    assert (ended.status, ended.processed) == (JobStatus.COMPLETED, 6400)
    assert sum(asked) - asked[1] == 6400
