"""What holds with a broker between: it brings speed, and whatever happens to it, work is neither lost nor doubled."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pika  # type: ignore[import-untyped]  # pika has no types
import pytest
import redis
from dramatiq import Message
from sqlalchemy import update

from answerwatch.domain.work import RetryPolicy
from answerwatch.engine.carriers.brokers import kind_of
from answerwatch.engine.carriers.carrier import Carrier
from answerwatch.engine.carriers.dramatiq import ACTOR, DramatiqCarrier
from answerwatch.engine.carriers.hints import Scale
from answerwatch.engine.engine import Engine
from answerwatch.errors import AnswerwatchError, ConfigurationError, ServiceError
from answerwatch.store.database import Store, Write
from answerwatch.store.schema import work_task
from answerwatch.store.work import groups, ledger
from tests import brokers
from tests.brokers import RABBITMQ, REDIS, Place
from tests.contract import toy
from tests.contract.conftest import Combination
from tests.contract.toy import GROUP, QUEUE
from tests.databases import POSTGRES, SQLITE

SELDOM_S = 600.0
"""Time between sweeps in tests in which only a hint can be the reason that work starts."""

SECRET = "letmein-777"

on_rabbitmq = pytest.mark.parametrize(
    "combination",
    [pytest.param(Combination(RABBITMQ, POSTGRES), marks=[pytest.mark.rabbitmq, pytest.mark.postgres], id=RABBITMQ)],
)
on_both = pytest.mark.parametrize(
    "combination",
    [
        pytest.param(Combination(RABBITMQ, POSTGRES), marks=[pytest.mark.rabbitmq, pytest.mark.postgres], id=RABBITMQ),
        pytest.param(Combination(REDIS, POSTGRES), marks=[pytest.mark.redis, pytest.mark.postgres], id=REDIS),
    ],
)
on_own_redis = pytest.mark.parametrize(
    "combination", [pytest.param(Combination("poll", SQLITE), marks=pytest.mark.redis, id="own-redis")]
)


@pytest.fixture
def silent(url: str) -> Iterator[Store]:
    """The same database, from where nobody tells of new work."""
    store = Store(url)
    yield store
    store.close()


@pytest.fixture
def there(place: Place | None) -> Place:
    """The broker of a combination that has one."""
    assert place is not None
    return place


@pytest.fixture
def own_redis(needs_server: Callable[[str], None]) -> int:
    """A free port for a Redis server that the test may break."""
    needs_server(REDIS)
    return brokers.free_port()


def engine_at(
    place: Place, store: Store, folder: Path, *, stage: toy.ToyStage | None = None, **changes: object
) -> Engine:
    """Return an engine on the broker; by default it sweeps once."""
    options = toy.options(folder, **{"sweep_s": SELDOM_S, **changes})
    return Engine(store, [stage or toy.ToyStage()], options, carrier=toy.carrier_at(place, store))


def send(place: Place, *args: object, actor: str = ACTOR) -> None:
    """Publish a message by hand."""
    broker = kind_of(place.url, place.namespace).open()
    name = f"{place.namespace}.{QUEUE}"
    broker.enqueue(Message(queue_name=name, actor_name=actor, args=args, kwargs={}, options={}))
    broker.close()


def send_raw(place: Place, body: bytes) -> None:
    """Put bytes into the queue that are no message."""
    name = f"{place.namespace}.{QUEUE}"
    if place.kind == RABBITMQ:
        connection = pika.BlockingConnection(pika.URLParameters(place.url))
        connection.channel().basic_publish("", name, body)
        connection.close()
        return
    client = redis.Redis.from_url(place.url)
    client.hset(f"{place.namespace}:{name}.msgs", "garbage", body.decode("latin-1"))
    client.rpush(f"{place.namespace}:{name}", "garbage")
    client.close()


def purge(place: Place) -> None:
    """Take all messages out of the queue."""
    if place.kind == RABBITMQ:
        brokers.waiting(place)  # makes the queue where no worker has made it yet
        connection = pika.BlockingConnection(pika.URLParameters(place.url))
        connection.channel().queue_purge(f"{place.namespace}.{QUEUE}")
        connection.close()
    else:
        brokers.wipe_redis(place.url, place.namespace)


@pytest.mark.usefixtures("carrier")
@on_both
def test_idle_workers_start_new_work_at_once(store: Store, silent: Store, tmp_path: Path, there: Place) -> None:
    """Nobody looks for ten minutes; whoever makes work tells all workers."""
    engines = [engine_at(there, silent, tmp_path) for _ in range(2)]
    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(toy.serving(engine))
        toy.add(store, ["ok::1"])
        toy.eventually(lambda: toy.done(store) == ["ok::1"], "the first task")
        toy.add(store, [f"sleep:600:{number}" for number in range(2 * toy.SLOTS)])
        toy.eventually(lambda: [each.in_hand for each in engines] == [toy.SLOTS] * 2, "both workers are full")


@pytest.mark.usefixtures("carrier")
@on_both
def test_a_retry_starts_when_its_wait_is_over(store: Store, tmp_path: Path, there: Place) -> None:
    policy = RetryPolicy(delays_s=(0.3,), max_retries=3, jitter=0.0)
    with toy.serving(engine_at(there, store, tmp_path, stage=toy.ToyStage(policy=policy))):
        toy.add(store, ["flaky:2:1"])
        toy.eventually(lambda: toy.done(store) == ["flaky:2:1"], "the third try")


@pytest.mark.usefixtures("carrier")
@on_both
def test_a_group_that_goes_on_is_told(store: Store, tmp_path: Path, there: Place) -> None:
    toy.add(store, ["ok::1"])
    store.transact(lambda tx: groups.hold(tx, QUEUE, GROUP))
    with toy.serving(engine_at(there, store, tmp_path)):
        toy.add(store, ["ok::2"], group=ledger.GroupSpec(queue=QUEUE, group_id="G2"))
        toy.eventually(lambda: toy.done(store) == ["ok::2"], "the group that is not paused")
        store.transact(lambda tx: groups.release(tx, QUEUE, GROUP))
        toy.eventually(lambda: toy.done(store) == ["ok::1", "ok::2"], "the one that was")


@pytest.mark.usefixtures("carrier")
@on_both
def test_work_that_is_handed_back_goes_to_the_next_worker_at_once(
    store: Store, silent: Store, tmp_path: Path, there: Place
) -> None:
    ids = [f"sleep:600:{number}" for number in range(5)]
    with toy.serving(engine_at(there, store, tmp_path)) as first:
        toy.add(store, ids)
        toy.eventually(lambda: first.in_hand == 5, "the first worker has them")
        with toy.serving(engine_at(there, silent, tmp_path)) as second:
            first.request_stop(0.0)
            toy.eventually(lambda: second.in_hand == 5, "the second one has them")


@on_both
def test_hints_that_come_twice_and_in_reverse_double_nothing(silent: Store, tmp_path: Path, there: Place) -> None:
    ids = [f"ok::{number:03}" for number in range(200)]
    with toy.serving(engine_at(there, silent, tmp_path)):
        toy.add(silent, ids)
        parts = [ids[start : start + 50] for start in range(0, 200, 50)]
        for part in [*reversed(parts), *reversed(parts)]:
            send(there, QUEUE, part)
        toy.eventually(lambda: toy.nothing_left(silent), "all is done")
        toy.eventually(lambda: brokers.waiting(there) == 0, "the hints that came too late are gone")
    assert toy.done(silent) == ids


@on_both
def test_what_is_no_hint_harms_nobody(silent: Store, tmp_path: Path, there: Place) -> None:
    with toy.serving(engine_at(there, silent, tmp_path)):
        toy.add(silent, ["ok::1"])
        send(there, QUEUE, ["ok::1"])
        toy.eventually(lambda: toy.done(silent) == ["ok::1"], "the worker listens")
        send(there, QUEUE, [f"nobody::{number}" for number in range(50)])
        send(there, "no such queue", ["ok::2"])
        send(there, QUEUE, [["ok::2"]])
        send(there, {"queue": QUEUE})
        send(there)
        send(there, QUEUE, ["ok::2"], actor="nobody")
        send_raw(there, b"\x00\xff no message")
        toy.add(silent, ["ok::2"])
        send(there, QUEUE, ["ok::2"])
        toy.eventually(lambda: toy.done(silent) == ["ok::1", "ok::2"], "the hint after them")


@on_both
def test_hints_that_wait_are_as_few_as_there_are_workers(
    store: Store, silent: Store, tmp_path: Path, there: Place, carrier: Carrier
) -> None:
    """So that the order of the work is the ledger's: what lies in the broker has no order that could matter."""
    toy.add(silent, [f"sleep:600:{number:04}" for number in range(500)])
    with toy.serving(engine_at(there, silent, tmp_path)) as one, toy.serving(engine_at(there, silent, tmp_path)) as two:
        toy.eventually(lambda: one.in_hand == two.in_hand == toy.SLOTS, "both are full")
        for _ in range(20):
            carrier.tell([QUEUE])
            carrier.close(5.0)
        assert brokers.waiting(there) <= 2
        assert brokers.unacknowledged(there) <= 2
        toy.add(store, ["ok::urgent"], group=ledger.GroupSpec(queue=QUEUE, group_id="urgent", priority=1))
        carrier.close(5.0)
        silent.transact(lambda tx: ledger.remove(tx, toy.in_hand(tx)))
    # The sleeping ones are gone from the ledger, the workers were stopped: what is claimed next is urgent.
    with toy.serving(engine_at(there, silent, tmp_path, slots={QUEUE: 1})):
        toy.eventually(lambda: toy.done(silent) == ["ok::urgent"], "the urgent one goes first")


