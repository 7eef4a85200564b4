"""All data that the site stores about an account, and the effects of deleting the account."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Exists, Field, ForeignKey, Model, OuterRef, QuerySet

from accounts import mail
from accounts.audit import address_for, of_account
from accounts.models import AuditEntry, User
from accounts.person import administers
from annotations.access import May, collections_where
from annotations.collections.storage import storage_of_person
from annotations.drafts.selectors.documents import document_bytes
from annotations.models import Collection, Comment, Draft, GoldVersion, Membership, Query, Role
from evaluation.deletion.selectors import AnyOf, blocked_deletions
from evaluation.models import Algorithm, StreamSubmission, Submission, Upload

CHUNK = 256 * 1024
File = tuple[str, Iterable[bytes]]
"""A file name in the archive, and the content in chunks."""


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of one table that belong to a person.

    Attributes:
        name: the name of the rows in the export.
        table: label of the model.
        key: the lookup from a row to the person.
        columns: the exported columns of rows that mainly belong to others; if empty, all columns that `OMITTED` does
            not list.
        more: further lookups from the row, by their names in the export.
    """

    name: str
    table: str
    key: str
    columns: tuple[str, ...] = ()
    more: tuple[tuple[str, str], ...] = ()

    @property
    def model(self) -> type[Model]:
        return apps.get_model(self.table)

    @property
    def paths(self) -> dict[str, str]:
        """Exported name -> lookup of the column."""
        found: dict[str, str] = {}
        columns = {column.name: column for column in self.model._meta.concrete_fields}
        for name in self.columns or exported_columns(self.model):
            found |= _paths(columns[name])
        return found | dict(self.more)

    def rows(self, user: User) -> Iterator[dict[str, Any]]:
        """Yield the person's rows in order of creation; only one is in memory at a time."""
        paths = self.paths
        rows = self.model._default_manager.filter(**{self.key: user}).order_by("pk").values_list(*paths.values())
        for row in rows.iterator(500):
            yield dict(zip(paths, row, strict=True))


SECTIONS = (
    Section("tokens", "accounts.ApiToken", "user"),
    Section("identities", "accounts.Identity", "user"),
    Section("second_factor", "accounts.SecondFactor", "user"),
    Section("administration", "admin.LogEntry", "user"),
    Section("quota", "annotations.Quota", "person"),
    Section("roles", "annotations.Membership", "user"),
    Section("offers", "annotations.RoleOffer", "user"),
    Section("offers_made", "annotations.RoleOffer", "offered_by", ("collection", "role", "offered_at", "state")),
    Section("requests", "annotations.ParticipationRequest", "user"),
    Section(
        "requests_answered",
        "annotations.ParticipationRequest",
        "answered_by",
        ("collection", "state", "reason", "answered_at"),
    ),
    Section("invitations", "annotations.Invitation", "created_by"),
    Section(
        "invitations_used", "annotations.InvitationUse", "user", more=(("collection", "invitation__collection__slug"),)
    ),
    Section("collections", "annotations.Collection", "created_by"),
    Section("guidelines", "annotations.GuidelinesVersion", "created_by"),
    Section("guidelines_read", "annotations.GuidelinesReader", "user"),
    Section("streams", "annotations.Stream", "created_by"),
    Section("vectors", "annotations.VectorSet", "created_by"),
    Section("challenges", "annotations.Challenge", "created_by"),
    Section("gold_versions", "annotations.GoldVersion", "published_by"),
    Section("drafts_published", "annotations.DraftPublication", "published_by"),
    Section("drafts", "annotations.Draft", "curator"),
    Section("drafts_created", "annotations.Draft", "created_by", ("id", "query", "kind", "created_at")),
    Section("drafts_reopened", "annotations.Draft", "reopened_by", ("id", "query", "reopened_at")),
    Section("draft_losses", "annotations.DraftLoss", "user"),
    Section("draft_presence", "annotations.DraftPresence", "user"),
    Section("draft_time", "annotations.DraftTime", "user"),
    Section("others_seen", "annotations.OthersSeen", "user"),
    Section("assignments", "annotations.Assignment", "curator"),
    Section("assignments_given", "annotations.Assignment", "assigned_by", ("query", "due", "note", "assigned_at")),
    Section(
        "comments",
        "annotations.Comment",
        "user",
        more=(("draft", "thread__draft"), ("about", "thread__about"), ("key", "thread__key")),
    ),
    Section("comments_naming_you", "annotations.Comment", "named", ("id", "thread", "created_at")),
    Section("threads_resolved", "annotations.CommentThread", "resolved_by", ("id", "draft", "resolved_at")),
    Section("threads_read", "annotations.ThreadReader", "user"),
    Section("adjudications", "annotations.Adjudication", "created_by"),
    Section("adjudication_steps", "annotations.AdjudicationStep", "user"),
    Section("adjudication_decisions", "annotations.AdjudicationDecision", "step__user"),
    Section("algorithms", "evaluation.Algorithm", "created_by"),
    Section("algorithm_former_names", "evaluation.FormerName", "algorithm__created_by"),
    Section("submissions", "evaluation.Submission", "created_by", more=(("algorithm_name", "algorithm__name"),)),
    Section("challenge_submissions", "evaluation.CountedSubmission", "user"),
    Section(
        "stream_submissions", "evaluation.StreamSubmission", "created_by", more=(("algorithm_name", "algorithm__name"),)
    ),
    Section("uploads", "evaluation.Upload", "uploaded_by"),
    Section("runs", "evaluation.Run", "created_by"),
    Section("announcements", "evaluation.Announced", "user"),
)
"""The contents of ``account.json``, except the `facts` that are built separately."""
STEPS = Section("draft_steps", "annotations.DraftEntry", "user")
"""Every step the person made in a draft. There may be very many, so they are in a separate file."""

