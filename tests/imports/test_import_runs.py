"""Import runs end done with a collection, or failed with every problem and nothing stored."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.services.administration import suspend
from annotations.models import Challenge, Collection
from evaluation.access import visible_runs
from evaluation.account_data.services import delete_account
from evaluation.imports import services as imports
from evaluation.models import Run, Upload
from evaluation.uploads import services as uploads
from qc4.io import write_gold
from qc4.problems import InputError
from tests.samples.documents import mercury

Finish = Callable[..., None]


def upload_of(content: bytes, user: User) -> Upload:
    return uploads.store(io.BytesIO(content), "mercury.gold.json", user)


def test_import_creates_a_collection_owned_by_its_user(owner: User, finish: Finish) -> None:
    run = imports.enqueue(upload=upload_of(write_gold(mercury()), owner), name="Planets", user=owner, public=True)
    finish(run)
    collection = Collection.objects.get()
    assert (run.state, run.collection) == (Run.State.DONE, collection)
    assert (collection.name, collection.is_public) == ("Planets", True)
    assert collection.memberships.get().user == owner
    assert (run.done, run.total) == (1, 1)
    assert "1 query, 8 pages and 1 gold standard (4 topics, 1 outlier)" in run.events.last().why


@pytest.mark.parametrize("left", ["suspended", "deleted"])
def test_import_of_a_deactivated_user_creates_no_collection(
    person: Callable[[str], User], finish: Finish, left: str
) -> None:
    gone, boss = person("gone"), person("boss")
    run = imports.enqueue(upload=upload_of(write_gold(mercury()), gone), name="Planets", user=gone, public=True)
    suspend(gone, boss, "Spam.") if left == "suspended" else delete_account(gone)
    finish(run)
    assert (run.state, run.error["problems"][0]["code"]) == (Run.State.FAILED, "closed-account")
    assert not Collection.everything.exists()


def test_invalid_data_fails_with_every_problem_and_stores_nothing(owner: User, finish: Finish) -> None:
    broken = replace(
        mercury(), topics=(*mercury().topics, replace(mercury().topics[0], id="new", pages=())), outliers=()
    )
    run = imports.enqueue(upload=upload_of(write_gold(broken), owner), name="Planets", user=owner)
    finish(run)
    assert run.state == Run.State.FAILED
    assert {problem["code"] for problem in run.error["problems"]} == {
        "empty-topic",
        "duplicate-name",
        "page-without-topic",
    }
    assert not Collection.objects.exists()


def test_completion_rule_is_stored_with_the_run(owner: User, finish: Finish) -> None:
    lost = upload_of(write_gold(replace(mercury(), outliers=())), owner)
    strict = imports.enqueue(upload=lost, name="Strict", user=owner)
    complete = imports.enqueue(upload=lost, name="Complete", completion="complete", user=owner)
    finish(strict, complete)
    assert [strict.state, complete.state] == [Run.State.FAILED, Run.State.DONE]


def test_name_taken_in_the_meantime_fails_the_run(owner: User, finish: Finish) -> None:
    upload = upload_of(write_gold(mercury()), owner)
    first, second = (imports.enqueue(upload=upload, name="Planets", user=owner) for _ in range(2))
    finish(first, second)
    assert [first.state, second.state] == [Run.State.DONE, Run.State.FAILED]
    assert second.error["code"] == "name-taken"


def test_invalid_options_are_rejected_immediately(owner: User, collection: Collection) -> None:
    upload = upload_of(write_gold(mercury()), owner)
    with pytest.raises(InputError) as refused:
        imports.enqueue(upload=upload, name=collection.name, completion="guess", user=owner)
    assert [problem.code for problem in refused.value.problems] == ["name-taken", "unknown-completion"]
    assert not Run.objects.exists()


def test_topic_counts_of_an_import_are_hidden_with_the_gold_standards(
    owner: User, outsider: User, finish: Finish
) -> None:
    """The log of the run contains the numbers of topics and outliers."""
    run = imports.enqueue(upload=upload_of(write_gold(mercury()), owner), name="Planets", user=owner, public=True)
    finish(run)
    assert "4 topics, 1 outlier" in run.events.last().why
    assert run in visible_runs(outsider)
    collection = Collection.objects.get(name="Planets")
    Challenge.objects.create(collection=collection, hides=Challenge.Hides.ALL)
    assert run not in visible_runs(outsider)
    assert run not in visible_runs(AnonymousUser())
    assert run in visible_runs(owner)
    Challenge.objects.update(reveals=True, closes_at=run.created_at)
    assert run in visible_runs(outsider)
