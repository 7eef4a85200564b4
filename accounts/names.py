"""Whose name it is: names are shown as they were written, and found however they are."""

from __future__ import annotations

from django.db.models import Value
from django.db.models.functions import Lower

from accounts.models import User


def find_user(name: str) -> User | None:
    """The account of that name, by the same rule that keeps names apart (the constraint of `User`)."""
    return User.objects.alias(lowered=Lower("username")).filter(lowered=Lower(Value(name))).first()
