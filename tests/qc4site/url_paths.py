"""The path of an address by the name of its view."""

from __future__ import annotations

from collections.abc import Mapping

from django.urls import NoReverseMatch, reverse


def path_of(name: str, arguments: Mapping[str, object]) -> str:
    """Fill in those of the arguments (slug, pk and key) that the address has."""
    for names in ((), ("slug",), ("pk",), ("slug", "key")):
        try:
            return reverse(name, kwargs={each: arguments[each] for each in names}).replace("%20", " ")
        except NoReverseMatch:
            continue
    raise AssertionError(name)
