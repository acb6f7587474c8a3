"""`answerwatch brands ...`, as an operator types it."""

import json
from pathlib import Path

from tests.integration.interfaces.conftest import Cli


def test_a_lexicon_is_edited_compared_and_read_back(ready: Cli) -> None:
    steps = (
        ("alias", "砚山咖啡", "YSKF", "--kind", "ticker", "--note", "listed in May"),
        ("rule", "砚山咖啡", "咖啡", "--kind", "require", "--alias", "YSKF", "--window", "12"),
        ("edit", "砚山咖啡", "--role", "own", "--domain", "yanshan.example"),
        ("exclude", "砚山咖啡", "砚山咖啡豆"),
        ("alias", "砚山咖啡", "Yanshan Coffee", "--inactive"),
        ("remove-rule", "砚山咖啡", "砚山咖啡豆", "--kind", "exclude"),
        ("remove-alias", "砚山咖啡", "Yanshan Coffee"),
    )
    for step in steps:
        done = ready("brands", *step)
        assert (done.code, done.err) == (0, "")

    shown = ready("brands", "show", "yskf").out
    assert "with case" in shown
    assert "12" in shown
    difference = ready("brands", "diff", "1", "7").out
    assert "YSKF" in difference
    assert "role: competitor → own" in difference
    assert "out of use" not in difference
    assert "removed" in difference
    history = ready("brands", "history", "--json").json()
    assert [view["version"] for view in history] == [7, 6, 5, 4, 3, 2, 1]
    assert history[-2]["note"] == "alias YSKF of 砚山咖啡: listed in May"
    old = ready("brands", "show", "砚山咖啡", "--version", "1", "--json").json()
    assert [alias["text"] for alias in old["aliases"]] == ["Yanshan Coffee", "砚山咖啡"]


def test_what_is_risky_is_refused_with_the_way_out_and_told_when_it_is_forced(ready: Cli) -> None:
    refused = ready("brands", "alias", "砚山咖啡", "砚")
    assert (refused.code, refused.out) == (2, "")
    assert "砚 is a risky name for 砚山咖啡: it is one character long" in refused.err
    assert "--force" in refused.err

    taken = ready("brands", "alias", "砚山咖啡", "砚", "--force")

    assert taken.code == 0
    assert taken.err.startswith("Note: 砚 will be found where nobody means 砚山咖啡")
    spoken = ready("brands", "alias", "砚山咖啡", "山", language="zh")
    assert "它只有一个字" in spoken.err


def test_a_text_is_tested_with_an_older_lexicon_and_from_standard_input(ready: Cli) -> None:
    ready("brands", "alias", "砚山咖啡", "砚山")
    text = "砚山值得推荐，可以放心去，味道不错。"

    now = ready("brands", "test", "--json", stdin=text.encode()).json()
    before = ready("brands", "test", text, "--version", "1", "--json").json()

    assert (now["lexicon_version"], now["mentioned"]) == (2, ["砚山咖啡"])
    assert (before["lexicon_version"], before["mentioned"]) == (1, [])
    assert ready("brands", "test", text, "--version", "9").code == 2


def test_a_lexicon_goes_through_a_file(ready: Cli, tmp_path: Path) -> None:
    file = tmp_path / "lexicon.csv"
    assert ready("brands", "export", str(file), language="zh").code == 0
    file.write_bytes(file.read_bytes() + "品牌,霁白,,,,,,竞品,,\r\n别名,霁白,霁,,,,,,,\r\n".encode())

    refused = ready("brands", "import", str(file), language="en")
    shown = ready("brands", "import", str(file), "--force", "--whole")
    applied = ready("brands", "import", str(file), "--force", "--apply", "--json")

    assert refused.code == 2
    assert "Line 7, 别名: 霁 is a risky name for 霁白" in refused.err
    assert (shown.code, "Note: 霁 will be found" in shown.err) == (0, True)
    assert f"answerwatch brands import {file} --whole --force --apply" in shown.out
    assert applied.json()["applied"] is True
    assert ready("brands", "import", str(file), "--json").json()["changes"] == []


def test_a_brand_that_was_entered_by_mistake_is_forgotten(ready: Cli) -> None:
    ready("brands", "add", "霁白")

    assert ready("brands", "remove", "霁白").code == 0
    assert [brand["standard_name"] for brand in json.loads(ready("brands", "list", "--json").out)] == ["砚山咖啡"]
