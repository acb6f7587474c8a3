"""`doctor` where much hangs on one fault: it is told once, and what nobody could look at is not called broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.brokers import free_port
from tests.integration.interfaces.conftest import Cli, Finished

HANGS_ON_THE_DATABASE = {"server", "revision", "writing", "clock", "cleaning", "counters", "alerts"}


def grades(doctor: Finished) -> dict[str, str]:
    return {check["name"]: check["grade"] for check in json_of(doctor)}


def json_of(doctor: Finished) -> list[dict[str, str]]:
    assert doctor.code == 3
    found: list[dict[str, str]] = Finished(0, doctor.out, doctor.err).json()
    return found


@pytest.fixture
def away(ready: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line over a workspace whose database server is away; its broker is too, for a reason of its own."""
    monkeypatch.setenv("ANSWERWATCH_DATABASE_URL", f"postgresql://aw:secret@127.0.0.1:{free_port()}/aw")
    monkeypatch.setenv("ANSWERWATCH_ENGINE_URL", f"redis://:secret@127.0.0.1:{free_port()}/0")
    return ready


def test_a_database_that_is_away_is_told_once_and_the_rest_is_looked_at(away: Cli) -> None:
    checks = json_of(away("doctor", "--json"))
    found = {check["name"]: check for check in checks}

    assert {name for name, check in found.items() if check["grade"] == "not_made"} == HANGS_ON_THE_DATABASE
    assert {name for name, check in found.items() if check["grade"] == "fail"} == {"database", "broker"}
    assert {found[name]["message"] for name in HANGS_ON_THE_DATABASE} == {"first mend: database"}
    assert {found[name]["fix"] for name in HANGS_ON_THE_DATABASE} == {None}
    assert sum("connection failed" in check["message"] for check in checks) == 1


def test_a_database_that_is_away_is_told_once_in_the_table_and_in_chinese(away: Cli) -> None:
    english, chinese = away("doctor").out, away("doctor", language="zh").out

    assert (english.count("cannot be reached"), english.count("not looked at")) == (2, len(HANGS_ON_THE_DATABASE))
    assert (chinese.count("连不上数据库"), chinese.count("未检查")) == (1, len(HANGS_ON_THE_DATABASE))
    assert chinese.count("请先解决“数据库”") == len(HANGS_ON_THE_DATABASE)


def test_an_address_that_cannot_be_understood_is_told_once(away: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWERWATCH_DATABASE_URL", "nonsense")
    found = grades(away("doctor", "--json"))

    assert [name for name, grade in found.items() if grade == "fail"] == ["database", "broker"]


def test_what_comes_before_the_tables_is_looked_at_where_there_are_none_yet(cli: Cli, home: Path) -> None:
    found = grades(cli("doctor", "--json"))

    assert found["folder"] == "fail"
    assert (found["revision"], found["writing"], found["alerts"]) == ("not_made", "not_made", "not_made")
    assert found["disk"] == "ok"
    assert not home.exists(), "looking makes nothing"
