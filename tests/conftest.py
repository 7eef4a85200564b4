"""Fixtures and hooks of all tests. If pytest-django is installed, the fixtures of the site are loaded too.

The engine's tests need no Django: ``python -m pytest tests/qc4`` runs where it is not installed, and
``python -m pytest -p no:django tests/qc4`` where it is.
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from tests import profiles
from tests.paths import SHARED_DATA

profiles.register()


SITE_FIXTURES = ("site", "pages", "api", "commands", "workers", "browser")
"""The modules of `tests/fixtures`. Tests of a feature use several of them, whatever folder they are in."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Load the fixtures of the site, or without pytest-django declare its setting, which pyproject.toml holds."""
    if pluginmanager.hasplugin("django"):
        for name in SITE_FIXTURES:
            pluginmanager.import_plugin(f"tests.fixtures.{name}")
    else:
        parser.addini("DJANGO_SETTINGS_MODULE", "for tests of the site, which are not run")


LONGEST = (
    "tests/whole_site/test_query_counts.py",
    "tests/whole_site/test_hidden_gold.py",
    "tests/whole_site/test_browser_every_page.py",
    "tests/work/",
)
"""Where single tests, or the worlds that tests share, take longest."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, each with another worker: at the end the others would wait for it."""
    profiles.ask(config)
    profiles.leave_out(items)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [[item for item in items if item.nodeid.startswith(place)] for place in LONGEST]
    apart = {item for some in long for item in some}
    rest = [item for item in items if item not in apart]
    # Each worker is given its part of the list, in order; who has done theirs takes from the ends of others' parts.
    parts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, some in enumerate(long):
        parts[number % workers] += some
    share = len(items) / workers
    for part in parts[:-1]:
        wanted = max(0, round(share) - len(part))
        part += rest[:wanted]
        rest = rest[wanted:]
    items[:] = [item for part in (*parts[:-1], parts[-1] + rest) for item in part]


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays: modules and thousands of tests, which it would look at again and again.

    That took a tenth of the processors' time. What tests leave behind is still collected, in larger portions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data next to the repository (``QC4_SHARED_DATA`` says another); skips where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no real data at {SHARED_DATA}")
    return SHARED_DATA
