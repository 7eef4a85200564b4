"""A program: six visitors ask for an address at the same moment, each address in a process that answered nobody before.

``python -m tests.qc4site.first_requests ADDRESS …`` prints the statuses of each address as JSON. Processes are forked
from one that has loaded the site as a web process does when it starts, which is faster than to start each.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

AT_ONCE = 6


def main(addresses: list[str]) -> None:
    """Print address -> the sorted statuses of its visitors."""
    from django.core.wsgi import get_wsgi_application

    get_wsgi_application()
    from qc4site.web import make_ready

    make_ready()
    print(json.dumps({address: _in_a_fork(address) for address in addresses}))


def _in_a_fork(address: str) -> list[int]:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, json.dumps(_statuses(address)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        found: list[int] = json.loads(told.read() or "[]")
    os.waitpid(child, 0)
    return found


def _statuses(address: str) -> list[int]:
    from django.test import Client

    start = Barrier(AT_ONCE)

    def visit(_: int) -> int:
        client = Client(raise_request_exception=False)
        start.wait()
        return client.get(address, headers={"host": "localhost"}).status_code

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sorted(pool.map(visit, range(AT_ONCE)))


if __name__ == "__main__":
    main(sys.argv[1:])
