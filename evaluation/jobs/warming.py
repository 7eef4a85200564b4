"""Work out boards before somebody looks, where that takes longer than somebody waits.

It happens after a run has ended, outside of its lease: where it is interrupted or fails nothing is lost, because a page
that finds no standings has them worked out itself.
"""

from __future__ import annotations

import logging

from django.contrib.auth.models import AnonymousUser

from accounts.person import Person
from annotations.selectors.gold import latest_version
from evaluation.models import Run
from evaluation.selectors.leaderboard import is_slow, leaderboard
from evaluation.services.standings import keep

log = logging.getLogger(__name__)


def warm(run: Run) -> None:
    """After an evaluation against the latest gold standard: the default boards of its starter and of the public.

    The last of many does it: while other evaluations of the collection are unfinished, each would change the board.
    """
    collection = run.collection
    if run.kind != Run.Kind.EVALUATION or collection is None or run.gold_version != latest_version(collection):
        return
    unfinished = Run.objects.filter(collection=collection, kind=Run.Kind.EVALUATION).exclude(state__in=Run.ENDED)
    if unfinished.exists():
        return
    people: list[Person] = [run.created_by] if run.created_by is not None else []
    if collection.is_public:
        people.append(AnonymousUser())
    for person in people:
        if is_slow(collection, person):
            leaderboard(collection, person, keep=keep)
            log.info("run %s: worked out the board of %s", run.pk, collection.slug)
