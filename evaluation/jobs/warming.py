"""Have default answers worked out before somebody looks, where that takes longer than somebody waits.

They are queued after a run has ended, outside of its lease: where that fails nothing is lost, because a page that finds
no answer has it worked out itself.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from accounts.person import Person
from annotations.models import Collection
from annotations.selectors.gold import latest_version
from evaluation.models import Run
from evaluation.selectors import leaderboard


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


def prepare_defaults(collection: Collection, people: list[Person]) -> None:
    """Queue the answers that the collection's pages show first to these people."""
    for person in people:
        leaderboard.prepare(collection, person)
