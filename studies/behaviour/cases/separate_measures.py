"""Group "Separate measures"."""

from __future__ import annotations

from studies.behaviour.case import StudyCase, StudyGroup, clustering, gold, span

A, B, C, D = span(0, 39), span(40, 69), span(70, 89), span(90, 99)
GOLD = gold(100, {"A": A, "B": B, "C": C, "D": D})
IDEAL = clustering("ideal", "The four topics", [A, B, C, D])

COVERAGE_FALLS = StudyCase(
    "separate-coverage",
    "Topics go missing",
    "What is shown stays perfect while one topic, then two, are left out: coverage must fall and quality must stay.",
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
    "Junk clusters come in",
    "Every page stays findable in its perfect cluster while one junk cluster, then two, are added: quality must fall "
    "and coverage must stay.",
    GOLD,
    (
        IDEAL,
        clustering("one junk", "And every fifth page", [A, B, C, D, range(0, 100, 5)]),
        clustering("two junk", "And every fifth page, twice", [A, B, C, D, range(0, 100, 5), range(2, 100, 5)]),
    ),
    (("ideal",), ("one junk",), ("two junk",)),
    only="quality",
)

SEPARATE_MEASURES = StudyGroup(
    "separate-measures",
    "Separate measures",
    "table 1",
    "A clustering can fail in what it shows (quality) or in what it does not show (coverage). Only a measurement with "
    "two sides can say which: here one side must fall and the other must stay.",
    (COVERAGE_FALLS, QUALITY_FALLS),
)
