"""The scores of a submission, its report, its comparison partner, and a person's own submissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import CharField, Q, QuerySet, Value
from django.http import QueryDict

from accounts.models import User
from accounts.person import Person
from annotations.access import May, collections_where
from annotations.gold.selectors import latest_versions
from annotations.models import Collection
from common.parameters import parse_number
from evaluation.access import queries_with_hidden_clusterings, visible_clusterings, visible_submissions
from evaluation.limits import DELETED_AT_ONCE, SUBMISSION_QUERIES
from evaluation.models import Run, StreamSubmission, Submission
from evaluation.ranking.leading import leaders_of
from evaluation.scoring.columns import BoardColumn, columns_of_submission
from evaluation.scoring.effective import DEFAULT, effective_run_ids, finished
from evaluation.scoring.scores import Cell, ScoredQuery, scores_of, shown_depths, stored_and_visible
from qc4.model.policies import Policies


@dataclass(frozen=True, slots=True)
class SubmissionScores:
    """Rows of (query, its clusters and covered pages or None, cells in column order), from one run.

    Attributes:
        page: the page of queries that is shown.
        deepest: the greatest nesting depth of the clusters of these queries.
    """

    run: Run
    columns: tuple[BoardColumn, ...]
    lines: tuple[tuple[ScoredQuery, tuple[int, int] | None, tuple[Cell, ...]], ...]
    page: Page[ScoredQuery]
    deepest: int


def counting_evaluations(submission: Submission, person: Person) -> frozenset[int]:
    """Ids of the evaluations that are effective for the submission's algorithm, alone or together with other repeats.

    Each is effective on the leaderboard of its gold version and scoring options. The caller has checked access to the
    submission. Makes a few database queries.
    """
    seen = visible_submissions(person, submission.collection)
    return effective_run_ids(seen.filter(algorithm=submission.algorithm_id))


def submission_scores(
    submission: Submission,
    person: Person | None,
    policies: Policies = DEFAULT,
    measures: Sequence[str] = (),
    page: str | None = None,
) -> SubmissionScores | None:
    """The scores of a submission that this person may see.

    They come from its last finished evaluation under these scoring options against the newest gold version. None if
    there is none.

    Args:
        measures: measure keys; if empty, those of `columns_of_one`.
        page: the page number of the list of queries; the first page unless it is a number.

    Raises:
        InputError: a measure is unknown.
    """
    run = finished(Submission.objects.filter(pk=submission.pk), policies).last()
    if run is None or run.gold_version is None:
        return None
    version = run.gold_version.pk
    stored, seen = (one[version] for one in stored_and_visible([run.gold_version], person))
    deepest = shown_depths([run], stored, seen)[run.pk]
    shown = columns_of_submission(measures, policies, deepest)
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


# --- The algorithm that a submission is compared with: the leader, or the runner-up if the submission leads ---


@dataclass(frozen=True, slots=True)
class Rival:
    """The algorithm to compare a submission with.

    Attributes:
        algorithm: its id.
        is_second: True if it is the runner-up and the compared algorithm leads.
    """

    algorithm: int
    is_second: bool

    @property
    def words(self) -> str:
        return "the runner-up" if self.is_second else "the leader"


def rival_of(submission: Submission, person: Person, counting: frozenset[int] | None = None) -> Rival | None:
    """The algorithm that a submission (already checked) is compared with. Makes a few database queries.

    None if no other algorithm is ranked, or if another submission of its own algorithm is the effective one.

    Args:
        counting: the effective evaluations of its algorithm, if they are known.
    """
    collection, done = submission.collection, finished(Submission.objects.filter(pk=submission.pk))
    run = done.values_list("pk", flat=True).last()
    counting = counting_evaluations(submission, person) if counting is None else counting
    if run not in counting:
        return None
    first = leaders_of([collection], latest_versions([collection]), person).get(collection.pk, ())
    leads = bool(first) and first[0].algorithm == submission.algorithm_id
    others = first[1:] if leads else first
    return Rival(others[0].algorithm, leads) if others else None


# --- The checker report of a submission, limited to the clusterings a person may see ---


def visible_report(person: Person, submission: Submission) -> dict[str, Any]:
    """The report of a submission (already checked), without queries whose clusterings are hidden.

    Problems are omitted as well if any query is hidden: they name clusters, which are gold topics in some baselines.
    """
    content: dict[str, Any] = submission.report.content
    in_collection = queries_with_hidden_clusterings(person, submission).filter(collection=submission.collection_id)
    hidden = set(in_collection.values_list("key", flat=True))
    if not hidden:
        return content
    queries = [one for one in content["queries"] if one["query"] not in hidden]
    return content | {"queries": queries, "problems": [], "n_problems": 0}


# --- The submissions a person may delete: their own, and all submissions of a collection they own ---

PER_PAGE = 50

STREAM = "s"
"""Prefix of the number of a stream submission, used if both kinds are listed together."""


@dataclass(frozen=True, slots=True)
class SubmissionFilter:
    """The filters of the list, as in its query string.

    Attributes:
        text: words in names of algorithms; empty means all.
        collection: a slug; empty means all.
    """

    text: str = ""
    collection: str = ""


NO_FILTER = SubmissionFilter()


class OwnSubmissions(NamedTuple):
    """A page of the list, its rows, and the collections the user can filter by."""

    page: Page[tuple[datetime, int, str]]
    rows: Sequence[Submission | StreamSubmission]
    collections: Sequence[Collection]


def deletable(
    person: User, wanted: SubmissionFilter = NO_FILTER
) -> tuple[QuerySet[Submission], QuerySet[StreamSubmission]]:
    """The submissions of each kind that this person may delete.

    These are their own where they may still submit, and everyone's in collections they own. Submissions made by
    parameter sweeps are excluded.
    """
    owned, submits = collections_where(person, May.MANAGE), collections_where(person, May.SUBMIT)
    found = []
    for rows, collection in (
        (Submission.objects.filter(sweep=None), "collection"),
        (StreamSubmission.objects.all(), "stream__collection"),
    ):
        own = Q(created_by=person.pk) & Q(**{f"{collection}__in": submits})
        mine = rows.filter(own | Q(**{f"{collection}__in": owned})) if wanted.collection else rows.filter(own)
        if wanted.collection:
            mine = mine.filter(**{f"{collection}__slug": wanted.collection})
        if wanted.text:
            mine = mine.filter(algorithm__name__icontains=wanted.text)
        found.append(mine)
    answers, of_streams = found
    return answers, of_streams  # type: ignore[return-value]  # in the order of KINDS


def own_submissions_page(person: User, wanted: SubmissionFilter, given: QueryDict) -> OwnSubmissions:
    """A page of both kinds of submissions together, the latest first, with a constant number of database queries."""
    answers, of_streams = deletable(person, wanted)
    listed = _named(answers, "").union(_named(of_streams, STREAM), all=True).order_by("-created_at", "-pk", "kind")
    page = Paginator(listed, PER_PAGE).get_page(given.get("page"))
    names = [f"{kind}{pk}" for _, pk, kind in page]
    rows = sorted(chosen_submissions(person, names, wanted), key=lambda row: names.index(submission_name(row)))
    mine = Collection.objects.filter(
        Q(pk__in=collections_where(person, May.SUBMIT)) | Q(pk__in=collections_where(person, May.MANAGE))
    )
    return OwnSubmissions(page, rows, list(mine.order_by("name")))


def chosen_submissions(
    person: User, names: Iterable[str], wanted: SubmissionFilter = NO_FILTER
) -> list[Submission | StreamSubmission]:
    """The submissions with the given names ("12", or "s12" for streams) that this person may delete.

    Others are silently omitted, because they may have been deleted already. Returns no more than can be deleted at
    once.
    """
    ids: dict[str, list[int]] = {"": [], STREAM: []}
    for name in list(names)[:DELETED_AT_ONCE]:
        if (number := parse_number(name.removeprefix(STREAM))) is not None:
            ids[STREAM if name.startswith(STREAM) else ""].append(number)
    answers, of_streams = deletable(person, wanted)
    return [
        *answers.filter(pk__in=ids[""]).select_related("algorithm", "collection", "created_by").order_by("-pk"),
        *of_streams.filter(pk__in=ids[STREAM])
        .select_related("algorithm", "stream__collection", "created_by")
        .order_by("-pk"),
    ]


def all_deletable(person: User, wanted: SubmissionFilter) -> list[Submission | StreamSubmission]:
    """All listed submissions, the latest first, but no more than can be deleted at once."""
    answers, of_streams = deletable(person, wanted)
    some = answers.select_related("algorithm", "collection", "created_by").order_by("-pk")[:DELETED_AT_ONCE]
    left = DELETED_AT_ONCE - len(some)
    return [*some, *of_streams.select_related("algorithm", "stream__collection", "created_by").order_by("-pk")[:left]]


def _named(rows: QuerySet[Any], kind: str) -> QuerySet[Any, tuple[datetime, int, str]]:
    """Return the creation time, number and kind of each row; the two kinds may use the same numbers."""
    named = rows.order_by().annotate(kind=Value(kind, CharField()))
    found: QuerySet[Any, tuple[datetime, int, str]] = named.values_list("created_at", "pk", "kind")
    return found


def _kind(row: Submission | StreamSubmission) -> str:
    return STREAM if isinstance(row, StreamSubmission) else ""


def submission_name(row: Submission | StreamSubmission) -> str:
    """The name of a row, as `chosen_submissions` reads it."""
    return f"{_kind(row)}{row.pk}"