DERIVED = "derived from other columns"
SCHEDULING = "how the site schedules its work"
HASHED = "a secret, or a hash of one"
ANOTHER = "names another person"
OMITTED: dict[str, dict[str, str]] = {
    "accounts.User": {
        "id": DERIVED,
        "password": HASHED,
        "look": DERIVED,
        "endings": "the number of times that all sessions were ended; the log has the dates",
        "groups": "the site does not use groups",
        "user_permissions": "exported as administers",
    },
    "accounts.ApiToken": {"sha256": HASHED},
    "accounts.SecondFactor": {"sealed": HASHED, "last_step": HASHED},
    "admin.LogEntry": {"object_id": ANOTHER, "object_repr": ANOTHER, "change_message": ANOTHER},
    "annotations.Invitation": {"sha256": HASHED, "prefix": HASHED},
    "annotations.RoleOffer": {"offered_by": ANOTHER},
    "annotations.ParticipationRequest": {"answered_by": ANOTHER},
    "annotations.Assignment": {"assigned_by": ANOTHER},
    "annotations.Draft": {"created_by": ANOTHER, "reopened_by": ANOTHER, "summary": DERIVED},
    "annotations.DraftEntry": {"changes": "derived from the operations; includes others' assignments"},
    "annotations.Comment": {"named": ANOTHER},
    "annotations.Challenge": {"shown": "the queries of a collection; its challenge's page lists them"},
    "annotations.GoldVersion": {"golds": "the gold standards of a collection; its page offers them as files"},
    "evaluation.Algorithm": {"look": DERIVED},
    "evaluation.FormerName": {"look": DERIVED},
    "evaluation.Run": {
        "token": SCHEDULING,
        "gave_way": SCHEDULING,
        "worker": "names a machine of the site",
        "lease_until": SCHEDULING,
        "measures": "computed by every run of that time; its page and the API list it",
    },
}
"""Columns that are not exported: model label -> column -> reason."""

