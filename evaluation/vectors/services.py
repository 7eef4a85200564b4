"""Queue runs that read page vectors or make them from page text, and queue the evaluations that change."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from annotations.collections import vectors
from annotations.collections.selectors import page_lists
from annotations.gold.selectors import latest_version
from annotations.models import Collection, Query, VectorSet
from evaluation.limits import LARGEST_SEED, TEXT_COMPONENTS
from evaluation.models import Run, Upload
from evaluation.runs import services as runs
from evaluation.scoring.cells import looks_at_vectors
from evaluation.scoring.effective import latest_submissions
from evaluation.scoring.selectors import policies_for
from qc4.io.source import Blob
from qc4.model.policies import Policies
from qc4.model.vectors import COMPONENTS
from qc4.problems import ProblemList
from work.leases import State


def enqueue_file(*, collection: Collection, upload: Upload, user: User | None) -> Run:
    """Queue a run that reads a file or ZIP of vectors (`annotations.collections.vectors.read_vector_file`).

    Raises:
        TooManyRuns: a limit on unfinished runs is reached.
    """
    return runs.enqueue(Run(kind=Run.Kind.VECTORS, collection=collection, upload=upload), user)


def enqueue_from_text(
    *, collection: Collection, components: int = COMPONENTS, seed: int = 0, user: User | None = None
) -> Run:
    """Queue a run that makes vectors of every query from the text of its pages (`qc4.model.vectors`).

    Raises:
        InputError: components or seed out of range, no queries.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = ProblemList()
    if not 1 <= components <= TEXT_COMPONENTS:
        problems.error("bad-components", "components", str(components), f"a whole number from 1 to {TEXT_COMPONENTS:,}")
    if not 0 <= seed <= LARGEST_SEED:
        problems.error("seed", "seed", str(seed), f"a whole number from 0 to {LARGEST_SEED:,}")
    if not collection.queries.exists():
        problems.error("no-queries", collection.name, "a collection without queries", "queries with pages")
    problems.refuse_errors()
    options = {"components": components, "seed": seed}
    return runs.enqueue(Run(kind=Run.Kind.VECTORS, collection=collection, options=options), user)


def put(query: Query, content: bytes, name: str, user: User | None) -> tuple[VectorSet, list[Run]]:
    """Store one query's vectors from a ``.npy`` or CSV file, and queue the evaluations they change.

    Raises:
        InputError: as in `qc4.io.read_vectors`.
    """
    pages = page_lists(query.collection)[query.key]
    found = vectors.read_vectors_of_query(query, Blob(name, content), pages)
    file = vectors.pack_vectors(query, found, VectorSet.Origin.UPLOADED, user)
    with transaction.atomic():
        changed = vectors.store_vectors([file])
        started = reevaluate(query.collection, user) if changed else []
    return changed[0] if changed else query.vector_sets.latest("pk"), started


def reevaluate(collection: Collection, user: User | None) -> list[Run]:
    """Queue the evaluation of every algorithm's latest submissions against the latest gold version.

    It covers all scoring options that the leaderboard is viewed with. Only measures that use vectors are computed. A
    run that is already queued will read the new vectors, so no other is queued.
    """
    version = latest_version(collection)
    if version is None:
        return []
    waiting = Run.objects.filter(kind=Run.Kind.EVALUATION, gold_version=version, state=State.QUEUED)
    enough = {
        (submission, Policies.parse(policies))
        for submission, policies, measures in waiting.values_list("submission_id", "policies", "measures")
        if any(map(looks_at_vectors, measures))
    }
    latest = latest_submissions(collection)
    sets = policies_for(version, set(latest.values_list("algorithm", flat=True)))
    return [
        runs.enqueue_evaluation(
            submission=submission, gold_version=version, user=user, policies=policies, queue="bulk", limited=False
        )
        for submission in latest
        for policies in sets[submission.algorithm_id]
        if (submission.pk, policies) not in enough
    ]
