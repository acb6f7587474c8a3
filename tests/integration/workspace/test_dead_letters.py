"""Dead letters through their verbs: which ones, put back once, dropped with a reason, and what was done told."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import text

from answerwatch.errors import UsageError
from answerwatch.workspace import Workspace, open_workspace, to_dict
from answerwatch.workspace.dead_letters import Replay
from tests.databases import on_every_database
from tests.integration.workspace.conftest import QUICK

pytestmark = on_every_database


def imported(ws: Workspace, folder: Path, name: str, answers: int) -> str:
    rows = [{"question": f"{name}{n}", "platform": "kimi", "answer": f"推荐华为手机 {n}。"} for n in range(answers)]
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batch = ws.samples.import_file(file, scene="RECOMMEND", brand="华为").batch_id
    assert batch is not None
    return batch


def change_lengths(ws: Workspace, by: int) -> None:
    """Make the stored answers look damaged, or whole again."""
    with ws.store.writing() as tx:
        tx.run(text("UPDATE answer_sample SET response_length = response_length + :by"), {"by": by})


@pytest.fixture
def dying(ws: Workspace, tmp_path: Path) -> tuple[Workspace, str, str]:
    """Two batches whose three answers could not be cleaned."""
    ws.brands.add("华为")
    first, second = imported(ws, tmp_path, "a", 2), imported(ws, tmp_path, "b", 1)
    change_lengths(ws, 1)
    ws.cleaning.run()
    return ws, first, second


def test_letters_are_found_by_queue_batch_and_error_type(dying: tuple[Workspace, str, str]) -> None:
    ws, first, second = dying
    assert Counter(letter.group_id for letter in ws.dead.list()) == {first: 2, second: 1}
    assert len(ws.dead.list(batch=first)) == 2
    assert len(ws.dead.list(queue="clean", batch=second, error_type="raw_damaged")) == 1
    assert ws.dead.list(queue="collect") == ws.dead.list(error_type="reader_error") == ()
    with pytest.raises(UsageError, match="no batch"):
        ws.dead.list(batch="BATCH_NONE")


def test_a_letter_of_a_redo_names_the_batch(dying: tuple[Workspace, str, str]) -> None:
    ws, first, second = dying
    ws.cleaning.redo(everything=True, force=True)
    assert Counter(letter.group_id for letter in ws.dead.list()) == {first: 4, second: 2}


def test_a_task_that_dies_again_has_a_new_letter_with_the_old_ones_behind_it(
    dying: tuple[Workspace, str, str],
) -> None:
    ws, _, second = dying
    (old,) = ws.dead.list(batch=second)
    assert ws.dead.replay(everything=True, batch=second, reason="disk mended").replayed == (old.dead_id,)
    ws.cleaning.run()

    (new,) = ws.dead.list(batch=second)
    story = ws.dead.show(new.dead_id)

    assert new.dead_id != old.dead_id
    assert (new.task_id, new.attempts) == (old.task_id, old.attempts + 1)
    assert [letter.dead_id for letter in story.letters] == [old.dead_id]
    assert story.letters[0].replayed_by == ws.settings.actor
    (entry,) = story.done
    assert (entry.action, entry.actor, entry.detail["reason"]) == ("dead.replay", ws.settings.actor, "disk mended")
    assert json.loads(json.dumps(to_dict(story)))["dead_id"] == new.dead_id
    assert len(ws.dead.list(batch=second, replayed=True)) == 2


def test_what_is_dropped_is_kept_in_the_audit(dying: tuple[Workspace, str, str]) -> None:
    ws, first, _ = dying
    kept, gone = ws.dead.list(batch=first)
    ws.dead.replay([kept.dead_id])
    ws.cleaning.run()
    assert ws.dead.drop([gone.dead_id], reason="no answer worth it") == 1

    with pytest.raises(UsageError, match="no dead letter"):
        ws.dead.show(gone.dead_id)
    with ws.store.reading() as read:
        row = read.all(text("SELECT actor, action, subject, detail FROM audit_event ORDER BY audit_id"))[-1]
    detail = row.detail if isinstance(row.detail, dict) else json.loads(row.detail)
    assert (row.action, row.subject) == ("dead.drop", gone.task_id)
    assert (detail["reason"], detail["error_type"], detail["dead_id"]) == (
        "no answer worth it", "raw_damaged", gone.dead_id,
    )  # fmt: skip
    assert ws.dead.drop(everything=True, batch=first, error_type="raw_damaged") == 1
    assert ws.dead.list(batch=first) == ()


def test_two_replays_at_once_put_each_task_back_once(dying: tuple[Workspace, str, str], made_home: Path) -> None:
    ws, _, _ = dying
    change_lengths(ws, -1)
    found: list[Replay] = []
    broken: list[BaseException] = []

    def again() -> None:
        try:
            with open_workspace(made_home, **QUICK) as other:
                found.append(other.dead.replay(everything=True))
        except BaseException as error:  # noqa: BLE001 - told to the test, which fails with it
            broken.append(error)

    threads = [threading.Thread(target=again) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert broken == []
    assert Counter(dead for one in found for dead in one.replayed) == dict.fromkeys(
        (letter.dead_id for letter in ws.dead.list(replayed=True)), 1
    )
    run = ws.cleaning.run()
    assert (run.cleaned, run.failed, ws.cleaning.status().dead) == (3, 0, 0)
