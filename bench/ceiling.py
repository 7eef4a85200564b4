"""What one request may cost at the most: every address, asked about the largest data that a query, a draft, a stream or
a clustering may hold.

Each answer is made in a process of its own, forked from one that has the site loaded: processor time and memory are
those of the web process alone, without the workers and processes that it hands work to. The peer is the ceiling: 2 s of
processor and 200 MB, whatever is asked. How lists grow with queries and algorithms is asked in `bench.board`.

``QC4_BENCH_ONLY=why`` asks the addresses with that in their names alone, and ``QC4_BENCH_FOLDER`` keeps the data there
for another time.
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

from bench.serving import UNLIMITED, environment, in_python

SECONDS, BYTES = 2.0, 200_000_000
LONGEST = 20
"""Seconds of processor after which an answer is given up."""
FILL, ASK = "from bench.ceiling_data import fill; fill()", "from bench.ceiling import ask_all; ask_all()"
NOT_READ = 405
"""What addresses answer that are only written to."""


def run() -> list[dict[str, Any]]:
    """Two rows for each address: processor time and memory."""
    kept = os.environ.get("QC4_BENCH_FOLDER")
    with nullcontext(kept) if kept else tempfile.TemporaryDirectory(prefix="qc4-bench-") as folder:
        settings = environment(folder) | {"ALLOWED_HOSTS": "testserver"} | UNLIMITED
        made = Path(folder) / "made.json"
        if not made.exists():
            made.write_text(in_python(FILL, settings).splitlines()[-1])
        answered = in_python(ASK, settings | {"QC4_BENCH_MADE": made.read_text()}).splitlines()
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
    """Ask each, and print a line of JSON for it."""
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
            found = in_a_child(ask)
            if found["status"] != NOT_READ:
                print(json.dumps({"name": name, **found}), flush=True)


def in_a_child(ask: Callable[[], Any]) -> dict[str, Any]:
    """Processor time, memory beyond what the process had, status and size of an answer; nothing it writes is kept."""
    from django.db import transaction

    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        # The soft limit alone: processes that files are read in set one of their own.
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, resource.RLIM_INFINITY))
        before, start = _held("VmRSS"), time.process_time()
        with transaction.atomic():  # which is never committed
            answer = ask()
            size = sum(len(part) for part in answer) if answer.streaming else len(answer.content)
            found = {"seconds": time.process_time() - start, "bytes": _held("VmHWM") - before}
            os.write(writing, json.dumps(found | {"status": answer.status_code, "size": size}).encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else {"seconds": float(LONGEST), "bytes": 0, "status": "given up", "size": 0}


def _held(which: str) -> int:
    """Bytes of memory, now (VmRSS) or at the most (VmHWM)."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(which))
    return int(line.split()[1]) * 1024