OF_COLLECTION = "part of a collection; its page and the API offer it as files"
COMPUTED = "computed from exported data; pages and the API offer it"
OMITTED_TABLES = {
    "accounts.RecoveryCode": HASHED,
    "annotations.Page": OF_COLLECTION,
    "annotations.Query": OF_COLLECTION,
    "annotations.Gold": OF_COLLECTION,
    "annotations.GoldFile": OF_COLLECTION,
    "annotations.GoldOutline": OF_COLLECTION,
    "annotations.GoldVersionEntry": OF_COLLECTION,
    "annotations.StreamFile": OF_COLLECTION,
    "annotations.VectorFile": OF_COLLECTION,
    "annotations.Challenge_shown": OF_COLLECTION,
    "annotations.ChallengeResults": "everyone's results; the challenge's page offers them as a file",
    "annotations.ComparedDraft": "other people's drafts, as compared in an adjudication",
    "annotations.Comment_named": "the people named; exported as comments_naming_you",
    "annotations.DraftSnapshot": COMPUTED,
    "annotations.DraftTouch": COMPUTED,
    "evaluation.Clustering": COMPUTED,
    "evaluation.ClusteringFile": COMPUTED,
    "evaluation.SubmissionReport": COMPUTED,
    "evaluation.RunColumn": COMPUTED,
    "evaluation.RunQuery": COMPUTED,
    "evaluation.RunEvent": "the log of a run, which names other people and machines of the site; its page shows it",
    "evaluation.StreamResult": COMPUTED,
    "evaluation.StreamMoment": COMPUTED,
    "accounts.User_groups": "the site does not use groups",
    "accounts.User_user_permissions": "exported as administers",
}
"""Tables that belong to a person, directly or indirectly, and are not exported: model label -> reason."""
PARTLY = {"annotations.CommentThread": "a conversation of several people; your comments in it are exported"}
"""Tables of which only the person's own actions are exported: model label -> reason."""
OTHERWISE = {
    "accounts.MutedNotice": "notices",
    "evaluation.StreamSubmissionFile": "stream-submissions/",
}
"""Tables that are exported in another form: model label -> a key of `facts`, or a folder of the archive."""


def exported_columns(model: type[Model]) -> tuple[str, ...]:
    """The exported columns of a model: all except omitted ones and the person's own key."""
    omitted = OMITTED.get(model._meta.label, {})
    columns = [*model._meta.concrete_fields, *model._meta.many_to_many]
    return tuple(
        field.name
        for field in columns
        if field.name not in omitted and not (field.is_relation and field.related_model is User)
    )


def facts(user: User) -> dict[str, Any]:
    """Return a person's stored data as plain JSON, without secrets."""
    return {
        "account": {name: getattr(user, name) for name in exported_columns(User)},
        "administers": administers(user),
        "recovery_codes_left": user.recovery_codes.count(),
        "log": [_line(user, entry) for entry in of_account(user)],
        "storage": storage_of_person(user).to_dict(),
        "notices": {notice.key: wanted for notice, wanted in mail.switches(user)},
        **{section.name: list(section.rows(user)) for section in SECTIONS},
    }


def files(user: User) -> Iterator[File]:
    """Yield the drafts that the person can still edit, their steps in all drafts, and their uploaded submissions.

    Only one file is in memory at a time, and large files are read in chunks.
    """
    for draft in own_drafts(user).select_related("query"):
        yield f"drafts/{draft.pk}.json", _lazily(partial(document_bytes, draft))
    yield "draft_steps.jsonl", (json.dumps(row, cls=DjangoJSONEncoder).encode() + b"\n" for row in STEPS.rows(user))
    for upload in Upload.objects.filter(uploaded_by=user).order_by("pk").iterator(500):
        path = settings.UPLOAD_DIR / upload.sha256
        if path.is_file():
            yield f"uploads/{upload.pk}-{upload.name}", _pieces(path)
    for submission in StreamSubmission.objects.filter(created_by=user).select_related("file").order_by("pk"):
        yield f"stream-submissions/{submission.pk}.json", [submission.file.content]


def own_drafts(user: User) -> QuerySet[Draft]:
    """The person's own drafts in collections they still curate; they cannot see the pages of other collections."""
    return Draft.objects.filter(curator=user, query__collection__in=collections_where(user, May.CURATE)).order_by("pk")


