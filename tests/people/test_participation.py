"""Participation: the setting, requests and answers, and how they interact with role changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from annotations.access import May, capabilities, collections_where
from annotations.collections.services import change_settings
from annotations.limits import ASK_AGAIN_DAYS, MOST_REQUESTS
from annotations.models import Collection, ParticipationRequest, Role
from annotations.people.selectors import Step, collections_with_open_requests, participation
from annotations.people.services import invitations, roles
from annotations.people.services.participation import accept, ask, decline, set_participation, withdraw
from qc4.problems import InputError

Setting = Collection.Participation
State = ParticipationRequest.State


@pytest.fixture
def on_request(public_collection: Collection) -> Collection:
    """A public collection to which people may ask to submit."""
    return setting(public_collection, Setting.REQUEST)


def setting(collection: Collection, value: str) -> Collection:
    set_participation(collection, value, None)
    collection.save()
    return collection


def rejection_code(collection: Collection, user: User) -> str:
    """Return the code of the problem that a request is rejected with."""
    with pytest.raises(InputError) as told:
        ask(collection=collection, user=user)
    return told.value.problems[0].code


def test_database_rejects_unknown_participation_settings(public_collection: Collection) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Collection.objects.filter(pk=public_collection.pk).update(participation="nobody")


def test_any_user_can_submit_if_setting_and_visibility_allow(public_collection: Collection, outsider: User) -> None:
    assert May.SUBMIT not in capabilities(outsider, public_collection)
    setting(public_collection, Setting.ANYBODY)
    assert capabilities(outsider, public_collection) == {May.VIEW, May.SUBMIT}, (
        "no baselines and no scoring of the whole leaderboard"
    )
    assert public_collection in collections_where(outsider, May.SUBMIT)
    assert public_collection not in collections_where(outsider, May.COMPUTE)
    public_collection.visibility = Collection.Visibility.PRIVATE
    public_collection.save()
    assert capabilities(outsider, public_collection) == frozenset()
    assert public_collection not in collections_where(outsider, May.SUBMIT)


def test_accepted_request_makes_a_submitter(on_request: Collection, owner: User, outsider: User) -> None:
    assert participation(outsider, on_request).step == Step.ASK
    request = ask(collection=on_request, user=outsider, message="  I have an algorithm.  ")
    assert (request.message, participation(outsider, on_request).step) == ("I have an algorithm.", Step.WAIT)
    assert [(found, found.waiting) for found in collections_with_open_requests(owner)] == [(on_request, 1)]
    assert collections_with_open_requests(outsider) == []
    assert accept(request, owner)
    assert (request.state, request.answered_by) == (State.ACCEPTED, owner)
    assert on_request.memberships.filter(user=outsider, role=Role.SUBMITTER).exists()
    assert participation(outsider, on_request).step == Step.SUBMIT
    assert collections_with_open_requests(owner) == []


def test_first_of_two_answers_applies(on_request: Collection, owner: User, curator: User, outsider: User) -> None:
    request = ask(collection=on_request, user=outsider)
    same = ParticipationRequest.objects.get(pk=request.pk)
    assert decline(request, owner, "Full.")
    assert not accept(same, curator)
    assert (same.state, same.answered_by, same.reason) == (State.DECLINED, owner, "Full.")
    assert not on_request.memberships.filter(user=outsider).exists()
    assert not withdraw(same)


def test_only_one_request_can_be_open(on_request: Collection, outsider: User) -> None:
    request = ask(collection=on_request, user=outsider)
    assert rejection_code(on_request, outsider) == "asked-already"
    with pytest.raises(IntegrityError), transaction.atomic():
        ParticipationRequest.objects.create(collection=on_request, user=outsider)
    assert withdraw(request)
    assert ask(collection=on_request, user=outsider).pk != request.pk


def test_declined_person_can_ask_again_after_some_days(on_request: Collection, owner: User, outsider: User) -> None:
    request = ask(collection=on_request, user=outsider)
    decline(request, owner)
    assert rejection_code(on_request, outsider) == "declined-lately"
    assert participation(outsider, on_request).step == Step.DECLINED
    earlier = timezone.now() - timedelta(days=ASK_AGAIN_DAYS, minutes=1)
    ParticipationRequest.objects.update(answered_at=earlier)
    assert participation(outsider, on_request).step == Step.ASK
    assert ask(collection=on_request, user=outsider).is_open


def test_number_of_requests_per_day_is_limited(on_request: Collection, outsider: User) -> None:
    for _ in range(MOST_REQUESTS):
        withdraw(ask(collection=on_request, user=outsider))
    assert rejection_code(on_request, outsider) == "too-many-requests"


def test_members_without_right_to_submit_can_ask(on_request: Collection, owner: User, outsider: User) -> None:
    assert rejection_code(on_request, owner) == "may-submit"
    roles.add_role(collection=on_request, user=outsider, role=Role.READER)
    assert ask(collection=on_request, user=outsider).is_open


@pytest.mark.parametrize("value", [Setting.MEMBERS, Setting.ANYBODY])
def test_request_is_rejected_if_unnecessary_or_not_allowed(
    public_collection: Collection, outsider: User, value: str
) -> None:
    setting(public_collection, value)
    assert rejection_code(public_collection, outsider) == (
        "may-submit" if value == Setting.ANYBODY else "not-on-request"
    )


def test_role_given_otherwise_closes_request(
    on_request: Collection, owner: User, outsider: User, person: Callable[[str], User]
) -> None:
    request, other = ask(collection=on_request, user=outsider), person("other")
    reading = ask(collection=on_request, user=other)
    roles.add_role(collection=on_request, user=outsider, role=Role.SUBMITTER, by=owner)
    roles.add_role(collection=on_request, user=other, role=Role.READER, by=owner)
    request.refresh_from_db()
    reading.refresh_from_db()
    assert (request.state, request.answered_by) == (State.ACCEPTED, owner)
    assert reading.is_open, "a reader may not submit"
    invitation, _ = invitations.invite(collection=on_request, role=Role.SUBMITTER, user=owner)
    invitations.accept(invitation, other)
    reading.refresh_from_db()
    assert reading.state == State.ACCEPTED


def change(collection: Collection, **changes: str) -> None:
    facts = {"name": collection.name, "description": "", "visibility": collection.visibility}
    change_settings(collection, **{**facts, **changes})


def test_opening_public_collection_to_all_accepts_open_requests(on_request: Collection, outsider: User) -> None:
    request = ask(collection=on_request, user=outsider)
    change(on_request, participation=Setting.ANYBODY, visibility="private")
    request.refresh_from_db()
    assert request.is_open, "outsiders may not submit to a private collection"
    change(on_request, visibility="public")
    request.refresh_from_db()
    assert (request.state, request.answered_by) == (State.ACCEPTED, None)
    assert May.SUBMIT in capabilities(outsider, on_request)


def test_request_stays_open_if_setting_changes(on_request: Collection, owner: User, outsider: User) -> None:
    request = ask(collection=on_request, user=outsider)
    change(on_request, participation=Setting.MEMBERS)
    assert participation(outsider, on_request).step == Step.WAIT
    change(on_request, visibility="private")
    assert accept(request, owner)
    assert May.SUBMIT in capabilities(outsider, on_request)


def test_removed_person_can_ask_again(on_request: Collection, owner: User, outsider: User) -> None:
    accept(ask(collection=on_request, user=outsider), owner)
    roles.remove_role(collection=on_request, user=outsider, role=Role.SUBMITTER)
    assert participation(outsider, on_request).step == Step.ASK
    assert ask(collection=on_request, user=outsider).is_open


def test_form_without_setting_leaves_it_unchanged(on_request: Collection) -> None:
    change(on_request)
    on_request.refresh_from_db()
    assert on_request.participation == Setting.REQUEST
