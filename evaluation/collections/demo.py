"""The demo collection and its stream, which new users see first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from accounts.models import User
from annotations.collections import streams as stored
from annotations.imports.services import import_documents
from annotations.models import Collection, Membership, Role
from annotations.people.services.roles import add_role
from evaluation.baseline_runs import services as baselines
from evaluation.models import Run, StreamSubmission, Submission
from evaluation.stream_settings import StreamSettings
from evaluation.streams import services as streams
from evaluation.submissions import services as submissions
from evaluation.submissions.services import Provenance, check
from qc4.io import read_collection
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.streams.measure import GroundTruth
from qc4.streams.series import Snapshot
from qc4.streams.stream import LastPoints
from studies.streams.generator import GeneratorSettings, join_clusters, moving_clusters, shrink_clusters

# --- The stream of the demo collection: moving clusters, baselines, and an invented algorithm that makes errors ---

STREAM_KEY = "moving-clusters"
STREAM_TEXT = "Six moving clusters"
STREAM_ALGORITHM = "Late Riser"
STREAM_SETTINGS = StreamSettings(LastPoints(500))
MOVEMENT, SEED = GeneratorSettings(points=3_000, interval=50, radius=0.07, noise=0.08), 11
MOMENTS = 20


def load_stream(collection: Collection, owner: User | None) -> None:
    """Add the missing parts of the demo stream."""
    made = stream_document()
    stream = collection.streams.filter(key=STREAM_KEY).first() or stored.add_stream(collection, made, owner)
    if not stream.submissions.exists():
        provenance = Provenance(owner, StreamSubmission.Origin.COMMAND, published=True, limited=False)
        streams.submit(stream, made, flawed_clusterings(made), provenance, settings=STREAM_SETTINGS)
    if not stream.runs.filter(kind=Run.Kind.STREAM_BASELINES).exists():
        streams.enqueue_baselines(stream=stream, settings=STREAM_SETTINGS, user=owner, limited=False)


def stream_document() -> StreamDocument:
    """The stream document; a fixed seed makes it the same each time."""
    points = moving_clusters(MOVEMENT, SEED)
    names = tuple(f"class {number + 1}" for number in range(MOVEMENT.clusters))
    return StreamDocument(STREAM_KEY, points.points.round(6), points.classes, names, points.times, STREAM_TEXT)


def flawed_clusterings(of: StreamDocument) -> StreamClustering:
    """Clusters that fit at first, then shrink, and merge with neighbours in the second half of the stream."""
    snapshots = []
    for number in range(1, MOMENTS + 1):
        now = float(of.times[number * of.n_points // MOMENTS - 1])
        kept, weights = STREAM_SETTINGS.horizon.select(of.times, now)
        truth = GroundTruth.prepare(of.points[kept], of.classes[kept], weights)
        level = number / MOMENTS
        snapshots.append(
            Snapshot(now, shrink_clusters(truth, level) if level <= 0.5 else join_clusters(truth, 2 * level - 1))
        )
    ids = tuple(tuple(str(number + 1) for number in range(len(snapshot.clusters))) for snapshot in snapshots)
    return StreamClustering(of.id, tuple(snapshots), ids, STREAM_ALGORITHM, {"invented": True})


SLUG = "demo"
NAME = "Demo: ambiguous words"
DESCRIPTION = (
    "Twelve ambiguous queries with invented pages, a gold standard for each, the clusterings of six invented "
    "algorithms, and the built-in baselines. Look around, submit to it, delete it: nothing here is real."
)
OWNER = "demo"
DRAWS = 5
"""Number of draws of the random baseline; fewer than elsewhere, because users wait for the first page."""
FILES = Path(settings.BASE_DIR) / "demo"


def is_wanted() -> bool:
    """True if the demo loads automatically: on an empty site, or to complete it.

    A demo that was deleted while other collections exist does not come back.
    """
    return Collection.objects.filter(slug=SLUG).exists() or not Collection.objects.exists()


def load(files: Path = FILES) -> list[Run]:
    """Add the missing parts of the demo collection.

    Its baselines come last: once they were requested, missing parts were deleted by someone and are not added again.

    Returns:
        The runs to execute until every clustering is scored; empty once the demo is complete. After a baselines run
        there are more runs, so call this again.
    """
    owner = User.objects.filter(username=OWNER).first()
    collection = Collection.objects.filter(slug=SLUG).first() or _import(files, owner)
    if owner is not None and not Membership.objects.filter(collection=collection, role=Role.OWNER).exists():
        add_role(collection=collection, user=owner, role=Role.OWNER)
    ours = Run.objects.filter(collection=collection)
    if not ours.filter(kind=Run.Kind.BASELINES).exclude(state__in=[Run.State.FAILED, Run.State.CANCELLED]).exists():
        _submit_missing(collection, files, owner)
        load_stream(collection, owner)
        baselines.enqueue(collection=collection, draws=DRAWS, user=owner, limited=False)
    return list(ours.exclude(state__in=Run.ENDED).order_by("pk"))


def _submit_missing(collection: Collection, files: Path, owner: User | None) -> None:
    present = set(collection.algorithms.filter(submissions__isnull=False).values_list("name", flat=True))
    for path, name in _answers(files):
        if name not in present:
            _submit(collection, path, name, owner)


def _import(files: Path, owner: User | None) -> Collection:
    found = read_collection(files / "collection")
    return import_documents(
        documents=found.documents,
        name=NAME,
        slug=SLUG,
        user=owner,
        public=True,
        description=DESCRIPTION,
        participation=Collection.Participation.ANYBODY,
    )


def _answers(files: Path) -> Iterator[tuple[Path, str]]:
    """The submission files and the names of their algorithms, as in the demo's README."""
    for path in sorted((files / "submissions").iterdir()):
        yield path, path.stem.replace("-", " ").title()


def _submit(collection: Collection, path: Path, name: str, owner: User | None) -> None:
    provenance = Provenance(owner, Submission.Origin.COMMAND, published=True, limited=False)
    submissions.submit(collection, check(collection, path, algorithm=name), provenance)
