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
    # A long path is wrapped, so that it cannot be taken out as a whole.
    assert not set(ENGLISH.findall(well + ill)) - set(ENGLISH.findall(str(home)))


def test_alerts_are_stored_as_facts_and_told_in_the_language_of_the_reader(asked: Cli) -> None:
    assert asked("batch", "run", "--brand", "砚山咖啡", "--platform", "picky", "--rounds", "1").code == 1

    told = {alert["kind"]: alert["message"] for alert in asked("alerts", "list", "--json").json()}
    assert re.fullmatch(r"1 of 2 sub-tasks of BATCH_\S+ failed", told["batch_partial"])
    chinese = asked("alerts", "list", language="zh").out
    assert "的 2 个子任务中有 1 个失败" in chinese
    assert "个子任务永久失败，最后一个是" in chinese
    assert "未处理的告警，最新的是：" in asked("doctor", language="zh").out


WRONG_USE = [
    (("questions", "list", "--limi", "3"), "没有选项 --limi；是否想写 --limit？"),
    (("questions", "list", "-x"), "没有选项 -x"),
    (("bacth",), "没有命令 'bacth'；是否想写 'batch'？"),
    (("batch", "zzz"), "没有命令 'zzz'。"),
    (("batch", "run", "--brand", "x"), "缺少选项 '--platform'。"),
    (("samples", "import"), "缺少参数 'FILE'。"),
    (("questions", "list", "one", "two"), "多余的参数：one two"),
    (("questions", "list", "--limit"), "选项 '--limit' 后面要有值。"),
    (("questions", "list", "--active=1"), "选项 '--active' 不带值。"),
    (("questions", "list", "--limit", "0"), "'--limit' 的值不能用：不能小于 1"),
    (("platforms", "simulate", "--port", "70000"), "'--port' 的值不能用：不能大于 65535"),
    (("dead", "show", "abc"), "'ID' 的值不能用：应为整数（"),
    (("batch", "plan", "--brand", "a", "--platform", "b", "--timeout", "x"), "'--timeout' 的值不能用：应为数字（"),
    (("report", "a", "--since", "yesterday"), "'--since' 的值不能用：应为日期或时间，例如 2026-07-01（"),
    (("brands", "add", "a", "--role", "boss"), "'--role' 的值不能用：'boss' 不在可选值之中：'own', 'competitor'。"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG_USE, ids=[" ".join(arguments) for arguments, _ in WRONG_USE])
def test_wrong_use_of_a_command(cli: Cli, arguments: tuple[str, ...], told: str) -> None:
    """Fails where a new version of Typer words its errors otherwise: section `usage` follows it."""
    refused = cli(*arguments, language="zh")

    assert refused.code == 2
    assert refused.err.startswith(f"用法不对：{told}")


def test_an_unusable_setting_is_told_with_its_place(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERWATCH_COLLECT_SLOTS", "many")

    refused = cli("status", language="zh").err
    assert refused.startswith("错误：环境变量 ANSWERWATCH_COLLECT_SLOTS 里的设置 collect_slots 的值不能用：应为整数（")
