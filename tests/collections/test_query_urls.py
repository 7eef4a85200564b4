"""Query keys may contain any character; in URLs they are single, unambiguous path segments."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest
from django.urls import resolve, reverse
from hypothesis import given
from hypothesis import strategies as st

from annotations.collections.query_keys import QueryKey

NASTY = ["..", ".", "a/b", "a//b/", "~", "~2F;", "%2F", "?x=1#y", "ключ", "a b", "\\", "\u202e", "-", "new", "\n", "😀"]


@pytest.mark.parametrize("key", NASTY)
def test_key_round_trips_through_its_url(key: str) -> None:
    address = reverse("query", args=["space", key])
    segment = urlsplit(address).path.split("/")[4]
    assert resolve(unquote(urlsplit(address).path)).kwargs == {"slug": "space", "key": key}
    assert segment not in {".", "..", ""}


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40))
def test_every_key_round_trips(key: str) -> None:
    segment = QueryKey().to_url(key)
    assert segment
    assert "/" not in segment
    assert QueryKey().to_python(segment) == key


@given(st.text(max_size=20), st.text(max_size=20))
def test_different_keys_have_different_urls(one: str, other: str) -> None:
    assert (one == other) == (QueryKey().to_url(one) == QueryKey().to_url(other))


def test_escape_of_an_invalid_character_is_not_a_key() -> None:
    with pytest.raises((ValueError, OverflowError)):
        QueryKey().to_python("~110000;")


def test_text_that_resembles_an_escape_is_literal() -> None:
    assert QueryKey().to_python("~0;00;") == "~0;00;"
