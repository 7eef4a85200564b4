"""Users, collections and runs on the admin site."""

from __future__ import annotations

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError

from accounts.admin import People
from accounts.admin_site import Deed, ReadMostly, Reason
from accounts.audit import Kind, log
from accounts.models import User
from annotations.collections.services import hide, notify_owners, unhide
from annotations.collections.storage import GIGABYTE, set_quota
from annotations.models import Collection
from evaluation.deletion.services import delete_collection
from evaluation.models import Run
from evaluation.runs import services as runs


class QuotaForm(Reason):
    """A quota that replaces the site's default."""

    gigabytes = forms.FloatField(
        required=False, min_value=0, max_value=10**9, help_text="0: no limit. Empty: the site's default."
    )
    rows = forms.IntegerField(
        required=False, min_value=0, max_value=10**15, help_text="0: no limit. Empty: the site's default."
    )
    field_order = ("gigabytes", "rows", "reason")


def _set_quota(whose: User | Collection, by: User, *, gigabytes: float | None, rows: int | None, reason: str) -> None:
    most = None if gigabytes is None else int(gigabytes * GIGABYTE)
    set_quota(whose, by=by, reason=reason, bytes=most, rows=rows)


QUOTA = Deed(
    "quota",
    "Set the quota",
    "How much may be stored, instead of the site's default. What is already stored stays.",
    _set_quota,
    form=QuotaForm,
)


@admin.register(User)
class UsersWithQuota(People):
    """User accounts and their storage quotas."""

    deeds: tuple[Deed, ...] = (*People.deeds, QUOTA)


def _purge(collection: Collection, by: User, reason: str) -> None:
    def tell() -> None:
        notify_owners(collection, "was deleted, with everything in it", reason)
        log(Kind.COLLECTION_PURGED, actor=by, collection=collection.pk, about=reason)

    delete_collection(collection, first=tell)


def _cancel(run: Run, by: User, reason: str) -> None:
    if not runs.cancel(run, by):
        raise ValidationError("This run has already ended.")
    log(Kind.RUN_CANCELLED, actor=by, collection=run.collection_id, about=f"run {run.pk}: {reason}")


@admin.register(Collection)
class Collections(ReadMostly):
    """Collections, which administrators can hide or delete."""

    list_display = ("name", "slug", "visibility", "created_by", "created_at", "hidden_for")
    list_filter = ("visibility",)
    list_select_related = ("created_by",)
    search_fields = ("name", "slug")
    fields = ("name", "slug", "description", "visibility", "hidden_for", "created_by", "created_at")
    deeds = (
        Deed(
            "hide",
            "Hide",
            "The collection becomes private: only its members see it, and its owners cannot make it public. They get "
            "your reason by e-mail.",
            hide,
            lambda collection: not collection.hidden_for,
        ),
        Deed(
            "unhide",
            "Unhide",
            "The owners may make the collection public again. Until then it stays private.",
            unhide,
            lambda collection: bool(collection.hidden_for),
        ),
        Deed(
            "purge",
            "Purge",
            "The collection is deleted with its gold versions, submissions, runs and scores. This cannot be undone. "
            "Its owners get your reason by e-mail.",
            _purge,
            to_type=lambda collection: collection.slug,
        ),
        QUOTA,
    )


@admin.register(Run)
class Runs(ReadMostly):
    """Runs, which administrators can cancel."""

    list_display = ("pk", "kind", "state", "queue", "collection", "created_by", "created_at")
    list_filter = ("state", "kind", "queue")
    list_select_related = ("collection", "created_by")
    search_fields = ("=pk", "collection__slug", "created_by__username")
    fields = (*("kind", "state", "queue", "collection", "submission", "created_by", "created_at"), "options", "engine")
    deeds = (
        Deed(
            "cancel",
            "Cancel",
            "The worker stops the next time it writes. What is already stored stays.",
            _cancel,
            lambda run: not run.has_ended,
        ),
    )
