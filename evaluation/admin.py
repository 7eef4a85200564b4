"""People, collections and runs in the administration."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError

from accounts.admin import People
from accounts.admin_site import Deed, ReadMostly, Reason
from accounts.audit import Kind, log
from accounts.models import User
from annotations.collections.services import hide, tell_owners, unhide
from annotations.collections.storage import GIGABYTE, set_quota
from annotations.models import Collection
from evaluation.deletion.services import delete_collection
from evaluation.models import Run
from evaluation.runs import services as runs


class OtherQuota(Reason):
    """Amounts in place of the site's."""

    gigabytes = forms.FloatField(
        required=False, min_value=0, max_value=10**9, help_text="0: no end. Empty: as the site's settings say."
    )
    rows = forms.IntegerField(required=False, min_value=0, max_value=10**15, help_text="As above.")
    field_order = ("gigabytes", "rows", "reason")


def _set_quota(whose: User | Collection, by: User, *, gigabytes: float | None, rows: int | None, reason: str) -> None:
    most = None if gigabytes is None else int(gigabytes * GIGABYTE)
    set_quota(whose, by=by, reason=reason, bytes=most, rows=rows)


QUOTA = Deed(
    "quota",
    "Set the quota",
    "How much may be stored, in place of what the site's settings say. What is stored already stays.",
    _set_quota,
    form=OtherQuota,
)


@admin.register(User)
class PeopleWhoStore(People):
    """Accounts, and how much each may store."""

    deeds: tuple[Deed, ...] = (*People.deeds, QUOTA)


def _purge(collection: Collection, by: User, reason: str) -> None:
    def tell() -> None:
        tell_owners(collection, "was deleted, with everything in it", reason)
        log(Kind.COLLECTION_PURGED, actor=by, collection=collection.pk, about=reason)

    delete_collection(collection, first=tell)


def _cancel(run: Run, by: User, reason: str) -> None:
    if not runs.cancel(run, by):
        raise ValidationError("It has ended already.")
    log(Kind.RUN_CANCELLED, actor=by, collection=run.collection_id, about=f"run {run.pk}: {reason}")


@admin.register(Collection)
class Collections(ReadMostly):
    """Collections; what must not be seen is hidden, what must not be kept is purged."""

    list_display = ("name", "slug", "visibility", "created_by", "created_at", "hidden_for")
    list_filter = ("visibility",)
    list_select_related = ("created_by",)
    search_fields = ("name", "slug")
    fields = ("name", "slug", "description", "visibility", "hidden_for", "created_by", "created_at")
    deeds = (
        Deed(
            "hide",
            "Hide",
            "It becomes private: its people alone see it, and its owners cannot make it public. They are told why.",
            hide,
            lambda collection: not collection.hidden_for,
        ),
        Deed(
            "unhide",
            "Unhide",
            "Its owners may make it public again. Until then it stays private.",
            unhide,
            lambda collection: bool(collection.hidden_for),
        ),
        Deed(
            "purge",
            "Purge",
            "It is deleted with its gold versions, submissions, runs and scores. That cannot be undone. Its owners are "
            "told why.",
            _purge,
            to_type=lambda collection: collection.slug,
        ),
        QUOTA,
    )


@admin.register(Run)
class Runs(ReadMostly):
    """Pieces of work; one that is in the way is cancelled."""

    list_display = ("pk", "kind", "state", "queue", "collection", "created_by", "created_at")
    list_filter = ("state", "kind", "queue")
    list_select_related = ("collection", "created_by")
    search_fields = ("=pk", "collection__slug", "created_by__username")
    fields = (*("kind", "state", "queue", "collection", "submission", "created_by", "created_at"), "options", "engine")
    deeds = (
        Deed(
            "cancel",
            "Cancel",
            "Whoever works on it stops at their next write; what was stored so far stays.",
            _cancel,
            lambda run: not run.has_ended,
        ),
    )
