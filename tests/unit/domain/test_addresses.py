"""Addresses as they are shown: where the server is, and never a password."""

import pytest

from answerwatch.domain.addresses import hide_password, place_of, without_password


def test_passwords_are_never_shown() -> None:
    assert hide_password("mysql+pymysql://aw:secret@db:3306/aw") == "mysql+pymysql://aw:***@db:3306/aw"
    assert hide_password("postgresql://h/db?password=secret") == "postgresql://h/db?password=***"
    for secret in ("se/cr/et", "se#cr?et", "se@cr@et", "se:cr:et"):
        assert hide_password(f"mysql://aw:{secret}@db/aw") == "mysql://aw:***@db/aw"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql:///aw?host=/run/pg", "postgresql:///aw?host=/run/pg"),
        ("postgresql://me:s@/aw?host=/run/pg&sslkey=/k", "postgresql://me:***@/aw?host=/run/pg&sslkey=***"),
        ("mysql://me:s@/aw?unix_socket=/run/my.sock", "mysql://me:***@/aw?unix_socket=/run/my.sock"),
        ("sqlite:////data/aw.db?mode=rw", "sqlite:////data/aw.db?mode=***"),
        ("sqlite:////data/aw.db", "sqlite:////data/aw.db"),
    ],
)
def test_what_tells_where_a_server_is_is_shown(url: str, shown: str) -> None:
    assert hide_password(url) == shown


@pytest.mark.parametrize("scheme", ["amqp", "redis", "postgresql", "mysql+pymysql"])
@pytest.mark.parametrize("tail", ["", "/aw", "/aw?heartbeat=1"])
def test_a_password_of_digits_whose_host_was_forgotten_is_not_taken_for_a_port(scheme: str, tail: str) -> None:
    url = f"{scheme}://user:12345{tail}"

    for shown in (hide_password(url), place_of(url), without_password("connection to user, port 12345 failed", url)):
        assert "12345" not in shown
        assert "user" in shown


@pytest.mark.parametrize(
    "place",
    ["amqp://127.0.0.1:12345/x", "redis://[::1]:12345/0", "mysql://localhost:12345/aw", "amqp://rabbit:5672/x"],
)
def test_a_port_that_can_be_no_password_is_shown(place: str) -> None:
    assert hide_password(place) == place
    assert place_of(place) == place


def test_a_port_behind_a_login_is_shown() -> None:
    assert hide_password("redis://:secret@mq:12345/0") == "redis://:***@mq:12345/0"
    assert place_of("redis://:secret@mq:12345/0") == "redis://mq:12345/0"
