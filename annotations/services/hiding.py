"""Taking a public collection out of sight: by who runs the site, not by its owners."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.audit import Kind
from accounts.models import User
from accounts.services import mail
from accounts.services.audit import log
from annotations.models import Collection, Role


def hide(collection: Collection, by: User, reason: str) -> None:
    """Make it private, and keep its owners from making it public again until it is `unhide`-n. They are told why."""
    with transaction.atomic():
        kept = Collection.objects.filter(pk=collection.pk, hidden_for="")
        if not kept.update(visibility=Collection.Visibility.PRIVATE, hidden_for=reason):
            raise ValidationError("It is hidden already.")
        log(Kind.COLLECTION_HIDDEN, actor=by, collection=collection.pk, about=reason)
        tell_owners(collection, "was hidden: only its people see it", reason)


def unhide(collection: Collection, by: User, reason: str) -> None:
    """Let its owners make it public again; it stays private until they do."""
    with transaction.atomic():
        if not Collection.objects.filter(pk=collection.pk).exclude(hidden_for="").update(hidden_for=""):
            raise ValidationError("It is not hidden.")
        log(Kind.COLLECTION_UNHIDDEN, actor=by, collection=collection.pk, about=reason)
        tell_owners(collection, "is no longer hidden: you may make it public again", reason)


def tell_owners(collection: Collection, change: str, reason: str) -> None:
    """By e-mail."""
    for owner in User.objects.filter(memberships__collection=collection, memberships__role=Role.OWNER).distinct():
        mail.send(owner, "collection_administered", collection=collection.name, change=change, reason=reason)
