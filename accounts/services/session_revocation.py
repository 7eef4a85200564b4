"""Ending everything at once: whoever else is signed in as somebody, or has a token or a link of theirs, has nothing."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import User
from accounts.services import tokens


def end_everything(user: User) -> int:
    """End all sessions, revoke all tokens, void links that set a password. The person is told by e-mail.

    Returns:
        How many tokens were revoked.
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
