"""Celery used the ordinary way: the message is the task. Loaded by its command line and by the benchmark."""

from __future__ import annotations

import os

from celery import Celery  # type: ignore[import-untyped]  # Celery has no types

from benchmarks.plain_bodies import BROKER, NAMESPACE, count_one

app = Celery("plain", broker=os.environ[BROKER])
app.conf.update(task_default_queue=os.environ[NAMESPACE], task_ignore_result=True, task_acks_late=True)


@app.task(name="task")  # type: ignore[untyped-decorator]  # Celery has no types
def task(_: int) -> None:
    """Do nothing but count."""
    count_one()
