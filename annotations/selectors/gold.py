"""Published gold standards: which one counts, and what it holds."""

from __future__ import annotations

from annotations.models import Collection, Gold, GoldVersion
from qc4.formats import read_gold_document
from qc4.gold.document import GoldDocument


def latest_golds(collection: Collection) -> dict[int, Gold]:
    """Query id -> its gold standard in the latest published version; empty where nothing is published."""
    version = collection.gold_versions.order_by("-number").first()
    return golds_of(version) if version is not None else {}


def golds_of(version: GoldVersion) -> dict[int, Gold]:
    """Query id -> its gold standard in this version."""
    return {entry.query_id: entry.gold for entry in version.entries.select_related("gold__query")}


def read(gold: Gold) -> GoldDocument:
    """The document of a stored gold standard."""
    return read_gold_document(document_bytes(gold), name=f"gold {gold.sha256[:8]}")


def document_bytes(gold: Gold) -> bytes:
    """The canonical ``qc4-gold/1`` file, byte for byte as it was published."""
    return gold.file.content
