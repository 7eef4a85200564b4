"""Small inputs the fixtures of `tests/fixtures/site.py` are made of, for tests that build their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qc4.model.clustering import Cluster, Clustering, SubmissionDocument
from qc4.model.gold_document import GoldDocument, Page, Topic

PASSWORD = "correct horse battery staple"

Answers = Mapping[str, Sequence[Sequence[str]]]
"""Query -> clusters -> page ids."""

GOOD_ANSWER: Answers = {
    "mercury": (("p1", "p2", "p3"), ("p4", "p5"), ("p6", "p7", "p8")),
    "saturn": (("p1", "p2"), ("p3",)),
}


def pages(count: int) -> tuple[Page, ...]:
    """Pages p1, p2, .. on a reserved domain."""
    return tuple(
        Page(f"p{n}", n, f"https://p{n}.example/", f"Page {n}", f"What page {n} says about engines and planets")
        for n in range(1, count + 1)
    )


def mercury() -> GoldDocument:
    """Two levels, one outlier (p8), one page in two topics of each level (p3)."""
    topics = (
        Topic("space", "Planet", pages=("p1", "p2", "p3")),
        Topic("boats", "Engines", pages=("p3", "p4", "p5", "p6", "p7")),
        Topic("outboard", "Outboards", "boats", pages=("p4", "p5")),
        Topic("parts", "Spare parts", "boats", pages=("p3", "p6", "p7")),
    )
    return GoldDocument("mercury", "mercury", pages(8), topics, ("p8",))


def saturn() -> GoldDocument:
    """One level, two topics of two pages."""
    topics = (Topic("rings", "Rings", pages=("p1", "p2")), Topic("cars", "Cars", pages=("p3", "p4")))
    return GoldDocument("saturn", "saturn car", pages(4), topics)


def corrected_saturn() -> GoldDocument:
    """Saturn with another split."""
    topics = (Topic("rings", "Rings", pages=("p1",)), Topic("cars", "Cars", pages=("p2", "p3", "p4")))
    return replace(saturn(), topics=topics)


def submission_document(answers: Answers, algorithm: str = "") -> SubmissionDocument:
    """A submission from page ids."""
    clusterings = tuple(
        Clustering(query, tuple(Cluster(f"c{n}", tuple(ids), f"cluster {n}") for n, ids in enumerate(clusters, 1)))
        for query, clusters in answers.items()
    )
    return SubmissionDocument(clusterings, algorithm)
