"""A Chinese session speaks Chinese where the text comes from inside: checks, alerts, wrong use of a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from answerwatch.domain.said import Said
from answerwatch.messages import Messages
from answerwatch.simulator import SimulatorThread, parse_script
from tests.integration.interfaces.conftest import Cli
from tests.unit.simulator.test_script import WRONG

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


@pytest.mark.parametrize("text", [text for text, _ in WRONG if text != "a: ["])
def test_a_script_of_the_simulator_that_is_wrong(cli: Cli, tmp_path: Path, text: str) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(text, encoding="utf-8")

    refused = cli("platforms", "simulate", "--script", str(script), language="zh")
    assert refused.code == 3
    assert refused.err.startswith(f"错误：脚本有误：{script}：")
    assert not re.findall(
        r"\b(?:is|must|be|has|have|needs|with|known|and|a|unknown|from|field)\b", without(text, refused.err)
    )


def without(values: str, told: str) -> str:
    """What is told, without the words of the script itself."""
    return re.sub("|".join(re.findall(r"\w+", values)), "", told)


def test_a_simulator_that_others_could_reach(cli: Cli) -> None:
    refused = cli("platforms", "simulate", "--host", "192.0.2.1", "--port", "0", language="zh")

    assert (refused.code, refused.err) == (
        2,
        "错误：其他机器可以访问 192.0.2.1；请监听 127.0.0.1，或加上 --allow-remote。\n",
    )


def test_an_answer_that_is_too_long_to_store(ready: Cli) -> None:
    with SimulatorThread(parse_script("per_question: {coffee: 'huge:6'}")) as simulator:
        url = f"{simulator.base_url}/v1"
        ready("platforms", "add", "big", "--base-url", url, "--model", "m", "--rate", "50", "--key-env", "")
        assert ready("batch", "run", "--brand", "砚山咖啡", "--platform", "big", "--rounds", "1").code == 1

    (letter,) = ready("dead", "list", "--json").json()
    (batch,) = ready("batch", "list", "--json").json()
    assert re.fullmatch(r"the answer has [\d,]+ characters; at most 5,000,000 are stored", letter["error"])
    for words in (("dead", "list"), ("dead", "show", "1"), ("alerts", "list"), ("batch", "show", batch["batch_id"])):
        told = ready(*words, language="zh").out
        assert "个字符，最多保存 5,000,000" in told
        assert "characters" not in told


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("connection", "connection"),
        ("bad_key: Your key is no good: ask us", "bad_key: Your key is no good: ask us"),
        (
            "bad_key: our own set-up, not the key: No space is left for raw answers in /; free some and start again.",
            "bad_key: 本机设置的问题，与密钥无关：/ 所在的磁盘已满，原始回答无法保存；请腾出空间后再开始。",
        ),
        (
            "platform_key_missing: The key of platform kimi is missing; set the environment variable KIMI_KEY.",
            "platform_key_missing: 缺少平台 kimi 的密钥；请设置环境变量 KIMI_KEY。",
        ),
    ],
)
def test_why_a_platform_is_parked(reason: str, told: str) -> None:
    """As `platforms check`, `status` and alerts tell it: the kind stays, for people look it up."""
    parked = Said("platform_parked", f"it is parked: {reason}", reason=reason)

    assert Messages("zh").stored(reason) == told
    assert Messages("zh").translated(parked) == f"已停用：{told}"


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
    (("questions", "list", "--limit", "x"), "'--limit' 的值不能用：应为整数（读不出整数）"),
    (("export", "results", "q.csv", "--since", "foo"), "'--since' 的值不能用：应为日期或时间，例如 2026-07-01（太短）"),
    (
        ("report", "a", "--since", "2026-13-01"),
        "'--since' 的值不能用：应为日期或时间，例如 2026-07-01（月份应在 1 到 12 ",
    ),
    (("report", "a", "--since", "2026-x1-01"), "'--since' 的值不能用：应为日期或时间，例如 2026-07-01（月份里有不该有"),
    (("brands", "rule", "a", "x"), "缺少选项 '--kind'；可选值：exclude, require。"),
    (("brands", "add", "a", "--role", "boss"), "'--role' 的值不能用：'boss' 不在可选值之中：'own', 'competitor'。"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG_USE, ids=[" ".join(arguments) for arguments, _ in WRONG_USE])
def test_wrong_use_of_a_command(cli: Cli, arguments: tuple[str, ...], told: str) -> None:
    """Fails where a new version of Typer words its errors otherwise: section `usage` follows it."""
    refused = cli(*arguments, language="zh")

    assert refused.code == 2
    assert refused.err.startswith(f"用法不对：{told}")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.xlsx", b"PK\x03\x04" + b"rubbish" * 50, "已损坏，不能读完（原话：“"),
        ("a.json", b"[" * 100_000 + b"]" * 100_000, "不是 JSON 文档：列表或对象嵌套太深（"),
        ("b.json", b'[{"a": 1} {"a": 2}]', "不是 JSON 文档：缺少 ,（"),
        ("c.json", b'[{"a": 1}', "不是 JSON 文档：文件提前结束（"),
        ("d.json", b'[{"a": tru}]', "不是 JSON 文档：这里应有一个值（"),
        ("a.jsonl", b'{"a": tru}', "不是 JSON（这里应有一个值：第 1 行第 7 列（位置 6））"),
        ("b.jsonl", rb'{"a": "\q"}', "不是 JSON（反斜杠后面的写法不对："),
    ],
)
def test_what_libraries_say_of_a_file(ready: Cli, tmp_path: Path, name: str, content: bytes, told: str) -> None:
    """Fails where a new Python words its errors otherwise: section `usage` follows it."""
    (tmp_path / name).write_bytes(content)

    assert told in ready("questions", "import", str(tmp_path / name), language="zh").err


def test_a_platform_where_none_is_set_up(ready: Cli) -> None:
    for language, step in (
        ("zh", "还没有设置任何平台；请用 `answerwatch platforms add 名称` 添加"),
        ("en", "has none yet; add"),
    ):
        refused = ready("batch", "create", "--brand", "砚山咖啡", "--platform", "nosuch", language=language)

        assert (refused.code, step in refused.err) == (2, True)
        assert "：。" not in refused.err


def test_an_unusable_setting_is_told_with_its_place(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERWATCH_COLLECT_SLOTS", "many")

    refused = cli("status", language="zh").err
    assert refused.startswith("错误：环境变量 ANSWERWATCH_COLLECT_SLOTS 里的设置 collect_slots 的值不能用：应为整数（")


def test_what_changed_the_lexicon(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    file.write_text("brand,text\n砚山咖啡,砚山\n", encoding="utf-8")
    for words in (
        ("alias", "砚山咖啡", "YSKF"),
        ("exclude", "砚山咖啡", "砚山咖啡馆"),
        ("remove-rule", "砚山咖啡", "砚山咖啡馆", "--kind", "exclude"),
        ("remove-alias", "砚山咖啡", "YSKF", "--note", "没有人用"),
        ("import", str(file), "--apply"),
    ):
        assert ready("brands", *words).code == 0

    told = ready("brands", "history", language="zh").out

    for note in (
        "导入 names.csv",
        "去掉 砚山咖啡 的名称 YSKF：没有人用",
        "去掉 砚山咖啡 的 exclude 规则 砚山咖啡馆",
        "砚山咖啡 的 exclude 规则 砚山咖啡馆",
        "砚山咖啡 的名称 YSKF",
        "添加 砚山咖啡",
    ):
        assert note in told


def test_what_the_operating_system_says_of_a_file(ready: Cli, tmp_path: Path) -> None:
    told = ready("brands", "import", str(tmp_path / "none.csv"), language="zh").err

    assert "没有这个文件或文件夹" in told
    assert "No such file" not in told
