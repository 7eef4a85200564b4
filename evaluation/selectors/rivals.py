"""With whom a submission is compared first: the leader of the board, or the runner-up where it leads itself."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.person import Person
from annotations.gold.selectors import latest_versions
from evaluation.models import Submission
from evaluation.selectors.latest import finished
from evaluation.selectors.leading import leading
from evaluation.selectors.submission_scores import counting_evaluations


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
