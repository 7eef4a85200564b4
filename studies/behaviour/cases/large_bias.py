"""The group "Large cluster/topic bias"."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C = span(0, 79), span(80, 89), span(90, 99)
GOLD = gold(100, {"A": A, "B": B, "C": C})
IDEAL = clustering("ideal", "The three topics", [A, B, C])

ONE_CLUSTER = ranked_case(
    "large-one-cluster",
    "One cluster of all pages",
    "A contains four fifths of the pages, so a cluster of all pages looks pure, but it carries no information. A "
    "clustering that finds most of the large topic, and both small topics with four stray pages each, is far better.",
    GOLD,
    IDEAL,
    clustering(
        "useful",
        "B and C with four stray pages each, most of A",
        [span(0, 55), [*B, *span(56, 59)], [*C, *span(60, 63)]],
    ),
    clustering("one cluster", "All pages in one cluster", [span(0, 99)]),
)

LARGE_ONLY = ranked_case(
    "large-topic-only",
    "Only the large topic found",
    "A perfect cluster of the large topic alone misses two of three topics.",
    GOLD,
    IDEAL,
    clustering("A only", "The large topic and nothing else", [A]),
)

LARGE_BIAS = StudyGroup(
    "large-bias",
    "Large cluster/topic bias",
    "table 1",
    "One topic is much larger than the others. Doing well, or seeming to do well, on this topic alone must not be "
    "enough.",
    (ONE_CLUSTER, LARGE_ONLY),
)
