"""The final results of a challenge: the ranking of submissions made in time, over the hidden queries."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from accounts.person import Person
from annotations.access import capabilities
from annotations.challenges.access import ORGANISER_RIGHTS, challenge_of, hides_gold_of
from annotations.models import Challenge, GoldVersion
from evaluation.access import may_change_submission, visible_submissions
from evaluation.models import Run, Submission
from evaluation.ranking.board import Board, BoardRow
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.means import PLACES, Mean
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.columns import DEFAULT_MEASURES
from evaluation.scoring.effective import effective_ids, finished
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import queries_of
from qc4.model.policies import Policies
from qc4.tables import Table, as_csv
from qc4.version import ENGINE_VERSION


def final_gold_version(challenge: Challenge) -> GoldVersion | None:
    """Return the gold version of the final results: the latest at the close, or else the first one after it.

    None if nothing is published yet.
    """
    versions = challenge.collection.gold_versions
    in_time = versions.filter(published_at__lte=challenge.closes_at).order_by("-number").first()
    return in_time or versions.order_by("number").first()


def participating_submissions(challenge: Challenge) -> QuerySet[Submission]:
    """Return the submissions that take part: those of participants, published or not, and published ones of others.

    The form tells participants that the final results will name their submission. Organisers, and people who submitted
    before the challenge began, see no such note: only their published submissions take part.
    """
    in_challenge = Q(published=True) | Q(counted__challenge=challenge)
    submissions = Submission.objects.filter(in_challenge, collection=challenge.collection, sweep=None)
    return submissions.filter(created_at__lt=challenge.closes_at) if challenge.closes_at else submissions


def participation_sentence(submission: Submission, person: Person | None) -> str:
    """Return a sentence that says whether a submission (already checked) takes part in its collection's challenge.

    It is empty if the collection is not a challenge, and for submissions of sweeps. Before the final results it is also
    empty for people who may not change the submission: the sentence could reveal that a private submission exists.

    Args:
        person: the reader; None for an operator of the site.
    """
    challenge = challenge_of(submission.collection)
    if challenge is None or submission.sweep_id is not None:
        return ""
    if challenge.final is not None:
        named = {(row["algorithm_id"], row["submission"]) for row in challenge.final.content["rows"]}
        if any(pk == submission.pk for _, pk in named):
            return "This submission took part in the challenge: it is in the final results."
        if any(algorithm == submission.algorithm_id for algorithm, _ in named):
            return "Another submission of this algorithm took part in the challenge."
        return "This submission did not take part in the challenge."
    rivals = participating_submissions(challenge).filter(algorithm=submission.algorithm_id)
    if person is not None and not _may_see_competitors(submission, rivals, person):
        return ""
    if not rivals.filter(pk=submission.pk).exists():
        if challenge.has_closed:
            return "This submission did not take part in the challenge."
        return (
            "This submission does not take part in the challenge: it is private, and was made by an organiser or "
            "before the challenge began. Publish it to take part."
        )
    if submission.pk not in effective_ids(rivals):
        return "Another submission of this algorithm takes part in the challenge."
    if submission.published:
        return "This submission takes part in the challenge."
    return (
        "This submission takes part in the challenge although it is private. The final results will show its "
        "algorithm's name, its owner, its time and its scores. "
        + ("Its clusters stay private." if challenge.has_closed else WITHDRAWAL_NOTE)
    )


def _may_see_competitors(submission: Submission, rivals: QuerySet[Submission], person: Person) -> bool:
    """True if a person may change a submission and sees all others that compete to be effective for its algorithm."""
    seen = visible_submissions(person, submission.collection)
    return may_change_submission(person, submission) and not rivals.exclude(pk__in=seen.values("pk")).exists()


WITHDRAWAL_NOTE = "Its clusters stay private. To withdraw it, delete it before the challenge closes."


def count_unfinished_runs(challenge: Challenge, version: GoldVersion) -> int:
    """Return the number of unfinished runs that final results must wait for. Scoring something again delays nothing.

    A submission that lacks measures of the results waits for a run that is already queued or running.
    """
    needed = set(_measures(challenge))
    done = (
        finished(participating_submissions(challenge))
        .filter(gold_version=version)
        .values_list("submission", "measures")
    )
    scored = {submission for submission, measures in done if needed <= set(measures)}
    waiting = participating_submissions(challenge).exclude(pk__in=scored)
    runs = Run.objects.filter(kind=Run.Kind.EVALUATION, submission__in=waiting, gold_version=version)
    of_each = runs.filter(state__in=UNFINISHED).values_list("policies", flat=True)
    return sum(Policies.parse(policies) == Policies() for policies in of_each)


def compute_results(challenge: Challenge, version: GoldVersion, settled_at: datetime) -> dict[str, Any]:
    """Return the final results, to be stored: means over the queries that count, without scores of single queries.

    These are the hidden queries; or all queries, if none is hidden or no hidden one has a gold standard.
    """
    queries = queries_of([version])[version.pk]
    shown = set(challenge.shown.values_list("pk", flat=True))
    hidden = [query for query in queries if hides_gold_of(challenge, shown, query.pk)]
    open_ones = [query for query in queries if query not in hidden]
    measures = _measures(challenge)
    board = _board(challenge, version, measures, tuple(query.key for query in hidden))
    public: dict[int, Mean | None] = {}
    if hidden and open_ones:
        of_public = _board(challenge, version, measures, tuple(query.key for query in open_ones))
        public = {row.algorithm.pk: row.mean for row in of_public.rows}
    submissions = (
        participating_submissions(challenge)
        .select_related("created_by")
        .in_bulk([row.submission.pk for row in board.rows])
    )
    return {
        "settled_at": settled_at.isoformat(),
        "closed_at": challenge.closes_at.isoformat() if challenge.closes_at else None,
        "gold_version": version.number,
        "gold_sha256": version.sha256,
        "engine": ENGINE_VERSION,
        "measure": challenge.measure,
        "measures": list(measures),
        "part": "hidden" if hidden else "all",
        "queries": len(hidden) or len(queries),
        "public_queries": len(open_ones) if hidden else 0,
        "sentence": board.standing.sentence or board.standing.note,
        "family_size": board.standing.family_size,
        "critical_value": board.standing.critical_value,
        "rows": [_line(row, submissions[row.submission.pk], challenge, public) for row in board.rows],
    }


def _measures(challenge: Challenge) -> tuple[str, ...]:
    """Return the measures in the results: the ranking one, and the default ones of leaderboards."""
    return tuple(dict.fromkeys((challenge.measure, *DEFAULT_MEASURES)))


def _board(challenge: Challenge, version: GoldVersion, measures: tuple[str, ...], queries: tuple[str, ...]) -> Board:
    choice = BoardOptions(measures=measures, sort=challenge.measure, gold=version.number, queries=queries)
    return leaderboard(challenge.collection, None, choice, submissions=participating_submissions(challenge))


def _line(
    row: BoardRow, submission: Submission, challenge: Challenge, public: dict[int, Mean | None]
) -> dict[str, Any]:
    by = submission.created_by
    mean = row.mean
    return {
        "rank": row.rank,
        **{fact: getattr(mean, fact, None) for fact in PLACES},
        "algorithm": row.algorithm.name,
        "algorithm_id": row.algorithm.pk,
        "baseline": row.algorithm.baseline or None,
        "submission": submission.pk,
        "by": by.get_username() if by else None,
        "organiser": by is None or bool(capabilities(by, challenge.collection) & ORGANISER_RIGHTS),
        "submitted_at": submission.created_at.isoformat(),
        "public": _mean(public.get(row.algorithm.pk)),
        "waiting": row.waiting or None,
        "means": {key: {**_mean(one), "undefined": one.reason or None} for key, one in row.means.items()},
    }


def _mean(of: Mean | None) -> dict[str, Any]:
    """Return a mean, the number of queries behind it, and the number of all queries."""
    return {name: getattr(of, name, None) for name in ("value", "counted", "total")}


# --- Final results as CSV: the frozen numbers in full precision, which the page rounds ---

OF_ROW = {
    "rank": "rank", **{fact: fact for fact in PLACES}, "algorithm": "algorithm",
    "algorithm_id": "algorithm_id", "baseline": "baseline", "organiser": "organiser", "submission": "submission",
    "submitted_by": "by", "submitted_at": "submitted_at",
}  # fmt: skip
"""Column -> key in a row of the results."""
OF_ALL = ("part", "queries", "public_queries", "gold_version", "engine", "closed_at", "settled_at")
MEAN = {"": "value", " queries counted": "counted", " undefined": "undefined"}


def results_csv(results: dict[str, Any]) -> str:
    """Return a CSV file with one row per algorithm, best first.

    Args:
        results: from `evaluation.challenges.final_results.compute_results`.
    """
    return as_csv(Table(_lines(results)))


def _lines(results: dict[str, Any]) -> Iterator[list[object]]:
    heads = [measure + head for measure in results["measures"] for head in MEAN]
    public = f"public {results['measure']}"
    yield [*OF_ROW, *heads, public, f"{public} queries counted", "waiting", *OF_ALL]
    shared = [results[name] for name in OF_ALL]
    for row in results["rows"]:
        means = [row["means"].get(measure, {}) for measure in results["measures"]]
        values = [mean.get(name) for mean in means for name in MEAN.values()]
        yield [
            *(row[name] for name in OF_ROW.values()),
            *values,
            row["public"]["value"],
            row["public"]["counted"],
            row["waiting"],
            *shared,
        ]
