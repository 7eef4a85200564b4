"""What is kept of a secret that a program or a link brings back: nobody finds the secret by it."""

from __future__ import annotations

import hashlib


def digest(secret: str) -> str:
    """SHA-256 in hexadecimal. For secrets of so many random bits that nobody guesses them; not for passwords."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
