"""The group "Overlapping clusters"."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C = span(0, 39), span(30, 69), span(60, 99)
GOLD = gold(100, {"A": A, "B": B, "C": C})
IDEAL = clustering("ideal", "The three topics, shared pages in both their topics", [A, B, C])


def _windows(size: int, step: int) -> list[range]:
    """Return the overlapping windows of the pages of every topic."""
    return [topic[start : start + size] for topic in (A, B, C) for start in range(0, len(topic) - size + 1, step)]


SHARED_ONCE = ranked_case(
    "overlap-shared-once",
    "Shared pages missing from one of their topics",
    "Pages 30–39 belong to A and B, and 60–69 to B and C. A clustering that puts them only into their first topic is "
    "worse: people who open the second topic do not find them.",
    GOLD,
    IDEAL,
    clustering("shared once", "Shared pages in their first topic only", [A, span(40, 69), span(70, 99)]),
)

WINDOWS = ranked_case(
    "overlap-windows",
    "Topics divided into overlapping pieces",
    "Small overlapping clusters inside one topic each contain no wrong page and together contain every page, but none "
    "shows a whole topic. The three topics are better.",
    GOLD,
    IDEAL,
    clustering("windows", "27 overlapping clusters of 8 pages", _windows(size=8, step=4)),
)

ONE_TWICE = ranked_case(
    "overlap-one-twice",
    "One topic reported twice, another not at all",
    "Overlap allows a cluster to be repeated. The repetition must not make up for a missing topic.",
    GOLD,
    IDEAL,
    clustering("A twice", "A twice and B; no C", [A, A, B]),
)

JOINED = ranked_case(
    "overlap-joined",
    "Two overlapping topics merged",
    "A and B share pages, but they are two topics. Separate clusters are better.",
    GOLD,
    IDEAL,
    clustering("joined", "A and B as one cluster", [span(0, 69), C]),
)

OVERLAPPING_CLUSTERS = StudyGroup(
    "overlapping-clusters",
    "Overlapping clusters",
    "table 1",
    "Topics share pages, so clusters should too. A measure must reward overlap that is in the topics, and must not "
    "reward other repeated pages.",
    (SHARED_ONCE, WINDOWS, ONE_TWICE, JOINED),
)