@pytest.mark.usefixtures("carrier")
@on_both
def test_a_purged_queue_costs_nothing_but_time(store: Store, tmp_path: Path, there: Place) -> None:
    ids = [f"sleep:0.02:{number:03}" for number in range(200)]
    with toy.serving(engine_at(there, store, tmp_path, sweep_s=0.2, slots={QUEUE: 5})):
        for start in range(0, 200, 20):
            toy.add(store, ids[start : start + 20])
            purge(there)
        toy.eventually(lambda: toy.nothing_left(store), "all is done")
    assert toy.done(store) == ids


@pytest.mark.usefixtures("carrier")
@on_rabbitmq
def test_connections_that_the_broker_closes_are_opened_again(store: Store, tmp_path: Path, there: Place) -> None:
    host = urlsplit(there.url).path.removeprefix("/")
    with toy.serving(engine_at(there, store, tmp_path)):
        toy.add(store, ["ok::1"])
        toy.eventually(lambda: toy.done(store) == ["ok::1"], "the first task")
        brokers.rabbitmqctl("close_all_connections", "--vhost", host, "a test")
        toy.add(store, ["ok::2"])
        toy.eventually(lambda: toy.done(store) == ["ok::1", "ok::2"], "a hint over a new connection")


@on_own_redis
def test_redis_may_lose_everything(store: Store, tmp_path: Path, own_redis: int) -> None:
    ids = [f"sleep:0.02:{number:03}" for number in range(200)]
    with brokers.redis_server(own_redis) as address:
        place = Place(REDIS, address, "aw")
        carrier = toy.carrier_at(place, store)
        store.listeners.append(carrier.tell)
        client = redis.Redis.from_url(address)
        with toy.serving(engine_at(place, store, tmp_path, sweep_s=0.2, slots={QUEUE: 5})):
            for start in range(0, 200, 20):
                toy.add(store, ids[start : start + 20])
                client.flushall()
                client.client_kill_filter(skipme=True)
            toy.eventually(lambda: toy.nothing_left(store), "all is done")
        client.close()
        assert toy.done(store) == ids


