"""Compute slow default answers before anyone opens their pages.

They are queued after a run has ended, outside its lease. If that fails, nothing is lost: a page that finds no stored
answer queues it itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser

from accounts.person import Person
from annotations.gold.selectors import latest_version
from annotations.models import Collection
from evaluation.boards.compare.comparison import ComparisonOptions
from evaluation.boards.compare.selectors import compare_algorithms
from evaluation.boards.measure_agreement.selectors import compare_chosen_measures
from evaluation.boards.robustness.selectors import check_robustness
from evaluation.boards.topic_coverage.selectors import find_topics
from evaluation.boards.trade_off.selectors import WEIGHTS, trade_off
from evaluation.models import Run
from evaluation.ranking.leaderboard import leaderboard
from evaluation.scoring.options import BoardOptions
from qc4.problems import InputError
from work.answers import Pending
from work.budget import precomputing

PAGES: tuple[Callable[[Collection, Person], object], ...] = (
    leaderboard,
    lambda collection, person: compare_algorithms(collection, person, ComparisonOptions(BoardOptions())),
    lambda collection, person: trade_off(collection, person, BoardOptions(), next(iter(WEIGHTS))),
    lambda collection, person: compare_chosen_measures(collection, person, BoardOptions()),
    lambda collection, person: check_robustness(collection, person, BoardOptions()),
    lambda collection, person: find_topics(collection, person, BoardOptions()),
)
"""Functions that compute the results on the comparison pages of a collection, with default options."""


def queue_default_answers(run: Run) -> None:
    """After an evaluation against the latest gold version, queue the default answers for its creator and the public.

    Only the last of several evaluations does this: while others of the collection are unfinished, each would change
    the results.
    """
    collection = run.collection
    if run.kind != Run.Kind.EVALUATION or collection is None or run.gold_version != latest_version(collection):
        return
    unfinished = Run.objects.filter(collection=collection, kind=Run.Kind.EVALUATION).exclude(state__in=Run.ENDED)
    if unfinished.exists():
        return
    people: list[Person] = [run.created_by] if run.created_by is not None else []
    queue_answers_for(collection, [*people, AnonymousUser()] if collection.is_public else people)


def queue_answers_for(collection: Collection, people: Sequence[Person]) -> None:
    """Queue the answers that these people see first on the pages of a collection."""
    for person in people:
        for page in PAGES:
            with precomputing(), suppress(Pending, InputError):
                page(collection, person)
