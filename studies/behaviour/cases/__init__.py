"""The cases in the order of the table, with one file per group."""

from studies.behaviour.case import StudyGroup
from studies.behaviour.cases.amigo import AMIGO_GROUPS
from studies.behaviour.cases.hierarchical_clusterings import HIERARCHICAL_CLUSTERINGS
from studies.behaviour.cases.known_limits import KNOWN_LIMITS
from studies.behaviour.cases.large_bias import LARGE_BIAS
from studies.behaviour.cases.overlapping_clusters import OVERLAPPING_CLUSTERS
from studies.behaviour.cases.perfect_clustering import PERFECT_CLUSTERING
from studies.behaviour.cases.random_clustering import RANDOM_CLUSTERING
from studies.behaviour.cases.separate_measures import SEPARATE_MEASURES
from studies.behaviour.cases.small_bias import SMALL_BIAS
from studies.behaviour.cases.split_cluster import SPLIT_CLUSTER
from studies.behaviour.cases.trees_and_labels import LABELS, TREES

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
    TREES,
    LABELS,
)
"""The eight groups of Table 1, the four constraints of Amigó et al., and the cases that QC4 fails."""
