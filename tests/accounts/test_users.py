"""Accounts: made once, under names and e-mail addresses that differ by more than case."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.test import RequestFactory

from accounts.models import User
from accounts.person import person as person_of
from accounts.services.account import ensure_user


def test_an_account_is_made_once_and_its_password_told_once(db: None) -> None:
    user, password = ensure_user("ada")
    assert password is not None
    assert user.check_password(password)
    assert password not in user.password
    assert ensure_user("ada") == (user, None)
    assert ensure_user("Ada") == (user, None)


@pytest.mark.parametrize("name", ["", "two words", "a/b", "<script>", "x" * 151])
def test_names_that_are_no_account_names_are_refused(db: None, name: str) -> None:
    with pytest.raises(ValidationError):
        ensure_user(name)


def test_names_differ_by_more_than_case(owner: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("OWNER")


def test_an_email_address_belongs_to_one_account_in_whatever_case(db: None) -> None:
    User.objects.create_user("ada", "ada@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("another", "Ada@Example.org")


def test_many_accounts_may_have_no_email_address(owner: User, outsider: User) -> None:
    assert owner.email == outsider.email == ""


def test_the_person_is_who_is_signed_in(owner: User, rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = owner
    assert person_of(request) == owner
    request.user = AnonymousUser()
    with pytest.raises(PermissionDenied):
        person_of(request)
