"""Where a submission comes from and who sees it: what both kinds of submissions are kept with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Run, Submission
from evaluation.services.algorithms import describe_with_submission, get_algorithm


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who submits, by which way, and what follows from it.

    Attributes:
        user: None for whoever runs the site.
        origin: one of ``Submission.Origin``.
        published: whether everybody who sees the collection sees it.
        baseline: the key of the built-in baseline that made it.
        settings: what differs from its default parameters, as it is written.
        queue: of the run that scores or measures it.
        limited: whether the limits on unfinished runs apply to that run.
        about: what is said of the algorithm, by the names of ``Algorithm.ABOUT``; what is empty stays as it is.
    """

    user: User | None
    origin: str
    published: bool
    baseline: str = ""
    settings: str = ""
    queue: str = "interactive"
    limited: bool = True
    about: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_baseline(cls, key: str, run: Run, settings: str = "") -> Provenance:
        """Made by a run, for whoever asked for it; for everybody to compare with."""
        origin = Submission.Origin.BASELINE
        return cls(
            run.created_by, origin, published=True, baseline=key, settings=settings, queue=run.queue, limited=False
        )

    def columns(self, collection: Collection, algorithm: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the row of a submission says of it, whatever its kind.

        Raises:
            InputError: the algorithm's name is a baseline's or somebody else's; what is said of it is wrong.
        """
        named = get_algorithm(collection, algorithm, self.user, self.baseline, self.settings)
        describe_with_submission(named, self.about, self.user)
        return {
            "algorithm": named,
            "created_by": self.user,
            "published": self.published,
            "origin": self.origin,
            "parameters": dict(parameters),
        }
