"""Algorithms with scores that a test chooses: finished runs and their columns, without clusterings behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from django.utils import timezone

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.models import Algorithm, Run, RunColumn, Submission
from evaluation.scoring.columns import columns
from qc4.model.policies import Policies
from tests.samples.documents import mercury

Scores = Mapping[str, Sequence[float | None]]
"""Algorithm -> a score per query, None where it is undefined."""
UNDEFINED = "overlapping clusters"


def many_queries(user: User, n: int, *, public: bool = False) -> Collection:
    """A collection of n queries q001, q002, .. with the pages and topics of ``mercury``."""
    documents = [replace(mercury(), query_id=f"q{k:03}", query_text=f"query {k}") for k in range(1, n + 1)]
    return import_documents(name=f"{n} queries", documents=documents, user=user, public=public)


def give(
    collection: Collection,
    scores: Scores,
    user: User,
    *,
    measure: str = "qc4_f",
    published: bool = True,
    missing: Mapping[str, Sequence[int]] | None = None,
    repeat: str = "",
    policies: Policies | None = None,
) -> dict[str, Submission]:
    """Algorithm -> its submission, scored by one measure against the latest gold version.

    Args:
        missing: algorithm -> the places of queries that it has no clustering of.
        repeat: marks the submissions as runs that count together.
        policies: that they are scored under, by default the defaults.
    """
    version = collection.gold_versions.latest("number")
    measure_key, level, _ = columns((measure,), "", 2)[0].place
    submissions = {}
    for name, values in scores.items():
        algorithm, _ = Algorithm.objects.get_or_create(collection=collection, name=name)
        submission = Submission.objects.create(
            collection=collection,
            algorithm=algorithm,
            created_by=user,
            published=published,
            origin="command",
            repeat=repeat,
            sha256=f"{name:_<64}"[:64],
        )
        run = Run.objects.create(
            kind=Run.Kind.EVALUATION, collection=collection, submission=submission, gold_version=version,
            policies=(policies or Policies()).to_dict(), state=Run.State.DONE, started_at=timezone.now(),
            finished_at=timezone.now(),
        )  # fmt: skip
        absent = list((missing or {}).get(name, ()))
        undefined = [place for place, value in enumerate(values) if value is None and place not in absent]
        kept = [np.nan if value is None or place in absent else value for place, value in enumerate(values)]
        gaps = [["undefined", UNDEFINED, undefined], ["missing", "", absent]]
        RunColumn.objects.create(
            run=run, measure=measure_key, level=level, packed=np.array(kept, dtype="<f8").tobytes(),
            gaps=[gap for gap in gaps if gap[2]],
        )  # fmt: skip
        submissions[name] = submission
    return submissions
