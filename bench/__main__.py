"""`python -m bench [NAME ...]`: run all benchmarks, or the named ones, and print one table.

Each module of this package with a ``run`` function is a benchmark. ``run`` returns rows with the keys ``work``,
``peer``, ``seconds``, ``peer_seconds``, ``ratio`` and ``goal`` (the largest ratio that we accept). Rows about memory
have ``bytes`` and ``peer_bytes`` instead of seconds, and rows about the database ``queries`` and ``peer_queries``. A
module with other rows defines its own ``HEAD`` and ``line``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import bench

UNITS = (("bytes", "MB", 1e-6), ("queries", "  ", 1.0), ("seconds", "ms", 1e3))
HEAD = f"{'work':<62} {'against':<36} {'median':>13} {'median':>13} {'ratio':>8} {'goal':>8}"
BY_NAME_ONLY = ("coverage", "load", "scale", "workspace")
"""Benchmarks that take minutes or do not measure speed, and `workspace`, which is part of `curation`."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def benchmarks() -> dict[str, ModuleType]:
    """Return name -> module for the modules of this package that have a ``run`` function."""
    names = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name != "__main__"]
    modules = {name: importlib.import_module(f"bench.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, "run")}


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


def main(arguments: Sequence[str] | None = None) -> None:
    there = benchmarks()
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare the engine's speed with its peers'.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"benchmarks to run: {', '.join(there)}")
    chosen = parser.parse_args(arguments).names or [name for name in there if name not in BY_NAME_ONLY]
    if unknown := sorted(set(chosen) - there.keys()):
        parser.error(f"unknown benchmark: {', '.join(unknown)}. Choose from: {', '.join(there)}")
    print(environment())
    head = ""
    for name in chosen:
        module = there[name]
        if head != (head := getattr(module, "HEAD", HEAD)):
            print(head)
        for row in module.run():
            print(getattr(module, "line", line)(row), flush=True)


if __name__ == "__main__":
    main()
