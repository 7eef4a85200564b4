"""The scores of one submission, query by query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.person import Person
from evaluation.access import visible_clusterings, visible_submissions
from evaluation.models import Run, Submission
from evaluation.selectors.columns import Column, columns_of_one
from evaluation.selectors.depths import shown_depths
from evaluation.selectors.latest import DEFAULT, counting_runs, finished
from evaluation.selectors.scores import Cell, ScoredQuery, queries_of, scores_of, visible_queries
from qc4.views.policies import Policies


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Lines of (query, its clusters and covered pages or None, cells in the order of the columns), from one run.

    Attributes:
        deepest: how deep its clusters are nested at most on these queries.
    """

    run: Run
    columns: tuple[Column, ...]
    lines: tuple[tuple[ScoredQuery, tuple[int, int] | None, tuple[Cell, ...]], ...]
    deepest: int


def is_counting(run: Run, person: Person) -> bool:
    """Whether the submission of a finished evaluation (already checked) counts for its algorithm, alone or with other
    repeats, on the board of its gold version and policies. A few queries."""
    if run.submission is None:
        return False
    seen = visible_submissions(person, run.submission.collection)
    return run.pk in counting_runs(seen.filter(algorithm=run.submission.algorithm_id))


def submission_scores(
    submission: Submission, person: Person | None, policies: Policies = DEFAULT, measures: Sequence[str] = ()
) -> SubmissionScores | None:
    """What this person may see of its scores: from its last finished evaluation under these policies against the newest
    gold version; None while there is none.

    Args:
        measures: keys; none means those of `columns_of_one`.

    Raises:
        InputError: unknown measures.
    """
    run = finished(Submission.objects.filter(pk=submission.pk), policies).last()
    if run is None or run.gold_version is None:
        return None
    version, queries = run.gold_version.pk, visible_queries([run.gold_version], person)
    deepest = shown_depths([run], queries_of([run.gold_version])[version], queries[version])[run.pk]
    shown = columns_of_one(measures, policies, deepest)
    cells = scores_of([run], shown, queries)[run.pk].cells
    answers = visible_clusterings(person, submission).values_list("query", "n_clusters", "n_pages_covered")
    sizes = {query: (clusters, covered) for query, clusters, covered in answers}
    lines = tuple(
        (query, sizes.get(query.pk), tuple(cells[column][number] for column in shown))
        for number, query in enumerate(queries[version])
    )
    return SubmissionScores(run, shown, lines, deepest)
