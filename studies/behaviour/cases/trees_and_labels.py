"""Groups on what sets of pages do not tell: which cluster lies in which, and what clusters are called."""

from __future__ import annotations

from dataclasses import replace

from studies.behaviour.case import StudyGroup, clustering, ordered
from studies.behaviour.cases.hierarchical_clusterings import A1, A2, B1, B2, GOLD, NESTED, A, B, C

NAMES = ("A", "A1", "A2", "B", "B1", "B2", "C")

UNSAID = ordered(
    "trees-unsaid",
    "The same clusters with and without their nesting",
    "Whoever shows A1 and A2 inside A says more than whoever shows the three side by side; the sets of pages are the "
    "same.",
    GOLD,
    NESTED,
    clustering("side by side", "The topics of both levels, side by side", [A, A1, A2, B, B1, B2, C]),
)

LABELLED = replace(clustering("named", "The topics with their names", [A, A1, A2, B, B1, B2, C]), labels=NAMES)
EXCHANGED = ordered(
    "labels-exchanged",
    "The right clusters with labels exchanged",
    "People choose a cluster by its label. Where A is called B and B is called A they find the wrong pages.",
    GOLD,
    LABELLED,
    replace(LABELLED, key="exchanged", title="A and B called each other", labels=("B", *NAMES[1:3], "A", *NAMES[4:])),
)

TREES = StudyGroup(
    "trees",
    "Clusters in clusters",
    "limits",
    "What lies in what. Measures that look at sets of pages alone, QC4 among them, cannot tell.",
    (UNSAID,),
)

LABELS = StudyGroup(
    "labels",
    "Labels of clusters",
    "limits",
    "What clusters are called. Only measures of labels can tell.",
    (EXCHANGED,),
)
