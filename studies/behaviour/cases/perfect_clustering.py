"""The group "Perfect clustering"."""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C, D = span(0, 39), span(40, 69), span(70, 89), span(90, 99)
GOLD = gold(100, {"A": A, "B": B, "C": C, "D": D})
IDEAL = clustering("ideal", "The four topics", [A, B, C, D])

JUNK = ranked_case(
    "perfect-junk",
    "An ideal clustering plus a junk cluster",
    "A cluster of every fifth page adds nothing to an ideal clustering. Everything can still be found, but the "
    "clustering is no longer perfect.",
    GOLD,
    IDEAL,
    clustering("with junk", "The four topics and every fifth page", [A, B, C, D, range(0, 100, 5)]),
)

MIXED = ranked_case(
    "perfect-mixed",
    "An ideal clustering plus a mixed cluster",
    "The extra cluster contains half of A and half of B. It is not random, but it matches neither topic.",
    GOLD,
    IDEAL,
    clustering("with mixed", "The four topics and half of A with half of B", [A, B, C, D, [*A[:20], *B[:15]]]),
)

EVERYTHING = ranked_case(
    "perfect-everything",
    "An ideal clustering plus a cluster of all pages",
    "A cluster of all pages is useless, so an ideal clustering does not have one.",
    GOLD,
    IDEAL,
    clustering("with all", "The four topics and all pages", [A, B, C, D, span(0, 99)]),
)

MERGED = ranked_case(
    "perfect-merged",
    "Two topics in one cluster",
    "A clustering that does not separate C and D is not perfect.",
    GOLD,
    IDEAL,
    clustering("merged", "C and D as one cluster", [A, B, span(70, 99)]),
)

STRAYED = ranked_case(
    "perfect-strayed",
    "A few pages in the wrong cluster",
    "Three pages of A are in B's cluster and three pages of B are in A's: close to perfect, but not perfect.",
    GOLD,
    IDEAL,
    clustering("strayed", "Six pages swapped", [[*span(0, 36), *span(40, 42)], [*span(37, 39), *span(43, 69)], C, D]),
)

PERFECT_CLUSTERING = StudyGroup(
    "perfect-clustering",
    "Perfect clustering",
    "table 1",
    "Only an ideal clustering may have the best score. A clustering with additional wrong or useless clusters must "
    "score lower. (The groups on bias and splitting test clusterings that merely lack something.)",
    (JUNK, MIXED, EVERYTHING, MERGED, STRAYED),
)
