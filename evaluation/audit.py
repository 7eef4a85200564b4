"""Entries of the audit log about submissions."""

from __future__ import annotations

from accounts.audit import Kind, log
from evaluation.models import StreamSubmission, Submission


def log_publication(submission: Submission | StreamSubmission, published: bool = True) -> None:
    """It was published, or taken back."""
    kind = Kind.SUBMISSION_PUBLISHED if published else Kind.SUBMISSION_UNPUBLISHED
    log(kind, collection=submission.algorithm.collection_id, about=_words(submission))


def log_deletion(submission: Submission | StreamSubmission) -> None:
    """It is being deleted."""
    log(Kind.DELETED, collection=submission.algorithm.collection_id, about=_words(submission))


def _words(submission: Submission | StreamSubmission) -> str:
    return f"submission {submission.pk} of {submission.algorithm.name}"
