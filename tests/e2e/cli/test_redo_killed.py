"""A redo that is stopped or killed in the middle goes on, and each answer is read once in its generation."""

from __future__ import annotations

import json
import signal
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from answerwatch.store.schema import clean_result, clean_result_history
from answerwatch.workspace import Workspace, open_workspace
from tests.e2e.cli.program import Program

ANSWERS = 400


@pytest.fixture
def changed(program: Program, tmp_path: Path) -> Program:
    """A workspace whose answers were cleaned before a name was known."""
    with open_workspace(program.home) as ws:
        ws.init()
        ws.brands.add("砚山咖啡")
        rows = [{"question": f"q{n}", "platform": "kimi", "answer": f"第{n}家是老砚家，推荐。"} for n in range(ANSWERS)]
        file = tmp_path / "answers.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        ws.samples.import_file(file, scene="RECOMMEND", brand="砚山咖啡")
        assert ws.cleaning.run().cleaned == ANSWERS
        ws.brands.add_alias("砚山咖啡", "老砚家")
    return program


def generations(ws: Workspace) -> tuple[Counter[int], Counter[int]]:
    """How many results are current, and how many were replaced, by generation."""
    with ws.store.reading() as read:
        current = Counter(row.generation for row in read.all(select(clean_result.c.generation)))
        return current, Counter(row.generation for row in read.all(select(clean_result_history.c.generation)))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_redo_that_ends_early_is_gone_on_with(changed: Program, number: signal.Signals) -> None:
    with changed.started("clean", "redo", "--all") as running:
        assert running.err_line()  # the first line of progress: it is under way
        running.signal(number)
        ended = running.ended()

    assert ended.code == (130 if number is signal.SIGINT else -signal.SIGKILL)
    assert b"Traceback" not in ended.err
    with open_workspace(changed.home) as ws:
        current, history = generations(ws)
        assert sum(current.values()) == ANSWERS, "every answer has a result in between"
        assert history == Counter({1: current[2]} if current[2] else {})
    assert changed.run("clean", "redo", "--all").code == 0
    with open_workspace(changed.home) as ws:
        assert generations(ws) == (Counter({2: ANSWERS}), Counter({1: ANSWERS}))
