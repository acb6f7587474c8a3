"""Similarity jobs through the engine: every pair has the score that it has when it is computed directly."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from answerwatch.domain.similarity import JobStatus
from answerwatch.errors import UsageError
from answerwatch.similarity import score_matrix
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, ListSource

LEFT = ("这款手机的电池很耐用", "怎么退货", "哪家酒店性价比高", "怎么退货", "")
RIGHT = ("该手机续航时间很长", "我想把商品退掉应该怎么办", "怎么退货", "北京有什么好吃的", "酒店性价比排行")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(tmp_path / "ws") as workspace:
        workspace.init()
        yield workspace


def texts(*lines: str) -> ListSource:
    return ListSource(texts=lines)


def finished(ws: Workspace, request: JobRequest) -> str:
    job = ws.similarity.submit(replace(request, scorer="lexical"))
    assert ws.similarity.run(job.job_id).status is JobStatus.COMPLETED
    return job.job_id


def test_every_pair_of_two_lists_has_its_score(ws: Workspace) -> None:
    direct = score_matrix(LEFT, RIGHT)

    job = finished(ws, JobRequest(left=texts(*LEFT), right=texts(*RIGHT)))

    status = ws.similarity.status(job)
    hits = {(one.left_line, one.right_line): one.score for one in ws.similarity.above(job, -1.0)}
    assert (status.total, status.processed, status.failed, status.progress) == (20, 20, 0, 100.0)
    assert set(hits) == {(left, right) for left in (1, 2, 3, 4) for right in (1, 2, 3, 4, 5)}
    for (left, right), score in hits.items():
        assert score == pytest.approx(direct[left - 1, right - 1], abs=1e-3)
    assert sum(ws.similarity.histogram(job).counts) == 20
    assert [(one.side, one.line, one.reason) for one in ws.similarity.problems(job)] == [("left", 5, "empty")]


def test_one_list_has_every_unordered_pair_of_lines_once(ws: Workspace) -> None:
    lines = ("怎么退货", "怎么退货", "哪家酒店好", "酒店哪家好")

    job = finished(ws, JobRequest(left=texts(*lines)))

    hits = {(one.left_line, one.right_line): one.score for one in ws.similarity.above(job, -1.0)}
    assert set(hits) == {(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)}
    assert hits[1, 2] == pytest.approx(1.0, abs=1e-3)
    best = {one.left_line: one.right_line for one in ws.similarity.top(job, 1)}
    assert best == {1: 2, 2: 1, 3: 4, 4: 3}
    assert ws.similarity.pair(f"{job}:4:3").score == ws.similarity.pair(f"{job}:3:4").score


def test_the_best_of_each_line_come_first(ws: Workspace) -> None:
    direct = score_matrix(LEFT, RIGHT)

    job = finished(ws, JobRequest(left=texts(*LEFT), right=texts(*RIGHT)))

    for line in (1, 2, 3):
        found = [one.right_line for one in ws.similarity.top(job, 2) if one.left_line == line]
        assert found[0] == int(np.argmax(direct[line - 1])) + 1


def test_a_second_job_takes_vectors_from_the_first(ws: Workspace) -> None:
    request = JobRequest(left=texts(*LEFT), right=texts(*RIGHT))
    finished(ws, request)

    again = finished(ws, request)

    assert ws.similarity.status(again).cache_hits == 1.0


def test_the_same_key_gives_the_same_job_and_other_content_is_refused(ws: Workspace) -> None:
    first = ws.similarity.submit(JobRequest(left=texts(*LEFT), idempotency_key="k"))

    again = ws.similarity.submit(JobRequest(left=texts(*LEFT), idempotency_key="k"))

    assert (again.job_id, again.is_new) == (first.job_id, False)
    with pytest.raises(UsageError, match="other content"):
        ws.similarity.submit(JobRequest(left=texts(*RIGHT), idempotency_key="k"))


def test_a_cancelled_job_is_left_alone(ws: Workspace) -> None:
    job = ws.similarity.submit(JobRequest(left=texts(*LEFT)))

    assert ws.similarity.cancel(job.job_id).status is JobStatus.CANCELLED

    assert ws.similarity.run(job.job_id).status is JobStatus.CANCELLED
    assert ws.similarity.pair(f"{job.job_id}:1:2").status == "pending"
    with pytest.raises(UsageError, match="already"):
        ws.similarity.cancel(job.job_id)


def test_pairs_of_a_file_are_scored_line_by_line(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(
        "left,right\n怎么退货,怎么退货\n怎么退货,北京有什么好吃的\n怎么退货,怎么退货\n,x\n", encoding="utf-8"
    )

    job = finished(ws, JobRequest(left=ListSource(file=file), is_pairs=True))

    hits = {one.left_line: one.score for one in ws.similarity.above(job, -1.0)}
    assert set(hits) == {1, 2, 3}
    assert hits[1] == hits[3] == pytest.approx(1.0, abs=1e-3)
    assert ws.similarity.pair(f"{job}:2:2").score == hits[2]


def test_many_lines_lie_in_many_blocks(ws: Workspace) -> None:
    left = [f"第{number}个问题是什么" for number in range(600)]
    right = [f"第{number}个回答在这里" for number in range(300)]

    job = finished(ws, JobRequest(left=texts(*left), right=texts(*right)))

    status = ws.similarity.status(job)
    direct = score_matrix(left, right)
    assert (status.total, status.processed) == (180_000, 180_000)
    assert sum(ws.similarity.histogram(job).counts) == 180_000
    for line in (1, 257, 600):
        assert ws.similarity.pair(f"{job}:{line}:{300}").score == pytest.approx(direct[line - 1, 299], abs=1e-3)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (JobRequest(left=texts()), "no pair"),
        (JobRequest(left=texts("", " ")), "no pair"),
        (JobRequest(left=texts("a"), scorer="nobody"), "nobody"),
        (JobRequest(left=texts("a", "b"), too_long="drop"), "truncate"),
        (JobRequest(left=texts("a" * 200_000, "b"), too_long="refuse"), "line 1"),
    ],
)
def test_what_cannot_be_scored_is_refused(ws: Workspace, request_: JobRequest, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ws.similarity.submit(request_)
