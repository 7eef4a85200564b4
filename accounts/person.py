"""Who asks."""

from __future__ import annotations

from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User

Person: TypeAlias = User | AnonymousUser
"""Anybody: ``request.user``."""


def person(request: HttpRequest | Request) -> User:
    """Who is signed in, where only they get to.

    Raises:
        PermissionDenied: nobody is.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied("Sign in first.")
    return request.user


ADMINISTER = "accounts.administer"
"""The permission that `manage.py administrator` gives."""


def administers(person: Person) -> bool:
    """True if this person operates the site and may therefore use its administration."""
    return person.is_active and person.has_perm(ADMINISTER)
