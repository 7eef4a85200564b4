"""The scores of a submission, its report, the algorithm to compare it with, and a person's own submissions."""

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
from evaluation.access import hidden_answers, visible_clusterings, visible_submissions
from evaluation.limits import DELETED_AT_ONCE, SUBMISSION_QUERIES
from evaluation.models import Run, StreamSubmission, Submission
from evaluation.ranking.leading import leading
from evaluation.scoring.columns import Column, columns_of_one
from evaluation.scoring.effective import DEFAULT, counting_runs, finished
from evaluation.scoring.scores import Cell, ScoredQuery, scores_of, shown_depths, stored_and_visible
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


# With whom a submission is compared first: the leader of the board, or the runner-up where it leads itself.


@dataclass(frozen=True, slots=True)
class Rival:
    """An algorithm to be compared with.

    Attributes:
        algorithm: its id.
        is_second: whether it comes second, after the one that is compared.
    """

    algorithm: int
    is_second: bool

    @property
    def words(self) -> str:
        return "the runner-up" if self.is_second else "the leader"


def rival_of(submission: Submission, person: Person, counting: frozenset[int] | None = None) -> Rival | None:
    """Whom a submission (already checked) is compared with; a few queries.

    None where nobody else is ranked, or another submission of its algorithm counts: that one would be compared.

    Args:
        counting: the evaluations of its algorithm that count, where they are known.
    """
    collection, done = submission.collection, finished(Submission.objects.filter(pk=submission.pk))
    run = done.values_list("pk", flat=True).last()
    counting = counting_evaluations(submission, person) if counting is None else counting
    if run not in counting:
        return None
    first = leading([collection], latest_versions([collection]), person).get(collection.pk, ())
    leads = bool(first) and first[0].algorithm == submission.algorithm_id
    others = first[1:] if leads else first
    return Rival(others[0].algorithm, leads) if others else None


# What the checker said of a submission, as far as a person may see its answers.


def visible_report(person: Person, submission: Submission) -> dict[str, Any]:
    """The report of a submission (already checked); of answers that are hidden it says nothing.

    Problems are left out with them: they name clusters, which in baselines are topics.
    """
    content: dict[str, Any] = submission.report.content
    in_collection = hidden_answers(person, submission).filter(collection=submission.collection_id)
    hidden = set(in_collection.values_list("key", flat=True))
    if not hidden:
        return content
    queries = [one for one in content["queries"] if one["query"] not in hidden]
    return content | {"queries": queries, "problems": [], "n_problems": 0}


# The submissions somebody may delete: their own everywhere, and all of a collection they own.

PER_PAGE = 50

STREAM = "s"
"""Before the number of a stream's submission, where both kinds are listed together."""


@dataclass(frozen=True, slots=True)
class SubmissionFilter:
    """What is listed, as addresses have it.

    Attributes:
        text: words in names of algorithms; empty means all.
        collection: a slug; empty means all.
    """

    text: str = ""
    collection: str = ""


NO_FILTER = SubmissionFilter()


class OwnSubmissions(NamedTuple):
    """A page of the list with its rows, and the collections one may choose."""

    page: Page[tuple[datetime, int, str]]
    rows: Sequence[Submission | StreamSubmission]
    collections: Sequence[Collection]


def deletable(
    person: User, wanted: SubmissionFilter = NO_FILTER
) -> tuple[QuerySet[Submission], QuerySet[StreamSubmission]]:
    """Of each kind what this person may delete: their own where they may submit, everybody's where they own.

    Those that sweeps made are left out.
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
    """A page of both kinds together, the latest first; a constant number of database queries."""
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
    """Those of the named ones ("12", of streams "s12") that this person may delete; others are left out silently, as
    they may be gone. At most so many as are deleted at once."""
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
    """All that is listed, the latest first; at most so many as are deleted at once."""
    answers, of_streams = deletable(person, wanted)
    some = answers.select_related("algorithm", "collection", "created_by").order_by("-pk")[:DELETED_AT_ONCE]
    left = DELETED_AT_ONCE - len(some)
    return [*some, *of_streams.select_related("algorithm", "stream__collection", "created_by").order_by("-pk")[:left]]


def _named(rows: QuerySet[Any], kind: str) -> QuerySet[Any, tuple[datetime, int, str]]:
    """Return when each row was made, its number, and of which kind it is: numbers of the two kinds may be equal."""
    named = rows.order_by().annotate(kind=Value(kind, CharField()))
    found: QuerySet[Any, tuple[datetime, int, str]] = named.values_list("created_at", "pk", "kind")
    return found


def _kind(row: Submission | StreamSubmission) -> str:
    return STREAM if isinstance(row, StreamSubmission) else ""


def submission_name(row: Submission | StreamSubmission) -> str:
    """As `chosen` reads it."""
    return f"{_kind(row)}{row.pk}"
