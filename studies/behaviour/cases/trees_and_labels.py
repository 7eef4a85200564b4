"""The groups on information that sets of pages do not contain: the nesting and the labels of clusters."""

from __future__ import annotations

from dataclasses import replace

from studies.behaviour.case import StudyGroup, clustering, ranked_case
from studies.behaviour.cases.hierarchical_clusterings import A1, A2, B1, B2, GOLD, NESTED, A, B, C

NAMES = ("A", "A1", "A2", "B", "B1", "B2", "C")

UNSAID = ranked_case(
    "trees-unsaid",
    "The same clusters with and without their nesting",
    "Showing A1 and A2 inside A is more informative than showing the three side by side. The sets of pages are the "
    "same.",
    GOLD,
    NESTED,
    clustering("side by side", "The topics of both levels, side by side", [A, A1, A2, B, B1, B2, C]),
)

LABELLED = replace(clustering("named", "The topics with their names", [A, A1, A2, B, B1, B2, C]), labels=NAMES)
EXCHANGED = ranked_case(
    "labels-exchanged",
    "Correct clusters with swapped labels",
    "People choose a cluster by its label. If A is labelled B and B is labelled A, they find the wrong pages.",
    GOLD,
    LABELLED,
    replace(LABELLED, key="exchanged", title="Labels of A and B swapped", labels=("B", *NAMES[1:3], "A", *NAMES[4:])),
)

TREES = StudyGroup(
    "trees",
    "Nested clusters",
    "limits",
    "Whether clusters are nested correctly. Measures that compare only sets of pages, such as QC4, cannot see this.",
    (UNSAID,),
)

LABELS = StudyGroup(
    "labels",
    "Labels of clusters",
    "limits",
    "Whether clusters have the right labels. Only measures of labels can see this.",
    (EXCHANGED,),
)
