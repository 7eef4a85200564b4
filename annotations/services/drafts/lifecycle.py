"""Submit, reopen, archive, restore and rename drafts. Their log holds nothing of this."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from annotations.models import Draft
from annotations.selectors.drafts.states import MOVING
from annotations.services.drafts.errors import closed
from annotations.services.drafts.starting import name_problems
from qc4.problems import InputError


def submit(draft: Draft) -> None:
    """Finish a draft: it does not change any more, and is no longer blind. Nothing happens if it is submitted.

    Raises:
        DraftError: it is archived.
    """
    _update(draft, status=Draft.Status.SUBMITTED, submitted_at=Now(), where={"status": Draft.Status.OPEN})


def reopen(draft: Draft, by: User | None = None) -> None:
    """Go on with a submitted draft; raises as `submit`. Who did it is told where the draft was compared."""
    values = {"status": Draft.Status.OPEN, "submitted_at": None, "reopened_by": by, "reopened_at": Now()}
    _update(draft, **values, where={"status": Draft.Status.SUBMITTED})


def archive(draft: Draft) -> None:
    """Put a draft away. Nothing is lost: `restore` brings it back."""
    Draft.objects.filter(pk=draft.pk, archived_at=None).update(archived_at=Now())
    draft.refresh_from_db(fields=MOVING)


def restore(draft: Draft, *, closed: bool = False) -> None:
    """Bring an archived draft back.

    Args:
        closed: submitted, if it is open.
    """
    with transaction.atomic():
        Draft.objects.filter(pk=draft.pk).update(archived_at=None)
        draft.refresh_from_db(fields=MOVING)
        if closed:
            submit(draft)


def rename(draft: Draft, name: str) -> None:
    """Call a draft something else; raises InputError for what is no name."""
    if problems := name_problems(name):
        raise InputError(problems)
    Draft.objects.filter(pk=draft.pk).update(name=name.strip())
    draft.refresh_from_db(fields=MOVING)


def _update(draft: Draft, *, where: dict[str, object], **values: object) -> None:
    Draft.objects.filter(pk=draft.pk, archived_at=None, **where).update(**values)
    draft.refresh_from_db(fields=MOVING)
    if draft.archived_at is not None:
        raise closed(draft.status, archived=True)
