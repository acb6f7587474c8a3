"""A worker process for tests: serves the toy until it is killed."""

import asyncio
from pathlib import Path

from answerwatch.engine.engine import Engine
from answerwatch.store.database import Store
from tests.brokers import Place
from tests.contract import toy


def serve(url: str, folder: Path, lease_s: float, place: Place | None) -> None:
    """Run an engine on a store, with its lock files in a folder."""
    store = Store(url)
    carrier = toy.carrier_at(place, store)
    engine = Engine(store, [toy.ToyStage()], toy.options(folder, lease_s=lease_s), carrier=carrier)
    asyncio.run(engine.run())
