"""The group "Split cluster"."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C, D = span(0, 39), span(40, 63), span(64, 79), span(80, 87)
TOPICS = (A, B, C, D)
GOLD = gold(88, dict(zip("ABCD", TOPICS, strict=True)))
IDEAL = clustering("ideal", "The four topics", TOPICS)


def _cut(pieces: int) -> list[range]:
    """Divide every topic into equal pieces."""
    return [topic[len(topic) * k // pieces : len(topic) * (k + 1) // pieces] for topic in TOPICS for k in range(pieces)]


ALL_SPLIT = ranked_case(
    "split-all",
    "Every topic split",
    "The pieces contain no wrong page, but a topic in two clusters is worse than a topic in one, and a topic in four "
    "is worse still.",
    GOLD,
    IDEAL,
    clustering("halves", "Every topic in two halves", _cut(2)),
    clustering("quarters", "Every topic in four quarters", _cut(4)),
)

ONE_SPLIT = ranked_case(
    "split-one",
    "The largest topic split",
    "Three perfect clusters do not make up for splitting A into four pieces.",
    GOLD,
    IDEAL,
    clustering("A in four", "A in four pieces, the others intact", [A[:10], A[10:20], A[20:30], A[30:], B, C, D]),
)

SPLIT_CLUSTER = StudyGroup(
    "split-cluster",
    "Split cluster",
    "table 1",
    "A perfect cluster is split into smaller ones. They are pure and together contain every page, but the clustering "
    "is worse.",
    (ALL_SPLIT, ONE_SPLIT),
)
