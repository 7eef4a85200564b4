"""The maximum cost of one request: every URL with the largest allowed query, draft, stream or clustering.

Each request is served by a separate process, forked from one that has the site loaded. Processor time and memory are
those of the web process alone, without the workers and processes that it passes work to. The peer is the ceiling for
every request: 2 s of processor time and 200 MB. `bench.board` measures how lists grow with queries and algorithms.

``QC4_BENCH_ONLY=why`` requests only URLs with that word in their names. ``QC4_BENCH_FOLDER`` names a folder that keeps
the data for the next run.
"""

from __future__ import annotations

import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.serving import UNLIMITED, run_python, site_settings

SECONDS, BYTES = 2.0, 200_000_000
LONGEST = 20
"""Seconds of processor time after which a request is given up."""
FILL, ASK = "from bench.ceiling_data import fill; fill()", "from bench.ceiling import ask_all; ask_all()"
NOT_READ = 405
"""Status of GET requests to URLs that accept only POST."""


def run() -> list[dict[str, Any]]:
    """Return two rows for each URL: processor time and memory."""
    data_folder = os.environ.get("QC4_BENCH_FOLDER")
    with nullcontext(data_folder) if data_folder else tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = site_settings(folder) | {"ALLOWED_HOSTS": "testserver"} | UNLIMITED
        made = Path(folder) / "made.json"
        if not made.exists():
            made.write_text(run_python(FILL, settings).splitlines()[-1])
        answered = run_python(ASK, settings | {"QC4_BENCH_MADE": made.read_text()}).splitlines()
        return [row for line in answered for row in _rows(json.loads(line))]


def _rows(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    work = f"{found['name']} ({found['status']})"
    seconds, held = found["seconds"], found["bytes"]
    yield {"work": work, "peer": f"ceiling of {SECONDS:g} s"} | {
        "seconds": seconds, "peer_seconds": SECONDS, "ratio": seconds / SECONDS, "goal": 1.0
    }  # fmt: skip
    yield {"work": f"{work}, memory", "peer": f"ceiling of {BYTES // 1_000_000} MB"} | {
        "bytes": held, "peer_bytes": BYTES, "ratio": held / BYTES, "goal": 1.0
    }  # fmt: skip


def ask_all() -> None:
    """Make each request, and print one line of JSON for it."""
    import django

    django.setup()
    from django.db import connections
    from django.test import Client

    from accounts.models import User
    from bench.ceiling_addresses import addresses, bodies

    made = json.loads(os.environ["QC4_BENCH_MADE"])
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="owner"), "django.contrib.auth.backends.ModelBackend")
    client.get("/sign-in/")

    wanted = os.environ.get("QC4_BENCH_ONLY", "")
    read = ((name, lambda address=address: client.get(address)) for name, address in addresses(made))
    sent = ((f"POST {name}", lambda send=send: send(client)) for name, send in bodies(made))
    for name, ask in (*read, *sent):
        if wanted in name:
            connections.close_all()
            found = run_in_child(ask)
            if found["status"] != NOT_READ:
                print(json.dumps({"name": name, **found}), flush=True)


def run_in_child(ask: Callable[[], Any]) -> dict[str, Any]:
    """Make a request in a child process, and roll back what it writes.

    Returns:
        The processor time, the additional memory, the status and the size of the response.
    """
    from django.db import transaction

    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        # Only the soft limit: sandbox processes set their own limit.
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, resource.RLIM_INFINITY))
        before, start = _memory("VmRSS"), time.process_time()
        with transaction.atomic():  # never committed
            answer = ask()
            size = sum(len(part) for part in answer) if answer.streaming else len(answer.content)
            found = {"seconds": time.process_time() - start, "bytes": _memory("VmHWM") - before}
            os.write(writing, json.dumps(found | {"status": answer.status_code, "size": size}).encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        output = pipe.read()
    os.waitpid(child, 0)
    return json.loads(output) if output else {"seconds": float(LONGEST), "bytes": 0, "status": "given up", "size": 0}


def _memory(which: str) -> int:
    """Return the memory of this process in bytes: current (VmRSS) or maximum (VmHWM)."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(which))
    return int(line.split()[1]) * 1024
