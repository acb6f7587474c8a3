"""The frame of the benchmarks: verdicts, comparisons in turn, the table and the file."""

from pathlib import Path

import orjson
import pytest

from benchmarks import naive_cleaner
from benchmarks.__main__ import main
from benchmarks.catalogue import BENCHMARKS
from benchmarks.frame import Better, Row, Verdict, paired
from benchmarks.names import BRANDS
from benchmarks.table import number, render


@pytest.mark.parametrize(
    ("measured", "target", "better", "verdict"),
    [
        (300, 300, Better.HIGHER, Verdict.MET),
        (299, 300, Better.HIGHER, Verdict.MISSED),
        (6.0, 6.0, Better.LOWER, Verdict.MET),
        (6.1, 6.0, Better.LOWER, Verdict.MISSED),
        (1, None, Better.HIGHER, Verdict.OPEN),
    ],
)
def test_a_figure_meets_or_misses_its_target(
    measured: float, target: float | None, better: Better, verdict: Verdict
) -> None:
    assert Row(name="x", measured=measured, unit="s", target=target, better=better).verdict is verdict


def test_pairs_run_in_turn_and_change_their_order() -> None:
    order: list[str] = []

    result = paired(lambda: order.append("a"), lambda: order.append("b"), rounds=4)

    assert "".join(order) == "ab" + "abba" * 2
    assert result.ratio > 0


def test_a_table_lines_up_its_columns() -> None:
    rows = [Row(name="reader", measured=1234.5, unit="answers/s", target=300), Row(name="x", measured=0.5, unit="s")]

    title, rule, head, first, second = render("cleaning", rows).strip().splitlines()

    assert (title, len(rule)) == ("cleaning", len("cleaning"))
    assert head.index("unit") == first.index("answers/s") == second.index("s")
    assert "at least 300" in first
    assert "met" in first


@pytest.mark.parametrize(("value", "shown"), [(1234.5, "1,234"), (12.34, "12.3"), (0.01234, "0.0123"), (0, "0")])
def test_numbers_show_the_digits_that_matter(value: float, shown: str) -> None:
    assert number(value) == shown


def test_a_quick_run_writes_its_figures_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "results.json"

    assert main(["figures", "--quick", "--json", str(target)]) == 0

    document = orjson.loads(target.read_bytes())
    assert [row["benchmark"] for row in document["rows"]] == ["figures"]
    assert document["quick"] is True
    assert "brand report" in capsys.readouterr().out


def test_an_unknown_benchmark_names_those_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nope"])

    message = capsys.readouterr().err
    assert all(name in message for name in BENCHMARKS)


def test_the_naive_cleaner_reads_what_is_plain() -> None:
    text = "推荐以下品牌：\n1. 华为，适合商务人士，续航也好\n2. 小米，价格实惠，见 [1]\n"

    result = naive_cleaner.clean(text, {"华为": ("华为", "HUAWEI"), "小米": ("小米",), "三星": ("三星",)})

    assert (result.valid, result.has_citation) == (True, True)
    assert [(b.brand, b.mentions, b.recommended, b.rank) for b in result.brands] == [
        ("华为", 1, True, 1),
        ("小米", 1, True, 2),
    ]
    assert not naive_cleaner.clean("作为一个人工智能，我无法回答这个问题，请您谅解。", {}).valid


def test_cleaning_is_measured_with_200_names() -> None:
    names = [name for own in BRANDS.values() for name in own]

    assert len(names) == len(set(names)) == 200
