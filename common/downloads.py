"""Answers that browsers save as files."""

from __future__ import annotations


def saved_as(name: str) -> dict[str, str]:
    """The header that says so; ``name`` is one of ours: letters, digits, dots and hyphens."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}
