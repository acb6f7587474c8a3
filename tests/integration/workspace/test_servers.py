"""A database server that cannot be used, or could be set up better: the cause and what to do, never a password."""

import json
import os
import re
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from answerwatch.clock import SystemClock
from answerwatch.errors import AnswerwatchError, ConfigurationError, ServiceError
from answerwatch.settings import load
from answerwatch.store.connection import faults, server_versions
from answerwatch.store.connection.opening import address
from answerwatch.workspace import Workspace, open_workspace
from answerwatch.workspace.health import servers
from answerwatch.workspace.health.doctor import Check, Grade, examine
from answerwatch.workspace.parts import Parts
from tests.chaos.servers import Postgres, why_missing
from tests.databases import MYSQL, ON_MYSQL, ON_POSTGRES, POSTGRES, Databases, administering, on_mysql, on_servers

SECRET = "s3cr3t-wor/d"
LOCALES = {"zh": re.compile("[\u4e00-\u9fff]"), "en": re.compile("[a-z]")}

GRANTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    POSTGRES: {
        "nothing": (),
        "reading": ("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {user}",),
        "all but making tables": ("GRANT USAGE ON SCHEMA public TO {user}",),
    },
    MYSQL: {
        "nothing": ("GRANT USAGE ON *.* TO {user}",),
        "reading": ("GRANT SELECT ON {database}.* TO {user}",),
        "all but making tables": ("GRANT ALL ON {database}.* TO {user}", "REVOKE CREATE ON {database}.* FROM {user}"),
        "all but making views": (
            "GRANT ALL ON {database}.* TO {user}",
            "REVOKE CREATE VIEW ON {database}.* FROM {user}",
        ),
    },
}


def name_of(url: str) -> str:
    return address(url).database or ""


def as_user(url: str, user: str, secret: str = SECRET) -> str:
    return address(url).set(username=user, password=secret).render_as_string(hide_password=False)


@pytest.fixture
def user_with(database_kind: str, databases: Databases) -> Iterator[Callable[[str, str], str]]:
    """Make a user who may do what a word of GRANTS says in a database; return the address with the user."""
    user = f"aw_test_{uuid.uuid4().hex[:10]}"
    secret = "'" + SECRET + "'"

    def make(url: str, word: str) -> str:
        made = (
            f"CREATE USER {user} PASSWORD {secret}"
            if database_kind == POSTGRES
            else f"CREATE USER {user} IDENTIFIED BY {secret}"
        )
        with administering(database_kind) as run:
            run(made)
        with administering(database_kind, name_of(url)) as run:
            for grant in GRANTS[database_kind][word]:
                run(grant.format(user=user, database=name_of(url)))
        return as_user(url, user)

    yield make
    with administering(database_kind) as run:
        for name in databases.made[database_kind] if database_kind == POSTGRES else ():
            with administering(database_kind, name) as inside:
                inside(f"DROP OWNED BY {user}")
        run(f"DROP USER {user}")


def refusal(home: Path, url: str) -> AnswerwatchError:
    """What a command that only reads ends with."""
    home.mkdir(exist_ok=True)
    with open_workspace(home, database_url=url) as ws, pytest.raises(AnswerwatchError) as caught:
        ws.questions.list()
    return caught.value


def checks_of(home: Path, url: str) -> dict[str, list[Check]]:
    home.mkdir(exist_ok=True)
    with open_workspace(home, database_url=url) as ws:
        found = ws.doctor()
    return {check.name: [one for one in found if one.name == check.name] for check in found}


def run_cli(home: Path, url: str, language: str, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "ANSWERWATCH_DATABASE_URL": url, "ANSWERWATCH_HOME": str(home)}
    environ |= {"ANSWERWATCH_LANGUAGE": language, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "answerwatch", *words]
    return subprocess.run(command, env=environ, capture_output=True, text=True, encoding="utf-8", check=False)


def broken(url: str, how: str, port: int) -> str:
    """The address of a database that cannot be used for this reason."""
    right = address(url)
    wrong = {
        "store_login": right.set(username="nobody_at_all", password=SECRET),
        "store_missing": right.set(database="no_such_database"),
        "store_gone": right.set(port=port, password=SECRET),
    }[how]
    return wrong.render_as_string(hide_password=False)


@on_servers
@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("store_login", "Check user and password"),
        ("store_missing", "Create it"),
        ("store_gone", "Start it, or mend ANSWERWATCH_DATABASE_URL"),
    ],
)
def test_a_server_that_cannot_be_used_is_told_with_cause_and_fix(
    home: Path, bare_database_url: str, free_port: int, code: str, advice: str
) -> None:
    error = refusal(home, broken(bare_database_url, code, free_port))

    assert (error.code, error.exit_code) == (code, 3)
    assert advice in error.text
    assert SECRET not in error.text


@on_servers
def test_options_that_the_driver_does_not_take_are_refused_by_their_names(home: Path, bare_database_url: str) -> None:
    wrong = address(bare_database_url).update_query_dict({"no_option": SECRET})

    error = refusal(home, wrong.render_as_string(hide_password=False))

    assert (error.code, error.exit_code) == ("database_options", 3)
    assert "no_option" in error.text
    assert SECRET not in error.text


