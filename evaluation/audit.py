"""Entries of the audit log about submissions."""

from __future__ import annotations

from accounts.audit import Kind, log
from evaluation.models import StreamSubmission, Submission


def log_publication(submission: Submission | StreamSubmission, published: bool = True) -> None:
    """Record that a submission was published or withdrawn."""
    kind = Kind.SUBMISSION_PUBLISHED if published else Kind.SUBMISSION_UNPUBLISHED
    log(kind, collection=submission.algorithm.collection_id, about=_words(submission))


def log_deletion(submission: Submission | StreamSubmission) -> None:
    """Record that a submission is being deleted."""
    log(Kind.DELETED, collection=submission.algorithm.collection_id, about=_words(submission))


def _words(submission: Submission | StreamSubmission) -> str:
    return f"submission {submission.pk} of {submission.algorithm.name}"
