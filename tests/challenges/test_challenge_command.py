"""The command ``manage.py challenge``."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from annotations.models import Challenge, Collection
from evaluation.models import Submission


def test_it_sets_what_is_given_and_keeps_the_rest(collection: Collection, owner: User) -> None:
    with pytest.raises(CommandError, match="is not a challenge"):
        call_command("challenge", collection.slug)
    given = {"show": ["Saturn Car"], "closes": "2100-01-31T12:00", "per_day": 3}
    call_command("challenge", collection.slug, **given, stdout=StringIO())
    told = StringIO()
    call_command("challenge", collection.slug, "--reveal", stdout=told)
    challenge = Challenge.objects.get()
    assert (challenge.hides, challenge.per_day, challenge.reveals) == ("some", 3, True)
    assert [query.key for query in challenge.shown.all()] == ["saturn"]
    assert "open until 2100-01-31 12:00 UTC" in told.getvalue()
    assert "1 of 2 queries are hidden until the challenge has closed" in told.getvalue()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"show": ["pluto"]}, "--show: found 'pluto'; expected a query of the collection: 'mercury'"),
        ({"closes": "soon"}, "'soon' is not a date and time"),
        ({"measure": "best"}, "measure: found 'best'"),
        ({"per_day": -1}, "per_day: found -1"),
    ],
)
def test_command_rejects_unknown_names(
    collection: Collection, owner: User, options: dict[str, object], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("challenge", collection.slug, **options)
    assert not Challenge.objects.exists()


def test_command_writes_the_final_results(
    collection: Collection, owner: User, scored: Submission, tmp_path: Path
) -> None:
    file = tmp_path / "results.csv"
    call_command("challenge", collection.slug, hide="nothing", closes="2100-01-31", stdout=StringIO())
    with pytest.raises(CommandError, match="no final results yet"):
        call_command("challenge", collection.slug, results=file, stdout=StringIO())
    Challenge.objects.update(closes_at=timezone.now())
    call_command("challenge", collection.slug, results=file, stdout=StringIO())
    assert file.read_text().splitlines()[1].startswith(f",,,,,,,,Lingo,{scored.algorithm_id},,true,{scored.pk},owner,")
    with pytest.raises(CommandError, match="No such file"):
        call_command("challenge", collection.slug, results=tmp_path / "none" / "results.csv", stdout=StringIO())
