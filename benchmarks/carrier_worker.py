"""A worker process of the benchmark `carriers`: serves tasks that do nothing, or wait, until it is terminated."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from answerwatch.engine.carriers.dramatiq import DramatiqCarrier
from answerwatch.engine.carriers.hints import Scale
from answerwatch.engine.engine import Engine
from answerwatch.engine.options import EngineOptions
from answerwatch.store.database import Store
from benchmarks.idle_stage import QUEUE, IdleStage, IdleStep

SLOTS = 1_000
TOGETHER = 50


def carrier_of(store: Store, broker: str, namespace: str) -> DramatiqCarrier | None:
    """Return the carrier over a broker; None where workers poll."""
    return DramatiqCarrier(broker, store, Scale(slots={QUEUE: SLOTS}), namespace=namespace) if broker else None


async def _serve(database: str, broker: str, namespace: str, folder: Path) -> None:
    store = Store(database)
    options = EngineOptions(lock_folder=folder, slots={QUEUE: SLOTS})
    engine = Engine(store, [IdleStage(IdleStep(), TOGETHER)], options, carrier=carrier_of(store, broker, namespace))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, engine.request_stop)
    await engine.run()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])))
