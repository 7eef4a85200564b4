"""Vectors in the browser: uploaded, made from text, shown with the collection and used on leaderboards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from annotations.models import Collection, VectorSet
from evaluation.models import Run, Submission, Upload
from evaluation.vectors import services as vectors
from tests.fixtures.pages import Visit

MERCURY = b"".join(b"%d,%d\n" % (number, number % 3) for number in range(8))
OTHER = b"".join(b"%d,%d\n" % (number % 2, number) for number in range(8))


@pytest.fixture
def page(collection: Collection) -> str:
    return reverse("collection", args=[collection.slug])


def test_curator_uploads_a_file(visit: Visit, curator: User, page: str, finish: Callable[..., None]) -> None:
    client = visit(curator)
    response = client.post(f"{page}vectors/", {"file": SimpleUploadedFile("mercury.csv", MERCURY)}, follow=True)
    assert "vectors of <bdi>mercury.csv</bdi>" in response.content.decode()
    finish()
    assert "1 of 2 queries <bdi>from mercury.csv</bdi>: 2 dimensions" in client.get(page).content.decode()


def test_curator_makes_vectors_from_text(visit: Visit, curator: User, page: str, finish: Callable[..., None]) -> None:
    client = visit(curator)
    response = client.post(f"{page}vectors/from-text/", {"components": "3", "seed": "7"}, follow=True)
    assert "python manage.py vectors space-and-cars --from-text --components 3 --seed 7" in response.content.decode()
    finish()
    assert "2 of 2 queries <bdi>from page text, seed 7</bdi>" in client.get(page).content.decode()


def test_user_who_started_the_run_can_cancel_it(visit: Visit, curator: User, page: str) -> None:
    client = visit(curator)
    client.post(f"{page}vectors/from-text/", {"components": "3", "seed": "7"})
    run = Run.objects.get(kind=Run.Kind.VECTORS)
    assert client.post(reverse("run-cancel", args=[run.pk])).status_code == 302
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED


def test_invalid_values_and_files_are_reported(
    visit: Visit, curator: User, page: str, finish: Callable[..., None]
) -> None:
    client = visit(curator)
    response = client.post(f"{page}vectors/from-text/", {"components": "0", "seed": "x"}, follow=True)
    told = response.content.decode()
    assert "Components: Ensure this value is greater than or equal to 1" in told
    assert "Seed: Enter a whole number" in told
    client.post(f"{page}vectors/", {"file": SimpleUploadedFile("mercury.csv", MERCURY[:-4])})
    finish()
    run = Run.objects.get(kind=Run.Kind.VECTORS)
    told = client.get(reverse("run", args=[run.pk])).content.decode()
    assert "Row 8, for page &#x27;p8&#x27;, is missing." in told


def test_empty_file_stores_nothing(visit: Visit, curator: User, page: str) -> None:
    response = visit(curator).post(f"{page}vectors/", {"file": SimpleUploadedFile("mercury.csv", b"")})
    assert response.status_code == 400
    assert not Run.objects.filter(kind=Run.Kind.VECTORS).exists()
    assert not Upload.objects.exists()


def test_readers_see_no_form(visit: Visit, reader: User, page: str) -> None:
    assert "Make from page text" not in visit(reader).get(page).content.decode()


def test_leaderboard_offers_internal_measures_when_scores_exist(
    visit: Visit, owner: User, scored: Submission, finish: Callable[..., None], page: str
) -> None:
    client = visit(owner)
    assert 'value="ssq"' not in client.get(f"{page}leaderboard/").content.decode()
    vectors.put(scored.collection.queries.get(key="mercury"), MERCURY, "mercury.csv", owner)
    finish()
    assert 'value="ssq"' in client.get(f"{page}leaderboard/").content.decode()
    board = client.get(f"{page}leaderboard.json?measures=ssq,quality").json()
    (row,) = board["rows"]
    assert row["scores"]["ssq"]["scored"] == 1
    assert "vectors" in row["scores"]["ssq"]["undefined_queries"]["saturn"]
    assert row["scores"]["quality"]["scored"] == 2


def test_leaderboard_marks_scores_on_older_vectors(
    visit: Visit, owner: User, scored: Submission, finish: Callable[..., None], page: str
) -> None:
    query, client = scored.collection.queries.get(key="mercury"), visit(owner)
    vectors.put(query, MERCURY, "mercury.csv", owner)
    finish()
    board = f"{page}leaderboard/?measures=ssq"
    assert "older vectors" not in client.get(board).content.decode()
    vectors.put(query, OTHER, "mercury.csv", owner)
    assert "older vectors" in client.get(board).content.decode()
    assert "older vectors" not in client.get(f"{page}leaderboard/?measures=quality").content.decode()
    finish()
    assert "older vectors" not in client.get(board).content.decode()
    assert VectorSet.objects.count() == 2
