"""The components that explain scores: those of QC4 per cluster, topic and page, and the terms of classic measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict

import numpy as np

from qc4.inputs.view import Level
from qc4.measures.classic import TOPIC_SET
from qc4.measures.qc4 import cluster_matches, page_coverage, qc4
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.policies import Policies
from qc4.records import to_plain

CLASSIC_FAMILY = "classic"


class ClusterParts(TypedDict):
    """The components of QC4 for a cluster, and its match with its best topic; an infinite ``s_random`` is null."""

    id: str
    level: int
    best_topic: str
    size: int
    f: float
    precision: float
    recall: float
    entropy: float
    s_recall: float
    s_random: float | None
    quality: float


class TopicParts(TypedDict):
    """A level-1 topic with its number of pages and its coverage CV(t).

    AC is the mean of the coverages, WC their mean weighted by ``size``.
    """

    id: str
    size: int
    coverage: float


class PageParts(TypedDict):
    """PC(d, t, l): how well a page of a topic is covered, where ``level`` is the level on which the topic starts."""

    topic: str
    level: int
    page: str
    coverage: float


class ClassicClusterTerms(TypedDict):
    """The contribution of one cluster to AP, WP, AE, WE and F. Clusters that QC4 removes are included.

    AP and AE are the means of ``precision`` and ``entropy`` over all clusters; WP, WE and F are the means of
    ``precision``, ``entropy`` and ``f`` weighted by ``size``. ``best`` is the largest number of pages that the cluster
    shares with one topic: precision = best / size.
    """

    id: str
    size: int
    best: int
    precision: float
    entropy: float
    f: float


class ClassicTopicTerms(TypedDict):
    """The contribution of one topic to AR and WR. AR is the mean of ``recall``; WR weights it by ``size``.

    ``id`` is None for the outlier topic. ``covered`` is the number of its pages in the clusters that match it best:
    recall = covered / size.
    """

    id: str | None
    size: int
    covered: int
    recall: float


class ClassicTerms(TypedDict):
    """The terms of the classic measures on one level, or over the topics of all levels (``all``).

    Source: Crabtree, Andreae & Gao, PAKDD 2007, section 2.2.
    """

    level: int | Literal["all"]
    clusters: tuple[ClassicClusterTerms, ...]
    topics: tuple[ClassicTopicTerms, ...]


CLUSTER_PARTS, TOPIC_PARTS = tuple(ClusterParts.__annotations__), tuple(TopicParts.__annotations__)
CLASSIC_CLUSTER_TERMS = tuple(ClassicClusterTerms.__annotations__)
CLASSIC_TOPIC_TERMS = tuple(ClassicTopicTerms.__annotations__)


def cluster_parts(case: Case, policies: Policies) -> tuple[ClusterParts, ...]:
    result = qc4(case, policies.recall)
    parts = zip(map(to_plain, result.clusters), map(to_plain, cluster_matches(case, result)), strict=True)
    return tuple(_named({**part, **match}, CLUSTER_PARTS) for part, match in parts)


def topic_parts(case: Case) -> tuple[TopicParts, ...]:
    return tuple(_named(to_plain(topic), TOPIC_PARTS) for topic in qc4(case).topics)


def classic_terms(case: Case, level: int | Literal["all"]) -> ClassicTerms:
    """Return the terms whose means are the classic measures on this level."""
    terms, ids = TOPIC_SET.of(case, level, Policies()), case.gold.topic_ids
    rows = range(len(ids)) if level == "all" else case.gold.hierarchy.topics_on(level).tolist()
    topic_ids = [*(ids[row] for row in rows), None]  # the outlier topic comes last, if there are outliers
    clusters = zip(
        case.cluster_ids,
        *(of.tolist() for of in (terms.cluster_sizes, terms.largest, terms.purity, terms.entropy, terms.f_measure)),
        strict=True,
    )
    topics = zip(topic_ids, *(of.tolist() for of in (terms.topic_sizes, terms.covered, terms.recall)), strict=False)
    return ClassicTerms(
        level=level,
        clusters=tuple(
            ClassicClusterTerms(id=id, size=size, best=best, precision=precision, entropy=entropy, f=f)
            for id, size, best, precision, entropy, f in clusters
        ),
        topics=tuple(
            ClassicTopicTerms(id=id, size=size, covered=covered, recall=recall) for id, size, covered, recall in topics
        ),
    )


def scored_levels(scores: Iterable[tuple[str, Level]]) -> list[int | Literal["all"]]:
    """Return the levels of classic measures among these (measure key, level) pairs, each once."""
    classic = {measure.key for measure in REGISTRY.family(CLASSIC_FAMILY)}
    return list(dict.fromkeys(level for key, level in scores if key in classic and level is not None))


def page_parts(case: Case) -> tuple[PageParts, ...]:
    coverage, gold = page_coverage(case, qc4(case)).pages, case.gold
    first = gold.hierarchy.first.tolist()
    topics = np.repeat(np.arange(coverage.shape[0]), np.diff(coverage.indptr)).tolist()
    return tuple(
        PageParts(topic=gold.topic_ids[topic], level=first[topic], page=gold.page_ids[page], coverage=value)
        for topic, page, value in zip(topics, coverage.indices.tolist(), coverage.data.tolist(), strict=True)
    )


def _named(values: Mapping[str, Any], names: Sequence[str]) -> Any:
    return {name: values[name] for name in names}
