"""The group "Small cluster/topic bias"."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

LARGE_TOPICS = [range(start, start + 50) for start in range(0, 200, 50)]
SMALL_TOPICS = [range(start, start + 4) for start in range(0, 100, 4)]


def _exchanged(topics: list[range], strays: int) -> list[list[int]]:
    """Return clusters in which each topic has swapped ``strays`` pages with each other topic."""
    n = len(topics)
    kept = len(topics[0]) - strays * (n - 1)
    clusters = [list(topic[:kept]) for topic in topics]
    for giver, topic in enumerate(topics):
        for turn in range(1, n):
            clusters[(giver + turn) % n] += topic[kept + (turn - 1) * strays : kept + turn * strays]
    return clusters


SINGLETONS = ranked_case(
    "small-singletons",
    "Singletons and clusters with errors",
    "Clusters of one page contain no wrong page, but they say nothing about their topics. Four clusters that are 70 % "
    "correct are worth more.",
    gold(200, dict(zip("ABCD", LARGE_TOPICS, strict=True))),
    clustering("with errors", "Four clusters, 35 of 50 pages correct in each", _exchanged(LARGE_TOPICS, 5)),
    clustering("singletons", "Every page in its own cluster", [[page] for page in range(200)]),
)

MANY_TOPICS = ranked_case(
    "small-topics",
    "Many small topics",
    "There are 25 topics of four pages. Whole topics are better than pairs of pages, and pairs are better than single "
    "pages.",
    gold(100, {f"T{number}": topic for number, topic in enumerate(SMALL_TOPICS, 1)}),
    clustering("ideal", "The 25 topics", SMALL_TOPICS),
    clustering("pairs", "Each topic in two pairs", [range(start, start + 2) for start in range(0, 100, 2)]),
    clustering("singletons", "Every page in its own cluster", [[page] for page in range(100)]),
)

A, B, C, D = span(0, 59), span(60, 89), span(90, 97), span(98, 99)
SMALLEST_ONLY = ranked_case(
    "small-topic-only",
    "Only the smallest topic found",
    "Two pages that belong together form a perfect cluster, but 98 pages are missing.",
    gold(100, {"A": A, "B": B, "C": C, "D": D}),
    clustering("ideal", "The four topics", [A, B, C, D]),
    clustering("D only", "The topic of two pages and nothing else", [D]),
)

SMALL_BIAS = StudyGroup(
    "small-bias",
    "Small cluster/topic bias",
    "table 1",
    "Small clusters are easily pure. A measure must not favour them for this, even down to one page per cluster.",
    (SINGLETONS, MANY_TOPICS, SMALLEST_ONLY),
)
