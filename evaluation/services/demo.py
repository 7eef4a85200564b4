"""The demo collection: what a newcomer sees first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from accounts.models import User
from annotations.imports.services import import_documents
from annotations.models import Collection, Membership, Role
from annotations.people.services.roles import add_role
from evaluation.models import Run, Submission
from evaluation.services import baselines, demo_stream, submissions
from evaluation.services.checking import check
from evaluation.services.provenance import Provenance
from qc4.io import read_collection

SLUG = "demo"
NAME = "Demo: ambiguous words"
DESCRIPTION = (
    "Twelve ambiguous queries with invented pages, a gold standard for each, the answers of six invented algorithms, "
    "and the built-in baselines. Look around, submit to it, delete it: nothing here is real."
)
OWNER = "demo"
DRAWS = 5
"""Of the random baseline: fewer than elsewhere, as people wait for the first page."""
FILES = Path(settings.BASE_DIR) / "demo"


def is_wanted() -> bool:
    """Whether to load it unasked: on an empty site, or to complete it. Who deleted it beside others wants it gone."""
    return Collection.objects.filter(slug=SLUG).exists() or not Collection.objects.exists()


def load(files: Path = FILES) -> list[Run]:
    """Put in whatever of the demo collection is not there yet. Its baselines come last: once they are asked for, what
    is missing was deleted, and stays away.

    Returns:
        The runs that have to be carried out until every answer is scored; empty once it is complete. After a
        baselines run there are more: call it again.
    """
    owner = User.objects.filter(username=OWNER).first()
    collection = Collection.objects.filter(slug=SLUG).first() or _import(files, owner)
    if owner is not None and not Membership.objects.filter(collection=collection, role=Role.OWNER).exists():
        add_role(collection=collection, user=owner, role=Role.OWNER)
    ours = Run.objects.filter(collection=collection)
    if not ours.filter(kind=Run.Kind.BASELINES).exclude(state__in=[Run.State.FAILED, Run.State.CANCELLED]).exists():
        _submit_missing(collection, files, owner)
        demo_stream.load(collection, owner)
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
    """The files of answers and the names of their algorithms, as the demo's README gives them."""
    for path in sorted((files / "submissions").iterdir()):
        yield path, path.stem.replace("-", " ").title()


def _submit(collection: Collection, path: Path, name: str, owner: User | None) -> None:
    provenance = Provenance(owner, Submission.Origin.COMMAND, published=True, limited=False)
    submissions.submit(collection, check(collection, path, algorithm=name), provenance)
