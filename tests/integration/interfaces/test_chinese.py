"""A Chinese session speaks Chinese where the text comes from inside: checks, alerts, wrong use of a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

ENGLISH = re.compile(r"\b(the|is|are|it|its|of|run|see|set|and|or|no|not)\b", re.IGNORECASE)


@pytest.fixture
def chinese(asked: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.setenv("ANSWERWATCH_LANGUAGE", "zh")
    return asked


def test_doctor_and_its_advice(chinese: Cli, home: Path) -> None:
    well = chinese("doctor").out
    home.chmod(0o755)
    (home / "platforms.toml").write_text("[platforms.deepseek]\n", encoding="utf-8")
    ill = chinese("doctor").out

    assert "数据库可以写入" in well
    assert f"chmod 700 {home}" in ill
    assert "不能询问 deepseek：缺少密钥" in ill
    assert not ENGLISH.findall((well + ill).replace(str(home), ""))


def test_alerts_are_stored_as_facts_and_told_in_the_language_of_the_reader(asked: Cli) -> None:
    assert asked("batch", "run", "--brand", "砚山咖啡", "--platform", "picky", "--rounds", "1").code == 1

    told = {alert["kind"]: alert["message"] for alert in asked("alerts", "list", "--json").json()}
    assert re.fullmatch(r"1 of 2 sub-tasks of BATCH_\S+ failed", told["batch_partial"])
    chinese = asked("alerts", "list", language="zh").out
    assert "的 2 个子任务中有 1 个失败" in chinese
    assert "个子任务永久失败，最后一个是" in chinese
    assert "未处理的告警，最新的是：" in asked("doctor", language="zh").out
