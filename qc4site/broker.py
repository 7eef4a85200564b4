"""What Celery must be told for each broker. Its messages are only wake-up calls (docs/developers/jobs.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kombu.entity import Exchange, Queue

DELIVERY_LIMIT = 20
"""How often RabbitMQ hands out one message before it drops it."""


def celery_settings(url: str, *, folder: Path, prefix: str, queues: Sequence[str]) -> dict[str, Any]:
    """The ``CELERY_*`` settings that depend on the broker.

    Args:
        url: ``filesystem://localhost``, ``redis://…`` or ``amqp://…``.
        folder: where the filesystem broker keeps its messages.
        prefix: goes before the names of queues and exchange, so that installations can share a broker.
    """
    if url.startswith("filesystem:"):
        options: dict[str, object] = {
            "data_folder_in": str(folder / "messages"),
            "data_folder_out": str(folder / "messages"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.1,
        }
        for name in ("messages", "control"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    elif url.startswith("redis"):
        options = {"unacked_restore_interval": 5, "unacked_restore_throttle": 1, "socket_connect_timeout": 2}
    else:
        options = {"confirm_publish": True}
    is_rabbitmq = url.startswith("amqp")
    arguments = {"x-queue-type": "quorum", "x-delivery-limit": DELIVERY_LIMIT} if is_rabbitmq else {}
    exchange = Exchange(f"{prefix}runs", type="topic" if is_rabbitmq else "direct")
    first = prefix + queues[0]
    found = {
        "CELERY_BROKER_URL": url,
        "CELERY_BROKER_TRANSPORT": "qc4site.file_broker:Transport" if url.startswith("filesystem:") else None,
        "CELERY_BROKER_TRANSPORT_OPTIONS": options,
        "CELERY_TASK_QUEUES": [
            Queue(prefix + name, exchange, routing_key=prefix + name, queue_arguments=arguments) for name in queues
        ],
        "CELERY_TASK_DEFAULT_QUEUE": first,
        "CELERY_TASK_DEFAULT_ROUTING_KEY": first,
        "CELERY_TASK_DEFAULT_EXCHANGE": exchange.name,
        "CELERY_TASK_DEFAULT_EXCHANGE_TYPE": exchange.type,
    }
    return {**found, "CELERY_TASK_DEFAULT_QUEUE_TYPE": "quorum"} if is_rabbitmq else found