@on_own_redis
def test_a_broker_that_is_down_at_the_start_is_used_when_it_comes(store: Store, tmp_path: Path, own_redis: int) -> None:
    place = Place(REDIS, f"redis://127.0.0.1:{own_redis}/0", "aw")
    carrier = toy.carrier_at(place, store)
    store.listeners.append(carrier.tell)
    toy.add(store, ["ok::1"])
    with toy.serving(engine_at(place, store, tmp_path)):
        toy.eventually(lambda: toy.done(store) == ["ok::1"], "work goes on without it")
        with brokers.redis_server(own_redis):
            toy.add(store, ["ok::2"])
            toy.eventually(lambda: toy.done(store) == ["ok::1", "ok::2"], "a hint")
            carrier.close(5.0)
        toy.add(store, ["ok::3"])
        carrier.close(5.0)
    # It went away again in the end; the next worker finds what it could not tell.
    toy.serve(store, tmp_path, toy.carrier_at(place, store))
    assert toy.done(store) == ["ok::1", "ok::2", "ok::3"]


@on_rabbitmq
def test_a_rabbitmq_that_comes_and_goes_is_used_while_it_is_there(
    store: Store, silent: Store, tmp_path: Path, there: Place
) -> None:
    forwarder = brokers.Forwarder(brokers.free_port(), there.url)
    place = Place(RABBITMQ, forwarder.url, there.namespace)
    carrier = toy.carrier_at(place, store)
    store.listeners.append(carrier.tell)
    ids = [f"ok::{number}" for number in range(4)]
    toy.add(silent, ids[:1])
    with toy.serving(engine_at(place, silent, tmp_path)):
        toy.eventually(lambda: toy.done(silent) == ids[:1], "work goes on without it")
        for part in (ids[:2], ids[:3]):
            with forwarder:
                toy.add(store, part[-1:])
                toy.eventually(partial(_is_done, silent, part), "a hint")
    toy.add(store, ids[3:])
    with toy.serving(engine_at(place, silent, tmp_path)):
        toy.eventually(lambda: toy.done(silent) == ids, "it went away again, the work did not")
    carrier.close(5.0)


