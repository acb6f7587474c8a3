"""One seeded batch on every database, over every carrier: what comes out is equal byte for byte, times apart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Table

from answerwatch.simulator import SimulatorThread, parse_script
from answerwatch.store.batch import counters
from answerwatch.store.schema import (
    answer_sample,
    brand_result,
    call_attempt,
    citation,
    clean_result,
    clean_state,
    dead_letter,
    entity_match_detail,
    late_sample,
    question_usage_log,
    task_batch,
)
from tests.brokers import RABBITMQ, REDIS, Brokers
from tests.chaos.worker import Conditions, line_in, work
from tests.databases import SQLITE, Databases
from tests.integration.stages.line import Line, questions

pytestmark = pytest.mark.chaos

SCRIPT = """
seed: 11
latency: 5
answers: by_question
retry_after_s: 0
faults: {e500: 0.1, e429_retry_after: 0.05}
per_question: {第3个: e422, 第7个: refusal_text_zh, 第9个: empty}
"""

TABLES: tuple[Table, ...] = (
    answer_sample, brand_result, call_attempt, citation, clean_result, clean_state, dead_letter, entity_match_detail,
    late_sample, question_usage_log, task_batch,
)  # fmt: skip

APART = {"match_id", "dead_id", "raw_data_url", "raw_size", "response_time_ms", "request_id"}
"""Numbers that are counted up, where an exchange lies and how long its compressed form is, and the call's own id."""


def exported(line: Line) -> str:
    """Return everything that a run leaves behind, sorted, as JSON."""
    found: dict[str, object] = {}
    for table in TABLES:
        rows = [{name: told(name, value) for name, value in row.items() if is_told(name)} for row in line.rows(table)]
        found[table.name] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
    with line.store.reading() as tx:
        found["counters"] = str(counters.recount(tx, "B1"))
    return json.dumps(found, sort_keys=True, ensure_ascii=False, indent=1)


def is_told(name: str) -> bool:
    return name not in APART and not name.endswith("_at")


def told(name: str, value: object) -> object:
    if name == "state_history" and isinstance(value, list):
        return [move["to"] for move in value]
    return value


def run_of(folder: Path, url: str, given: Conditions) -> str:
    """Work on the batch, and return what came out."""
    with SimulatorThread(parse_script(SCRIPT)) as simulator:
        line = line_in(folder, url, simulator.base_url)
        line.add_lexicon(A牌=["砚山咖啡"], B牌=["霁白咖啡", "九墨咖啡"])
        line.add_batch("B1", questions(30), rounds=2)
        asyncio.run(work(line, given))
        found = exported(line)
        line.store.close()
        return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, databases: Databases) -> Iterator[str]:
    """What comes out of a run on SQLite that polls."""
    with databases.ready(SQLITE) as url:
        yield run_of(tmp_path_factory.mktemp("expected"), url, Conditions())


@pytest.fixture(
    params=[None, pytest.param(RABBITMQ, marks=pytest.mark.rabbitmq), pytest.param(REDIS, marks=pytest.mark.redis)],
    ids=["poll", RABBITMQ, REDIS],
)
def given(
    request: pytest.FixtureRequest, needs_server: Callable[[str], None], brokers: Brokers
) -> Iterator[Conditions]:
    """A worker of each carrier, each with other slots: how much is done together must not show either."""
    if request.param is None:
        yield Conditions(slots=3)
        return
    needs_server(request.param)
    with brokers.lent(request.param) as place:
        yield Conditions(slots=5, broker=place.url, namespace=place.namespace)


def test_the_answer_is_the_same_everywhere(tmp_path: Path, database_url: str, given: Conditions, expected: str) -> None:
    assert len(json.loads(expected)["answer_sample"]) > 50
    assert run_of(tmp_path, database_url, given) == expected
