"""Queue sweeps: runs of baselines with many settings, for model selection (docs/users/pac-mdl.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accounts.models import User
from annotations.models import Collection
from evaluation.baselines import BASELINES
from evaluation.limits import LARGEST_SEED, SWEEP_CLUSTERS, SWEEP_SUBMISSIONS
from evaluation.models import Run
from evaluation.runs import services as runs
from qc4.problems import ProblemList

SWEEPABLE = tuple(baseline for baseline in BASELINES.values() if baseline.takes_k)
DEFAULT_ALGORITHMS = ("random", "kmeans", "bisecting_kmeans", "agglomerative")
DEFAULT_CLUSTERS = (2, 3, 5, 8, 12)
DEFAULT_INITIALISATIONS = 3


def enqueue(
    *,
    collection: Collection,
    algorithms: Sequence[str] = DEFAULT_ALGORITHMS,
    clusters: Sequence[int] = DEFAULT_CLUSTERS,
    initialisations: int = DEFAULT_INITIALISATIONS,
    seed: int = 0,
    user: User | None = None,
) -> Run:
    """Queue a sweep: every algorithm with every number of clusters and every initialisation.

    Args:
        algorithms: keys of baselines that take a number of clusters.
        clusters: requested numbers of clusters.
        initialisations: number of initialisations per setting; their seeds are ``seed``, ``seed + 1``, …

    Raises:
        InputError: if settings are invalid or more than `SWEEP_SUBMISSIONS`; all problems are listed.
        TooManyRuns: if a limit on unfinished runs is reached.
    """
    options = {
        "algorithms": list(dict.fromkeys(algorithms)),
        "clusters": sorted(set(clusters)),
        "initialisations": initialisations,
        "seed": seed,
    }
    _check(collection, options)
    return runs.enqueue(Run(kind=Run.Kind.SWEEP, queue="bulk", collection=collection, options=options), user)


def _check(collection: Collection, options: dict[str, Any]) -> None:
    problems = ProblemList()
    known = [baseline.key for baseline in SWEEPABLE]
    for key in options["algorithms"]:
        if key not in known:
            problems.error("unknown-baseline", "algorithms", repr(key), f"some of {', '.join(known)}")
    for number in options["clusters"]:
        if not 1 <= number <= SWEEP_CLUSTERS:
            problems.error("out-of-range", "clusters", str(number), f"whole numbers from 1 to {SWEEP_CLUSTERS}")
    for name in ("algorithms", "clusters"):
        if not options[name]:
            problems.error("required", name, "none", "at least one")
    starts, seed = options["initialisations"], options["seed"]
    if starts < 1:
        problems.error("out-of-range", "initialisations", str(starts), "1 or more")
    if not 0 <= seed <= seed + max(starts, 1) - 1 <= LARGEST_SEED:
        problems.error("seed", "seed", str(seed), f"seeds from 0 to {LARGEST_SEED:,} for all initialisations")
    asked = len(options["algorithms"]) * len(options["clusters"]) * max(starts, 1)
    if asked > SWEEP_SUBMISSIONS:
        fix = "Choose fewer algorithms or numbers of clusters, or run several sweeps with different seeds."
        problems.error("too-many", "the sweep", f"{asked:,} settings", f"at most {SWEEP_SUBMISSIONS}", fix)
    if not collection.queries.exists():
        problems.error("no-queries", collection.name, "a collection without queries", "queries with pages")
    problems.refuse_errors()
