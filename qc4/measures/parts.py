"""What QC4's measures are made of, for people: per cluster, per topic and per page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from qc4.clustering.case import Case
from qc4.measures.classic import TOPIC_SET
from qc4.measures.qc4 import cluster_matches, page_coverage, qc4
from qc4.records import plain
from qc4.views.policies import Policies


class ClusterParts(TypedDict):
    """A cluster's parts of QC4, and how it matches its best topic; an infinite ``s_random`` is null."""

    id: str
    level: int
    best_topic: str
    size: int
    f: float
    precision: float
    recall: float
    purity: float
    classic_entropy: float
    entropy: float
    s_recall: float
    s_random: float | None
    quality: float


class TopicParts(TypedDict):
    """A level-1 topic's coverage CV(t), and its recall: the share of its pages in clusters that match it best.

    Source of the recall: QC4 paper, section 2.2, over the topics of level 1 and the outlier topic.
    """

    id: str
    coverage: float
    recall: float


class PageParts(TypedDict):
    """PC(d, t, l): how well a page of a topic is covered, ``level`` being the one that the topic starts on."""

    topic: str
    level: int
    page: str
    coverage: float


CLUSTER_PARTS, TOPIC_PARTS = tuple(ClusterParts.__annotations__), tuple(TopicParts.__annotations__)


def cluster_parts(case: Case, policies: Policies) -> tuple[ClusterParts, ...]:
    result = qc4(case, policies.recall)
    parts = zip(map(plain, result.clusters), map(plain, cluster_matches(case, result)), strict=True)
    return tuple(_named({**part, **match}, CLUSTER_PARTS) for part, match in parts)


def topic_parts(case: Case) -> tuple[TopicParts, ...]:
    recall = TOPIC_SET.of(case, 1, Policies()).recall.tolist()  # the outlier topic comes last
    parts = zip(qc4(case).topics, recall, strict=False)
    return tuple(_named({**plain(topic), "recall": share}, TOPIC_PARTS) for topic, share in parts)


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
