"""The scores of one submission, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from accounts.person import Person
from evaluation.access import visible_clusterings, visible_submissions
from evaluation.limits import SUBMISSION_QUERIES
from evaluation.models import Run, Submission
from evaluation.selectors.columns import Column, columns_of_one
from evaluation.selectors.depths import shown_depths
from evaluation.selectors.latest import DEFAULT, counting_runs, finished
from evaluation.selectors.scores import Cell, ScoredQuery, scores_of, stored_and_visible
from qc4.model.policies import Policies


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Lines of (query, its clusters and covered pages or None, cells in the order of the columns), from one run.

    Attributes:
        page: the page of the queries that are shown.
        deepest: how deep its clusters are nested at most on these queries.
    """

    run: Run
    columns: tuple[Column, ...]
    lines: tuple[tuple[ScoredQuery, tuple[int, int] | None, tuple[Cell, ...]], ...]
    page: Page[ScoredQuery]
    deepest: int


def counting_evaluations(submission: Submission, person: Person) -> frozenset[int]:
    """Ids of the evaluations that count for the algorithm of a submission (already checked), alone or with those of
    other repeats, each on the board of its gold version and policies. A few queries."""
    seen = visible_submissions(person, submission.collection)
    return counting_runs(seen.filter(algorithm=submission.algorithm_id))


def submission_scores(
    submission: Submission,
    person: Person | None,
    policies: Policies = DEFAULT,
    measures: Sequence[str] = (),
    page: str | None = None,
) -> SubmissionScores | None:
    """What this person may see of its scores: from its last finished evaluation under these policies against the newest
    gold version; None while there is none.

    Args:
        measures: keys; none means those of `columns_of_one`.
        page: the number of the page of queries that is shown; the first unless it is a number.

    Raises:
        InputError: unknown measures.
    """
    run = finished(Submission.objects.filter(pk=submission.pk), policies).last()
    if run is None or run.gold_version is None:
        return None
    version = run.gold_version.pk
    stored, seen = (one[version] for one in stored_and_visible([run.gold_version], person))
    deepest = shown_depths([run], stored, seen)[run.pk]
    shown = columns_of_one(measures, policies, deepest)
    queries = Paginator(seen, SUBMISSION_QUERIES).get_page(page)
    cells = scores_of([run], shown, {version: list(queries)})[run.pk].cells
    answers = visible_clusterings(person, submission).filter(query__in=[query.pk for query in queries])
    sizes = {
        query: (clusters, covered)
        for query, clusters, covered in answers.values_list("query", "n_clusters", "n_pages_covered")
    }
    lines = tuple(
        (query, sizes.get(query.pk), tuple(cells[column][number] for column in shown))
        for number, query in enumerate(queries)
    )
    return SubmissionScores(run, shown, lines, queries, deepest)
