"""Reasonable cases QC4 does not pass. They are no group of the paper and do not count towards Table 1."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ordered, span
from studies.behaviour.cases.random_clustering import DRAWN, THREE_OF_FIVE, drawn

A, B, C, D = span(0, 39), span(40, 69), span(70, 89), span(90, 99)
FOUR = gold(100, {"A": A, "B": B, "C": C, "D": D})
TEN_TOPICS = [range(start, start + 10) for start in range(0, 100, 10)]
TEN = gold(100, {f"T{number}": topic for number, topic in enumerate(TEN_TOPICS, 1)})
WITH_ERRORS = [[*topic[:8], *TEN_TOPICS[(number + 1) % 10][8:]] for number, topic in enumerate(TEN_TOPICS)]
SINGLETONS = [[page] for page in range(100)]

DUPLICATES = ordered(
    "limits-duplicates",
    "An ideal clustering twice",
    "Showing every topic twice is worse than showing it once. QC4 looks at every cluster on its own, so it sees "
    "nothing wrong with either copy.",
    FOUR,
    clustering("ideal", "The four topics", [A, B, C, D]),
    clustering("twice", "Every topic twice", [A, B, C, D, A, B, C, D]),
)

SINGLETON_COVERAGE = ordered(
    "limits-singletons",
    "A page per cluster where topics are small",
    "Ten clusters with eight of ten pages right are worth more than single pages. QC4's quality says so; its coverage "
    "does not: where topics are small a single page is far from random and counts as fully covered.",
    TEN,
    clustering("with errors", "Eight of ten pages right in each cluster", WITH_ERRORS),
    clustering("singletons", "Every page its own cluster", SINGLETONS),
)

SINGLETONS_ADDED = ordered(
    "limits-singletons-added",
    "A page per cluster added to a clustering with errors",
    "A hundred single pages beside ten useful clusters help no one. QC4's quality falls, but its coverage rises: by "
    "its definition no added cluster ever lowers it.",
    TEN,
    clustering("with errors", "Eight of ten pages right in each cluster", WITH_ERRORS),
    clustering("and singletons", "The same, and every page its own cluster", [*WITH_ERRORS, *SINGLETONS]),
)

SMALL_RANDOM = ordered(
    "limits-small-random",
    "Small clusters drawn at random",
    "Clusters in which three of five pages are right are better than small clusters drawn at random. QC4's quality "
    "says so; its coverage came out a little higher for one of ten draws, this one, because among five pages two or "
    "three of one topic are not rare.",
    DRAWN.gold,
    THREE_OF_FIVE,
    clustering("drawn", "20 clusters of five pages, drawn at random", drawn(seed=4, size=5)),
)

KNOWN_LIMITS = StudyGroup(
    "known-limits",
    "Known limits of QC4",
    "limits",
    "Reasonable cases that QC4, judged on its two sides, does not pass.",
    (DUPLICATES, SINGLETON_COVERAGE, SINGLETONS_ADDED, SMALL_RANDOM),
)
