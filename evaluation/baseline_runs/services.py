"""Queue runs of the built-in baselines on a collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q

from accounts.models import User
from annotations.models import Collection
from common.confusables import look
from evaluation.baselines import BASELINES
from evaluation.baselines.orders import parse_specs
from evaluation.limits import ALGORITHM_CHARS, BASELINES_AT_ONCE, DRAWS, LARGEST_SEED, MAX_DRAWS
from evaluation.models import Algorithm, Run
from evaluation.runs import services as runs
from qc4.problems import ProblemList
from qc4.wording import did_you_mean


def enqueue(
    *,
    collection: Collection,
    keys: Sequence[str] | None = None,
    seed: int = 0,
    draws: int = DRAWS,
    user: User | None = None,
    queue: str = "interactive",
    limited: bool = True,
) -> Run:
    """Queue baselines on a collection.

    Args:
        keys: keys of `evaluation.baselines.BASELINES`, with parameters in the notation of `evaluation.baselines.Order`
            (``kmeans:k=8``); None for all whose inputs (gold standards, full text) exist.
        draws: number of draws of the baselines that count as the mean of many draws, with consecutive seeds from
            ``seed``.

    Raises:
        InputError: unknown baselines or parameters, a seed or a number of draws out of range, no queries.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = ProblemList()
    if keys is not None and len(keys) > BASELINES_AT_ONCE:
        problems.error("too-many", "baselines", f"{len(keys):,} baselines", f"at most {BASELINES_AT_ONCE} at once")
        problems.refuse_errors()
    orders = parse_specs(keys or list(BASELINES), problems)
    problems.extend(seed_problems(seed, draws))
    if not collection.queries.exists():
        problems.error("no-queries", collection.name, "a collection without queries", "queries with pages")
    problems.refuse_errors()
    options = {"keys": [order.written for order in orders], "chosen": bool(keys), "seed": seed, "draws": draws}
    run = Run(kind=Run.Kind.BASELINES, queue=queue, collection=collection, options=options)
    return runs.enqueue(run, user, limited=limited)


def seed_problems(seed: int, draws: int = 1) -> ProblemList:
    """The problems of a seed, and of the seeds of the following draws."""
    problems = ProblemList()
    if not 0 <= seed <= LARGEST_SEED:
        problems.error("seed", "seed", str(seed), f"a whole number from 0 to {LARGEST_SEED:,}")
    elif seed + draws - 1 > LARGEST_SEED:
        problems.error("seed", "seed", f"{seed} and {draws} draws", f"a last seed of at most {LARGEST_SEED:,}")
    if not 1 <= draws <= MAX_DRAWS:
        problems.error("out-of-range", "draws", str(draws), f"a whole number from 1 to {MAX_DRAWS}")
    return problems


def key_problems(keys: Iterable[str], known: Mapping[str, object]) -> ProblemList:
    """Report baseline keys that are unknown."""
    problems = ProblemList()
    for key in keys:
        if key not in known:
            fix = did_you_mean(key, known)
            problems.error("unknown-baseline", "baseline", repr(key), f"one of {', '.join(known)}", fix)
    return problems


def algorithm_name(collection: Collection, baseline: str, settings: str, title: str) -> str:
    """The name of a baseline with these settings: its title, or a marked title if another algorithm has that name."""
    known = Algorithm.objects.filter(collection=collection, baseline=baseline, settings=settings).first()
    if known is not None:
        return known.name
    marked = " (built in)"
    name = title if len(title) <= ALGORITHM_CHARS else f"{title[: ALGORITHM_CHARS - 1]}…"
    while collection.algorithms.filter(Q(name__iexact=name) | Q(look=look(name), baseline="")).exists():
        name = f"{name[: ALGORITHM_CHARS - len(marked)]}{marked}"
    return name
