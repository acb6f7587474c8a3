"""What comes of similarity jobs at the command line: files, pictures, plans, waiting."""

import csv
import io
import json
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from tests.integration.interfaces.conftest import Cli


@pytest.fixture
def job(ready: Cli, tmp_path: Path) -> str:
    left, right = tmp_path / "left.txt", tmp_path / "right.txt"
    left.write_text("怎么退货\n酒店哪家好\n", encoding="utf-8")
    right.write_text("怎么退货\n退货流程是什么\n哪家酒店性价比高\n", encoding="utf-8")
    done = ready("similarity", "submit", str(left), str(right), "--scorer", "lexical", "--yes", "--wait", "--json")
    return str(done.json()["job_id"])


def test_results_name_the_scorer_with_its_revision(ready: Cli, job: str) -> None:
    lines = ready("similarity", "results", job, "--min-score", "-1", "--format", "jsonl").out.splitlines()
    assert len(lines) == 6
    assert {json.loads(line)["scorer_id"] for line in lines} == {"lexical;rev=1;dim=2048;len=20000"}


def test_results_are_written_as_parquet(ready: Cli, job: str, tmp_path: Path) -> None:
    if find_spec("pyarrow") is None:
        assert not os.environ.get("CI"), "pyarrow is not installed"
        pytest.skip("pyarrow is not installed")
    import pyarrow.parquet as pq  # noqa: PLC0415 - an extra

    out = tmp_path / "all.parquet"
    told = ready("similarity", "results", job, "--min-score", "-1", "--format", "parquet", "--out", str(out))
    rows = pq.read_table(out).to_pylist()

    assert "6" in told.err
    assert [(row["left_line"], row["right_line"]) for row in rows] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert rows[0]["score"] == pytest.approx(1.0, abs=1e-3)
    assert rows[0]["left"] == "怎么退货"


def test_parquet_needs_a_file_of_its_own(ready: Cli, job: str, tmp_path: Path) -> None:
    refused = ready("similarity", "results", job, "--min-score", "-1", "--format", "parquet")
    out = tmp_path / "taken.parquet"
    out.write_text("mine", encoding="utf-8")
    kept = ready("similarity", "results", job, "--min-score", "-1", "--format", "parquet", "--out", str(out))

    assert (refused.code, kept.code) == (2, 2)
    assert "--out" in refused.err
    assert out.read_text(encoding="utf-8") == "mine"


def test_the_distribution_of_scores_is_a_picture_and_numbers(ready: Cli, job: str) -> None:
    picture = ready("similarity", "histogram", job)
    numbers = ready("similarity", "histogram", job, "--json").json()

    assert "█" in picture.out
    assert sum(numbers["counts"]) == 6
    assert [share for share, _ in numbers["quantiles"]] == [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]


def test_after_a_job_the_plan_of_the_next_one_says_how_long_it_takes(ready: Cli, job: str, tmp_path: Path) -> None:
    more = tmp_path / "more.txt"
    more.write_text("\n".join(f"第{number}个问题" for number in range(50)), encoding="utf-8")

    plan = ready("similarity", "submit", str(more), "--scorer", "lexical", "--json").json()["plan"]
    other = ready("similarity", "submit", str(more), "--scorer", "e5", "--json")

    assert plan["seconds"] is not None
    if other.code == 0:
        assert other.json()["plan"]["seconds"] is None


def test_waiting_shows_how_far_a_job_is(ready: Cli, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(f"第{number}个问题是什么" for number in range(400)), encoding="utf-8")

    waited = ready("similarity", "submit", str(lines), "--scorer", "lexical", "--yes", "--wait")
    watched = ready("similarity", "watch", waited.out.split()[1])

    assert waited.code == 0
    assert "79800" in waited.err.replace(",", "")
    assert watched.code == 0


def test_dead_letters_are_asked_for_by_job(ready: Cli, job: str) -> None:
    assert ready("dead", "list", "--batch", job, "--json").json() == []
    assert ready("dead", "list", "--batch", "SIM_NOTHING").code == 2


def test_lines_without_a_score_are_told_when_a_job_is_handed_in(ready: Cli, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("a\n\nb\n", encoding="utf-8")
    assert "line 2: empty" in ready("similarity", "submit", str(lines), "--scorer", "lexical", "--yes").err


class WithoutArrow:
    """What finds modules on a machine without pyarrow."""

    def __init__(self) -> None:
        self._finders = list(sys.meta_path)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] == "pyarrow":
            return None
        found = (finder.find_spec(name, path, target) for finder in self._finders)
        return next((one for one in found if one is not None), None)


def test_parquet_without_its_library_names_the_command(
    ready: Cli, job: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.partition(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [WithoutArrow()])
    out = tmp_path / "all.parquet"

    refused = ready("similarity", "results", job, "--min-score", "-1", "--format", "parquet", "--out", str(out))

    assert refused.code == 3
    assert "pip install 'answerwatch[parquet]'" in refused.err
    assert not out.exists()


def test_many_jobs_are_told_in_the_order_asked_for(ready: Cli, job: str, tmp_path: Path) -> None:
    more = tmp_path / "more.txt"
    more.write_text("一\n二\n", encoding="utf-8")
    other = ready("similarity", "submit", str(more), "--scorer", "lexical", "--yes", "--json").json()["job_id"]

    told = ready("similarity", "status", other, job, "--json").json()

    assert [(one["job_id"], one["status"]) for one in told] == [(other, "pending"), (job, "completed")]
    assert told[0]["eta_seconds"] is None
    assert ready("similarity", "status", job, "SIM_NONE").code == 2


def test_nothing_that_a_spreadsheet_would_run_is_written(ready: Cli, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("=cmd|' /C calc'!A0\n@SUM(1)\n-1+1\n+1\n", encoding="utf-8")
    made = ready("similarity", "submit", str(lines), "--scorer", "lexical", "--yes", "--wait", "--json").json()

    rows = list(csv.DictReader(io.StringIO(ready("similarity", "results", made["job_id"], "--min-score", "-1").out)))

    assert len(rows) == 6
    assert all(row[side].startswith("'") for row in rows for side in ("left", "right"))
