"""What Celery really uses, not what we think we told it: a misspelt name is ignored in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from celery.app.defaults import SETTING_KEYS
from django.conf import settings

from evaluation.jobs.execution import KINDS
from qc4site.broker import celery_settings
from tests.jobs.sandbox import ROOT
from tests.profiles import thorough

EFFECTIVE = '''
import json, sys
from qc4site import celery_app as app
import django
django.setup()
app.loader.import_default_modules()
names = """broker_url broker_transport_options broker_connection_timeout broker_connection_max_retries
    task_ignore_result task_acks_late task_reject_on_worker_lost task_always_eager task_time_limit task_default_queue
    task_default_queue_type task_publish_retry_policy worker_prefetch_multiplier worker_enable_remote_control
    worker_detect_quorum_queues result_backend""".split()
found = {name: app.conf[name] for name in names}
found["queues"] = {name: [queue.exchange.type, queue.queue_arguments] for name, queue in app.amqp.queues.items()}
found["loaded"] = sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith("evaluation.jobs."))
found["tasks"] = sorted(name for name in app.tasks if not name.startswith("celery."))
print("EFFECTIVE " + json.dumps(found))
'''
QUORUM = {"x-queue-type": "quorum", "x-delivery-limit": 20}


def effective(broker: str, folder: Path) -> dict[str, Any]:
    """The configuration a worker with this environment has."""
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "qc4site.settings", "CELERY_BROKER_URL": broker,
        "QC4_DATA_DIR": str(folder), "JOB_TIME_LIMIT_SECONDS": "100", "CELERY_SKIP_CHECKS": "1",
    }  # fmt: skip
    command = [sys.executable, "-c", EFFECTIVE]
    output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(output.partition("EFFECTIVE ")[2])
    return found


BROKERS = (
    "filesystem://localhost",
    "amqp://rabbit.example//",
    pytest.param("redis://redis.example/0", marks=thorough("settings of Celery for Redis")),
)


@pytest.mark.parametrize("broker", BROKERS)
def test_the_effective_configuration(broker: str, tmp_path: Path) -> None:
    found = effective(broker, tmp_path)
    assert found["broker_url"] == broker
    assert found["result_backend"] is None
    assert found["task_ignore_result"] is True
    assert found["task_acks_late"] is False
    assert not found["task_reject_on_worker_lost"]
    assert found["task_always_eager"] is False
    assert found["task_time_limit"] == 160
    assert found["worker_prefetch_multiplier"] == 1
    assert found["worker_enable_remote_control"] is False
    assert found["broker_connection_timeout"] == 2
    assert found["broker_connection_max_retries"] is None
    assert found["task_publish_retry_policy"]["max_retries"] == 1
    assert set(KINDS.values()) <= set(found["loaded"]), "each worker would import the rest anew, for its first such run"
    assert found["tasks"] == ["evaluation.prefetch", "evaluation.wake"]
    assert found["task_default_queue"] == "qc4.interactive"
    queue = ["topic", QUORUM] if broker.startswith("amqp") else ["direct", {}]
    assert found["queues"] == {f"qc4.{name}": queue for name in ("interactive", "bulk")}
    options = found["broker_transport_options"]
    if broker.startswith("filesystem"):
        assert options["polling_interval"] == 0.1
        assert options["data_folder_in"] == options["data_folder_out"] == str(tmp_path / "queue" / "messages")
    elif broker.startswith("redis"):
        assert options == {"unacked_restore_interval": 5, "unacked_restore_throttle": 1, "socket_connect_timeout": 2}
    else:
        assert options == {"confirm_publish": True}
        assert found["task_default_queue_type"] == "quorum"
        assert found["worker_detect_quorum_queues"] is True


@pytest.mark.parametrize("broker", BROKERS)
def test_every_name_is_one_celery_knows(broker: str, tmp_path: Path) -> None:
    by_broker = celery_settings(broker, folder=tmp_path, prefix="x.", queues=["a"])
    names = {*by_broker, *(name for name in dir(settings) if name.startswith("CELERY_"))}
    assert {name.removeprefix("CELERY_").lower() for name in names} <= SETTING_KEYS
