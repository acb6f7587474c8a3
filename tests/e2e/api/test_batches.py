"""Progress of batches over HTTP, by the same views as the command line."""

import json
from pathlib import Path

import httpx2

from answerwatch.workspace import open_workspace
from tests.e2e.api.conftest import served

BATCHES = "/api/v1/batches"


def imported(home: Path, folder: Path, number: int) -> str:
    """Import an answer and return the batch that it made."""
    file = folder / f"answers{number}.jsonl"
    row = {"question": f"推荐第 {number} 种手机？", "answer": "推荐华为和小米，都不错。", "platform": "kimi"}
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    with open_workspace(home) as workspace:
        workspace.samples.import_file(file)
        return workspace.batches.list(limit=1)[0].batch_id


def test_batches_are_listed_in_pages(home: Path, tmp_path: Path) -> None:
    made = [imported(home, tmp_path, number) for number in range(3)]
    with served(home, "--no-workers") as (client, _):
        first = client.get(BATCHES, params={"limit": 2}).json()
        second = client.get(BATCHES, params={"limit": 2, "cursor": first["next"]}).json()
        assert sorted(one["batch_id"] for page in (first, second) for one in page["batches"]) == sorted(made)
        assert second["next"] is None
        assert client.get(BATCHES, params={"cursor": "none"}).status_code == 404


def test_a_batch_is_followed_until_its_answers_are_cleaned(home: Path, tmp_path: Path) -> None:
    batch = imported(home, tmp_path, 1)
    with served(home) as (client, _):
        with client.stream("GET", f"{BATCHES}/{batch}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            told = [line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: ")]
        last = client.get(f"{BATCHES}/{batch}").json()
        assert json.loads(told[-1]) == last
        assert last["cleaning"] == {"total": 1, "completed": 1, "failed": 0, "outstanding": 0}


def test_an_unknown_batch_is_told(client: httpx2.Client) -> None:
    assert client.get(f"{BATCHES}/none").json()["code"] == "batch_unknown"
    assert client.get(f"{BATCHES}/none/events").status_code == 404
