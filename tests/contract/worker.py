"""A worker process for tests: serves the toy until it is killed."""

import asyncio
from pathlib import Path

from answerwatch.engine.engine import Engine
from answerwatch.store.database import Store
from tests.contract import toy


def serve(folder: Path, lease_s: float) -> None:
    """Run an engine on the store of this folder."""
    store = Store(f"sqlite:///{folder / 'toy.db'}")
    engine = Engine(store, [toy.ToyStage()], toy.options(folder, lease_s=lease_s))
    asyncio.run(engine.run())
