"""Secrets that the site must be able to read again: encrypted with its key, so that a copy of the database alone gives
none of them away. What only has to be recognised is hashed instead."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac


def seal(secret: str) -> str:
    """A secret as it is stored."""
    return _box().encrypt(secret.encode()).decode()


def unseal(sealed: str, *, within: int | None = None) -> str | None:
    """The secret again; None where it was sealed with a key the site no longer knows (`SECRET_KEY`,
    `SECRET_KEY_FALLBACKS`), or more than so many seconds ago."""
    try:
        return _box().decrypt(sealed, ttl=within).decode()
    except InvalidToken:
        return None


def _box() -> MultiFernet:
    """Seals with the key of the site, and opens with former ones, too."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = [salted_hmac("accounts.encryption", "", secret=key, algorithm="sha256").digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
