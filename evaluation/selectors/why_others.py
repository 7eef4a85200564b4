"""Where a page that explains a score leads: whom to set beside it, other gold versions, queries before and after."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.person import Person
from annotations.challenges.access import hidden_gold
from evaluation.access import visible_clusterings, visible_submissions
from evaluation.models import Clustering, Submission
from evaluation.selectors.latest import last_by, rules_of


@dataclass(frozen=True, slots=True)
class Others:
    """What else there is to look at.

    Attributes:
        beside: of each algorithm the latest submission that answers the query, or the pinned one, by name; and the one
            that is shown.
        versions: numbers of the gold versions that hold the query, the latest first.
        before, after: the submission's clusterings of the query before and the query after.
    """

    beside: tuple[Submission, ...]
    versions: tuple[int, ...]
    before: Clustering | None
    after: Clustering | None


def others(person: Person, row: Clustering, other: Clustering | None) -> Others:
    """What leads on from a submission's clustering, which is shown alone or beside another one's (both checked)."""
    versions = row.query.gold_entries.order_by("-version__number").values_list("version__number", flat=True)
    shown = visible_clusterings(person, row.submission).exclude(query__in=hidden_gold(person))
    ordered, place = shown.select_related("query"), row.query.position
    return Others(
        beside=_beside(person, row, other),
        versions=tuple(versions),
        before=ordered.filter(query__position__lt=place).order_by("-query__position").first(),
        after=ordered.filter(query__position__gt=place).order_by("query__position").first(),
    )


def _beside(person: Person, row: Clustering, other: Clustering | None) -> tuple[Submission, ...]:
    answers = visible_submissions(person, row.submission.collection).filter(clusterings__query=row.query)
    rows = answers.exclude(pk=row.submission_id).select_related("algorithm").order_by("pk")
    pinned = {rule.pinned for rule in rules_of(answers).values()}
    first = sorted(rows, key=lambda one: one.pk in pinned)
    found = {one.pk: one for one in last_by(first, lambda one: one.algorithm_id).values()}
    if other is not None:
        found[other.submission_id] = other.submission
    return tuple(sorted(found.values(), key=lambda one: (one.algorithm.name, one.pk)))
