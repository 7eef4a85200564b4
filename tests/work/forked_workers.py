"""Worker processes that need not import Celery, scipy and the engine each: they are forked from one that has.

Each is a process of its own, in its own group, with its own environment, settings and apps: kill -9 is as real
as ever. What starts workers by a command line (`manage.py work`, `manage.py serve`) is tested with real command lines.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from common.processes import end_with_parent
from qc4.measures.registry import REGISTRY
from tests.paths import ROOT

NEEDED = (
    *("celery.bin.worker", "celery.concurrency.solo", "celery.worker.consumer", "threadpoolctl"),
    *("kombu.transport.redis", "kombu.transport.pyamqp", "psycopg", "scipy.optimize", "scipy.sparse", "scipy.stats"),
    *("django.core.management", "django.db.models", "django.db.backends.sqlite3.base", "django.template"),
)
"""What workers import beside the measures; nothing of the site, whose modules know the process they are in."""

Told = dict[str, Any]


class Preloaded:
    """A process as `subprocess.Popen` would have it, as far as tests ask."""

    def __init__(self, arguments: Sequence[str], environment: dict[str, str], log: Path) -> None:
        self.args = list(arguments)
        self.returncode: int | None = None
        self._answers = _forked_by(_parent(), {"arguments": self.args, "environment": environment, "log": str(log)})
        self.pid = int(json.loads(self._answers.readline())["pid"])

    def poll(self) -> int | None:
        """Its exit status, or minus the signal that killed it, if it has ended."""
        if self.returncode is None:
            self._answers.channel.setblocking(False)
            with suppress(BlockingIOError):
                self._take(self._answers.readline())
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._answers.channel.settimeout(timeout)
            self._take(self._answers.readline())
        assert self.returncode is not None
        return self.returncode

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _take(self, line: bytes) -> None:
        self.returncode = int(json.loads(line)["status"])
        self._answers.channel.close()


class _Lines:
    """Lines from a socket, one at a time, also where it must not block."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        self._begun = b""

    def readline(self) -> bytes:
        while b"\n" not in self._begun:
            found = self.channel.recv(4096)
            assert found, "the process that workers are forked from has died"
            self._begun += found
        line, _, self._begun = self._begun.partition(b"\n")
        return line


def _forked_by(address: str, request: Told) -> _Lines:
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(address)
    channel.sendall(json.dumps(request).encode() + b"\n")
    return _Lines(channel)


_started: dict[int, str] = {}


def _parent() -> str:
    """Where the process listens that this one's workers are forked from; it is started when first needed."""
    if os.getpid() not in _started:
        folder = tempfile.mkdtemp(prefix="forks-", dir=os.environ.get("QC4_TEST_DIR"))
        address = f"{folder}/socket"
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.work.forked_workers", address],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            preexec_fn=partial(end_with_parent, signal.SIGKILL),
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n", "the process that workers are forked from does not start"
        _started[os.getpid()] = address
    return _started[os.getpid()]


# --- The process that everything is forked from -----------------------------------------------------------------------


def serve(address: str) -> NoReturn:
    """Import what a worker needs; then fork one for each request, and tell who asked how it ended."""
    for module in NEEDED:
        import_module(module)
    REGISTRY.all()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    listener.settimeout(0.02)
    gc.collect()
    gc.freeze()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    running: dict[int, socket.socket] = {}
    while True:
        with suppress(TimeoutError):
            channel = listener.accept()[0]
            channel.setblocking(True)
            request = json.loads(_Lines(channel).readline())
            pid = os.fork()
            if not pid:
                _become(request, [listener, channel, *running.values()])
            running[pid] = channel
            channel.sendall(json.dumps({"pid": pid}).encode() + b"\n")
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            with suppress(OSError), running.pop(pid) as channel:
                channel.sendall(json.dumps({"status": os.waitstatus_to_exitcode(status)}).encode() + b"\n")


def _become(request: Told, ours: list[socket.socket]) -> NoReturn:
    """Be what ``python -m`` these arguments would be, in that environment."""
    status = 1
    try:
        os.setsid()
        end_with_parent(signal.SIGKILL)
        for each in ours:
            each.close()
        log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = request["arguments"][1:]
        try:
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve(sys.argv[1])
