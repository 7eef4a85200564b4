"""Delete submissions somebody chose, and none that is held back."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.selectors.deletions import AnyOf, Deletion, deletion
from evaluation.services.deletion import delete_submissions
from qc4.problems import InputError, Problem


def delete_chosen(some: Sequence[AnyOf]) -> Deletion:
    """Delete these submissions (already checked) but those held back: all in one transaction, or none.

    Returns:
        What went and what stayed.
    """
    going = deletion(some)
    if going.all:
        delete_submissions(going.all)
    return going


def delete_one(submission: AnyOf) -> None:
    """Delete one.

    Raises:
        InputError: it is held back.
    """
    refuse_held(deletion([submission]))
    delete_submissions([submission])


def refuse_held(going: Deletion) -> None:
    """Raises InputError where something is held back, with each reason."""
    if going.held:
        expected = "a submission that nothing holds"
        raise InputError([Problem("held-back", f"{one.address} {one.pk}", why, expected) for one, why in going.held])
