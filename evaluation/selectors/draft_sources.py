"""The clusterings a draft may start from."""

from __future__ import annotations

from django.db.models import F

from accounts.person import Person
from annotations.models import Query
from evaluation.access import visible_submissions
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.models import Submission

Choices = list[tuple[str, str]]


def clusterings_to_start_from(person: Person, query: Query) -> list[Submission]:
    """What this person may see and what has clusters of this query, with their number as ``n_clusters``; latest first.

    Without what was made from the gold standard: its topics would tell the answer to who is to find one of their own.
    """
    answers = visible_submissions(person, query.collection).filter(
        clusterings__query=query, clusterings__n_clusters__gt=0
    )
    answers = answers.exclude(algorithm__baseline__in=MADE_FROM_GOLD).annotate(n_clusters=F("clusterings__n_clusters"))
    return list(answers.select_related("algorithm").order_by("-pk"))


def grouped(submissions: list[Submission]) -> list[tuple[str, Choices]]:
    """The same as choices of a form: algorithms before baselines, which are marked as such."""
    groups = [
        ("Algorithms", [each for each in submissions if not each.algorithm.baseline]),
        ("Baselines", [each for each in submissions if each.algorithm.baseline]),
    ]
    return [(title, [(str(each.pk), _words(each)) for each in held]) for title, held in groups if held]


def _words(submission: Submission) -> str:
    n_clusters: int = submission.n_clusters  # type: ignore[attr-defined]  # annotated above
    parts = [submission.algorithm.name, f"#{submission.pk}", f"{n_clusters} cluster{'' if n_clusters == 1 else 's'}"]
    if submission.seed is not None:
        parts.append(f"seed {submission.seed}")
    if submission.algorithm.baseline:
        parts.append("baseline")
    return " · ".join(parts)
