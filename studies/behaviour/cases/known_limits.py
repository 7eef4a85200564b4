"""Reasonable cases that QC4 fails. They are not a group of the paper and do not count towards Table 1."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span
from studies.behaviour.cases.random_clustering import DRAWN, THREE_OF_FIVE, drawn

A, B, C, D = span(0, 39), span(40, 69), span(70, 89), span(90, 99)
FOUR = gold(100, {"A": A, "B": B, "C": C, "D": D})
TEN_TOPICS = [range(start, start + 10) for start in range(0, 100, 10)]
TEN = gold(100, {f"T{number}": topic for number, topic in enumerate(TEN_TOPICS, 1)})
WITH_ERRORS = [[*topic[:8], *TEN_TOPICS[(number + 1) % 10][8:]] for number, topic in enumerate(TEN_TOPICS)]
SINGLETONS = [[page] for page in range(100)]

DUPLICATES = ranked_case(
    "limits-duplicates",
    "An ideal clustering repeated",
    "Showing every topic twice is worse than showing it once. QC4 judges every cluster separately, so it finds "
    "nothing wrong with either copy.",
    FOUR,
    clustering("ideal", "The four topics", [A, B, C, D]),
    clustering("twice", "Every topic twice", [A, B, C, D, A, B, C, D]),
)

SINGLETON_COVERAGE = ranked_case(
    "limits-singletons",
    "One page per cluster with small topics",
    "Ten clusters with eight of ten pages correct are worth more than single pages. QC4's quality agrees; its coverage "
    "does not. If topics are small, a single page is far from random and counts as fully covered.",
    TEN,
    clustering("with errors", "Eight of ten pages correct in each cluster", WITH_ERRORS),
    clustering("singletons", "Every page in its own cluster", SINGLETONS),
)

SINGLETONS_ADDED = ranked_case(
    "limits-singletons-added",
    "Singletons added to a clustering with errors",
    "A hundred single pages beside ten useful clusters help nobody. QC4's quality falls, but its coverage rises: by "
    "its definition, adding a cluster never lowers it.",
    TEN,
    clustering("with errors", "Eight of ten pages correct in each cluster", WITH_ERRORS),
    clustering("and singletons", "The same, plus every page in its own cluster", [*WITH_ERRORS, *SINGLETONS]),
)

SMALL_RANDOM = ranked_case(
    "limits-small-random",
    "Small clusters drawn at random",
    "Clusters with three of five pages correct are better than small clusters drawn at random. QC4's quality agrees. "
    "Its coverage was slightly higher for one of ten random draws, the one used here, because two or three of five "
    "random pages often belong to the same topic.",
    DRAWN.gold,
    THREE_OF_FIVE,
    clustering("drawn", "20 clusters of five pages, drawn at random", drawn(seed=4, size=5)),
)

KNOWN_LIMITS = StudyGroup(
    "known-limits",
    "Known limits of QC4",
    "limits",
    "Reasonable cases that QC4 fails, judged by its two components.",
    (DUPLICATES, SINGLETON_COVERAGE, SINGLETONS_ADDED, SMALL_RANDOM),
)
