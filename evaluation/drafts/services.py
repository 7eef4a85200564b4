"""Start a draft from an algorithm's clusters, and publish a draft in the next gold version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.models import User
from annotations.drafts.services import empty_state, start
from annotations.drafts.services.errors import draft_closed_error
from annotations.drafts.state_machine import DraftState, OperationError, apply, compile
from annotations.limits import DRAFT_TOPICS, NAME_CHARS
from annotations.models import Draft, DraftPublication, GoldVersion, Query
from annotations.workspace.services import new_topic_id
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.drafts.selectors import Publication, publication
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Run, Submission
from evaluation.scoring.cases import clustering
from qc4.model.clustering import Cluster
from qc4.problems import InputError, Problem
from qc4.wording import clipped


def from_clustering(*, submission: Submission, query: Query, **given: Any) -> Draft:
    """Start a draft with suggestions: the clusters as topics, with the same nesting, and their pages as hints.

    Args:
        given: user, name and kind, as in `annotations.drafts.services.start`.

    Raises:
        InputError: the submission was made from the gold standard, has no clustering of the query, or has more clusters
            than a draft may have topics.
    """
    if submission.algorithm.baseline in MADE_FROM_GOLD:
        found = f"submission {submission.pk}, made from the gold standard by the baseline {submission.algorithm.name}"
        fix = "Start from the gold version itself, or from the clusters of another algorithm."
        raise InputError(
            [Problem("made-from-gold", "submission", found, "a submission made without the gold standard", fix)]
        )
    row = submission.clusterings.filter(query=query).first()
    if row is None:
        found = f"submission {submission.pk}, which has no clustering of this query"
        raise InputError([Problem("no-clustering", "submission", found, "a submission with a clustering of it")])
    if row.n_clusters > DRAFT_TOPICS:
        found = f"{row.n_clusters:,} clusters of {submission.algorithm.name}"
        fix = "Start from a clustering with fewer clusters."
        raise InputError([Problem("too-many-topics", "clusters", found, f"at most {DRAFT_TOPICS:,}", fix)])
    algorithm = submission.algorithm.name
    state = with_suggestions(empty_state(query), algorithm, clustering(row).clusters)
    words = f"the clusters of {algorithm}"
    facts = {"from": "clustering", "submission": submission.pk, "algorithm": algorithm, "words": words}
    return start(query=query, state=state, started_from=facts, **given)


def with_suggestions(state: DraftState, source: str, clusters: Sequence[Cluster]) -> DraftState:
    """Return the state with clusters suggested as topics. Raises InputError if there are more than it can hold."""
    ids = {cluster.id: new_topic_id() for cluster in clusters}
    ordered = _parents_first(clusters)
    held: dict[str, set[str]] = {}
    for cluster, parent in ordered:
        if parent is not None:
            held.setdefault(parent, set()).update(cluster.pages)
    topics = [
        {"topic": ids[cluster.id], "name": _name(cluster), "parent": ids[parent] if parent is not None else None}
        for cluster, parent in ordered
    ]
    hints = [
        [ids[cluster.id], [page for page in cluster.pages if page not in held.get(cluster.id, ())]]
        for cluster, _ in ordered
    ]
    operation = {"kind": "suggest", "source": _one_line(source) or "an algorithm", "topics": topics, "hints": hints}
    try:
        return apply(state, compile(state, operation), 0)
    except OperationError as error:
        raise InputError([Problem(error.code, "clusters", error.message, "fewer clusters", error.fix)]) from error


def _parents_first(clusters: Sequence[Cluster]) -> list[tuple[Cluster, str | None]]:
    """Pair clusters with their parent's id, each parent before its children; unknown parents are omitted."""
    by_id = {cluster.id: cluster for cluster in clusters}
    placed: dict[str, tuple[Cluster, str | None]] = {}

    def place(cluster: Cluster) -> None:
        chain: list[Cluster] = []
        step: Cluster | None = cluster
        while step is not None and step.id not in placed and step not in chain:
            chain.append(step)
            step = by_id.get(step.parent) if step.parent is not None else None
        for link in reversed(chain):
            placed[link.id] = link, link.parent if link.parent in placed else None

    for cluster in clusters:
        place(cluster)
    return list(placed.values())


def _name(cluster: Cluster) -> str:
    return _one_line(cluster.label) or _one_line(cluster.id) or "cluster"


def _one_line(text: str) -> str:
    """Shorten text to one line that is valid as a topic name."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return clipped(" ".join(printable.split()), NAME_CHARS)


# --- Publish a draft as its query's gold standard in the collection's next version ---


@dataclass(frozen=True, slots=True)
class Published:
    """The effects of publishing, the version that now contains the draft, whether it is new, and the queued runs."""

    found: Publication
    version: GoldVersion
    is_new: bool
    runs: list[Run]


def publish_draft(*, draft: Draft, revision: int, user: User, note: str = "") -> Published:
    """Publish a draft at a given revision. Other queries keep their gold standard and their scores.

    Args:
        revision: the revision that the publisher read.

    Raises:
        InputError: the draft has a later revision, or it breaks one of the rules R1-R6. Nothing is published.
        DraftError: the draft is archived.
    """
    with transaction.atomic():
        # The row is locked so that nothing is added between the check and the publication.
        held = Draft.objects.select_for_update().get(pk=draft.pk)
        if held.archived_at is not None:
            raise draft_closed_error(held.status, archived=True)
        found = publication(held)
        if found.revision != revision:
            raise InputError([_moved_on(revision, found.revision)])
        before = held.query.collection.gold_versions.order_by("-number").values_list("pk", flat=True).first()
        version, started = publish_and_reevaluate(
            collection=held.query.collection, documents=[found.document], user=user, note=note
        )
        gold = version.entries.get(query=held.query_id).gold
        DraftPublication.objects.get_or_create(
            draft=held, version=version, defaults={"revision": revision, "gold": gold, "published_by": user}
        )
    return Published(found, version, version.pk != before, started)


def _moved_on(seen: int, now: int) -> Problem:
    return Problem(
        "draft-moved-on",
        "revision",
        f"revision {seen}, but the draft is at revision {now} now",
        "the draft's current revision",
        "Look at the changes since then, and publish again.",
    )
