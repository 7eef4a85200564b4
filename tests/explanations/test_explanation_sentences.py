"""Sentences about clusters agree with their numbers, on every sample gold standard and many clusterings of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import numpy as np
import pytest

from evaluation.explanations.clusters import MOSTLY_PURE, PARTLY_MIXED, ClusterView, explain, kind
from qc4.io import read_collection, read_gold_document
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_document import GoldDocument
from qc4.model.rules import complete, prepare
from tests.paths import DEMO, SHARED_DATA
from tests.profiles import thorough

CALLED = {
    "Pure": (1.0, 1.0),
    "Mostly pure": (MOSTLY_PURE, 1.0),
    "Partly mixed": (PARTLY_MIXED, MOSTLY_PURE),
    "Mixed": (0.0, PARTLY_MIXED),
}
ILL_COUNTED = re.compile(r"\b1 pages\b|\b(?!1\b)\d+ page\b|of the 1 page|\b1 are\b|(?<!the other )\b(?!1\b)\d+ is\b")


def documents(collection: str) -> Iterator[GoldDocument]:
    if collection == "ambient":
        for document in read_collection(SHARED_DATA / "ambient").documents:
            yield complete(document)[0]
        return
    folder = DEMO / "collection" if collection == "demo" else SHARED_DATA / "reuters"
    for path in sorted(folder.glob("*.gold.json")):
        yield read_gold_document(path)


def clusterings(document: GoldDocument, seed: int) -> Iterator[Clustering]:
    """Yield one cluster, random ones, singletons of a quarter of the pages, and topics that lost or gained pages."""
    random = np.random.default_rng(seed)
    pages = [page.id for page in document.pages]
    topics = [tuple(topic.pages) for topic in document.topics if topic.pages]
    groups: list[list[tuple[str, ...]]] = [[(page,) for page in pages[seed % 4 :: 4]], [tuple(pages)]]
    for k in (3, 12):
        labels = random.integers(0, k, len(pages))
        groups.append([tuple(page for page, of in zip(pages, labels, strict=True) if of == one) for one in range(k)])
    for lost, added in ((0.0, 0.0), (0.4, 0.0), (0.0, 0.3), (0.3, 0.1)):
        group = []
        for topic in topics:
            kept = [page for page in topic if random.random() >= lost]
            foreign = random.choice(pages, int(added * len(topic)) + (added > 0), replace=False).tolist()
            group += [tuple(dict.fromkeys((*kept, *foreign))), tuple(topic[: len(topic) // 2])]
        groups.append(group)
    for group in groups:
        clusters = [Cluster(f"c{place}", members) for place, members in enumerate(filter(None, group))]
        yield Clustering(document.query_id, tuple(clusters))


def check(view: ClusterView) -> None:
    text, size, ours = view.sentence, view.quality.size, view.in_best
    # Names of topics may contain any words and numbers.
    names = sorted({view.best, *(share.path for share in view.mix)}, key=len, reverse=True)
    for name in names:
        text = text.replace(name, "T") if name != "outliers" else text
    text = re.sub(r"“.*”", "“c”", text)
    assert not ILL_COUNTED.search(text), text
    called = text.partition(":")[0]
    if called in CALLED:
        low, high = CALLED[called]
        assert low * size <= ours <= high * size, text
        assert (called == "Pure") == (not view.foreign), text
    elif called == "As good as a cluster gets":
        assert view.quality.quality > 0.98, text
    else:
        assert text.startswith("Exactly the"), text
        assert ours == size == view.best_size, text
    if stated := re.search(r"(\d+) of its (\d+) pages", text):
        assert (int(stated[1]), int(stated[2])) == (ours, size)
    if missing := re.search(r"; (\d+) of the (\d+) pages? of that topic (?:is|are) missing", text):
        assert (int(missing[1]), int(missing[2])) == (view.best_size - ours, view.best_size)
        assert int(missing[1]) > 0


@pytest.mark.parametrize(
    "collection", ["demo", pytest.param("ambient", marks=thorough("words about real data")), "reuters"]
)
def test_sentences_agree_with_their_numbers(collection: str) -> None:
    if collection != "demo" and not (SHARED_DATA / collection).is_dir():
        pytest.skip(f"{collection} is not at {SHARED_DATA}")
    checked = 0
    for number, document in enumerate(documents(collection)):
        gold = prepare(document)
        for clustering in clusterings(document, number):
            for view in explain(Case.build(gold, clustering), clustering, document).clusters:
                check(view)
                checked += 1
    assert checked > 500


@pytest.mark.parametrize(
    ("in_best", "size", "called"),
    [(7, 7, "Pure"), (1, 1, "Pure"), (13, 15, "Mostly pure"), (4, 5, "Mostly pure"), (3, 5, "Partly mixed"),
     (1, 2, "Partly mixed"), (3, 7, "Mixed"), (1, 7, "Mixed")],
)  # fmt: skip
def test_kind_of_cluster_follows_from_shares(in_best: int, size: int, called: str) -> None:
    assert kind(in_best, size) == called


def test_sentences_of_a_demo_clustering() -> None:
    document = read_gold_document(DEMO / "collection" / "jaguar.gold.json")
    topic = next(topic for topic in document.topics if len(topic.pages) > 3)
    clustering = Clustering(document.query_id, (Cluster("c1", tuple(topic.pages)),))
    (view,) = explain(Case.build(prepare(document), clustering), clustering, document).clusters
    assert json.dumps(view.sentence, ensure_ascii=False).startswith('"Exactly the')
