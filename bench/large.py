"""Additional data of a large collection for `bench.pages`: a second gold version, clusterings, and curators' drafts."""

from __future__ import annotations

import json
import secrets
from random import Random
from typing import TYPE_CHECKING, Any
from zlib import compress

from bench.board import ALGORITHMS, QUERIES, fill_all, measure_keys

if TYPE_CHECKING:
    from qc4.model.gold_document import GoldDocument

CLUSTERED = 20
"""Number of algorithms with stored clusterings, which is the number that the topics page shows."""
CHANGED = 100
"""Number of queries with a different gold standard in the second version."""
DRAFTS = {"drafts-1": (1_000, 5), "drafts-2": (10_000, 5)}
"""Slug of a collection with one query -> its number of pages, and the number of submitted drafts."""
BRANCHES = (10, 5, 2)
"""Number of topics of each level below each topic of the level above."""


def fill_large() -> None:
    """Create all data in a separate process. Print a session cookie and the ids of the drafts."""
    fill_all()
    from django.db import transaction

    with transaction.atomic():
        _second_version()
        _clusterings()
        made = _drafts()
    print(json.dumps(made))


def _second_version() -> None:
    """Add gold version 2 of the collection ``many``, which changes a fifth of the queries, and its scores."""
    import numpy as np
    from django.utils import timezone

    from annotations.models import Collection, Gold, GoldFile, GoldVersion, GoldVersionEntry
    from evaluation.models import Run, RunColumn, Submission
    from evaluation.scoring.columns import columns
    from qc4.model.policies import Policies
    from qc4.version import ENGINE_VERSION

    collection, random = Collection.objects.get(slug="many"), np.random.default_rng(5)
    first = collection.gold_versions.get()
    version = GoldVersion.objects.create(collection=collection, number=2, sha256="1" * 64)
    for place, entry in enumerate(first.entries.select_related("gold__file").order_by("query__position")):
        gold = entry.gold
        if place < CHANGED:
            packed = gold.file.packed
            gold.pk, gold.sha256 = None, f"v2-{entry.query_id:061}"
            gold.save()
            GoldFile.objects.create(gold=Gold.objects.get(pk=gold.pk), packed=packed)
        GoldVersionEntry.objects.create(version=version, query_id=entry.query_id, gold=gold)
    keys = measure_keys()
    about = {
        "kind": "evaluation", "collection": collection, "gold_version": version, "state": "done",
        "policies": Policies().to_dict(), "measures": dict.fromkeys(keys, 1), "finished_at": timezone.now(),
    }  # fmt: skip
    submissions = Submission.objects.filter(collection=collection).order_by("pk")
    runs = Run.objects.bulk_create(Run(**about, submission=one) for one in submissions)
    for column in columns(keys, "", 2):
        values = np.clip(random.normal(0.5, 0.1, (ALGORITHMS, QUERIES)), 0, 1).astype("<f8")
        RunColumn.objects.bulk_create(
            RunColumn(run=run, measure=column.key, level=column.level, packed=row.tobytes(), engines=[ENGINE_VERSION])
            for run, row in zip(runs, values, strict=True)
        )


def _clusterings() -> None:
    """Add clusterings of the first algorithms of ``many``: 100 pages in 20 random clusters."""
    from annotations.models import Query
    from evaluation.models import Clustering, Submission
    from evaluation.models.submissions import ClusteringFile

    random = Random(3)  # noqa: S311  # clusters for a benchmark, not secrets
    queries = list(Query.objects.filter(collection__slug="many").order_by("position"))
    for submission in Submission.objects.filter(collection__slug="many").order_by("pk")[:CLUSTERED]:
        facts = {"n_clusters": 20, "n_memberships": 100, "n_pages_covered": 100}
        rows = Clustering.objects.bulk_create(
            Clustering(submission=submission, query=query, sha256=f"{submission.pk:032}{query.pk:032}", **facts)
            for query in queries
        )
        ClusteringFile.objects.bulk_create(
            ClusteringFile(clustering=row, packed=compress(_clustering(row.query.key, random))) for row in rows
        )


def _clustering(query: str, random: Random) -> bytes:
    pages = [f"p{number}" for number in range(100)]
    random.shuffle(pages)
    clusters = [{"id": f"c{number}", "label": f"Cluster {number}", "pages": pages[number::20]} for number in range(20)]
    return json.dumps({"format": "qc4-clustering/1", "query": query, "clusters": clusters}).encode()


def _drafts() -> dict[str, Any]:
    """Add submitted drafts with three levels that agree on most pages. Return their ids and a curator's cookie."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User
    from annotations.drafts import services as drafts
    from annotations.drafts.services import lifecycle
    from annotations.imports.services import import_documents

    curators = [User.objects.create_user(f"curator-{n}", password=secrets.token_urlsafe(16)) for n in range(5)]
    made: dict[str, list[int]] = {}
    for slug, (pages, many) in DRAFTS.items():
        collection = import_documents(name=slug, slug=slug, documents=[_hierarchy(pages, None)], user=curators[0])
        for number, curator in enumerate(curators[:many]):
            document, query = _hierarchy(pages, number), collection.queries.get()
            draft = drafts.from_file(document=document, query=query, user=curator, kind="own")
            lifecycle.submit(draft)
            made.setdefault(slug, []).append(draft.pk)
    client = Client(SERVER_NAME="localhost")
    client.force_login(curators[0], "django.contrib.auth.backends.ModelBackend")
    name = settings.SESSION_COOKIE_NAME
    return {"cookie": {"name": name, "value": client.cookies[name].value}, "drafts": made}


def _hierarchy(n_pages: int, seed: int | None) -> GoldDocument:
    """Return a gold standard with each page in two topics of level 3, which mostly do not depend on the seed.

    Without a seed, there are no topics.
    """
    from qc4.model.gold_document import GoldDocument, Page, Topic

    pages = tuple(Page(f"p{number}", number + 1) for number in range(n_pages))
    if seed is None:
        return GoldDocument("large", "large", pages)
    roots, below, leaves = BRANCHES
    upper = [Topic(f"t{a}", f"Topic {a}") for a in range(roots)]
    middle = [Topic(f"{one.id}.{b}", f"{one.name}.{b}", one.id) for one in upper for b in range(below)]
    names = [(f"{one.id}.{c}", f"{one.name}.{c}", one.id) for one in middle for c in range(leaves)]
    common, own = Random(1), Random(f"draft {seed}")  # noqa: S311  # as above
    held: dict[str, list[str]] = {leaf: [] for leaf, _, _ in names}
    for page in pages:
        usual, other = (random.sample(list(held), 2) for random in (common, own))
        for leaf in usual if own.random() < 0.8 else other:
            held[leaf].append(page.id)
    lower = [Topic(leaf, name, parent, pages=tuple(held[leaf])) for leaf, name, parent in names]
    return GoldDocument("large", "large", pages, (*upper, *middle, *lower))
