"""Dead letters from the command line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.integration.interfaces.conftest import Cli


def test_letters_are_listed_replayed_shown_and_dropped_with_reasons(ready: Cli, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"question": "q", "platform": "kimi", "answer": "砚山咖啡不错。"}), encoding="utf-8")
    assert ready("samples", "import", str(file), "--scene", "RECOMMEND").code == 0
    with closing(sqlite3.connect(home / "answerwatch.db")) as database, database:
        database.execute("UPDATE answer_sample SET response_length = 1")
    assert ready("clean", "run").code == 1
    (letter,) = ready("dead", "list", "--queue", "clean", "--error-type", "raw_damaged", "--json").json()

    assert ready("dead", "list", "--batch", letter["group_id"], "--json").json() == [letter]
    replayed = ready("dead", "replay", "--all", "--batch", letter["group_id"], "--reason", "disk mended")
    assert replayed.code == 0
    assert ready("clean", "run").code == 1
    (again,) = ready("dead", "list", "--json").json()
    shown = ready("dead", "show", str(again["dead_id"]))
    story = ready("dead", "show", str(again["dead_id"]), "--json").json()
    dropped = ready("dead", "drop", str(again["dead_id"]), "--reason", "given up", "--json")

    assert "The same task died at other times" in shown.out
    assert "disk mended" in shown.out
    assert [one["dead_id"] for one in story["letters"]] == [letter["dead_id"]]
    assert [(one["action"], one["detail"]["reason"]) for one in story["done"]] == [("dead.replay", "disk mended")]
    assert (dropped.code, dropped.json(), ready("dead", "list", "--json").json()) == (0, {"count": 1}, [])
    assert ready("dead", "drop").code == 2
