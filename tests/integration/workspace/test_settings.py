"""Settings: where a value comes from, and what is said about a bad one."""

from pathlib import Path

import pytest

from answerwatch.domain.failures import LONGEST_WAIT_S, Failure, Severity
from answerwatch.domain.work import CLEAN, COLLECT
from answerwatch.engine.options import EngineOptions
from answerwatch.errors import ConfigurationError
from answerwatch.messages import Messages
from answerwatch.settings import FILE_NAME, Origin, load, show
from answerwatch.workspace import secrets
from answerwatch.workspace.parts import Parts


def test_explicit_wins_over_environment_over_file_over_default(home: Path) -> None:
    home.mkdir()
    (home / FILE_NAME).write_text("collect_slots = 1\nclean_slots = 2\nlease_s = 3\n", encoding="utf-8")
    environ = {"ANSWERWATCH_COLLECT_SLOTS": "10", "ANSWERWATCH_CLEAN_SLOTS": "20"}

    loaded = load(home, {"collect_slots": 100}, environ=environ)

    assert (loaded.settings.collect_slots, loaded.settings.clean_slots, loaded.settings.lease_s) == (100, 20, 3)
    origins = {view.key: view.origin for view in show(loaded)}
    assert origins["collect_slots"] is Origin.EXPLICIT
    assert origins["clean_slots"] is Origin.ENVIRONMENT
    assert origins["lease_s"] is Origin.FILE
    assert origins["poll_s"] is Origin.DEFAULT


@pytest.mark.parametrize("name", ["relevance_scorer", "similarity_memory_h"])
def test_none_can_be_said_in_the_environment(home: Path, name: str) -> None:
    loaded = load(home, environ={f"ANSWERWATCH_{name.upper()}": "None"})
    assert getattr(loaded.settings, name) is None


def test_the_environment_names_the_folder(tmp_path: Path) -> None:
    loaded = load(environ={"ANSWERWATCH_HOME": str(tmp_path / "w")})

    assert loaded.settings.home == tmp_path / "w"
    assert loaded.settings.database_url == f"sqlite:///{tmp_path}/w/answerwatch.db"


def test_lists_may_be_written_with_commas_in_the_environment(home: Path) -> None:
    assert load(home, environ={"ANSWERWATCH_COLLECT_WAITS_S": "1, 2.5"}).settings.collect_waits_s == (1.0, 2.5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("collect_slot = 1", "collect_slots may be meant"),
        ("collect_slots = 0", "collect_slots"),
        ('language = "tlh"', "use en or zh"),
        ('time_zone = "Mars/Base"', "Asia/Shanghai"),
        ('engine_url = "kafka://me:secret@host"', r"kafka://me:\*\*\*@host"),
        ("collect_slots = ", "is not TOML"),
        ("lease_s = inf", "lease_s"),
        ("poll_s = nan", "poll_s"),
        ("open_s = 1e300", "open_s"),
        ("collect_waits_s = [1, inf]", "collect_waits_s"),
        ('home = "/elsewhere"', "ANSWERWATCH_HOME"),
    ],
)
def test_a_bad_file_is_refused_with_file_and_key(home: Path, text: str, said: str) -> None:
    home.mkdir()
    (home / FILE_NAME).write_text(text, encoding="utf-8")

    with pytest.raises(ConfigurationError, match=said) as caught:
        load(home, environ={})

    assert FILE_NAME in str(caught.value)
    assert "secret" not in str(caught.value)


def test_without_settings_a_workspace_works_as_an_engine_does_by_itself(home: Path) -> None:
    settings, engine = load(home, environ={}).settings, EngineOptions(lock_folder=home)

    assert (settings.lease_s, settings.poll_s, settings.sweep_s) == (engine.lease_s, engine.poll_s, engine.sweep_s)
    assert settings.collect_slots == engine.slots_of(COLLECT)
    assert settings.clean_slots == engine.slots_of(CLEAN)


