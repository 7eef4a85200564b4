"""What a web process does before its first visitor."""

from __future__ import annotations

import gc

from django.urls import get_resolver

from qc4site.api_root import schema


def make_ready() -> None:
    """Load what every page needs, build what threads must not build beside each other, and let no collection of garbage
    walk through it again: those took 100 ms, every fifteenth board."""
    get_resolver().url_patterns  # noqa: B018  # loads all views
    schema()
    gc.collect()
    gc.freeze()
