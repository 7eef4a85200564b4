"""Published gold standards: which one counts, and what it holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from accounts.person import Person
from annotations.challenge_access import visible_entries
from annotations.models import Collection, Gold, GoldVersion
from qc4.io import read_gold_document
from qc4.model.gold_document import GoldDocument


def latest_versions(collections: Iterable[Collection]) -> dict[int, GoldVersion]:
    """Collection id -> its latest gold version; a collection without any is not there."""
    latest = GoldVersion.objects.filter(collection=OuterRef("collection")).order_by("-number").values("pk")[:1]
    rows = GoldVersion.objects.filter(collection__in=collections, pk=Subquery(latest))
    return {row.collection_id: row for row in rows}


def latest_version(collection: Collection) -> GoldVersion | None:
    return collection.gold_versions.order_by("-number").first()


def golds_of(version: GoldVersion | None, person: Person | None = None) -> dict[int, Gold]:
    """Query id -> the gold standard a version holds for it; empty without a version.

    Args:
        person: leaves out those that are hidden from this person; None leaves out none.
    """
    if version is None:
        return {}
    entries = visible_entries(person, version).select_related("gold__query")
    return {entry.query_id: entry.gold for entry in entries}


def latest_golds(collection: Collection, person: Person | None = None) -> dict[int, Gold]:
    """Query id -> its gold standard in the latest published version; as `golds_of`."""
    return golds_of(latest_version(collection), person)


def version_sha256(golds: Iterable[int]) -> str:
    """The SHA-256 of the version that holds these gold standards (by id): over the lines
    ``<query key>\\t<gold sha256>\\n`` in query order."""
    rows = Gold.objects.filter(pk__in=golds).order_by("query__position", "query_id")
    digest = hashlib.sha256()
    for key, sha256 in rows.values_list("query__key", "sha256"):
        digest.update(f"{key}\t{sha256}\n".encode())
    return digest.hexdigest()


def read(gold: Gold) -> GoldDocument:
    """The document of a stored gold standard."""
    return read_gold_document(document_bytes(gold), name=f"gold {gold.sha256[:8]}")


def document_bytes(gold: Gold) -> bytes:
    """The canonical ``qc4-gold/1`` file, byte for byte as it was published."""
    return gold.file.content
