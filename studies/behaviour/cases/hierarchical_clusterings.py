"""The group "Hierarchical clusterings"."""

from __future__ import annotations

from dataclasses import replace

from studies.behaviour.case import StudyCase, StudyGroup, clustering, gold, ranked_case, span

A, A1, A2 = span(0, 39), span(0, 24), span(25, 39)
B, B1, B2 = span(40, 69), span(40, 54), span(55, 69)
C = span(70, 99)
GOLD = gold(100, {"A": (), "A/A1": A1, "A/A2": A2, "B": (), "B/B1": B1, "B/B2": B2, "C": C})

COARSE = clustering("coarse", "The topics of level 1", [A, B, C])
FINE = clustering("fine", "The topics of level 2", [A1, A2, B1, B2, C])
BOTH = clustering("both", "The topics of both levels, nested", [A, A1, A2, B, B1, B2, C])

GRAINS = StudyCase(
    "hierarchy-grains",
    "Coarse, fine, mixed and nested clusterings",
    "The topics of level 1, those of level 2, a mix, and all of them nested are four correct clusterings. They should "
    "all score the same, and higher than a nested clustering whose coarse clusters have swapped a few pages.",
    GOLD,
    (
        COARSE,
        FINE,
        clustering("mixed", "A by its subtopics, B as a whole", [A1, A2, B, C]),
        BOTH,
        clustering(
            "strayed",
            "Nested, with five pages swapped between A and B",
            [[*span(5, 39), *span(40, 44)], A1, A2, [*span(0, 4), *span(45, 69)], B1, B2, C],
        ),
    ),
    (("coarse", "fine", "mixed", "both"), ("strayed",)),
)

INCOMPLETE = ranked_case(
    "hierarchy-incomplete",
    "A complete coarse clustering and an incomplete fine one",
    "The topics of level 1 are a correct clustering. Subtopics with a third of their pages missing are not, however "
    "fine they are.",
    GOLD,
    COARSE,
    clustering(
        "incomplete",
        "Two thirds of each topic of level 2",
        [span(0, 16), span(25, 34), span(40, 49), span(55, 64), span(70, 89)],
    ),
)

ONE_BRANCH = ranked_case(
    "hierarchy-one-branch",
    "One branch of the tree only",
    "A hierarchy of only A and its subtopics is correct as far as it goes, but B and C are missing.",
    GOLD,
    BOTH,
    clustering("one branch", "A and its subtopics", [A, A1, A2]),
)

RANDOM_CHILDREN = ranked_case(
    "hierarchy-random-children",
    "Correct parents with meaningless children",
    "Below A and B, clusters that cut across the subtopics carry no information. The true subtopics are better.",
    GOLD,
    BOTH,
    clustering(
        "random children",
        "A and B with every second page as children",
        [A, range(0, 40, 2), range(1, 40, 2), B, range(40, 70, 2), range(41, 70, 2), C],
    ),
)

NESTING = (None, "1", "1", None, "4", "4", None)
NESTED = replace(clustering("nested", "The topics of both levels, nested", [A, A1, A2, B, B1, B2, C]), parents=NESTING)
SWAPPED = ranked_case(
    "hierarchy-swapped",
    "Subtopics swapped between parents",
    "The finest clusters are correct in both trees. A tree that puts A1 with B1 and A2 with B2 is wrong.",
    GOLD,
    NESTED,
    replace(
        clustering("swapped", "A1 with B1, A2 with B2", [[*A1, *B1], A1, B1, [*A2, *B2], A2, B2, C]),
        parents=NESTING,
    ),
)

HIERARCHICAL_CLUSTERINGS = StudyGroup(
    "hierarchical-clusterings",
    "Hierarchical clusterings",
    "table 1",
    "Topics have subtopics. Coarse, fine and nested clusterings can all be correct, so a measure must not favour any "
    "of them. It must also penalise a hierarchy that misses topics or invents subtopics.",
    (GRAINS, INCOMPLETE, ONE_BRANCH, RANDOM_CHILDREN, SWAPPED),
)
