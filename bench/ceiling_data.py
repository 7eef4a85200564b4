"""The data of `bench.ceiling`: a query, drafts, a stream and clusterings of the largest allowed size."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qc4.model.clustering import Clustering
    from qc4.model.gold_document import GoldDocument, Page

MEASURES = ("quality", "coverage", "qc4", "qc4_f")
"""Measures that score the submissions. Leaderboards read stored scores, whatever the measures are."""
MIDDLE_CLUSTERS, MIDDLE_TOPICS, MIDDLE_MEMBERSHIPS = 200, 300, 5_000
"""Sizes of the largest query that is scored here."""
TEXT = "The text of a search result, about as long as a long snippet. " * 5


def fill() -> None:
    """Write all data to the database of the settings, and print the keys and ids that URLs need."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from django.conf import settings

    from accounts.models import User
    from annotations.imports.services import import_documents
    from annotations.limits import COMPARED_DRAFTS, COMPARED_PLACEMENTS, COMPARED_TOPICS, SUGGESTED_TOPICS
    from common.limits import LIMITS
    from evaluation.gold.services import publish_and_reevaluate
    from evaluation.runs.execution import run_here

    settings.JOB_FAN_OUT_MEMBERSHIPS = LIMITS.memberships + 1
    owner = User.objects.create_user("owner")
    wide = {"topics": LIMITS.topics, "memberships": LIMITS.memberships}
    middle = {"topics": MIDDLE_TOPICS, "memberships": MIDDLE_MEMBERSHIPS}
    sizes = {"wide": wide, "middle": middle, "small": middle}
    documents = [few_topics("long"), *(many_topics(key, **size) for key, size in sizes.items())]
    collection = import_documents(name="Large", documents=documents, user=owner, public=True)
    answers = {"long": (200, LIMITS.memberships), "wide": (LIMITS.clusters, LIMITS.memberships)}
    answers["middle"] = (MIDDLE_CLUSTERS, MIDDLE_MEMBERSHIPS)
    answers["small"] = (MIDDLE_CLUSTERS, MIDDLE_MEMBERSHIPS // 2)
    made: dict[str, Any] = {"slug": collection.slug, "submissions": [], "scored": []}
    for seed in (1, 2):
        given = [answer(key, *size, seed=seed) for key, size in answers.items()]
        made["submissions"].append(_submitted(collection, given, owner, f"Algorithm {seed}")[0])
        # Scoring the largest query takes a worker minutes, and leaderboards read no more of it than of any other.
        scored, run = _submitted(collection, given[2:], owner, f"Scored {seed}")
        made["scored"].append(scored)
        run_here(run)
    latest = [many_topics("wide", seed=9, **wide)]
    _, runs = publish_and_reevaluate(collection=collection, documents=latest, user=owner)
    for run in runs:
        if run.submission_id in made["scored"]:
            run_here(run)

    wide_query, middle_query, small_query = (collection.queries.get(key=key) for key in sizes)
    made["draft"] = _draft(wide_query, owner, many_topics("wide", seed=1, **wide))
    roomy = wide | {"topics": LIMITS.topics - SUGGESTED_TOPICS}
    made["filling"] = _draft(wide_query, owner, _half_placed(many_topics("wide", seed=2, **roomy)))
    pair = [_draft(wide_query, owner, many_topics("wide", seed=seed, **wide), done=True) for seed in (1, 2)]
    two = {"topics": isqrt(COMPARED_TOPICS.most), "memberships": COMPARED_PLACEMENTS.most // 2}
    compared = [_draft(middle_query, owner, many_topics("middle", seed=seed, **two), done=True) for seed in (1, 2)]
    # The same number of pairs of topics and of placements in all.
    n_pairs = COMPARED_DRAFTS * (COMPARED_DRAFTS - 1) // 2
    each = {"topics": isqrt(COMPARED_TOPICS.most // n_pairs), "memberships": two["memberships"] // n_pairs}
    seeds = range(COMPARED_DRAFTS)
    group = [_draft(small_query, owner, many_topics("small", seed=seed, **each), done=True) for seed in seeds]
    made |= {"pair": pair, "compared": compared, "group": group}
    made |= {"adjudication": _adjudication(middle_query, compared, owner)}
    made |= {"thread": _talk(made["draft"], owner), **_stream(collection, owner)}
    print(json.dumps(made))


# --- Gold standards and clusterings -----------------------------------------------------------------------------------


def few_topics(key: str) -> GoldDocument:
    """Return a gold standard with the maximum number of pages, in 20 topics of 10 subtopics each."""
    from qc4.model.gold_document import GoldDocument, Topic

    pages = _pages()
    upper = tuple(Topic(f"t{n}", f"Topic {n}") for n in range(20))
    lower = tuple(
        Topic(f"s{n}", f"Subtopic {n}", f"t{n // 10}", pages=tuple(page.id for page in pages[n::200]))
        for n in range(200)
    )
    return GoldDocument(key, "few topics", pages, (*upper, *lower))


def many_topics(key: str, *, topics: int, memberships: int, seed: int = 0) -> GoldDocument:
    """Return a gold standard with the maximum number of pages, placed at random in topics of one level.

    Args:
        key: the key of the query.
        topics: number of topics.
        memberships: number of placements in all. If there are fewer than pages, the last pages are outliers.
        seed: random seed.
    """
    from qc4.model.gold_document import GoldDocument, Topic

    random, pages = Random(seed), _pages()  # noqa: S311  # topics for a benchmark, not secrets
    held: list[list[str]] = [[] for _ in range(topics)]
    for page in pages[:memberships]:
        for topic in random.sample(range(topics), max(1, memberships // len(pages))):
            held[topic].append(page.id)
    named = tuple(Topic(f"t{n}", f"Topic {n}", pages=tuple(ids)) for n, ids in enumerate(held))
    others = tuple(page.id for page in pages[memberships:])
    return GoldDocument(key, "many topics", pages, named, others)


def without_texts(document: GoldDocument) -> GoldDocument:
    """Return the document with only the ids of its pages."""
    from qc4.model.gold_document import Page

    return replace(document, pages=tuple(Page(page.id) for page in document.pages))


def _half_placed(document: GoldDocument) -> GoldDocument:
    """Remove every second page from all topics, so that pages can be predicted, suggested and grouped."""
    placed = {page.id for page in document.pages[::2]}
    kept = (replace(topic, pages=tuple(page for page in topic.pages if page in placed)) for topic in document.topics)
    return replace(document, topics=tuple(kept))


def _pages() -> tuple[Page, ...]:
    from common.limits import LIMITS
    from qc4.model.gold_document import Page

    return tuple(
        Page(f"p{n}", n + 1, f"https://site-{n}.example/", f"Page {n}", f"{TEXT}Number {n}, of kind {n % 97}.")
        for n in range(LIMITS.pages)
    )


def answer(query: str, n_clusters: int, memberships: int, seed: int) -> Clustering:
    """Return a clustering with random clusters of the same size."""
    from annotations.limits import LIMITS
    from qc4.model.clustering import Cluster, Clustering

    random = Random(seed)  # noqa: S311  # as above
    ids = [f"p{n}" for n in range(LIMITS.pages)]
    size = memberships // n_clusters
    clusters = (Cluster(f"c{n}", tuple(random.sample(ids, size)), f"Cluster {n}") for n in range(n_clusters))
    return Clustering(query, tuple(clusters))


def _submitted(collection: Any, answers: list[Clustering], owner: Any, algorithm: str) -> tuple[int, Any]:
    from annotations.collections.selectors import page_lists
    from evaluation.models import Submission
    from evaluation.submissions.reports import report_on
    from evaluation.submissions.services import Provenance, submit
    from qc4.model.clustering import SubmissionDocument

    report = report_on(SubmissionDocument(tuple(answers), algorithm), page_lists(collection))
    provenance = Provenance(owner, Submission.Origin.COMMAND, published=True)
    submission, run = submit(collection, report, provenance, measures=MEASURES)
    return submission.pk, run


# --- Drafts and streams -----------------------------------------------------------------------------------------------


def _draft(query: Any, owner: Any, document: GoldDocument, *, done: bool = False) -> int:
    from annotations.drafts import services as drafts
    from annotations.drafts.services import lifecycle

    draft = drafts.from_file(document=document, query=query, user=owner, kind="shared")
    if done:
        lifecycle.submit(draft)
    return draft.pk


def _adjudication(query: Any, pair: list[int], owner: Any) -> int:
    from annotations.adjudication import services as adjudication
    from annotations.models import Draft

    drafts = list(Draft.objects.filter(pk__in=pair).order_by("pk"))
    return adjudication.start(query=query, drafts=drafts, user=owner).pk


def _talk(draft: int, owner: Any) -> int:
    """Add the maximum number of threads to a draft, the last one with the maximum length. Return the last one's id."""
    from uuid import uuid4

    from annotations.discussion import services as comments
    from annotations.drafts.access import reach_draft
    from annotations.limits import COMMENT_CHARS, DRAFT_THREADS, THREAD_COMMENTS
    from annotations.models import Comment

    access, said = reach_draft(owner, draft), None
    for n in range(DRAFT_THREADS):
        said = comments.start(access, uuid4(), "x" * 100, about="page", key=f"p{n}")
    text = "word " * (COMMENT_CHARS // 5)
    last = Comment.objects.get(pk=said.thread.comments[0].id)
    fields = {field.attname: getattr(last, field.attname) for field in Comment._meta.fields if not field.primary_key}
    rows = [Comment(**fields | {"text": text, "op_id": uuid4()}) for _ in range(THREAD_COMMENTS - 1)]
    Comment.objects.bulk_create(rows)
    return said.thread.id


def _stream(collection: Any, owner: Any) -> dict[str, Any]:
    """Add a stream of the maximum size in two dimensions, clustered at as many time steps as a chart shows."""
    from annotations.collections import streams as stored_streams
    from annotations.limits import STREAM_NUMBERS
    from evaluation.limits import CHART_TIME_STEPS
    from evaluation.models import StreamSubmission
    from evaluation.streams import services as streams
    from evaluation.submissions.services import Provenance

    n_points = STREAM_NUMBERS.most // 2
    lines = ["time,class,x1,x2", *(f"{n},{'abcd'[n % 4]},{n % 4 * 10},{n % 7}" for n in range(n_points))]
    stream = stored_streams.add_stream(
        collection, stored_streams.read_stream_file("\n".join(lines).encode(), "flow.csv"), owner
    )
    times = [n_points // CHART_TIME_STEPS * (n + 1) - 1 for n in range(CHART_TIME_STEPS)]
    snapshots = [{"time": at, "clusters": [_last_points(at, of) for of in range(4)]} for at in times]
    given = {"format": "qc4-stream-clustering/1", "stream": stream.key, "algorithm": "Flow", "snapshots": snapshots}
    document, clustering = streams.check(stream, json.dumps(given).encode(), "flow.json", "Flow")
    provenance = Provenance(owner, StreamSubmission.Origin.COMMAND, published=True)
    submission, _ = streams.submit(stream, document, clustering, provenance)
    return {"stream": stream.key, "stream_submission": submission.pk}


def _last_points(at: int, of: int) -> dict[str, Any]:
    return {"id": f"c{of}", "points": [point for point in range(max(0, at - 999), at + 1) if point % 4 == of]}
