"""The scores of one submission, query by query."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.models import Run, Submission
from evaluation.selectors.columns import Column, columns
from evaluation.selectors.latest import finished
from evaluation.selectors.scores import Cell, ScoredQuery, queries_of, scores_of

SHOWN = ("aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f")


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Lines of (query, its clusters and covered pages or None, cells in the order of the columns), from one run."""

    run: Run
    columns: tuple[Column, ...]
    lines: tuple[tuple[ScoredQuery, tuple[int, int] | None, tuple[Cell, ...]], ...]


def submission_scores(submission: Submission) -> SubmissionScores | None:
    """From its last finished evaluation against the newest gold version; None while there is none."""
    run = finished(Submission.objects.filter(pk=submission.pk)).last()
    if run is None or run.gold_version is None:
        return None
    shown = columns(SHOWN, "", 1)
    queries = queries_of([run.gold_version])
    cells = scores_of([run], shown, queries)[run.pk].cells
    sizes = {
        query: (clusters, covered)
        for query, clusters, covered in submission.clusterings.values_list("query", "n_clusters", "n_pages_covered")
    }
    lines = tuple(
        (query, sizes.get(query.pk), tuple(cells[column][number] for column in shown))
        for number, query in enumerate(queries[run.gold_version.pk])
    )
    return SubmissionScores(run, shown, lines)
