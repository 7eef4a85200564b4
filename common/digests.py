"""Hashes of random secrets, such as tokens and links. The database stores the hash, never the secret."""

from __future__ import annotations

import hashlib


def digest(secret: str) -> str:
    """Return the SHA-256 of a secret in hexadecimal. Use it only for long random secrets, not for passwords."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
