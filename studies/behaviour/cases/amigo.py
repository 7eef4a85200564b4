"""The four constraints of Amigó et al. 2009, one group each.

Source: E. Amigó, J. Gonzalo, J. Artiles, F. Verdejo, A comparison of extrinsic clustering evaluation metrics based on
formal constraints, Information Retrieval 12 (2009), section 3.
"""

from __future__ import annotations

from studies.behaviour.case import StudyGroup, clustering, gold, ranked_case, span

A, B, C = span(0, 9), span(10, 19), span(20, 29)
THREE = gold(30, {"A": A, "B": B, "C": C})

HOMOGENEITY = StudyGroup(
    "homogeneity",
    "Homogeneity",
    "amigó",
    "A cluster with pages of two topics is worse than two clusters with one topic each.",
    (
        ranked_case(
            "homogeneity-two-topics",
            "A mixed cluster separated",
            "One cluster contains half of A and half of B. Separating it by topic is better.",
            THREE,
            clustering("apart", "Half of A, half of B", [A[:5], B[:5], A[5:], B[5:], C]),
            clustering("mixed", "Both halves in one cluster", [[*A[:5], *B[:5]], A[5:], B[5:], C]),
        ),
    ),
)

COMPLETENESS = StudyGroup(
    "completeness",
    "Completeness",
    "amigó",
    "Two clusters of one topic are worse than one cluster that merges them.",
    (
        ranked_case(
            "completeness-one-topic",
            "Two clusters of one topic merged",
            "A is divided between two pure clusters. Merging them is better, whatever else the clustering does.",
            THREE,
            clustering("joined", "A in one cluster", [A, B[:5], B[5:], C]),
            clustering("two", "A in two clusters", [A[:5], A[5:], B[:5], B[5:], C]),
        ),
    ),
)

RAG_BAG_GOLD = gold(20, {"A": span(0, 9), **{f"T{page}": [page] for page in range(10, 20)}})

RAG_BAG = StudyGroup(
    "rag-bag",
    "Rag bag",
    "amigó",
    "A page that fits nowhere does less harm in a cluster of unrelated pages than in a pure cluster.",
    (
        ranked_case(
            "rag-bag-stray",
            "One stray page",
            "Page 19 is the only page of its topic. With nine other unrelated pages it does little harm. Among the "
            "pages of A it spoils a pure cluster.",
            RAG_BAG_GOLD,
            clustering("in the rag bag", "The page with the unrelated pages", [span(0, 9), span(10, 19)]),
            clustering("in A", "The page with the pages of A", [[*span(0, 9), 19], span(10, 18)]),
        ),
    ),
)

PAIRS = [span(start, start + 1) for start in range(10, 28, 2)]
SIZE_GOLD = gold(28, {"A": A, **{f"T{number}": pair for number, pair in enumerate(PAIRS, 1)}})

SIZE_QUANTITY = StudyGroup(
    "size-quantity",
    "Size against quantity",
    "amigó",
    "A small error in one large cluster is better than many small errors in small clusters.",
    (
        ranked_case(
            "size-quantity-ten",
            "One page missing from a large cluster, or nine pairs split",
            "Putting one of the ten pages of A into its own cluster is one small error. Splitting all nine pairs is "
            "nine errors.",
            SIZE_GOLD,
            clustering("one error", "A without one page, all pairs intact", [A[:9], A[9:], *PAIRS]),
            clustering("nine errors", "A intact, all pairs split", [A, *([page] for page in span(10, 27))]),
        ),
    ),
)

AMIGO_GROUPS = (HOMOGENEITY, COMPLETENESS, RAG_BAG, SIZE_QUANTITY)
