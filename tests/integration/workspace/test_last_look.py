"""When the work is done: one look sees less than the next, so what hands over is looked at before what it hands to."""

from sqlalchemy import event

from answerwatch.domain.work import CLEAN, COLLECT, NewTask
from answerwatch.store.work import ledger
from answerwatch.store.work.ledger import GroupSpec
from answerwatch.workspace import Workspace
from answerwatch.workspace.batches.verbs import nothing_to_do
from tests.databases import on_every_database

pytestmark = on_every_database


def put(ws: Workspace, queue: str) -> None:
    with ws.store.writing() as tx:
        ledger.open_group(tx, GroupSpec(queue=queue, group_id="B1", order=1))
        ledger.add(tx, queue, "B1", [NewTask(task_id=f"{queue}-1", lane="lane")])


def test_what_is_handed_over_between_two_looks_is_seen(ws: Workspace) -> None:
    put(ws, COLLECT)
    looks = 0

    def hand_over(*_: object) -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            with ws.store.writing() as tx:
                ledger.remove(tx, ledger.outstanding(tx, COLLECT, "B1"))
            put(ws, CLEAN)

    with ws.store.reading() as read:
        event.listen(ws.store.engine, "after_cursor_execute", hand_over)
        try:
            done = nothing_to_do(read, ["B1"])
        finally:
            event.remove(ws.store.engine, "after_cursor_execute", hand_over)

    assert not done
