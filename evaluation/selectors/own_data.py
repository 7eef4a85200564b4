"""Everything the site holds of one account, for the person to take along: facts as JSON, and files as they came in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.forms.models import model_to_dict

from accounts.audit import address_for, of_account
from accounts.models import AuditEntry, SecondFactor, User
from accounts.services import notices
from annotations.access import May, collections_where
from annotations.models import Assignment, Comment, Draft, Invitation, OthersSeen
from annotations.selectors.drafts.documents import document_bytes
from annotations.selectors.storage import of_person
from evaluation.models import Algorithm, Run, StreamSubmission, Submission, Upload

CHUNK = 256 * 1024
File = tuple[str, Iterable[bytes]]
"""A name within the archive, and the content in pieces."""


def facts(user: User) -> dict[str, Any]:
    """What is stored of a person, as plain JSON; no secret, of which only hashes are stored anyway."""
    return {
        "account": _account(user),
        "tokens": list(user.api_tokens.values("name", "prefix", "scopes", "created_at", "last_used_at", "expires_at")),
        "second_factor": _second_factor(user),
        "identities": list(user.identities.values("issuer", "subject", "since", "last_used_at")),
        "log": [_line(user, entry) for entry in of_account(user)],
        "storage": of_person(user).to_dict(),
        "notices": {notice.key: wanted for notice, wanted in notices.switches(user)},
        **_people(user),
        **_curation(user),
        **_algorithms(user),
    }


def files(user: User) -> Iterator[File]:
    """Drafts that somebody still may edit, and what they submitted, as it came in. One file at a time is in memory, in
    pieces where it is large."""
    for draft in own_drafts(user).select_related("query"):
        yield f"drafts/{draft.pk}.json", _lazily(partial(document_bytes, draft))
    for upload in Upload.objects.filter(uploaded_by=user).order_by("pk").iterator(500):
        path = settings.UPLOAD_DIR / upload.sha256
        if path.is_file():
            yield f"uploads/{upload.pk}-{upload.name}", _pieces(path)
    for submission in StreamSubmission.objects.filter(created_by=user).select_related("file").order_by("pk"):
        yield f"stream-submissions/{submission.pk}.json", [submission.file.content]


def own_drafts(user: User) -> QuerySet[Draft]:
    """Drafts of their own in collections they still curate: of others they left they see no pages any more."""
    return Draft.objects.filter(curator=user, query__collection__in=collections_where(user, May.CURATE)).order_by("pk")


def _account(user: User) -> dict[str, Any]:
    names = ("username", "email", "first_name", "last_name", "email_confirmed_at", "date_joined", "last_login")
    return {name: getattr(user, name) for name in names}


def _second_factor(user: User) -> dict[str, Any] | None:
    """Whether signing in takes a code; the secret never leaves."""
    row = SecondFactor.objects.filter(user=user).first()
    return {"since": row.since, "recovery_codes_left": user.recovery_codes.count()} if row else None


def _line(user: User, entry: AuditEntry) -> dict[str, Any]:
    """As the log of the account shows it: where others are is not theirs to take along."""
    told = {name: getattr(entry, name) for name in ("at", "kind", "actor_name", "account_name", "about")}
    return {**told, "address": address_for(user, entry)}


def _people(user: User) -> dict[str, Any]:
    of = "collection__slug"
    return {
        "roles": list(user.memberships.values(of, "role", "created_at")),
        "offers": list(user.role_offers.values("collection__name", "role", "state", "offered_at", "ended_at")),
        "requests": list(
            user.participation_requests.values(of, "message", "state", "reason", "asked_at", "answered_at")
        ),
        "invitations": list(
            Invitation.objects.filter(created_by=user).values(of, "role", "note", "used", "most_uses", "created_at")
        ),
    }


def _curation(user: User) -> dict[str, Any]:
    of = "query__collection__slug"
    said = Comment.objects.filter(user=user).order_by("pk")
    own = Draft.objects.filter(curator=user).order_by("pk")
    seen = OthersSeen.objects.filter(user=user)
    return {
        "drafts": list(own.values("id", "name", of, "query__key", "status")),
        "comments": list(said.values("id", "thread", "thread__draft", "text", "created_at", "edited_at", "deleted_at")),
        "others_seen": list(seen.values(of, "query__key", "what", "draft__name", "seen_at")),
        "assignments": list(Assignment.objects.filter(curator=user).values(of, "query__key")),
    }


def _algorithms(user: User) -> dict[str, Any]:
    own = Algorithm.objects.filter(created_by=user).order_by("pk")
    sent = ("id", "algorithm__name", "published", "origin", "parameters", "created_at")
    runs = Run.objects.filter(created_by=user).order_by("pk")
    return {
        "algorithms": [
            {"id": one.pk, "name": one.name, **model_to_dict(one, fields=list(Algorithm.ABOUT))} for one in own
        ],
        "submissions": list(
            Submission.objects.filter(created_by=user, sweep=None).order_by("pk").values(*sent, "upload", "seed")
        ),
        "stream_submissions": list(StreamSubmission.objects.filter(created_by=user).order_by("pk").values(*sent)),
        "uploads": list(
            Upload.objects.filter(uploaded_by=user).order_by("pk").values("id", "name", "size", "sha256", "created_at")
        ),
        "runs": list(runs.values("id", "kind", "state", "created_at")),
    }


def _lazily(content: Callable[[], bytes]) -> Iterator[bytes]:
    yield content()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece
