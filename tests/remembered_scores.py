"""Scores of the samples that hundreds of tests submit: computed by each process once, and stored by each run anew.

What is scored is known by its content, as the site knows it (`evaluation.scoring.cells`), and by the measures themselves:
one which a test puts in the place of another is computed. A test that changes anything else of the engine asks for
`computed_anew`. Workers of the job tests compute for themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from annotations.models import Gold, VectorSet
from evaluation.models import Clustering
from evaluation.scoring import cells
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.policies import Policies
from qc4.scoring.results import Score

MOST = 3_000
"""Scores kept of one clustering: larger answers are not what many tests share."""

Known = dict[tuple[object, ...], tuple[tuple[Measure, ...], tuple[Score, ...]]]

compute = cells.compute
_known: Known = {}


def remembered(
    clustering: Clustering, gold: Gold, policies: Policies, measures: Iterable[str], vectors: VectorSet | None = None
) -> tuple[Score, ...]:
    """`cells.compute`, asked about the same things once."""
    asked = tuple(measures)
    chosen = REGISTRY.select(asked)
    content = (clustering.sha256, gold.sha256, vectors and vectors.sha256, str(policies.to_dict()))
    key = (*content, *map(id, chosen))
    if key in _known:
        return _known[key][1]
    scores = compute(clustering, gold, policies, asked, vectors)
    if len(scores) <= MOST:
        _known[key] = chosen, scores
    return scores
