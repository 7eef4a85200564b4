"""Signed tickets: a stored file and the chosen options, while the user reads the report on the file."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core import signing

from accounts.models import User
from evaluation.models import Upload

SECONDS = 6 * 3600
TOO_OLD = "That report is too old or not yours. Send the file again."


class Ticket(NamedTuple):
    """A stored file, and the options chosen for it."""

    upload: Upload
    chosen: dict[str, Any]


def issue(what: str, upload: Upload, user: User, **chosen: Any) -> str:
    """Return a signed ticket for one purpose and one user."""
    return signing.dumps({"upload": upload.pk, "user": user.pk, "chosen": chosen}, salt=what, compress=True)


def redeem(what: str, signed: str, user: User) -> Ticket | None:
    """Return a ticket's content; None if its purpose or user differs, it is too old, or its file is missing."""
    try:
        said = signing.loads(signed, salt=what, max_age=SECONDS)
    except signing.BadSignature:
        return None
    upload = Upload.objects.filter(pk=said["upload"]).first() if said["user"] == user.pk else None
    return Ticket(upload, said["chosen"]) if upload else None
