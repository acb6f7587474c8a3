"""Batches as an operator types them: splits, groups, asking again, plan and reality."""

import json
import re
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

RUN = ("--brand", "砚山咖啡", "--platform", "picky", "--rounds", "2")


def test_what_failed_is_told_and_asked_again_by_the_command_that_is_named(asked: Cli) -> None:
    run = asked("batch", "run", *RUN)
    parent = json.loads(asked("batch", "list", "--json").out)[0]["batch_id"]
    assert run.code == 1
    assert f"answerwatch batch recollect {parent}" in run.err

    (dry,) = json.loads(asked("batch", "recollect", parent, "--dry-run", "--json").out)
    assert (dry["parent_batch_id"], dry["calls"], dry["questions"]) == (parent, 2, 1)
    assert len(json.loads(asked("batch", "list", "--json").out)) == 1

    made = asked("batch", "recollect", parent, "--idempotency-key", "k")
    again = asked("batch", "recollect", parent, "--idempotency-key", "k")
    assert made.out == again.out
    child = json.loads(asked("batch", "list", "--json").out)[0]
    assert f"answerwatch batch resume {child['batch_id']}" in made.out
    assert child["parent_batch_id"] == parent
    assert child["batch_id"] in asked("batch", "show", parent).out
    assert parent in asked("batch", "show", child["batch_id"]).out
    assert asked("batch", "recollect", parent).code == 2


def test_a_group_is_named_shown_and_cancelled(asked: Cli) -> None:
    asked("brands", "add", "霁白咖啡")
    made = asked("batch", "create", "--all-brands", "--platform", "calm", "--split-scenes", "--window", "4/5")
    group = json.loads(asked("batch", "list", "--json").out)[0]["group_id"]

    assert group in made.err
    status = json.loads(asked("batch", "status", group, "--json").out)
    assert (status["total"], status["status"], len(status["batches"])) == (12, "pending", 4)
    assert len(json.loads(asked("batch", "list", "--group", group, "--json").out)) == 4
    assert group in asked("batch", "show", group).out
    assert asked("batch", "pause", group).code == 0
    assert asked("batch", "cancel", group).code == 0
    assert json.loads(asked("batch", "status", group, "--json").out)["status"] == "cancelled"


@pytest.mark.parametrize("window", ["5", "a/b", "5/", "/5", "0/5", "5/nan"])
def test_a_window_that_cannot_be_read_is_told(asked: Cli, window: str) -> None:
    tried = asked("batch", "create", "--brand", "砚山咖啡", "--platform", "calm", "--window", window)

    assert tried.code == 2
    assert "window" in tried.err
    assert json.loads(asked("batch", "list", "--json").out) == []


def test_a_batch_that_ended_shows_plan_and_reality(asked: Cli) -> None:
    asked("batch", "run", "--brand", "砚山咖啡", "--platform", "calm", "--rounds", "1")
    batch = json.loads(asked("batch", "list", "--json").out)[0]["batch_id"]

    assert "2 / 2" in asked("batch", "show", batch).out
    (one,) = json.loads(asked("batch", "show", batch, "--json").out)["comparison"]
    assert (one["planned_calls"], one["calls"], one["differences"]) == (2, 2, ["unpriced"])


def test_an_answer_is_shown_with_what_it_cost(asked: Cli, home: Path) -> None:
    with (home / "platforms.toml").open("a", encoding="utf-8") as file:
        file.write('[platforms.calm.price]\ncurrency = "CNY"\ncall = 0.0125\n')
    asked("batch", "run", "--brand", "砚山咖啡", "--platform", "calm", "--rounds", "1")
    sample = json.loads(asked("samples", "list", "--json").out)[0]["sub_task_id"]

    assert re.search(r"cost +0\.0125\b", asked("samples", "show", sample).out)
    assert re.search(r"费用 +0\.0125\b", asked("samples", "show", sample, language="zh").out)
