"""The cases, a file per group, in the order of the table."""

from measures.study.case import StudyGroup
from measures.study.cases.amigo import AMIGO_GROUPS
from measures.study.cases.hierarchical_clusterings import HIERARCHICAL_CLUSTERINGS
from measures.study.cases.known_limits import KNOWN_LIMITS
from measures.study.cases.large_bias import LARGE_BIAS
from measures.study.cases.overlapping_clusters import OVERLAPPING_CLUSTERS
from measures.study.cases.perfect_clustering import PERFECT_CLUSTERING
from measures.study.cases.random_clustering import RANDOM_CLUSTERING
from measures.study.cases.separate_measures import SEPARATE_MEASURES
from measures.study.cases.small_bias import SMALL_BIAS
from measures.study.cases.split_cluster import SPLIT_CLUSTER

GROUPS: tuple[StudyGroup, ...] = (
    OVERLAPPING_CLUSTERS,
    HIERARCHICAL_CLUSTERINGS,
    PERFECT_CLUSTERING,
    SEPARATE_MEASURES,
    LARGE_BIAS,
    SMALL_BIAS,
    RANDOM_CLUSTERING,
    SPLIT_CLUSTER,
    *AMIGO_GROUPS,
    KNOWN_LIMITS,
)
"""Table 1's eight groups, the four constraints of Amigó et al., and the known limits."""
