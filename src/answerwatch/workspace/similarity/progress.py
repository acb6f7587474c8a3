"""How far a job is, how fast it goes and how long it still takes, from what was counted of it."""

from __future__ import annotations

from answerwatch.domain.similarity import Way
from answerwatch.store.similarity.jobs import Job
from answerwatch.workspace.similarity.views import JobView


def view_of(job: Job, *, is_new: bool = True) -> JobView:
    """Return a job as people see it."""
    return JobView(
        job_id=job.job_id,
        status=job.status,
        scorer=job.scorer_name,
        scorer_id=job.scorer_id,
        finder_id=job.finder_id,
        shape=job.shape,
        way=job.way,
        priority=job.priority,
        left_lines=job.left_lines,
        right_lines=job.right_lines,
        total=job.total,
        processed=job.processed,
        pending=job.total - job.processed,
        failed=job.failed,
        progress=_percent(job.processed, job.total),
        encoded=_percent(job.encode_done, job.encode_total) if job.encode_total else None,
        cache_hits=_share(job.encode_cached, job.encode_done),
        pair_hits=_share(job.cached_pairs, job.asked_pairs),
        rate=_speed(job.processed, job.work_s),
        chars_rate=_speed(job.encode_done - job.encode_cached, job.encode_s),
        eta_seconds=_remaining(job),
        warning=job.warning,
        note=job.note,
        created_at=job.created_at,
        created_by=job.created_by,
        started_at=job.started_at,
        finished_at=job.finished_at,
        is_new=is_new,
    )


def _percent(part: int, whole: int) -> float:
    """Return how much is done, 100 only where nothing is left."""
    if part >= whole:
        return 100.0
    return min(99.99, round(100 * part / whole, 2))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _speed(amount: int, seconds: float) -> float | None:
    return round(amount / seconds, 1) if amount > 0 and seconds > 0 else None


def _remaining(job: Job) -> float | None:
    """Return the seconds of work that are left at the speed so far; None where nothing is known of it yet.

    Time in which nobody worked does not count, so that a pause or a crash does not make the rest look longer; what was
    remembered does not count as speed, and nothing of the rest is taken for remembered.
    """
    if job.status.is_final:
        return 0.0
    encoding = _encoding_left(job)
    if job.way is Way.VECTORS:
        if encoding is None or job.units_left:
            return encoding  # products take a thousandth of the time that vectors take
        products = job.work_s - job.encode_s
        return round((job.total - job.processed) * products / job.processed, 1) if job.processed else None
    judged = job.asked_pairs - job.cached_pairs
    if encoding is None or judged <= 0 or not job.processed:
        return None
    asked_left = job.asked_pairs * (job.total - job.processed) / job.processed
    return round(encoding + asked_left * job.judge_s / judged, 1)


def _encoding_left(job: Job) -> float | None:
    """Return the seconds until all texts are encoded."""
    left = max(0, job.encode_total - job.encode_done)
    if not job.units_left or not left:
        return 0.0
    fresh = job.encode_done - job.encode_cached
    return round(left * job.encode_s / fresh, 1) if fresh > 0 and job.encode_s > 0 else None
