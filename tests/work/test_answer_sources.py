"""Every kind of answer says which collection it is about and what else it follows from, and is deleted with that.

The kinds are those that are registered, and the addresses those of the permission table: a new kind takes part as soon
as the owner of a collection can ask for it.
"""

from __future__ import annotations

import pytest
from django.apps import apps

from accounts.models import User
from evaluation.boards.leaderboard import files as leaderboard_files
from evaluation.deletion.services import delete_collection, delete_submission
from evaluation.runs.execution import run_here
from evaluation.selection import services as sweeps
from tests.profiles import thorough
from tests.stored_answers import compute_waiting_answers, leave_all_to_workers
from tests.whole_site.test_permissions import BODIES, LINES, World, browser_of, build_world
from work.answer_worker import answer_kinds
from work.models import AnswerPart, StoredAnswer

pytestmark = [pytest.mark.django_db, thorough("every kind of answer, by everything that an owner reads")]

OF_COLLECTIONS = {"team-agreement"}
"""Kinds that follow from what is deleted with the collection alone."""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A collection of which the owner has read everything, with all answers stored."""
    made = build_world()
    owner = User.objects.get(username="owner")
    of_sweep = {"algorithms": ["random"], "clusters": [2, 3], "initialisations": 1}
    for run in (made.runs["private"], sweeps.enqueue(collection=made.collection, user=owner, **of_sweep)):
        run_here(run)
    monkeypatch.setattr(leaderboard_files, "CHEAP_VALUES", 0)  # as of a large board
    leave_all_to_workers(monkeypatch)
    while read_all(made) and compute_waiting_answers():
        pass
    return made


def read_all(world: World) -> int:
    """How many addresses the owner reads."""
    read = [line for line in LINES if line.method == "GET" and line.private["owner"] < 300]
    browser = browser_of(world, "owner")
    for line in read:
        browser.get(world.address(line.name, line.which), **BODIES.get(("GET", line.name), dict)())
    return len(read)


def sources(row: StoredAnswer) -> list[tuple[str, int]]:
    """The models and ids of what an answer follows from, its collection first."""
    words = f"{row.scope}{row.sources}".split()
    return [(model, int(pk)) for model, pk in zip(words[::2], words[1::2], strict=True)]


def test_every_kind_names_things_that_exist_and_goes_with_them(world: World) -> None:
    models = {model._meta.model_name: model for model in apps.get_models()}
    rows = list(StoredAnswer.objects.all())
    assert {row.name for row in rows} == set(answer_kinds()), "nothing that the owner reads is made of these"
    for row in rows:
        collection, *others = sources(row)
        assert collection == ("collection", world.collection.pk), row
        assert others or row.name in OF_COLLECTIONS, f"{row} follows from nothing that may be deleted"
        assert all(models[model]._default_manager.filter(pk=pk).exists() for model, pk in others), row
    for submission in world.collection.submissions.all():
        delete_submission(submission)
        assert not StoredAnswer.objects.filter(sources__contains=f" submission {submission.pk} ").exists()
    delete_collection(world.collection)
    assert not StoredAnswer.objects.exists()
    assert not AnswerPart.objects.exists()
