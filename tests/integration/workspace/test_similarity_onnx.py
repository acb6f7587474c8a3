"""Similarity jobs with a model from a local folder: every pair judged, or the best that vectors found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from answerwatch.domain.similarity import JobStatus, Way
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, ListSource
from tests.checkpoints import PIECES, POISON, Layout, random_bert, write_checkpoint
from tests.integration.scorers.bert_by_hand import positive

WEIGHTS = random_bert(labels=2)
LETTERS = PIECES.replace(POISON, "")


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(tmp_path / "ws") as workspace:
        workspace.init()
        write_checkpoint(workspace.settings.home / "models" / "tiny", WEIGHTS, Layout(prefix="encoder.", torch=True))
        table = '[tiny]\nkind = "onnx"\nfolder = "models/tiny"\n'
        (workspace.settings.home / "scorers.toml").write_text(table, encoding="utf-8")
        yield workspace


def lines(count: int, step: int) -> tuple[str, ...]:
    return tuple(f"{LETTERS[number * step % 47]}{LETTERS[number % 31]}{number}" for number in range(count))


def test_every_pair_of_two_lists_is_judged(ws: Workspace) -> None:
    left, right = lines(20, 3), lines(20, 5)

    job = ws.similarity.submit(
        JobRequest(left=ListSource(texts=left), right=ListSource(texts=right), scorer="tiny", finder="lexical")
    )
    done = ws.similarity.run(job.job_id)

    hits = {(one.left_line, one.right_line): one.score for one in ws.similarity.above(job.job_id, -1.0)}
    assert (done.status, done.way, done.processed, done.failed) == (JobStatus.COMPLETED, Way.EACH_PAIR, 400, 0)
    assert len(hits) == 400
    for (one, other), score in hits.items():
        assert score == pytest.approx(positive(WEIGHTS, left[one - 1], right[other - 1]), abs=1e-5)


def test_what_vectors_find_is_judged_again(ws: Workspace) -> None:
    left, right = lines(460, 3), lines(460, 5)
    request = JobRequest(
        left=ListSource(texts=left), right=ListSource(texts=right), scorer="tiny", finder="lexical", top_k=5
    )

    job = ws.similarity.submit(request)
    done = ws.similarity.run(job.job_id)

    best = [one for one in ws.similarity.top(job.job_id, 1) if one.left_line in (1, 200, 460)]
    assert (done.status, done.way) == (JobStatus.COMPLETED, Way.RERANK)
    assert len(best) == 3
    for one in best:
        wanted = positive(WEIGHTS, left[one.left_line - 1], right[one.right_line - 1])
        assert one.score == pytest.approx(wanted, abs=1e-5)
