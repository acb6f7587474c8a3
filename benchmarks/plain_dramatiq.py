"""Dramatiq used the ordinary way: the message is the task. Loaded by its command line and by the benchmark."""

from __future__ import annotations

import os
from collections.abc import Callable

import dramatiq
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.brokers.redis import RedisBroker

from benchmarks.plain_bodies import BROKER, NAMESPACE, count_one

_URL = os.environ[BROKER]
_NAME = os.environ[NAMESPACE]

_redis: Callable[..., dramatiq.Broker] = RedisBroker  # Dramatiq has no types here

broker: dramatiq.Broker = RabbitmqBroker(url=_URL) if _URL.startswith("amqp") else _redis(url=_URL, namespace=_NAME)
dramatiq.set_broker(broker)


@dramatiq.actor(queue_name=_NAME)
def task(_: int) -> None:
    """Do nothing but count."""
    count_one()
