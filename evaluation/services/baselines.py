"""Have the built-in baselines run on a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from accounts.models import User
from annotations.models import Collection
from evaluation.baselines import BASELINES, Baseline
from evaluation.baselines.streams import StreamBaseline
from evaluation.limits import LARGEST_SEED
from evaluation.models import Algorithm, Run
from evaluation.services import runs
from qc4.problems import ProblemList


def enqueue(
    *,
    collection: Collection,
    keys: Sequence[str] | None = None,
    seed: int = 0,
    user: User | None = None,
    queue: str = "interactive",
    limited: bool = True,
) -> Run:
    """Queue baselines on a collection.

    Args:
        keys: of `evaluation.baselines.BASELINES`; None for all that have what they need (gold standards, full text).

    Raises:
        InputError: unknown baselines, a seed out of range, no queries.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = order_problems(keys or (), BASELINES, seed)
    if not collection.queries.exists():
        problems.error("no-queries", collection.name, "a collection without queries", "queries with pages")
    problems.refuse_errors()
    options = {"keys": list(dict.fromkeys(keys or BASELINES)), "chosen": bool(keys), "seed": seed}
    run = Run(kind=Run.Kind.BASELINES, queue=queue, collection=collection, options=options)
    return runs.enqueue(run, user, limited=limited)


def order_problems(keys: Iterable[str], known: Mapping[str, object], seed: int) -> ProblemList:
    """What is wrong with an order of baselines: keys that are not known, a seed out of range."""
    problems = ProblemList()
    for key in keys:
        if key not in known:
            close = get_close_matches(key, known, 1)
            fix = f"Did you mean {close[0]!r}?" if close else ""
            problems.error("unknown-baseline", "baseline", repr(key), f"one of {', '.join(known)}", fix)
    if not 0 <= seed <= LARGEST_SEED:
        problems.error("seed", "seed", str(seed), f"a whole number from 0 to {LARGEST_SEED:,}")
    return problems


def algorithm_name(collection: Collection, baseline: Baseline | StreamBaseline) -> str:
    """The baseline's title, or another where somebody has given that name to an algorithm of their own."""
    known = Algorithm.objects.filter(collection=collection, baseline=baseline.key).first()
    if known is not None:
        return known.name
    name = baseline.title
    while collection.algorithms.filter(name__iexact=name).exists():
        name = f"{name} (built in)"
    return name
