"""The log of a command goes to standard error, whichever stream that is by then."""

import io

import pytest
import structlog

from answerwatch.interfaces.cli.running.logs import log_to_stderr


def test_the_log_follows_standard_error_when_it_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stderr", first)
    before = structlog.get_config()
    try:
        log_to_stderr()
        first.close()
        monkeypatch.setattr("sys.stderr", second)

        structlog.get_logger("answerwatch.test").warning("disk_slow", seconds=3)
    finally:
        structlog.configure(**before)

    assert "event=disk_slow seconds=3" in second.getvalue()
