"""`python -m bench [NAME ...]`: run all benchmarks, or those named, and print one table.

Each module of this package with a ``run`` function is a benchmark; ``run`` returns rows with the keys ``work``,
``peer``, ``seconds``, ``peer_seconds``, ``ratio`` and ``goal`` (the largest ratio we accept); rows about memory have
``bytes`` and ``peer_bytes`` in place of seconds, rows about the database ``queries`` and ``peer_queries``. A module
with rows of another kind has a ``HEAD`` and a ``line`` of its own.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from typing import Any

import bench

UNITS = (("bytes", "MB", 1e-6), ("queries", "  ", 1.0), ("seconds", "ms", 1e3))
HEAD = f"{'work':<62} {'against':<36} {'median':>13} {'median':>13} {'ratio':>8} {'goal':>8}"
BY_NAME_ONLY = ("coverage", "load", "scale", "workspace")
"""What takes minutes or says nothing of speed, and what is part of another (`curation`)."""
HELPERS = (
    "__main__",
    "ceiling_addresses",
    "ceiling_bodies",
    "ceiling_data",
    "curator",
    "drafts",
    "scale_data",
    "serving",
)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(bench.__path__) if module.name not in HELPERS)


def environment() -> str:
    import numpy
    import scipy

    threads = ", ".join(f"{name}={os.environ.get(name, 'unset')}" for name in THREADS)
    return (
        f"Python {sys.version.split()[0]}, numpy {numpy.__version__}, scipy {scipy.__version__}, "
        f"{os.cpu_count()} cores; {threads}"
    )


def line(row: dict[str, Any]) -> str:
    verdict = "reached" if row["ratio"] <= row["goal"] else "MISSED"
    what, unit, scale = next(each for each in UNITS if each[0] in row)
    amounts = f"{row[what] * scale:10.1f} {unit} {row[f'peer_{what}'] * scale:10.1f} {unit}"
    return f"{row['work']:<62} {row['peer']:<36} {amounts} {row['ratio']:8.3f} {row['goal']:8.3f}  {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare the engine's speed with its peers'.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which benchmarks: {', '.join(names())}")
    chosen = parser.parse_args().names or [name for name in names() if name not in BY_NAME_ONLY]
    unknown = set(chosen) - set(names())
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(names())}")
    print(environment())
    head = ""
    for name in chosen:
        module = importlib.import_module(f"bench.{name}")
        if head != (head := getattr(module, "HEAD", HEAD)):
            print(head)
        for row in module.run():
            print(getattr(module, "line", line)(row), flush=True)


if __name__ == "__main__":
    main()
