"""RabbitMQ and Redis as Dramatiq speaks to them: opening one, counting what waits, and saying what is wrong.

The libraries are imported when a broker is opened: they are extras, and loading them takes longer than most commands.
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import urlsplit

from answerwatch.domain.addresses import place_of, without_password
from answerwatch.errors import AnswerwatchError, ConfigurationError, ServiceError

if TYPE_CHECKING:
    from dramatiq import Broker

TIMEOUT_S = 5.0
"""Seconds to wait for a broker that does not answer."""

AWAY = "broker_away"
"""Code of the error that may mend itself: the broker cannot be reached."""

ACCESS_REFUSED = 403
"""AMQP's code for a missing right."""

_NO_VHOST = re.compile(r"vhost '?(?P<name>.*?)'? ?not found")
"""What RabbitMQ says, under the code that it has for missing rights too (530), of a virtual host that is not there."""

LIBRARIES = ("dramatiq", "pika")
"""What they say of every lost connection, again and again, is said once by the carrier."""


class Kind(Protocol):
    """One kind of broker at one address."""

    def open(self) -> Broker:
        """Return Dramatiq's broker; connects when it is used. Raises ConfigurationError without its library."""

    def declare(self, broker: Broker, queues: Sequence[str]) -> None:
        """Make queues, where the server does not make them by itself; this thread keeps no connection."""

    def waiting(self, broker: Broker, queue: str) -> int:
        """Return how many messages of a queue no worker has fetched."""

    def check(self) -> None:
        """Do once what workers do: write, read and remove something."""

    def explain(self, error: Exception) -> AnswerwatchError:
        """Return what an error of the library means, with a next step; no text holds a password."""


def kind_of(url: str, namespace: str) -> Kind:
    """Return the kind of broker that an address names; nothing is opened."""
    return Rabbit(url, namespace) if urlsplit(url).scheme.startswith("amqp") else Redis(url, namespace)


def refuse_unusable(kind: Kind) -> None:
    """Raise ConfigurationError or ServiceError, with cause and fix, when a broker cannot be used now."""
    with explained(kind):
        kind.check()


@contextmanager
def explained(kind: Kind) -> Iterator[None]:
    """Raise what the library raises as our own errors."""
    try:
        yield
    except AnswerwatchError:
        raise
    except Exception as error:  # the libraries pass on what sockets, resolvers and TLS raise; none is swallowed
        raise kind.explain(error) from error


@dataclass(frozen=True, slots=True)
class Rabbit:
    """RabbitMQ."""

    url: str
    namespace: str

    def open(self) -> Broker:
        """Return Dramatiq's broker."""
        with _library(self.url, "amqp"):
            from dramatiq.brokers.rabbitmq import RabbitmqBroker
        with _address():
            broker = RabbitmqBroker(url=self.url, middleware=[])
        given: Any = broker.parameters
        given.socket_timeout = given.stack_timeout = given.blocked_connection_timeout = TIMEOUT_S
        return broker

    def declare(self, broker: Broker, queues: Sequence[str]) -> None:
        """Make the queues here: consumers would each leave a connection open that nobody serves."""
        rabbit = cast("Any", broker)
        try:
            for queue in queues:
                rabbit.declare_queue(queue, ensure=True)
        finally:
            del rabbit.connection

    def waiting(self, broker: Broker, queue: str) -> int:
        """Return how many messages of a queue no worker has fetched; a queue that is gone is made again."""
        return int(cast("Any", broker).get_queue_message_counts(queue)[0])

    def check(self) -> None:
        """Publish to a queue of our own and read it back: this needs the rights that workers need."""
        broker: Any = self.open()
        queue = f"{self.namespace}.check-{uuid.uuid4().hex}"
        try:
            channel = broker.channel
            channel.queue_declare(queue, exclusive=True)
            channel.confirm_delivery()
            channel.basic_publish("", queue, b"", mandatory=True)
            channel.basic_get(queue, auto_ack=True)
            channel.queue_delete(queue)
        finally:
            broker.close()

    def explain(self, error: Exception) -> AnswerwatchError:
        """Return what an error means."""
        from pika import exceptions  # type: ignore[import-untyped]  # pika has no types

        cause: Any = error.args[0] if error.args and isinstance(error.args[0], Exception) else error
        if isinstance(cause, (exceptions.ProbableAuthenticationError, exceptions.AuthenticationError)):
            return _refused_login(self.url)
        if isinstance(cause, exceptions.ProbableAccessDeniedError):
            missing = _NO_VHOST.search(_plain(cause))
            return _refused_rights(self.url, _plain(cause)) if missing is None else _no_vhost(self.url, missing["name"])
        if isinstance(cause, exceptions.ChannelClosedByBroker):
            if cause.reply_code == ACCESS_REFUSED:
                return _refused_rights(self.url, str(cause.reply_text))
            return _refused(self.url, str(cause.reply_text))
        return _away(self.url, _plain(cause))


