"""A redo that is stopped or killed in the middle goes on, and each answer has one result in its generation."""

from __future__ import annotations

import json
import signal
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from answerwatch.store.schema import clean_result, clean_result_history, clean_state
from answerwatch.workspace import Workspace, open_workspace
from tests.e2e.cli.program import Program

ANSWERS = 1_500


@pytest.fixture
def cleaned(program: Program, tmp_path: Path) -> Program:
    """A workspace whose answers were cleaned before a name was known that stands in all of them."""
    with open_workspace(program.home) as ws:
        ws.init()
        ws.brands.add("砚山咖啡")
        rows = [{"question": f"q{n}", "platform": "kimi", "answer": f"第{n}家是老砚家，推荐。"} for n in range(ANSWERS)]
        file = tmp_path / "answers.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        ws.samples.import_file(file, scene="RECOMMEND", brand="砚山咖啡")
        assert ws.cleaning.run().cleaned == ANSWERS
    return program


def generations(ws: Workspace) -> tuple[Counter[int], Counter[int]]:
    """How many results are current, and how many were replaced, by generation."""
    with ws.store.reading() as read:
        current = Counter(row.generation for row in read.all(select(clean_result.c.generation)))
        return current, Counter(row.generation for row in read.all(select(clean_result_history.c.generation)))


def taken_over(ws: Workspace) -> int:
    """How many answers were not read again."""
    with ws.store.reading() as tx:
        return len(tx.all(select(clean_state.c.clean_task_id).where(clean_state.c.taken_from.is_not(None))))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize(("name", "read"), [("老砚家", ANSWERS), ("旧港咖啡", 0)])
def test_a_redo_that_ends_early_is_gone_on_with(cleaned: Program, number: signal.Signals, name: str, read: int) -> None:
    with open_workspace(cleaned.home) as ws:
        ws.brands.add_alias("砚山咖啡", name)
    with cleaned.started("clean", "redo", "--all") as running:
        assert running.err_line()  # the first line of progress: it is under way
        running.signal(number)
        ended = running.ended()

    assert ended.code == (130 if number is signal.SIGINT else -signal.SIGKILL)
    assert b"Traceback" not in ended.err
    with open_workspace(cleaned.home) as ws:
        current, history = generations(ws)
        assert sum(current.values()) == ANSWERS, "every answer has a result in between"
        assert history == Counter({1: current[2]} if current[2] else {})
    assert cleaned.run("clean", "redo", "--all").code == 0
    with open_workspace(cleaned.home) as ws:
        assert generations(ws) == (Counter({2: ANSWERS}), Counter({1: ANSWERS}))
        assert taken_over(ws) == ANSWERS - read
