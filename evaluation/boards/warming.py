"""Have default answers worked out before somebody looks, where that takes longer than somebody waits.

They are queued after a run has ended, outside of its lease: where that fails nothing is lost, because a page that finds
no answer has it worked out itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from django.contrib.auth.models import AnonymousUser

from accounts.person import Person
from annotations.gold.selectors import latest_version
from annotations.models import Collection
from evaluation.boards.compare.comparison import Asked
from evaluation.boards.compare.selectors import compared
from evaluation.boards.measure_agreement.selectors import compare_chosen_measures
from evaluation.boards.robustness.selectors import look_for_changes
from evaluation.boards.topic_coverage.selectors import find_topics
from evaluation.boards.trade_off.selectors import WEIGHTS, trade_off
from evaluation.models import Run
from evaluation.ranking.leaderboard import leaderboard
from evaluation.scoring.options import Choice
from qc4.problems import InputError
from work.answers import Pending
from work.budget import precomputing

PAGES: tuple[Callable[[Collection, Person], object], ...] = (
    leaderboard,
    lambda collection, person: compared(collection, person, Asked(Choice())),
    lambda collection, person: trade_off(collection, person, Choice(), next(iter(WEIGHTS))),
    lambda collection, person: compare_chosen_measures(collection, person, Choice()),
    lambda collection, person: look_for_changes(collection, person, Choice()),
    lambda collection, person: find_topics(collection, person, Choice()),
)
"""What pages of a collection show of its scores, as their addresses without options say it."""


def warm(run: Run) -> None:
    """After an evaluation against the latest gold standard: the default answers of its starter and of the public.

    The last of many does it: while other evaluations of the collection are unfinished, each would change them.
    """
    collection = run.collection
    if run.kind != Run.Kind.EVALUATION or collection is None or run.gold_version != latest_version(collection):
        return
    unfinished = Run.objects.filter(collection=collection, kind=Run.Kind.EVALUATION).exclude(state__in=Run.ENDED)
    if unfinished.exists():
        return
    people: list[Person] = [run.created_by] if run.created_by is not None else []
    prepare_defaults(collection, [*people, AnonymousUser()] if collection.is_public else people)


def prepare_defaults(collection: Collection, people: Sequence[Person]) -> None:
    """Queue the answers that the pages of a collection show first to these people."""
    for person in people:
        for page in PAGES:
            with precomputing(), suppress(Pending, InputError):
                page(collection, person)
