"""What deleting an account would do: what goes, what stays under a neutral name, and what has to be done first."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from annotations.models import Collection, Comment, Draft, GoldVersion, Membership, Role
from evaluation.models import Algorithm, StreamSubmission, Submission
from evaluation.selectors.deletions import AnyOf, held_back


@dataclass(frozen=True, slots=True)
class Leaving:
    """What deleting an account would do.

    Attributes:
        to_hand_over: collections with other people that nobody else owns: somebody must own them first.
        deleted: private collections of this person alone.
        left: public collections that nobody will own.
        unpublished: submissions only they and owners see; they go, with what was computed for them.
        held: why one of these cannot go now.
        submissions, algorithms, drafts, comments, gold_versions: how many stay.
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
        """Whether it can be done now."""
        return not self.to_hand_over and not self.held


def leaving(user: User) -> Leaving:
    """What deleting the account of this person would do now."""
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
        held=tuple(f"Submission {pk}: {why}." for (_, pk), why in held_back(unpublished).items()),
        submissions=own.filter(published=True).count() + of_streams.filter(published=True).count(),
        algorithms=Algorithm.objects.filter(created_by=user).count(),
        drafts=Draft.objects.filter(curator=user).count(),
        comments=Comment.objects.filter(user=user, deleted_at=None).count(),
        gold_versions=GoldVersion.objects.filter(published_by=user).count(),
    )


def _deleted(alone: list[Collection]) -> tuple[Collection, ...]:
    return tuple(one for one in alone if not one.has_others and not one.is_public)  # type: ignore[attr-defined]  # as above


def _owned_alone(user: User) -> QuerySet[Collection]:
    """Collections that nobody else can own at the moment, each with ``has_others``: whether other people belong.

    Who is switched off may come back, and finds what they left.
    """
    others = Membership.objects.filter(collection=OuterRef("pk")).exclude(user=user)
    owners = others.filter(role=Role.OWNER, user__is_active=True)
    owned = Collection.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    owned = owned.annotate(has_others=Exists(others), has_owner=Exists(owners))
    return owned.filter(has_owner=False).order_by("name", "pk")
