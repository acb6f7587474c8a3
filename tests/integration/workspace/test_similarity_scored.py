"""Scores of jobs, whatever shape: those of the scorer's own numbers, with holes where it refused."""

from collections.abc import Sequence

import numpy as np
import pytest

from answerwatch.domain.similarity import JobStatus, Roles
from answerwatch.similarity.scorer import Role
from answerwatch.workspace import Workspace
from answerwatch.workspace.similarity.views import JobRequest, JobView, ListSource
from tests.databases import on_every_database
from tests.scripted_scorers import Scripted, vector_of

pytestmark = on_every_database


def texts(lines: Sequence[str]) -> ListSource:
    return ListSource(texts=tuple(lines))


def done(ws: Workspace, scorer: Scripted, request: JobRequest) -> JobView:
    ws.similarity.bring("scripted", scorer)
    return ws.similarity.run(ws.similarity.submit(request).job_id)


def scores_of(ws: Workspace, job: str) -> dict[tuple[int, int], float]:
    return {(one.left_line, one.right_line): one.score for one in ws.similarity.above(job, -1.0)}


def sentences(start: int, count: int) -> list[str]:
    return [f"第 {number} 句话" for number in range(start, start + count)]


def test_many_blocks_hold_the_direct_product(ws: Workspace) -> None:
    left, right = [*sentences(0, 300), "", *sentences(0, 20)], sentences(290, 40)

    job = done(ws, Scripted(), JobRequest(left=texts(left), right=texts(right), scorer="scripted"))

    rows, columns = (np.array([vector_of(one) for one in lines]) for lines in (left, right))
    direct = rows @ columns.T
    found = scores_of(ws, job.job_id)
    assert (job.status, job.total, job.processed, job.failed) == (JobStatus.COMPLETED, 12_800, 12_800, 0)
    assert set(found) == {(row, column) for row in range(1, 322) if row != 301 for column in range(1, 41)}
    assert all(score == pytest.approx(direct[row - 1, column - 1], abs=2e-3) for (row, column), score in found.items())
    assert found[291, 1] == 1.0


def test_one_list_holds_each_unordered_pair_once(ws: Workspace) -> None:
    lines = [*sentences(0, 270), *sentences(5, 10)]

    job = done(ws, Scripted(), JobRequest(left=texts(lines), scorer="scripted"))

    found = scores_of(ws, job.job_id)
    assert job.total == len(found) == 280 * 279 // 2
    assert all(left < right for left, right in found)
    assert found[6, 271] == 1.0
    assert found[2, 275] == pytest.approx(float(vector_of(lines[1]) @ vector_of(lines[274])), abs=2e-3)


def test_a_refused_text_has_no_score_and_one_dead_letter_however_many_lines_hold_it(ws: Workspace) -> None:
    left, right = ["甲", "毒", "乙", "毒"], ["丙", "毒", "甲"]

    job = done(ws, Scripted(never={"毒"}), JobRequest(left=texts(left), right=texts(right), scorer="scripted"))

    assert (job.status, job.processed, job.failed, job.progress) == (JobStatus.PARTIAL, 12, 8, 100.0)
    assert set(scores_of(ws, job.job_id)) == {(1, 1), (1, 3), (3, 1), (3, 3)}
    assert [(one.error_type, one.queue) for one in ws.dead.list(batch=job.job_id)] == [("refused", "similarity")]
    assert [(one.side, one.line, one.reason) for one in ws.similarity.problems(job.job_id)] == [("left", 2, "refused")]
    assert ws.similarity.pair(f"{job.job_id}:1:2").status == "failed"
    assert ws.similarity.histogram(job.job_id).unscored == 8


def test_a_dead_text_that_is_replayed_fills_its_row_and_column(ws: Workspace) -> None:
    scorer = Scripted(never={"毒"})
    job = done(ws, scorer, JobRequest(left=texts(["甲", "毒"]), right=texts(["毒", "乙"]), scorer="scripted"))
    scorer.never = frozenset()
    scorer.calls.clear()

    ws.dead.replay(everything=True, batch=job.job_id)
    again = ws.similarity.run(job.job_id)

    assert (again.status, again.failed, again.processed) == (JobStatus.COMPLETED, 0, 4)
    assert len(scores_of(ws, job.job_id)) == 4
    assert scorer.seen == ["毒"]
    assert ws.dead.list(batch=job.job_id) == ()


def test_questions_and_passages_are_encoded_as_such(ws: Workspace) -> None:
    scorer = Scripted()

    done(ws, scorer, JobRequest(left=texts(["问"]), right=texts(["答", "问"]), scorer="scripted", roles=Roles.SEARCH))

    assert sorted(scorer.calls) == [(Role.PASSAGE, ("答", "问")), (Role.QUERY, ("问",))]


def test_a_scorer_that_became_another_one_stops_its_job(ws: Workspace) -> None:
    ws.similarity.bring("scripted", Scripted(revision="1"))
    job = ws.similarity.submit(JobRequest(left=texts(["甲", "乙"]), scorer="scripted"))
    ws.similarity.bring("scripted", Scripted(revision="2"))

    ended = ws.similarity.run(job.job_id)

    assert (ended.status, ended.warning, ended.failed) == (JobStatus.PARTIAL, "scorer_changed", 1)
