"""Have the baselines run on a stream, so that a new stream has something to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from accounts.models import User
from annotations.models import Stream
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.limits import LARGEST_SEED
from evaluation.models import Run
from evaluation.services import runs
from evaluation.stream_settings import StreamSettings
from qc4.problems import ProblemList


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
    problems = ProblemList()
    for key in keys or ():
        if key not in STREAM_BASELINES:
            close = get_close_matches(key, STREAM_BASELINES, 1)
            fix = f"Did you mean {close[0]!r}?" if close else ""
            problems.error("unknown-baseline", "baseline", repr(key), f"one of {', '.join(STREAM_BASELINES)}", fix)
    if not 0 <= seed <= LARGEST_SEED:
        problems.error("seed", "seed", str(seed), f"a whole number from 0 to {LARGEST_SEED:,}")
    problems.refuse_errors()
    chosen = {"keys": list(dict.fromkeys(keys or STREAM_BASELINES)), "seed": seed}
    return runs.enqueue(
        kind=Run.Kind.STREAM_BASELINES,
        queue=queue,
        collection=stream.collection,
        stream=stream,
        options={**chosen, **(settings or StreamSettings()).to_dict()},
        user=user,
        limited=limited,
    )
