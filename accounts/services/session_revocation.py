"""Revocation of all access to an account at once: other sessions, tokens and password links."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import User
from accounts.services import tokens


def end_everything(user: User) -> int:
    """End all sessions, revoke all tokens and invalidate password links. Notify the person by e-mail.

    Returns:
        The number of tokens revoked.
    """
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(endings=F("endings") + 1)
        user.refresh_from_db(fields=["endings"])
        revoked = list(user.api_tokens.all())
        for token in revoked:
            tokens.revoke(token)
        log(Kind.ALL_ENDED, account=user)
        mail.send(user, "all_ended", tokens=str(len(revoked)))
    return len(revoked)
