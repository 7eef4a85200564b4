"""Who made which entry of a draft's log, small enough to be kept in memory and sent to browsers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from annotations.drafting import DraftState
from annotations.selectors.drafts.stacks import Step


@dataclass(frozen=True, slots=True)
class Authors:
    """Revisions from which on it was another person, and that person; never changed, so that threads can share it."""

    firsts: tuple[int, ...] = ()
    people: tuple[int, ...] = ()

    def after(self, steps: Iterable[Step]) -> Authors:
        """With further entries of the log, in its order."""
        firsts, people = list(self.firsts), list(self.people)
        for step in steps:
            if not people or people[-1] != step.user:
                firsts.append(step.revision)
                people.append(step.user)
        return self if len(people) == len(self.people) else Authors(tuple(firsts), tuple(people))

    def of(self, revision: int) -> int | None:
        """Who made an entry; None for what the draft began with."""
        at = bisect_right(self.firsts, revision) - 1
        return self.people[at] if at >= 0 else None


def placers(state: DraftState, authors: Authors) -> dict[str, int]:
    """Page -> who placed or confirmed it last, of those that have a place and did not come with it."""
    placed = state.placed() | state.outliers
    found = {page: authors.of(revision) for page, revision in state.touched.items() if page in placed}
    return {page: user for page, user in found.items() if user is not None}


def authors_json(state: DraftState, authors: Authors, viewer: User) -> list[tuple[int, str]]:
    """Revisions from which on it was another person, as far as pages were placed or confirmed last in them.

    Args:
        viewer: who looks; their own name needs no query.
    """
    found: list[tuple[int, int]] = []
    for revision in sorted(set(state.touched.values())):
        user = authors.of(revision)
        if user is not None and (not found or found[-1][1] != user):
            found.append((revision, user))
    names = {viewer.pk: viewer.get_username()}
    if others := {user for _, user in found} - names.keys():
        names |= dict(User.objects.filter(pk__in=others).values_list("pk", "username"))
    return [(revision, names[user]) for revision, user in found]
