"""Have the baselines run on a stream, so that a new stream has something to compare with."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User
from annotations.models import Stream
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.models import Run
from evaluation.services import runs
from evaluation.services.baselines import key_problems, seed_problems
from evaluation.stream_settings import StreamSettings


def enqueue(
    *,
    stream: Stream,
    keys: Sequence[str] | None = None,
    settings: StreamSettings | None = None,
    seed: int = 0,
    user: User | None = None,
    queue: str = "interactive",
    limited: bool = True,
) -> Run:
    """Queue baselines on a stream.

    Args:
        keys: of `evaluation.baselines.streams.STREAM_BASELINES`; None for all.
        settings: which points a baseline clusters at a time, and what it is measured with.

    Raises:
        InputError: unknown baselines, a seed out of range.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = key_problems(keys or (), STREAM_BASELINES)
    problems.extend(seed_problems(seed))
    problems.refuse_errors()
    chosen = {"keys": list(dict.fromkeys(keys or STREAM_BASELINES)), "seed": seed}
    run = Run(
        kind=Run.Kind.STREAM_BASELINES,
        queue=queue,
        collection=stream.collection,
        stream=stream,
        options={**chosen, **(settings or StreamSettings()).to_dict()},
    )
    return runs.enqueue(run, user, limited=limited)
