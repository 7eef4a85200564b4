"""``manage.py challenge``."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from annotations.models import Challenge, Collection


def test_it_sets_what_is_given_and_keeps_the_rest(collection: Collection, owner: User) -> None:
    with pytest.raises(CommandError, match="is no challenge"):
        call_command("challenge", collection.slug)
    given = {"show": ["Saturn Car"], "closes": "2100-01-31T12:00", "per_day": 3}
    call_command("challenge", collection.slug, **given, stdout=StringIO())
    told = StringIO()
    call_command("challenge", collection.slug, "--reveal", stdout=told)
    challenge = Challenge.objects.get()
    assert (challenge.hides, challenge.per_day, challenge.reveals) == ("some", 3, True)
    assert [query.key for query in challenge.shown.all()] == ["saturn"]
    assert "open until 2100-01-31 12:00 UTC" in told.getvalue()
    assert "1 of 2 queries are hidden until it has closed" in told.getvalue()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"show": ["pluto"]}, "--show: found 'pluto'; expected a query of the collection: 'mercury'"),
        ({"closes": "soon"}, "'soon' is no time"),
        ({"measure": "best"}, "measure: found 'best'"),
        ({"per_day": -1}, "per_day: found -1"),
    ],
)
def test_it_refuses_what_does_not_exist(
    collection: Collection, owner: User, options: dict[str, object], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("challenge", collection.slug, **options)
    assert not Challenge.objects.exists()
