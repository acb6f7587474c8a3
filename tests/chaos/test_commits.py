"""The connection dies when a COMMIT is on its way: done or not, nobody was told. Nothing is lost, doubled or late."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store import migrations
from answerwatch.store.database import Store
from tests.chaos.judge import Fair, faults_of
from tests.chaos.proxy import Proxy, proxy_to
from tests.chaos.servers import DATABASE, DatabaseServer, Servers
from tests.chaos.worker import Conditions, line_in, work
from tests.databases import on_servers
from tests.integration.stages.line import Line, questions

pytestmark = pytest.mark.chaos

SHORT = Conditions(lease_s=2.0)
"""What was claimed in a commit whose answer was lost is in nobody's hand until its lease is over."""

SCRIPT = "{seed: 5, latency: 10, answers: by_question, faults: {e500: 0.1}, per_question: {3个: e422}}"


def cut_or_idle(proxy: Proxy, cut: int, line: Line) -> bool:
    return proxy.cut > cut or line.is_idle()


@on_servers
def test_a_commit_whose_answer_is_lost_is_not_made_again(
    tmp_path: Path, own_servers: Servers, database_kind: str
) -> None:
    seed = random.randrange(1_000_000)
    print(f"seed {seed}")  # noqa: T201 - a red run must be repeatable
    dice = random.Random(seed)
    server = own_servers.get(database_kind)
    assert isinstance(server, DatabaseServer)
    with SimulatorThread(parse_script(SCRIPT)) as simulator, proxy_to(server.port) as proxy:
        own = Store(server.create(DATABASE))
        migrations.upgrade(own)
        own.close()
        line = line_in(tmp_path, server.url(proxy.port), simulator.base_url)
        line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡", "九墨咖啡"])
        line.add_batch("B1", questions(60))
        for _ in range(6):
            cut = proxy.cut
            proxy.cut_commits(dice.randint(1, 4), after=dice.randint(5, 40))
            asyncio.run(work(line, SHORT, partial(cut_or_idle, proxy, cut, line)))
        proxy.cut_commits(0)
        asyncio.run(work(line, SHORT))
        line.store.close()
        direct = line_in(tmp_path, server.url(), simulator.base_url)
        assert proxy.cut >= 3
        assert faults_of(direct, simulator.calls(), Fair(unfinished=0)) == []
        direct.store.close()
