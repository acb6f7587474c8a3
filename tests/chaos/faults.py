"""Faults that happen to a scene: each makes itself felt, is over when it returns, and is repeatable by its dice."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import redis
from dramatiq import Message

from answerwatch.domain.work import CLEAN, COLLECT
from answerwatch.engine.carriers.brokers import kind_of
from answerwatch.engine.carriers.dramatiq import ACTOR, NAMESPACE
from answerwatch.errors import StoreBusy
from answerwatch.stages.collect.ending import cancel_batch
from answerwatch.store.schema import question_usage_log
from tests.brokers import RABBITMQ, REDIS
from tests.chaos.scene import LEASE_S, SWEEP_S, WORKERS, Cell, Scene
from tests.chaos.servers import NEVER, Rabbit, Redis
from tests.chaos.worker import CLOCK
from tests.databases import SQLITE

Fault = Callable[[Scene], None]

OUTAGE_S = (1.0, 4.0)
"""Seconds for which a server is away in the usual form."""


def kill(scene: Scene) -> None:
    """Kill a worker, or all of them."""
    scene.mend()
    for worker in scene.dice.sample(scene.workers, scene.dice.choice((1, 1, WORKERS))):
        worker.kill()
        worker.wait()


def die_at(scene: Scene) -> None:
    """Let a worker more die at a point of its choice: an answer kept, rows written, committed, or in a sweep."""
    point = scene.dice.choice(("answered", "stored", "committed", "sweeping"))
    worker = scene.start("--die", f"{point}:{scene.dice.randint(1, 5)}")
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(10)
    worker.kill()
    worker.wait()


def stop(scene: Scene) -> None:
    """Stop a worker for longer than a lease, then let it go on."""
    worker, began = scene.victim(), time.time()
    worker.send_signal(signal.SIGSTOP)
    NEVER.wait(LEASE_S + SWEEP_S + scene.dice.uniform(0.5, 1.5))
    worker.send_signal(signal.SIGCONT)
    scene.frozen.append((began, time.time() + LEASE_S))


def crowd(scene: Scene) -> None:
    """Start two workers more at once, so that four sweep, and kill two of the four."""
    for _ in range(2):
        scene.start()
    for worker in scene.dice.sample(scene.workers, 2):
        worker.kill()
        worker.wait()


def set_clock(scene: Scene) -> None:
    """Set the clock of the workers' machine an hour ahead, and back."""
    scene.watch.pause()
    (scene.line.folder / CLOCK).write_text("3600")
    NEVER.wait(scene.dice.uniform(0.5, 2.0))
    (scene.line.folder / CLOCK).write_text("0")
    scene.watch.go_on()


def cancel(scene: Scene) -> None:
    """Cancel a batch while it is worked on, as a person does."""
    name = scene.add_batch(20)
    NEVER.wait(scene.dice.uniform(0.1, 1.0))
    for _ in range(6):
        with contextlib.suppress(StoreBusy):
            scene.line.store.transact(lambda tx: cancel_batch(tx, name, datetime.now(UTC)))
            return


def time_out(scene: Scene) -> None:
    """Add a batch whose time is over before its work is done, and kill a worker meanwhile."""
    scene.add_batch(40, timeout_s=scene.dice.uniform(0.5, 2.0))
    NEVER.wait(scene.dice.uniform(0.1, 1.0))
    worker = scene.victim()
    worker.kill()
    worker.wait()


def end_sessions(scene: Scene) -> None:
    """End sessions of the database, whatever they are doing, again and again for a moment."""
    assert scene.database is not None
    for _ in range(scene.dice.randint(1, 4)):
        for session in scene.database.sessions():
            if scene.dice.random() < 0.7:
                scene.database.kill(session)
        NEVER.wait(scene.dice.uniform(0.0, 0.3))


def cut_commits(scene: Scene) -> None:
    """Let commits go through, and no word of it come back."""
    assert scene.proxy is not None
    before = scene.proxy.cut
    scene.proxy.cut_commits(scene.dice.randint(1, 5), after=scene.dice.randint(0, 20))
    for _ in range(100):
        if scene.proxy.cut > before and not scene.proxy.cuts:
            break
        NEVER.wait(0.05)
    scene.proxy.cut_commits(0)