@dataclass(frozen=True, slots=True)
class Redis:
    """Redis, and what speaks its protocol."""

    url: str
    namespace: str

    def open(self) -> Broker:
        """Return Dramatiq's broker."""
        with _library(self.url, "redis"):
            import redis
            from dramatiq.brokers.redis import RedisBroker
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        with _address():
            client = redis.Redis.from_url(
                self.url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=Retry(NoBackoff(), 1)
            )
            # The words of the address meet the connection when it is made, and only then are they understood.
            client.connection_pool.make_connection()
        made: Broker = cast("Any", RedisBroker)(client=client, middleware=[], namespace=self.namespace)
        return made

    def declare(self, broker: Broker, queues: Sequence[str]) -> None:
        """Do nothing: Redis makes a list with its first entry."""

    def waiting(self, broker: Broker, queue: str) -> int:
        """Return how many messages of a queue no worker has fetched."""
        return int(cast("Any", broker).client.llen(f"{self.namespace}:{queue}"))

    def check(self) -> None:
        """Write and remove an entry from a script, as Dramatiq does."""
        broker: Any = self.open()
        script = "redis.call('set', KEYS[1], 1); return redis.call('del', KEYS[1])"
        try:
            broker.client.eval(script, 1, f"{self.namespace}:check-{uuid.uuid4().hex}")
        finally:
            broker.client.close()

    def explain(self, error: Exception) -> AnswerwatchError:
        """Return what an error means."""
        from redis import exceptions

        cause = error.args[0] if error.args and isinstance(error.args[0], Exception) else error
        if isinstance(cause, exceptions.AuthenticationError):
            return _refused_login(self.url)
        if isinstance(cause, exceptions.NoPermissionError):
            return _refused_rights(self.url, _plain(cause))
        if isinstance(cause, exceptions.ResponseError):
            return _refused(self.url, _plain(cause))
        return _away(self.url, _plain(cause))


@contextmanager
def _library(url: str, extra: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        scheme = urlsplit(url).scheme
        text = f"An engine at {scheme}:// needs a library: pip install 'answerwatch[{extra}]'."
        raise ConfigurationError("broker_library", text, scheme=scheme, extra=extra) from error
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextmanager
def _address() -> Iterator[None]:
    try:
        yield
    except (TypeError, ValueError) as error:
        # The library's own words may quote a password that was not escaped.
        text = (
            "ANSWERWATCH_ENGINE_URL cannot be understood; write amqp://USER:PASSWORD@HOST:PORT/VHOST or "
            "redis://USER:PASSWORD@HOST:PORT/NUMBER, with special characters as %40 and the like."
        )
        raise ConfigurationError("broker_address", text) from error


def _user(url: str) -> str:
    return urlsplit(url).username or "-"


def _plain(error: Exception) -> str:
    """Return an error's own words in one line: pika packs errors into errors."""
    while inner := _inner(error):
        error = inner
    return " ".join((str(error) or type(error).__name__).split())[:300]


def _inner(error: Exception) -> Exception | None:
    first = getattr(error, "exception", None) or (error.args[0] if error.args else None)
    return first if isinstance(first, Exception) else None


def _refused_login(url: str) -> ServiceError:
    place, user = place_of(url), _user(url)
    text = f"The broker {place} refuses the login of {user}; correct user and password in ANSWERWATCH_ENGINE_URL."
    return ServiceError("broker_login", text, place=place, user=user)


def _refused_rights(url: str, why: str) -> ServiceError:
    place, user = place_of(url), _user(url)
    text = f"The broker {place} does not let {user} do what is needed: {why}. Give the rights (docs/servers.md)."
    return ServiceError("broker_rights", text, place=place, user=user, why=why)


def _no_vhost(url: str, vhost: str) -> ServiceError:
    place, user = place_of(url), _user(url)
    text = (
        f"The broker {place} has no virtual host {vhost!r}. Make it with `rabbitmqctl add_vhost` and let {user} in "
        "with `rabbitmqctl set_permissions` (docs/servers.md), or correct ANSWERWATCH_ENGINE_URL."
    )
    return ServiceError("broker_vhost", text, place=place, user=user, vhost=vhost)


def _refused(url: str, why: str) -> ServiceError:
    place = place_of(url)
    text = f"The broker {place} refuses to serve: {why}. See docs/servers.md."
    return ServiceError("broker_refuses", text, place=place, why=why)


def _away(url: str, why: str) -> ServiceError:
    place, why = place_of(url), without_password(why, url)
    text = f"The broker {place} cannot be reached: {why}. Start it, or correct ANSWERWATCH_ENGINE_URL."
    return ServiceError("broker_away", text, place=place, why=why)
