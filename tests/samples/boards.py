"""Collections whose scores are written down: boards to check by hand, without a clustering behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from math import nan

import numpy as np
from django.utils import timezone

from annotations.models import Collection, GoldVersion, Query
from annotations.models.gold import Gold
from evaluation.models import Algorithm, Run, RunColumn, Submission
from evaluation.scoring.columns import columns
from qc4.model.policies import Policies
from qc4.version import ENGINE_VERSION

Scores = Mapping[str, Sequence[float | str | None]]
"""Algorithm, "NAME#REPEAT" or "NAME=BASELINE" -> a value for each query; None without a clustering, words where the
measure is undefined."""

DEFAULT = Policies()

_numbers = count(1)


def board_of(scores: Scores, measure: str = "qc4_f", **more: Scores) -> Collection:
    """A public collection with queries q1, q2, .. and a finished run for each line.

    Args:
        more: the scores by other measures, of the same lines.
    """
    number = next(_numbers)
    collection = Collection.objects.create(slug=f"board-{number}", name=f"Board {number}", visibility="public")
    version = GoldVersion.objects.create(collection=collection, number=1, sha256="ab" * 32)
    for place in range(len(next(iter(scores.values())))):
        query = Query.objects.create(
            collection=collection, key=f"q{place + 1}", text=f"query {place + 1}", position=place
        )
        facts = {"n_pages": 9, "n_topics": 2, "n_levels": 1, "n_outliers": 0, "topics_per_level": [2]}
        version.entries.create(query=query, gold=Gold.objects.create(query=query, sha256=f"{query.pk:064}", **facts))
    fill(collection, {measure: scores, **more})
    return collection


def fill(collection: Collection, by_measure: Mapping[str, Scores], policies: Policies = DEFAULT) -> None:
    """A finished run for each line of scores, which are the same lines by each measure.

    Args:
        policies: under which the scores are.
    """
    for line in next(iter(by_measure.values())):
        run = another_run(collection, line, policies)
        for key, of_measure in by_measure.items():
            run.columns.add(_column(run, key, of_measure[line]), bulk=False)


def another_run(collection: Collection, line: str, policies: Policies = DEFAULT) -> Run:
    """A finished run without scores yet, of a new submission."""
    name, _, repeat = line.partition("#")
    name, _, baseline = name.partition("=")
    algorithm, _ = Algorithm.objects.get_or_create(collection=collection, name=name, baseline=baseline)
    submission = Submission.objects.create(
        collection=collection, algorithm=algorithm, repeat=repeat, published=True, origin="command", sha256="0" * 64
    )
    return Run.objects.create(
        kind=Run.Kind.EVALUATION,
        collection=collection,
        submission=submission,
        gold_version=collection.gold_versions.latest("number"),
        policies=policies.to_dict(),
        state=Run.State.DONE,
        finished_at=timezone.now(),
    )


def _column(run: Run, measure: str, values: Sequence[float | str | None]) -> RunColumn:
    column = columns((measure,), "", 1)[0]
    gaps: list[list[object]] = []
    for place, value in enumerate(values):
        if value is None:
            gaps.append(["missing", "", [place]])
        elif isinstance(value, str):
            gaps.append(["undefined", value, [place]])
    packed = np.array([value if isinstance(value, float) else nan for value in values], dtype="<f8").tobytes()
    return RunColumn(run=run, measure=measure, level=column.level, packed=packed, gaps=gaps, engines=[ENGINE_VERSION])


def add_run(collection: Collection, line: str, values: Sequence[float | str | None], measure: str = "qc4_f") -> Run:
    """One more finished run with its scores."""
    run = another_run(collection, line)
    run.columns.add(_column(run, measure, values), bulk=False)
    return run
