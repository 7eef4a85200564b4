"""Tokens with which programs use the API on behalf of a person. A token is displayed once, and only its SHA-256 is
stored.

A plain hash is enough: unlike a password, a secret of 256 random bits cannot be guessed from its hash.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts import mail
from accounts.audit import Kind, log
from accounts.limits import SHOWN_TOKEN_CHARS, TOKEN_DAYS
from accounts.models import ApiToken, User
from accounts.scopes import ALL, written
from common.database import write_unless_locked
from common.digests import digest

PREFIX = "qc4_"
SECRET_CHARS = len(PREFIX) + 43
"""What `create` makes: nothing longer is looked up."""
USED_EVERY = timedelta(hours=1)
"""How exact `last_used_at` is: reading writes next to nothing."""


def create(user: User, name: str, scopes: Iterable[str] = ALL, days: int = TOKEN_DAYS) -> tuple[ApiToken, str]:
    """Make a token and notify the person by e-mail. Return it with its secret, which cannot be retrieved later.

    Args:
        scopes: what the token can do. Reading is always included.
        days: lifetime in days; 0 if the token works until it is revoked.
    """
    secret = PREFIX + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=secret[:SHOWN_TOKEN_CHARS],
        sha256=digest(secret),
        scopes=written(scopes),
        expires_at=timezone.now() + timedelta(days=days) if days else None,
    )
    facts = {
        "token": name,
        "made": f"{row.created_at:%Y-%m-%d %H:%M} UTC",
        "scopes": ", ".join(row.scope_names),
        "until": f"{row.expires_at:%Y-%m-%d %H:%M} UTC" if row.expires_at else "it is revoked",
    }
    log(Kind.TOKEN_MADE, account=user, about=f"{row.prefix}… {row.scopes}, {name}")
    mail.send(user, "token_made", account_page=mail.link("account"), **facts)
    return row, secret


def revoke(token: ApiToken) -> None:
    """Revoke a token at once."""
    log(Kind.TOKEN_REVOKED, account=token.user, about=f"{token.prefix}… {token.name}")
    token.delete()


def authenticate(secret: str) -> ApiToken | None:
    """Return the token with this secret, expired or not, if its user is active; None if there is none.

    The lookup uses the hash, so its duration reveals nothing about the secret.
    """
    if not secret.startswith(PREFIX) or len(secret) > SECRET_CHARS:
        return None
    token = ApiToken.objects.select_related("user").filter(sha256=digest(secret), user__is_active=True).first()
    if token is not None and not token.is_expired:
        _note_use(token)
    return token


def _note_use(token: ApiToken) -> None:
    recently = timezone.now() - USED_EVERY
    if token.last_used_at is None or token.last_used_at < recently:
        rarely = Q(last_used_at__isnull=True) | Q(last_used_at__lt=recently)
        row = ApiToken.objects.filter(rarely, pk=token.pk)
        write_unless_locked(lambda: row.update(last_used_at=Now()), "when a token was used")