def _line(user: User, entry: AuditEntry) -> dict[str, Any]:
    """An entry as in the account's log, without the addresses of other people."""
    told = {name: getattr(entry, name) for name in ("at", "kind", "actor_name", "account_name", "about")}
    return {**told, "address": address_for(user, entry)}


def _paths(field: Field[Any, Any]) -> dict[str, str]:
    """Exported name -> lookup of a column; collections and queries are exported by slug and key."""
    if isinstance(field, ForeignKey) and field.related_model is Collection:
        return {field.name: f"{field.name}__slug"}
    if isinstance(field, ForeignKey) and field.related_model is Query:
        return {"collection": f"{field.name}__collection__slug", field.name: f"{field.name}__key"}
    return {field.name: field.attname}


def _lazily(content: Callable[[], bytes]) -> Iterator[bytes]:
    yield content()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece


# --- The effects of deleting an account: deleted, kept under a neutral name, or to be handed over first ---


@dataclass(frozen=True, slots=True)
class Leaving:
    """The effects of deleting an account.

    Attributes:
        to_hand_over: collections with other members but no other owner; someone else must own them first.
        deleted: private collections without other members.
        left: public collections that will have no owner.
        unpublished: unpublished submissions, which are deleted with everything computed for them.
        held: reasons why some of these cannot be deleted now.
        submissions, algorithms, drafts, comments, gold_versions: numbers of objects that remain.
    """

    to_hand_over: tuple[Collection, ...]
    deleted: tuple[Collection, ...]
    left: tuple[Collection, ...]
    unpublished: tuple[AnyOf, ...]
    held: tuple[str, ...]
    submissions: int
    algorithms: int
    drafts: int
    comments: int
    gold_versions: int

    @property
    def may(self) -> bool:
        """True if the account can be deleted now."""
        return not self.to_hand_over and not self.held


def leaving(user: User) -> Leaving:
    """Return the effects that deleting this person's account would have now."""
    alone = list(_owned_alone(user))
    own, of_streams = Submission.objects.filter(created_by=user), StreamSubmission.objects.filter(created_by=user)
    unpublished: tuple[AnyOf, ...] = (
        *own.filter(published=False, sweep=None).exclude(collection__in=_deleted(alone)),
        *of_streams.filter(published=False).exclude(stream__collection__in=_deleted(alone)),
    )
    return Leaving(
        to_hand_over=tuple(one for one in alone if one.has_others),  # type: ignore[attr-defined]  # annotated below
        deleted=_deleted(alone),
        left=tuple(one for one in alone if not one.has_others and one.is_public),  # type: ignore[attr-defined]  # as above
        unpublished=unpublished,
        held=tuple(f"Submission {pk}: {why}." for (_, pk), why in blocked_deletions(unpublished).items()),
        submissions=own.filter(published=True).count() + of_streams.filter(published=True).count(),
        algorithms=Algorithm.objects.filter(created_by=user).count(),
        drafts=Draft.objects.filter(curator=user).count(),
        comments=Comment.objects.filter(user=user, deleted_at=None).count(),
        gold_versions=GoldVersion.objects.filter(published_by=user).count(),
    )


def _deleted(alone: list[Collection]) -> tuple[Collection, ...]:
    return tuple(one for one in alone if not one.has_others and not one.is_public)  # type: ignore[attr-defined]  # as above


def _owned_alone(user: User) -> QuerySet[Collection]:
    """Collections that no other active account owns, each with ``has_others``: whether it has other members.

    Deactivated accounts count as members because they may come back.
    """
    others = Membership.objects.filter(collection=OuterRef("pk")).exclude(user=user)
    owners = others.filter(role=Role.OWNER, user__is_active=True)
    owned = Collection.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    owned = owned.annotate(has_others=Exists(others), has_owner=Exists(owners))
    return owned.filter(has_owner=False).order_by("name", "pk")
