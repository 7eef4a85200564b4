"""The group "Random clustering"."""

from __future__ import annotations

from random import Random

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C = span(0, 79), span(80, 89), span(90, 99)
EQUAL = [range(start, start + 20) for start in range(0, 100, 20)]


def drawn(seed: int, size: int) -> list[list[int]]:
    """Divide 100 pages at random into clusters of one size."""
    pages = list(range(100))
    Random(seed).shuffle(pages)  # noqa: S311  # repeatable, not secret
    return [sorted(pages[start : start + size]) for start in range(0, 100, size)]


def _strays(number: int) -> list[int]:
    """Return two pages from each other topic, so that every stray page is in one cluster."""
    others = [(number + turn) % 5 for turn in range(1, 5)]
    return [page for turn, other in enumerate(others) for page in EQUAL[other][12 + 2 * turn : 14 + 2 * turn]]


PROPORTIONAL = ranked_case(
    "random-proportional",
    "Random clusters with one large topic",
    "One cluster contains nine tenths of each topic and the other contains the rest, so a page's cluster says nothing "
    "about its topic. Clusters that gather B and C say a lot, although A outnumbers them there.",
    gold(100, {"A": A, "B": B, "C": C}),
    clustering(
        "gathering",
        "B and C gathered, each with more pages of A",
        [[*span(0, 57), 89, 99], [*span(58, 68), *span(80, 88)], [*span(69, 79), *span(90, 98)]],
    ),
    clustering(
        "proportional",
        "90 % and 10 % of each topic",
        [[*span(0, 71), *span(80, 88), *span(90, 98)], [*span(72, 79), 89, 99]],
    ),
)

THREE_OF_FIVE = clustering(
    "three of five",
    "12 of 20 pages correct in each cluster",
    [[*topic[:12], *_strays(number)] for number, topic in enumerate(EQUAL)],
)

DRAWN = ranked_case(
    "random-drawn",
    "Randomly drawn clusters with topics of one size",
    "Five clusters with three of five pages correct are better than five clusters drawn at random.",
    gold(100, dict(zip("ABCDE", EQUAL, strict=True))),
    THREE_OF_FIVE,
    clustering("drawn", "Five clusters of 20 pages, drawn at random", drawn(seed=1, size=20)),
)

RANDOM_CLUSTERING = StudyGroup(
    "random-clustering",
    "Random clustering",
    "table 1",
    "Clusters that are no better than a random selection of the pages help nobody. Any clustering that says something "
    "about the topics should score higher.",
    (PROPORTIONAL, DRAWN),
)
