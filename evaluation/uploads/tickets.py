"""A file that is kept while its person decides: what was chosen goes along, signed, and nothing is chosen again."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core import signing

from accounts.models import User
from evaluation.models import Upload

SECONDS = 6 * 3600
TOO_OLD = "That report is too old or not yours. Send the file again."


class Ticket(NamedTuple):
    """A kept file, and what was chosen for it."""

    upload: Upload
    chosen: dict[str, Any]


def issue(what: str, upload: Upload, user: User, **chosen: Any) -> str:
    """A ticket for one purpose of one person."""
    return signing.dumps({"upload": upload.pk, "user": user.pk, "chosen": chosen}, salt=what, compress=True)


def redeem(what: str, signed: str, user: User) -> Ticket | None:
    """What a ticket stands for; None where it is for something else, somebody else's, too old, or its file is gone."""
    try:
        said = signing.loads(signed, salt=what, max_age=SECONDS)
    except signing.BadSignature:
        return None
    upload = Upload.objects.filter(pk=said["upload"]).first() if said["user"] == user.pk else None
    return Ticket(upload, said["chosen"]) if upload else None