@on_both
def test_rep_long_wait_broker_ack(store: Store, there: Place, worker: Callable[[float], BaseProcess]) -> None:
    """Twenty tasks wait for minutes: no message waits with them, and a worker that dies meanwhile changes nothing."""
    ids = [f"throttled:240:{number:02}" for number in range(20)]
    toy.add(store, ids)
    processes = [worker(30.0) for _ in range(3)]
    toy.eventually(lambda: len(toy.events(store, "failed")) == 20, "the platform asked all to wait")
    toy.eventually(lambda: _depth(store) == (0, 20, 0), "all are scheduled, none is running")
    toy.eventually(lambda: brokers.unacknowledged(there) == 0, "nothing is unacknowledged")
    assert brokers.waiting(there) <= 3
    assert _least_wait_s(store) > 200
    processes[0].kill()
    processes[0].join()
    assert _depth(store) == (0, 20, 0)
    assert brokers.unacknowledged(there) == 0
    store.transact(_let_time_pass)
    toy.eventually(lambda: toy.nothing_left(store), "the second calls")
    assert toy.done(store) == ids
    claims = [task for task, _ in toy.events(store, "claimed")]
    assert sorted(claims) == sorted(ids * 2)
    assert [process.exitcode for process in processes] == [-signal.SIGKILL, None, None]


def _is_done(store: Store, ids: Sequence[str]) -> bool:
    return toy.done(store) == list(ids)


def _depth(store: Store) -> tuple[int, int, int]:
    with store.reading() as tx:
        depths = ledger.depths(tx)
    return sum(d.ready for d in depths), sum(d.waiting for d in depths), sum(d.leased for d in depths)


def _least_wait_s(store: Store) -> float:
    with store.reading() as tx:
        return min(int(row.due_us) - tx.now_us() for row in tx.all(work_task.select())) / 1e6


def _let_time_pass(tx: Write) -> None:
    tx.run(update(work_task).values(due_us=tx.now_us()))


def _codes(url: str, store: Store) -> tuple[str, str]:
    """Return how the check and the start of an engine name what is wrong; no text may hold the secret."""
    carrier = DramatiqCarrier(url, store, Scale(), namespace="aw")
    told: list[tuple[str, str]] = []
    for attempt in (carrier.check, lambda: carrier.start([QUEUE], _Nobody())):
        try:
            attempt()
            told.append(("", ""))
        except AnswerwatchError as error:
            told.append((error.code, f"{error.text} {error.facts}"))
    carrier.stop(2.0)
    assert all(SECRET not in text for _, text in told)
    return told[0][0], told[1][0]


