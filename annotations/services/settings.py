"""Change what a collection is called and who reads it."""

from __future__ import annotations

from annotations.models import Collection


def change_settings(collection: Collection, *, name: str, description: str, visibility: str) -> None:
    """Keep a new name, description and visibility. The slug stays, so that addresses stay."""
    collection.name, collection.description, collection.visibility = name.strip(), description, visibility
    collection.save(update_fields=["name", "description", "visibility"])