@pytest.fixture(scope="module")
def strict_postgres() -> Iterator[str]:
    """The address of a database on a server of this module's own, which asks its user `aw` for the password SECRET."""
    why = why_missing(POSTGRES)
    if why is not None:
        pytest.skip(why)
    server = Postgres(POSTGRES)
    server.command()  # makes the files
    rules = server.folder / "data" / "pg_hba.conf"
    rules.write_text("host all aw 127.0.0.1/32 scram-sha-256\n" + rules.read_text())
    server.start()
    url = server.create("aw")
    with server.administering() as run:
        run(f"CREATE USER aw PASSWORD '{SECRET}'")
    yield as_user(url, "aw")
    server.drop()


@pytest.fixture
def locked_url(database_kind: str, request: pytest.FixtureRequest) -> str:
    """The address of a database for a user with a password; the test server of PostgreSQL asks nobody for one."""
    if database_kind == POSTGRES:
        return str(request.getfixturevalue("strict_postgres"))
    url: str = request.getfixturevalue("user_with")(request.getfixturevalue("bare_database_url"), "reading")
    return url


@on_servers
def test_a_wrong_password_is_told_and_never_shown(home: Path, locked_url: str) -> None:
    home.mkdir()
    assert [check.grade for check in checks_of(home, locked_url)["database"]] == [Grade.OK]
    url = locked_url.replace("s3cr3t", "wr0ng")

    ended = {language: run_cli(home, url, language, "questions", "list") for language in LOCALES}
    worker = run_cli(home, url, "en", "worker", "--processes", "2")
    doctor = run_cli(home, url, "en", "doctor", "--json")
    shown = run_cli(home, url, "en", "config", "show")

    assert (worker.returncode, doctor.returncode, shown.returncode) == (3, 3, 0)
    assert worker.stderr == ended["en"].stderr
    for language, letters in LOCALES.items():
        assert ended[language].returncode == 3
        assert "ANSWERWATCH_DATABASE_URL" in ended[language].stderr
        assert letters.search(ended[language].stderr)
    failed = [check for check in json.loads(doctor.stdout) if check["grade"] == "fail"]
    assert ["refuses the login" in check["message"] for check in failed] == [True]
    assert "***" in shown.stdout
    for told in (*ended.values(), worker, doctor, shown):
        assert "wr0ng" not in told.stdout + told.stderr


@on_servers
def test_a_password_that_was_forgotten_is_told_as_a_login(home: Path, locked_url: str) -> None:
    error = refusal(home, address(locked_url).set(password=None).render_as_string())

    assert (error.code, error.exit_code) == ("store_login", 3)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ('connection failed: FATAL:  password authentication failed for user "a"', faults.LOGIN),
        ('connection failed: FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "a"', faults.LOGIN),
        ("connection failed: FATAL:  sorry, too many clients already", faults.CROWDED),
        ('connection failed: FATAL:  database "x" does not exist', faults.MISSING),
        ("connection timeout expired", faults.GONE),
    ],
)
def test_what_postgresql_says_while_it_connects_is_understood_by_its_words(said: str, kind: str) -> None:
    assert faults.kind_of(DBAPIError("SELECT 1", None, RuntimeError(said))) == kind


@on_servers
@pytest.mark.parametrize("may", ["nothing", "reading", "all but making tables"])
def test_a_user_who_may_make_no_tables_is_told_at_the_start(
    home: Path, bare_database_url: str, database_kind: str, user_with: Callable[[str, str], str], may: str
) -> None:
    url = user_with(bare_database_url, may)

    with open_workspace(home, database_url=url) as ws, pytest.raises(ServiceError) as caught:
        ws.init()

    # Who may do nothing at all on MariaDB does not even get to see the database.
    unseen = database_kind == MYSQL and may == "nothing"
    assert caught.value.code == ("store_missing" if unseen else "store_denied")
    assert "docs/servers.md" in caught.value.text


@on_mysql
def test_an_upgrade_that_lacks_a_right_in_its_middle_goes_on_when_the_right_is_given(
    home: Path, bare_database_url: str, database_kind: str, user_with: Callable[[str, str], str]
) -> None:
    url = user_with(bare_database_url, "all but making views")
    with open_workspace(home, database_url=url) as ws, pytest.raises(ServiceError) as caught:
        ws.init()
    assert caught.value.code == "store_denied"
    assert "CREATE VIEW" in caught.value.text

    with administering(database_kind) as run:
        run(f"GRANT CREATE VIEW ON {name_of(url)}.* TO {address(url).username}")
    with open_workspace(home, database_url=url) as ws:
        ws.init()
        assert ws.check_database() == ()