class _Nobody:
    def look(self) -> None: ...

    def offer(self, queue: str, task_ids: Sequence[str]) -> None: ...


@on_rabbitmq
def test_what_is_wrong_with_rabbitmq_is_named(store: Store, there: Place) -> None:
    if not brokers.commands_rabbitmq():
        pytest.skip("rabbitmqctl cannot be called: no user without rights can be made")
    host = urlsplit(there.url).path
    server = urlsplit(there.url).netloc.rpartition("@")[2]
    brokers.rabbitmqctl("add_user", "aw_nobody", SECRET)
    try:
        mine = f"amqp://aw_nobody:{SECRET}@{server}{host}"
        assert _codes(f"amqp://aw_nobody:{SECRET}x@{server}{host}", store) == ("broker_login", "broker_login")
        assert _codes(mine, store) == ("broker_rights", "broker_rights")
        assert _codes(f"{mine}-elsewhere", store) == ("broker_vhost", "broker_vhost")
        assert _codes(f"amqp://aw_nobody:{SECRET}@{server}//", store) == ("broker_vhost", "broker_vhost")
        brokers.rabbitmqctl("set_permissions", "-p", host.removeprefix("/"), "aw_nobody", "", "", "")
        assert _codes(mine, store) == ("broker_rights", "broker_rights")
    finally:
        brokers.rabbitmqctl("delete_user", "aw_nobody")
    nobody_there = f"amqp://me:{SECRET}@127.0.0.1:{brokers.free_port()}/x"
    assert _codes(nobody_there, store) == ("broker_away", "")
    assert _codes(f"amqp://me:{SECRET}@{server}/x?nonsense=1", store) == ("broker_address", "broker_address")


@on_own_redis
def test_what_is_wrong_with_redis_is_named(store: Store, own_redis: int) -> None:
    with brokers.redis_server(own_redis, "--requirepass", SECRET):
        host = f"127.0.0.1:{own_redis}"
        client: Any = redis.Redis(port=own_redis, password=SECRET)
        client.acl_setuser("weak", enabled=True, passwords=[f"+{SECRET}"], categories=["+@connection"])
        client.close()
        assert _codes(f"redis://:{SECRET}@{host}/0", store) == ("", "")
        assert _codes(f"redis://:{SECRET}x@{host}/0", store) == ("broker_login", "broker_login")
        assert _codes(f"redis://{host}/0", store) == ("broker_login", "broker_login")
        assert _codes(f"redis://weak:{SECRET}@{host}/0", store) == ("broker_rights", "broker_rights")
        assert _codes(f"redis://:{SECRET}@{host}/99", store) == ("broker_refuses", "broker_refuses")
        assert _codes(f"redis://:{SECRET}@{host}/0?nonsense=1", store) == ("broker_address", "broker_address")
    assert _codes(f"redis://:{SECRET}@{host}/0", store) == ("broker_away", "")


@on_own_redis
def test_an_engine_does_not_start_where_its_broker_refuses_it(store: Store, tmp_path: Path, own_redis: int) -> None:
    toy.add(store, ["ok::1"])
    with brokers.redis_server(own_redis, "--requirepass", SECRET) as address:
        engine = engine_at(Place(REDIS, address, "aw"), store, tmp_path)
        with pytest.raises(ServiceError, match="refuses the login"):
            asyncio.run(engine.run())


@on_own_redis
def test_a_missing_library_is_told_with_its_extra(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, url, extra in (
        ("dramatiq.brokers.rabbitmq", "amqp://host/", "amqp"), ("dramatiq.brokers.redis", "redis://host/0", "redis"),
    ):  # fmt: skip
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ConfigurationError, match=rf"answerwatch\[{extra}\]"):
            DramatiqCarrier(url, store, Scale()).check()


def test_the_libraries_are_loaded_by_those_who_need_them() -> None:
    script = (
        "import sys, answerwatch.workspace.parts, answerwatch.engine.engine, answerwatch.engine.carriers.dramatiq\n"
        "print(sorted({'dramatiq', 'pika', 'redis'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said == "[]\n"
