"""Similarity jobs with scorers behind HTTP servers, from `scorers.toml` to scores."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from answerwatch.domain.similarity import JobStatus
from answerwatch.errors import ConfigurationError, WorkError
from answerwatch.scorers.http.canary import TEXTS
from answerwatch.simulator import SimulatorThread
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.similarity.views import JobRequest, JobView, ListSource

LINES = tuple(f"第 {number} 条：怎么退货，{number * 7} 天到账" for number in range(25))
PAIRS_OF_LINES = 300


@pytest.fixture
def simulator() -> Iterator[SimulatorThread]:
    with SimulatorThread(seed=7) as running:
        yield running


@contextmanager
def workspace(home: Path, **scorers: dict[str, object]) -> Iterator[Workspace]:
    """A workspace whose file names these scorers; opened again it is what another process would see."""
    home.mkdir(exist_ok=True)
    tables = [
        f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in table.items())
        for name, table in scorers.items()
    ]
    (home / "scorers.toml").write_text("\n".join(tables), encoding="utf-8")
    with open_workspace(home) as opened:
        opened.init()
        yield opened


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def done(ws: Workspace, lines: tuple[str, ...] = LINES, scorer: str = "mine") -> JobView:
    job = ws.similarity.submit(JobRequest(left=ListSource(texts=lines), scorer=scorer))
    return ws.similarity.run(job.job_id)


def own_calls(simulator: SimulatorThread) -> list[dict[str, Any]]:
    """Calls for texts of ours, without those of the canary."""
    calls: list[dict[str, Any]] = list(simulator.scoring_calls())
    return [one for one in calls if one["every"] and not set(one["every"]) <= set(TEXTS)]


def openai(simulator: SimulatorThread, **behaviour: object) -> dict[str, object]:
    return {"kind": "openai", "base_url": simulator.scoring(**behaviour) + "/v1", "model": "m"}


def tei(simulator: SimulatorThread, **behaviour: object) -> dict[str, object]:
    return {"kind": "tei", "base_url": simulator.scoring(**behaviour)}


def test_rep_batch_limit_learnt_from_a_refusal(simulator: SimulatorThread, tmp_path: Path) -> None:
    table = openai(simulator, refusing="dashscope", most_texts=10, tells="nowhere")
    with workspace(tmp_path / "ws", mine=table) as ws:
        job = done(ws)
        assert (job.status, job.processed, job.failed) == (JobStatus.COMPLETED, PAIRS_OF_LINES, 0)
        assert not ws.dead.list()
    refused = [one for one in own_calls(simulator) if one["status"] != 200]
    with workspace(tmp_path / "ws", mine=table) as ws:
        done(ws)

    assert [one["status"] for one in refused] == [400]
    # Another process knows the limit from the start.
    assert len([one for one in own_calls(simulator) if one["status"] != 200]) == 1


def test_rep_batch_limit_learnt_without_a_word(simulator: SimulatorThread, tmp_path: Path) -> None:
    table = openai(simulator, refusing="bare", most_texts=10, tells="nowhere")
    with workspace(tmp_path / "ws", mine=table) as ws:
        job = done(ws)
        assert (job.status, job.failed) == (JobStatus.COMPLETED, 0)
        assert not ws.dead.list()

    assert sum(one["status"] == 413 for one in own_calls(simulator)) <= 3


def test_rep_batch_limit_learnt_one_bad_text_is_told_by_its_line(simulator: SimulatorThread, tmp_path: Path) -> None:
    table = openai(simulator, refusing="dashscope", most_texts=10, longest=8192, tells="nowhere")
    lines = (*LINES[:13], "长" * 9000, *LINES[14:])
    with workspace(tmp_path / "ws", mine=table) as ws:
        job = done(ws, lines)
        (problem,) = ws.similarity.problems(job.job_id)
        letters = ws.dead.list()
        scored = {one.left_line for one in ws.similarity.above(job.job_id, -1.0)}

    assert (problem.side, problem.line, problem.reason) == ("left", 14, "too_long")
    assert (job.status, job.failed) == (JobStatus.PARTIAL, 24)
    assert len(letters) == 1
    assert 14 not in scored
    assert len(scored) == 23


def test_rep_model_revision_cache_the_same_revision_is_not_asked_again(
    simulator: SimulatorThread, tmp_path: Path
) -> None:
    table = tei(simulator)
    with workspace(tmp_path / "ws", mine=table) as ws:
        done(ws)
    before = len(own_calls(simulator))
    with workspace(tmp_path / "ws", mine=table) as ws:
        again = done(ws)

    assert len(own_calls(simulator)) == before
    assert (again.cache_hits, again.warning) == (1.0, None)
    assert again.scorer_id.startswith("sim-embed;rev=rev-a")


@pytest.mark.parametrize(
    ("behaviour", "settings"),
    [
        ({"revision": "rev-b"}, {}),
        ({"revision": "rev-b", "dimensions": 256}, {}),
        ({"dimensions": 256}, {"dimensions": 256}),
        ({}, {"query_prefix": "query: "}),
        ({"model": "another"}, {}),
    ],
)
def test_rep_model_revision_cache_nothing_is_used_after_a_change(
    simulator: SimulatorThread, tmp_path: Path, behaviour: dict[str, object], settings: dict[str, object]
) -> None:
    with workspace(tmp_path / "ws", mine=tei(simulator)) as ws:
        first = done(ws)
    with workspace(tmp_path / "ws", mine={**tei(simulator, **behaviour), **settings}) as ws:
        second = done(ws)

    assert (second.status, second.cache_hits) == (JobStatus.COMPLETED, 0.0)
    assert second.scorer_id != first.scorer_id


def test_rep_model_revision_cache_an_unknown_revision_is_remembered_within_its_job_only(
    simulator: SimulatorThread, tmp_path: Path
) -> None:
    table = openai(simulator, tells="nowhere")
    seen = []
    for revision in ("rev-a", "rev-a", "rev-b"):
        simulator.scoring(revision=revision)
        with workspace(tmp_path / "ws", mine=table) as ws:
            seen.append(done(ws))

    assert [one.cache_hits for one in seen] == [0.0, 0.0, 0.0]
    assert [one.warning for one in seen] == ["revision_unknown", "revision_unknown", "silent_change"]
    assert "rev=unknown" in seen[0].scorer_id
    assert seen[0].scorer_id == seen[1].scorer_id != seen[2].scorer_id


@pytest.mark.parametrize("tells", ["info", "nowhere"])
def test_rep_model_revision_cache_a_job_never_goes_on_under_another_model(
    simulator: SimulatorThread, tmp_path: Path, tells: str
) -> None:
    table = tei(simulator, tells=tells)
    with workspace(tmp_path / "ws", mine=table) as ws:
        job = ws.similarity.submit(JobRequest(left=ListSource(texts=LINES), scorer="mine"))
    simulator.scoring(revision="rev-b")
    with workspace(tmp_path / "ws", mine=table) as ws:
        view = ws.similarity.run(job.job_id)
        hits = list(ws.similarity.above(job.job_id, -1.0))

    assert (view.status, view.failed, view.warning) == (JobStatus.PARTIAL, PAIRS_OF_LINES, "scorer_changed")
    assert not hits


@pytest.mark.parametrize("tells", ["info", "nowhere"])
def test_rep_model_revision_cache_a_change_in_the_middle_stops_the_job(
    simulator: SimulatorThread, tmp_path: Path, tells: str
) -> None:
    table = {**tei(simulator, tells=tells), "texts": 10, "in_flight": 1}
    long = tuple(f"{line}{'很' * 8000}" for line in LINES)  # two units
    with workspace(tmp_path / "ws", mine=table) as ws:
        job = ws.similarity.submit(JobRequest(left=ListSource(texts=long), scorer="mine"))
        simulator.scoring(faults=[*["ok"] * 2, "other_model"])
        view = ws.similarity.run(job.job_id)
        hits = list(ws.similarity.above(job.job_id, -1.0))

    assert (view.status, view.warning, hits) == (JobStatus.PARTIAL, "scorer_changed", [])


def test_a_worker_that_knew_another_model_serves_the_jobs_of_the_present_one(
    simulator: SimulatorThread, tmp_path: Path
) -> None:
    table = tei(simulator)
    with workspace(tmp_path / "ws", mine=table) as worker:
        done(worker)
        simulator.scoring(revision="rev-b")
        with workspace(tmp_path / "ws", mine=table) as caller:
            job = caller.similarity.submit(JobRequest(left=ListSource(texts=LINES), scorer="mine"))
        view = worker.similarity.run(job.job_id)

    assert (view.status, view.cache_hits) == (JobStatus.COMPLETED, 0.0)


def test_a_pair_scorer_reranks_what_a_vector_scorer_finds(simulator: SimulatorThread, tmp_path: Path) -> None:
    url = simulator.scoring()
    ranker: dict[str, object] = {"kind": "tei", "base_url": url, "head": "rerank"}
    with workspace(tmp_path / "ws", finder=tei(simulator), ranker=ranker) as ws:
        request = JobRequest(
            left=ListSource(texts=LINES[:5]), right=ListSource(texts=LINES), scorer="ranker", finder="finder", top_k=3
        )
        job = ws.similarity.submit(request)
        view = ws.similarity.run(job.job_id)
        hits = list(ws.similarity.top(job.job_id, 3))

    assert (view.status, view.failed) == (JobStatus.COMPLETED, 0)
    assert {one.source for one in hits} == {"pair"}
    assert np.isfinite([one.score for one in hits]).all()


def test_a_server_that_cannot_be_asked_and_a_missing_key_are_told(simulator: SimulatorThread, tmp_path: Path) -> None:
    keyed = {**tei(simulator, faults=[]), "key_env": "NO_SUCH_KEY"}
    gone: dict[str, object] = {"kind": "tei", "base_url": "http://127.0.0.1:9"}
    with workspace(tmp_path / "ws", keyed=keyed, gone=gone) as ws:
        request = JobRequest(left=ListSource(texts=LINES), scorer="keyed")
        with pytest.raises(ConfigurationError, match="NO_SUCH_KEY"):
            ws.similarity.submit(request)
        with pytest.raises(WorkError, match="The scorer failed"):
            ws.similarity.submit(JobRequest(left=ListSource(texts=LINES), scorer="gone"))
        problems = {one.name: one.problem for one in ws.similarity.scorers()}

    assert problems["keyed"] is not None
    assert problems["gone"] is not None
