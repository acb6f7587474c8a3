"""Jobs of a pair scorer: each pair, or the candidates that vectors find; every pair is asked for once."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from answerwatch.domain.similarity import JobStatus, Way
from answerwatch.similarity import planning
from answerwatch.workspace import Workspace
from answerwatch.workspace.similarity.views import JobRequest, JobView, ListSource
from tests.databases import on_every_database
from tests.scripted_scorers import Judge, Scripted, vector_of

pytestmark = on_every_database


def texts(lines: Sequence[str]) -> ListSource:
    return ListSource(texts=tuple(lines))


def done(ws: Workspace, judge: Judge, left: Sequence[str], right: Sequence[str] | None = None, **more: int) -> JobView:
    ws.similarity.bring("judge", judge)
    ws.similarity.bring("finder", Scripted())
    lists = {"left": texts(left), "right": None if right is None else texts(right)}
    request = JobRequest(**lists, scorer="judge", finder="finder", **more)  # type: ignore[arg-type]  # by name
    return ws.similarity.run(ws.similarity.submit(request).job_id)


def sentences(start: int, count: int) -> list[str]:
    return [f"第 {number} 句话" for number in range(start, start + count)]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rerank from 100 pairs on, so that a small job is on that way."""
    monkeypatch.setattr(planning, "MOST_EACH_PAIR", 100)


def test_candidates_are_judged_and_the_rest_keeps_the_score_of_vectors(ws: Workspace, few: None) -> None:
    left, right = sentences(0, 30), sentences(100, 40)
    judge = Judge(symmetric=False)

    job = done(ws, judge, left, right, top_k=3)

    product = np.array([vector_of(one) for one in left]) @ np.array([vector_of(one) for one in right]).T
    found = {(one.left_line - 1, one.right_line - 1): one for one in ws.similarity.above(job.job_id, -1.0)}
    judged = {at for at, one in found.items() if one.source == "pair"}
    assert (job.way, job.status, job.processed, len(found)) == (Way.RERANK, JobStatus.COMPLETED, 1200, 1200)
    assert Counter(row for row, _ in judged) == dict.fromkeys(range(30), 3)
    for (row, column), hit in found.items():
        if (row, column) in judged:
            assert hit.score == pytest.approx(judge.says(left[row], right[column]), abs=1e-6)
            assert product[row, column] >= np.sort(product[row])[-3] - 2e-3
            assert hit.scorer_id == judge.facts.scorer_id
        else:
            assert hit.score == pytest.approx(product[row, column], abs=2e-3)
            assert hit.scorer_id == Scripted().facts.scorer_id
    assert len(judge.seen) == len(set(judge.seen)) == 90


def test_the_best_of_a_line_are_its_judged_candidates_and_a_pair_tells_both_scores(ws: Workspace, few: None) -> None:
    left, right = sentences(0, 30), sentences(100, 40)
    judge = Judge()

    job = done(ws, judge, left, right, top_k=4)

    best = [one for one in ws.similarity.top(job.job_id, 2) if one.left_line == 7]
    view = ws.similarity.pair(f"{job.job_id}:7:{best[0].right_line}")
    assert [one.score for one in best] == sorted((one.score for one in best), reverse=True)
    assert (view.score, view.source) == (best[0].score, "pair")
    assert view.vector_score == pytest.approx(float(vector_of(view.left) @ vector_of(view.right)), abs=2e-3)


def test_of_one_list_a_line_sees_judged_pairs_on_both_sides(ws: Workspace, few: None) -> None:
    lines = sentences(0, 40)
    judge = Judge()

    job = done(ws, judge, lines, top_k=5)

    pairs = {frozenset((one.left_line, one.right_line)) for one in ws.similarity.top(job.job_id, 40)}
    assert len(judge.seen) == len({frozenset(pair) for pair in judge.seen}) == len(pairs)
    last = [one.score for one in ws.similarity.top(job.job_id, 40) if one.left_line == 40]
    assert last == sorted(last, reverse=True)
    assert last
    assert job.failed == 0


def test_turned_pairs_are_asked_once_where_the_order_does_not_matter(ws: Workspace) -> None:
    both = sentences(0, 60)
    judge = Judge()

    job = done(ws, judge, both, both[::-1])

    assert (job.way, job.status, job.processed) == (Way.EACH_PAIR, JobStatus.COMPLETED, 3600)
    assert len(judge.seen) == len({frozenset(pair) for pair in judge.seen}) == 60 * 61 // 2
    one, other = (ws.similarity.pair(f"{job.job_id}:{at}").score for at in ("3:1", "60:58"))
    assert one == other == pytest.approx(judge.says(both[2], both[59]), abs=1e-6)


def test_turned_pairs_are_asked_both_ways_where_the_order_matters(ws: Workspace) -> None:
    judge = Judge(symmetric=False)

    job = done(ws, judge, ["甲", "乙"], ["乙", "甲"])

    assert sorted(judge.seen) == sorted([("甲", "乙"), ("甲", "甲"), ("乙", "乙"), ("乙", "甲")])
    assert ws.similarity.pair(f"{job.job_id}:1:1").score != ws.similarity.pair(f"{job.job_id}:2:2").score


@pytest.mark.parametrize(("revision", "hits"), [("1", 1.0), (None, 0.1)])
def test_a_second_job_asks_for_nothing_that_is_remembered(ws: Workspace, revision: str | None, hits: float) -> None:
    left, right = sentences(0, 20), sentences(10, 30)
    first, second = Judge(revision=revision), Judge(revision=revision)

    earlier = done(ws, first, left, right)
    later = done(ws, second, right[:5], left)

    assert earlier.pair_hits == 45 / 600
    assert later.pair_hits == hits
    assert len(second.seen) == round(100 * (1 - hits))


def test_a_poison_pair_is_one_dead_letter_and_everything_else_is_scored(ws: Workspace) -> None:
    left, right = sentences(0, 50), sentences(50, 50)

    job = done(ws, Judge(symmetric=False, never={(left[6], right[8])}), left, right)

    view = ws.similarity.pair(f"{job.job_id}:7:9")
    assert (job.status, job.processed, job.failed, job.progress) == (JobStatus.PARTIAL, 2500, 1, 100.0)
    assert (view.status, view.score, view.reason) == ("failed", None, "refused")
    assert len(list(ws.similarity.above(job.job_id, -1.0))) == 2499
    assert [one.error_type for one in ws.dead.list(batch=job.job_id)] == ["refused"]


def test_a_poison_candidate_has_no_score_though_vectors_gave_it_one(ws: Workspace, few: None) -> None:
    left, right = sentences(0, 20), sentences(100, 20)
    product = vector_of(left[0]) @ np.array([vector_of(one) for one in right]).T
    nearest = int(np.argmax(product))

    job = done(ws, Judge(symmetric=False, never={(left[0], right[nearest])}), left, right, top_k=2)

    view = ws.similarity.pair(f"{job.job_id}:1:{nearest + 1}")
    assert (job.failed, view.status, view.score) == (1, "failed", None)
    assert view.vector_score == pytest.approx(float(product[nearest]), abs=2e-3)
    assert nearest + 1 not in [one.right_line for one in ws.similarity.top(job.job_id, 5) if one.left_line == 1]
    ws.similarity.bring("judge", Judge(symmetric=False))
    ws.dead.replay(everything=True, batch=job.job_id)
    mended = ws.similarity.run(job.job_id)
    assert (mended.status, mended.failed, mended.processed) == (JobStatus.COMPLETED, 0, 400)