def database_away(scene: Scene) -> None:
    """Stop the database's server in the middle of everything, and start it again."""
    assert scene.database is not None
    scene.database.stop()
    NEVER.wait(scene.dice.uniform(*OUTAGE_S))
    scene.database.start()


def database_away_for_a_minute(scene: Scene) -> None:
    """Stop the database's server for a minute."""
    assert scene.database is not None
    scene.database.stop()
    NEVER.wait(60)
    scene.database.start()


def broker_restarts(scene: Scene) -> None:
    """Kill the broker and start it again; Redis comes back empty."""
    assert scene.broker is not None
    scene.broker.stop()
    NEVER.wait(scene.dice.uniform(*OUTAGE_S))
    scene.broker.start()


def redis_flushed(scene: Scene) -> None:
    """Remove everything from Redis."""
    assert isinstance(scene.broker, Redis)
    for _ in range(scene.dice.randint(1, 5)):
        redis.Redis.from_url(scene.broker.url()).flushall()
        NEVER.wait(scene.dice.uniform(0.0, 0.3))


def rabbit_hangs_up(scene: Scene) -> None:
    """Close all connections of RabbitMQ."""
    assert isinstance(scene.broker, Rabbit)
    scene.broker.control("close_all_connections", "chaos")


def rabbit_purged(scene: Scene) -> None:
    """Purge the queues, or delete them."""
    assert isinstance(scene.broker, Rabbit)
    verb = scene.dice.choice(("purge_queue", "delete_queue"))
    for queue in (COLLECT, CLEAN):
        with contextlib.suppress(subprocess.CalledProcessError):
            scene.broker.control(verb, f"{NAMESPACE}.{queue}")


def rabbit_forgets(scene: Scene) -> None:
    """Delete all that RabbitMQ has stored, and start it with nothing."""
    assert isinstance(scene.broker, Rabbit)
    scene.broker.forget()


def hints_doubled(scene: Scene) -> None:
    """Send hints that nobody asked for: old ones, doubled ones, in any order, and some that cannot be read."""
    assert isinstance(scene.broker, (Redis, Rabbit))
    ids = [row["sub_task_id"] for row in scene.line.rows(question_usage_log)]
    broker = kind_of(scene.broker.url(), NAMESPACE).open()
    for _ in range(20):
        some = scene.dice.choices(ids, k=10) if scene.dice.random() < 0.9 else ["", "no such task"]
        args = (COLLECT, some) if scene.dice.random() < 0.9 else (7,)
        for _ in range(2):
            queue = f"{NAMESPACE}.{COLLECT}"
            broker.enqueue(Message(queue_name=queue, actor_name=ACTOR, args=args, kwargs={}, options={}))
    broker.close()


ALWAYS: Mapping[str, Fault] = {
    "kill -9 of workers": kill,
    "death at a point": die_at,
    "SIGSTOP longer than a lease": stop,
    "four sweepers, two killed": crowd,
    "clock an hour ahead and back": set_clock,
    "batch cancelled": cancel,
    "batch timed out, worker killed": time_out,
}
ON_SERVERS: Mapping[str, Fault] = {
    "database sessions ended": end_sessions,
    "commits without an answer": cut_commits,
    "database stopped": database_away,
}
OVER_BROKERS: Mapping[str, Fault] = {"broker restarted": broker_restarts, "hints doubled": hints_doubled}
OF_BROKER: Mapping[str, Mapping[str, Fault]] = {
    REDIS: {"Redis flushed": redis_flushed},
    RABBITMQ: {
        "RabbitMQ connections closed": rabbit_hangs_up,
        "RabbitMQ queues purged or deleted": rabbit_purged,
        "RabbitMQ data deleted": rabbit_forgets,
    },
}


def faults_for(cell: Cell) -> dict[str, Fault]:
    """Return the faults that can happen to a cell."""
    found = dict(ALWAYS)
    if cell.database != SQLITE:
        found |= ON_SERVERS
    if cell.broker is not None:
        found |= {**OVER_BROKERS, **OF_BROKER[cell.broker]}
    return found
