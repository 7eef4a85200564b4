"""With whom a submission is compared first: the leader of the board, or the runner-up where it leads itself."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.person import Person
from annotations.selectors.gold import latest_versions
from evaluation.models import Algorithm, Submission
from evaluation.selectors.latest import finished
from evaluation.selectors.leaderboard import ranked
from evaluation.selectors.submission_scores import is_counting


@dataclass(frozen=True, slots=True)
class Rival:
    """An algorithm to be compared with.

    Attributes:
        is_second: whether it comes second, after the one that is compared.
    """

    algorithm: Algorithm
    is_second: bool

    @property
    def words(self) -> str:
        return "the runner-up" if self.is_second else "the leader"


def rival_of(submission: Submission, person: Person) -> Rival | None:
    """Whom a submission (already checked) is compared with; a few queries.

    None where nobody else is ranked, or another submission of its algorithm counts: that one would be compared.
    """
    collection = submission.collection
    run = finished(Submission.objects.filter(pk=submission.pk)).last()
    if run is None or not is_counting(run, person):
        return None
    found = ranked([collection], latest_versions([collection]), person).get(collection.pk, [])
    leads = bool(found) and found[0].algorithm == submission.algorithm
    others = found[1:] if leads else found
    return Rival(others[0].algorithm, leads) if others else None
