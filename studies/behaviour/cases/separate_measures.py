"""The group "Separate measures"."""

from __future__ import annotations

from studies.behaviour.case import StudyCase, StudyGroup, clustering, gold, span

A, B, C, D = span(0, 39), span(40, 69), span(70, 89), span(90, 99)
GOLD = gold(100, {"A": A, "B": B, "C": C, "D": D})
IDEAL = clustering("ideal", "The four topics", [A, B, C, D])

COVERAGE_FALLS = StudyCase(
    "separate-coverage",
    "Topics go missing",
    "One topic is removed, then a second one. The clusters that remain are perfect, so coverage must fall and quality "
    "must stay the same.",
    GOLD,
    (
        IDEAL,
        clustering("without B", "Three of the four topics", [A, C, D]),
        clustering("without B, D", "Two of the four topics", [A, C]),
    ),
    (("ideal",), ("without B",), ("without B, D",)),
    only="coverage",
)

QUALITY_FALLS = StudyCase(
    "separate-quality",
    "Junk clusters are added",
    "One junk cluster is added, then a second one. Every page can still be found in its perfect cluster, so quality "
    "must fall and coverage must stay the same.",
    GOLD,
    (
        IDEAL,
        clustering("one junk", "Plus every fifth page", [A, B, C, D, range(0, 100, 5)]),
        clustering("two junk", "Plus every fifth page, twice", [A, B, C, D, range(0, 100, 5), range(2, 100, 5)]),
    ),
    (("ideal",), ("one junk",), ("two junk",)),
    only="quality",
)

SEPARATE_MEASURES = StudyGroup(
    "separate-measures",
    "Separate measures",
    "table 1",
    "A clustering can fail in what it shows (quality) or in what it misses (coverage). Only a measurement with two "
    "components can say which. Here one component must fall and the other must stay the same.",
    (COVERAGE_FALLS, QUALITY_FALLS),
)
