"""Which workers live: a row in the registry and a locked file for each; the lock falls when the process dies.

Neither host name nor process id proves anything: a container comes back under the same name, a number is given again.
A lock that can be taken is proof, on the host whose files these are. All others are judged by their leases.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from answerwatch.clock import MICROSECONDS
from answerwatch.engine.lock_folder import unlockable
from answerwatch.store.database import Store, Write
from answerwatch.store.work import workers

FORGET_AFTER_S = 24 * 3600
"""Seconds after which a worker of another host that was not seen is forgotten; its leases ran out long ago."""


class Presence:
    """This process as a worker: enters itself, holds its lock, and finds the dead of this host."""

    def __init__(self, store: Store, lock_folder: Path) -> None:
        """Take a fresh id; nothing is entered yet."""
        self.worker_id = uuid.uuid4().hex
        self._store = store
        self.host = socket.gethostname()
        self.lock_path = lock_folder / f"{self.worker_id}.lock"
        self._lock = FileLock(self.lock_path, thread_local=False)

    def enter(self) -> None:
        """Lock the file, then enter the registry; raises ServiceError when the folder cannot be written."""
        try:
            self.lock_path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except OSError as error:
            raise unlockable(self.lock_path.parent, error) from error
        row = workers.Worker(worker_id=self.worker_id, host=self.host, pid=os.getpid(), lock_path=str(self.lock_path))
        self._store.transact(partial(workers.register, new=row))

    def leave(self, *, settled: bool) -> None:
        """Let go of the lock, and leave the registry when all work is settled.

        An entry that stays is found by its free lock: the next sweep takes its work back at once, not after the lease.
        """
        try:
            if settled:
                self._store.transact(partial(workers.forget, worker_ids=[self.worker_id]))
                self.lock_path.unlink(missing_ok=True)
        finally:
            self._lock.release()

    def see(self, tx: Write) -> None:
        """Note that this worker is at work, and forget those that nobody has seen for a day."""
        workers.see(tx, self.worker_id)
        workers.forget_unseen(tx, tx.now_us() - FORGET_AFTER_S * MICROSECONDS)

    def dead(self) -> list[workers.Worker]:
        """Return the workers of this host whose lock nobody holds."""
        with self._store.reading() as tx:
            others = [each for each in workers.everyone(tx) if each.host == self.host]
        return [each for each in others if each.worker_id != self.worker_id and is_free(Path(each.lock_path))]


def is_free(path: Path) -> bool:
    """Tell whether the lock file is there and nobody holds it; a missing one proves nothing."""
    if not path.exists():
        return False
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return False
    lock.release()
    return True


def clean_up(dead: Sequence[workers.Worker]) -> None:
    """Remove the lock files of dead workers; called after their work was taken back."""
    for each in dead:
        Path(each.lock_path).unlink(missing_ok=True)
