"""A scorer behind a server, from the command line."""

import json
from pathlib import Path

from answerwatch.simulator import SimulatorThread
from tests.integration.interfaces.conftest import Cli

LINES = "怎么退货\n退货怎么办理\n北京有什么好吃的\n"


def test_lists_are_scored_by_a_server(ready: Cli, home: Path, tmp_path: Path, simulator: SimulatorThread) -> None:
    url = simulator.scoring(tells="nowhere", most_texts=2, refusing="dashscope")
    (home / "scorers.toml").write_text(
        f"[mine]\nkind = 'openai'\nbase_url = '{url}/v1'\nmodel = 'm'\n", encoding="utf-8"
    )
    left = tmp_path / "left.txt"
    left.write_text(LINES, encoding="utf-8")

    job = ready("similarity", "submit", str(left), "--scorer", "mine", "--yes", "--wait", "--json").json()
    shown = ready("similarity", "status", job["job_id"])
    hits = [
        json.loads(line)
        for line in ready("similarity", "results", job["job_id"], "--top-k", "1", "--json").out.splitlines()
    ]
    scorers = ready("similarity", "scorers", "--json").json()

    assert (job["status"], job["warning"]) == ("completed", "revision_unknown")
    assert "rev=unknown" in shown.out
    assert "comparable within the job" in shown.out
    assert [(one["left_line"], one["right_line"]) for one in hits][:1] == [(1, 2)]
    assert [one["problem"] for one in scorers if one["name"] == "mine"] == [None]


def test_a_server_that_is_not_there_is_told_in_both_languages(ready: Cli, home: Path, tmp_path: Path) -> None:
    (home / "scorers.toml").write_text("[gone]\nkind = 'tei'\nbase_url = 'http://127.0.0.1:9'\n", encoding="utf-8")
    left = tmp_path / "left.txt"
    left.write_text(LINES, encoding="utf-8")

    english = ready("similarity", "submit", str(left), "--scorer", "gone")
    chinese = ready("similarity", "submit", str(left), "--scorer", "gone", language="zh")

    assert (english.code, chinese.code) == (1, 1)
    assert "The scorer failed" in english.err
    assert "评分器出错" in chinese.err
