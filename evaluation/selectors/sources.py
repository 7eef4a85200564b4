"""What figures are from, for a methods sentence: collection, gold version, engine."""

from __future__ import annotations

from evaluation.selectors.leaderboard import Selection
from qc4.version import ENGINE_VERSION


def source_words(found: Selection) -> str:
    """ "AMBIENT, gold v3 (SHA-256 0123456789ab), engine 2.0.0." """
    version = found.version
    gold = "no gold version" if version is None else f"gold v{version.number} (SHA-256 {version.sha256[:12]})"
    return f"{found.collection.name}, {gold}, engine {ENGINE_VERSION}."
