"""What every process of the site loads when it starts: web, worker and each command wait for it."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT

START = """
import sys
import django
django.setup()
import work.worker, qc4site.urls
from work.sources import all_sources
for source in all_sources():
    source.load()
print(*sys.modules)
"""


def test_what_few_need_is_not_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", START], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"evaluation.baselines.kmeans", "annotations.agreement.statistics.coefficients"} <= loaded
    assert loaded & {"sklearn", "scipy.stats"} == set()