def test_the_longest_wait_holds_for_the_retries_of_single_calls(home: Path) -> None:
    parts = Parts(load(home, {"longest_wait_s": 30}, environ={}))
    asked = Failure(error_type="rate_limited", severity=Severity.TEMPORARY, retry_after_s=LONGEST_WAIT_S)

    waited = parts.collect_policy().wait_s(asked, 0, 0.0)

    assert waited == 30
    with pytest.raises(ConfigurationError, match="longest_wait_s"):
        load(home, {"longest_wait_s": LONGEST_WAIT_S + 1}, environ={})


def test_a_misspelled_variable_is_told_but_foreign_ones_are_let_be(home: Path) -> None:
    load(home, environ={"ANSWERWATCH_MY_PLATFORM_KEY": "x"})

    with pytest.raises(ConfigurationError, match="ANSWERWATCH_DATABASE_URL may be meant"):
        load(home, environ={"ANSWERWATCH_DATABSE_URL": "sqlite://"})


@pytest.mark.parametrize("key", ["database_url", "engine_url"])
@pytest.mark.parametrize(
    "url",
    ["amqp://aw:s3cret@[::1", "amqp://aw:s3cret", "redis://aw:s3cret/0", "aw:s3cret@mq/aw", "amqp:aw:s3cret@mq/aw"],
)
def test_no_password_is_shown_of_an_address_that_is_wrong(key: str, url: str, tmp_path: Path) -> None:
    try:
        shown = str(show(load(tmp_path, {}, environ={f"ANSWERWATCH_{key.upper()}": url})))
    except ConfigurationError as refused:
        shown = str(refused)
    assert "s3cret" not in shown


@pytest.mark.parametrize(
    ("url", "told", "translated"),
    [
        ("redis://mq/abc", "no number", "不是数字"),
        ("redis://mq/0/1", "no number", "不是数字"),
        ("rediss://mq/-1", "no number", "不是数字"),
        ("redis://:pa/ss@mq/0", "no number", "不是数字"),
        ("amqp://mq//", "%2F", "%2F"),
        ("amqps://mq/a/b", "%2F", "%2F"),
        ("http://mq/a", "is no engine", "不是可用的引擎"),
    ],
)
def test_an_engine_address_that_would_lead_elsewhere_is_refused_by_its_key(
    url: str, told: str, translated: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=told) as caught:
        load(tmp_path, environ={"ANSWERWATCH_ENGINE_URL": url})

    error = caught.value
    chinese = Messages("zh").of_code(f"error.{error.code}", error.text, error.facts)
    assert (error.facts["key"], "pa/ss" in error.text) == ("engine_url", False)
    assert "环境变量 ANSWERWATCH_ENGINE_URL 里的设置 engine_url" in chinese
    assert translated in chinese


@pytest.mark.parametrize(
    "url", ["redis://mq", "redis://mq/", "redis://mq/12", "amqp://mq", "amqp://mq/", "amqp://mq/%2F"]
)
def test_an_engine_address_may_leave_its_database_or_virtual_host_out(url: str, tmp_path: Path) -> None:
    assert load(tmp_path, environ={"ANSWERWATCH_ENGINE_URL": url}).settings.engine_url == url


def test_keys_come_from_the_file_unless_the_environment_has_them(home: Path) -> None:
    home.mkdir()
    file = home / secrets.FILE_NAME
    file.write_text('# keys\nA_KEY="from file"\nexport B_KEY=b\n\n', encoding="utf-8")
    file.chmod(0o600)

    keys = secrets.keys(home, {"A_KEY": "from environment", "C_KEY": ""})

    assert keys == {"A_KEY": "from environment", "B_KEY": "b"}


def test_a_secrets_file_that_others_can_read_is_refused(home: Path) -> None:
    home.mkdir()
    file = home / secrets.FILE_NAME
    file.write_text("A_KEY=x\n", encoding="utf-8")
    file.chmod(0o644)

    with pytest.raises(ConfigurationError, match="chmod 600"):
        secrets.keys(home, {})