@on_servers
def test_a_user_who_may_only_read_is_told_by_doctor_and_by_the_command_that_writes(
    home: Path, database_url: str, user_with: Callable[[str, str], str]
) -> None:
    url = user_with(database_url, "reading")
    home.mkdir()

    (writing,) = checks_of(home, url)["writing"]
    with open_workspace(home, database_url=url) as ws, pytest.raises(ServiceError) as caught:
        ws.questions.add("手机哪个好", scene="RISK")

    assert writing.grade is Grade.FAIL
    assert [told.count("docs/servers.md") for told in (writing.message, caught.value.text)] == [1, 1]
    assert caught.value.code == "store_denied"


@on_servers
def test_a_server_that_is_too_old_is_refused_before_anything_is_read(
    home: Path, bare_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_versions, "OLDEST", dict.fromkeys(server_versions.OLDEST, (999, 1)))

    error = refusal(home, bare_database_url)

    assert (error.code, error.exit_code) == ("store_version", 3)
    assert "999.1 is needed" in error.text


@pytest.mark.parametrize(
    ("database_kind", "made_with"),
    [
        pytest.param(MYSQL, "CHARACTER SET latin1", marks=pytest.mark.mysql),
        pytest.param(MYSQL, "CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", marks=pytest.mark.mysql),
    ],
    indirect=["database_kind"],
)
def test_a_database_that_was_made_otherwise_works_and_is_told(
    home: Path, database_kind: str, databases: Databases, made_with: str
) -> None:
    url = databases.empty(database_kind, made_with)
    with open_workspace(home, database_url=url) as ws:
        ws.init()
        ws.questions.add("手机哪个好 🚀", scene="RISK")
        assert ws.check_database() == ()

    told = checks_of(home, url)["server"]

    assert [check.grade for check in told] == [Grade.OK, Grade.WARN]
    assert "utf8mb4_bin" in str(told[1].fix)


@pytest.mark.parametrize("database_kind", [ON_POSTGRES], indirect=True)
def test_a_database_that_cannot_hold_chinese_is_refused_when_it_is_set_up(
    home: Path, database_kind: str, databases: Databases
) -> None:
    url = databases.empty(database_kind, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")

    with open_workspace(home, database_url=url) as ws, pytest.raises(ServiceError, match="ENCODING 'UTF8'") as caught:
        ws.init()

    assert caught.value.code == "store_encoding"
    assert checks_of(home, url)["server"][1].grade is Grade.WARN


class TwoSecondsLate(SystemClock):
    """The clock of a machine that runs two seconds behind."""

    def now(self) -> datetime:
        return datetime.now(UTC) - timedelta(seconds=2)


@pytest.mark.parametrize("database_kind", [ON_POSTGRES, ON_MYSQL], indirect=True)
def test_clocks_that_differ_by_more_than_a_second_are_told(home: Path, database_url: str) -> None:
    home.mkdir()
    settings = load(home, {"database_url": database_url})
    grades = []
    for clock in (SystemClock(), TwoSecondsLate()):
        parts = Parts(settings, clock)
        grades += [check.grade for check in examine(parts) if check.name == "clock"]
        parts.close()

    assert grades == [Grade.OK, Grade.WARN]


@on_servers
def test_too_few_connections_for_the_workers_are_told(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [check.grade for check in ws.doctor() if check.name == "server"] == [Grade.OK]

    monkeypatch.setattr(servers, "FOR_COMMANDS", 100_000)
    few = [check for check in ws.doctor() if check.name == "server"][1]

    assert few.grade is Grade.WARN
    assert "max_connections" in str(few.fix)


def test_a_password_with_an_at_sign_that_was_not_escaped_is_told_without_it(home: Path) -> None:
    home.mkdir()
    with open_workspace(home, database_url="mysql://me:pa@ss@db/aw") as ws, pytest.raises(ConfigurationError) as caught:
        ws.questions.list()

    assert "%40" in caught.value.text
    assert "ss@" not in caught.value.text


@pytest.mark.parametrize("scheme", ["postgresql", "mysql"])
@pytest.mark.parametrize("tail", ["", "/aw"])
def test_a_password_of_digits_whose_host_was_forgotten_is_not_shown(home: Path, scheme: str, tail: str) -> None:
    # A name that this machine has beside its usual one: were it unknown, no driver would come to speak of a port.
    url = f"{scheme}://{socket.gethostname()}:54321{tail}"
    home.mkdir()
    with open_workspace(home, database_url=url) as ws:
        told = [*map(str, ws.doctor()), *map(str, ws.config()), refusal(home, url).text]

    assert not [text for text in told if "54321" in text]
    assert [text for text in told if "***" in text]


@pytest.mark.parametrize("scheme", ["postgresql", "mysql"])
def test_a_port_that_is_none_is_refused_without_its_number(home: Path, scheme: str) -> None:
    error = refusal(home, f"{scheme}://127.0.0.1:12345678/aw")

    assert error.code == "database_url"
    assert "12345678" not in error.text


def test_a_socket_at_which_nobody_listens_is_told_with_its_place(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    url = f"postgresql:///aw?host={tmp_path / 'nowhere'}"

    error = refusal(home, url)

    assert error.code == "store_gone"
    assert "nowhere" in error.text
