"""Paths of the repository's folders that tests read."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "demo"
DOCS = ROOT / "docs"
SHARED_DATA = Path(os.environ.get("QC4_SHARED_DATA", ROOT.parent / "shared" / "data"))
"""Real collections, for tests that use them where they are present."""
