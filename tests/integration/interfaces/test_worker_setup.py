"""A mistake in settings or set-up ends `worker` in one line, before any process is started."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.integration.interfaces.conftest import Cli

CREW = ("worker", "--processes", "2")


def one_line(text: str) -> str:
    (line,) = text.splitlines()
    return line


@pytest.mark.parametrize("words", [("worker",), CREW], ids=" ".join)
def test_a_workspace_that_is_not_there(cli: Cli, words: tuple[str, ...]) -> None:
    english, chinese = cli(*words), cli(*words, language="zh")

    assert (english.code, chinese.code) == (3, 3)
    assert one_line(english.err).startswith("Error: There is no workspace in ")
    assert "没有工作区" in one_line(chinese.err)


def test_a_database_that_was_never_set_up(cli: Cli, home: Path) -> None:
    home.mkdir()
    ended = cli(*CREW)

    assert ended.code == 3
    assert one_line(ended.err) == "Error: The database was never set up; run `answerwatch init`."


def test_files_that_a_worker_could_not_use(ready: Cli, home: Path) -> None:
    (home / "platforms.toml").write_text("[platforms.x]\nrate = 'fast'\n")
    assert ready(*CREW).code == 3
    (home / "platforms.toml").unlink()
    (home / "secrets.env").touch(mode=0o644)
    ended = ready(*CREW)
    assert (ended.code, "can be read by others" in one_line(ended.err)) == (3, True)
    (home / "secrets.env").unlink()
    (home / "workers").rmdir()
    (home / "workers").touch()
    ended = ready(*CREW)
    assert (ended.code, "The folder for worker locks" in one_line(ended.err)) == (3, True)


def test_wrong_words(ready: Cli) -> None:
    for words in (("--queues", "paint"), ("--health", "x"), ("--supervised", "--processes", "2"), ("--processes", "0")):
        ended = ready("worker", *words)
        assert (ended.code, one_line(ended.err) != "") == (2, True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = ready(*CREW, "--health", str(taken.getsockname()[1]), language="zh")
    assert (ended.code, "请用 --health 换一个地址" in one_line(ended.err)) == (3, True)
