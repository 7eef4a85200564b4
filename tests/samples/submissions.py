"""Submissions made without a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from accounts.models import User
from annotations.collections.selectors import page_lists
from annotations.models import Collection
from evaluation.models import Run, Submission
from evaluation.submissions.reports import report_on
from evaluation.submissions.services import Provenance, submit
from qc4.model.clustering import SubmissionDocument


def hand_in(
    collection: Collection,
    document: SubmissionDocument,
    user: User | None = None,
    algorithm: str = "",
    *,
    published: bool = True,
    measures: Sequence[str] | None = None,
) -> tuple[Submission, Run | None]:
    """Submit clusterings as a command does; the algorithm's name may stand in the document."""
    report = report_on(replace(document, algorithm=algorithm or document.algorithm), page_lists(collection))
    provenance = Provenance(user, Submission.Origin.COMMAND, published=published)
    return submit(collection, report, provenance, measures=measures)
