"""How well points fit into classes, and classes into each other.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
Definitions 6, 7 and 13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qc4.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.spatial import KDTree


def connectivity(points: FloatArray, members: IntArray, k: int) -> FloatArray:
    """(points,) connectivity of every point, also of those outside, to one class: 0 to 1.

    1 where the mean distance to the k nearest other points of the class is at most the mean of its own points (which
    is 0 in a class of one point), otherwise the ratio of the two. A class of fewer points has fewer neighbours.

    Args:
        points: (points, dimensions).
        members: indices of the points of the class; at least one.
        k: neighbours, 1 or more.
    """
    from scipy.spatial import KDTree  # slow to load, and the command line loads this file for every command

    tree = KDTree(points[members])
    own = np.zeros(len(points), dtype=bool)
    own[members] = True
    distance = np.empty(len(points))
    distance[~own] = _mean_distance(tree, points[~own], min(k, members.size), skip=0)
    distance[own] = _mean_distance(tree, points[own], min(k, members.size - 1), skip=1)
    usual = float(distance[own].mean())
    connected = np.ones(len(points))
    far = distance > usual
    connected[far] = usual / distance[far]
    return connected


def _mean_distance(tree: KDTree, points: FloatArray, neighbours: int, skip: int) -> FloatArray:
    """Mean distance to the nearest points of the tree, without the first ``skip``, which are the points themselves.

    With points on top of each other the first may be another one, at the same distance 0.
    """
    if neighbours == 0 or not len(points):
        return np.zeros(len(points))
    nearest = np.asarray(tree.query(points, k=list(range(1 + skip, neighbours + skip + 1)))[0])
    mean: FloatArray = nearest.mean(axis=1)
    return mean


def class_connections(to_class: FloatArray, class_of: IntArray, k: int) -> FloatArray:
    """(classes, classes) connectivity from the class of the row to that of the column (Definition 13).

    The mean of the k largest products of a point's connectivities to its own and the other class (of all, where the
    class has fewer points). Two classes are as connected as the weaker direction is.

    Args:
        to_class: (points, classes) connectivity of each point to each class.
        class_of: (points,) class of each point, -1 for noise.
    """
    classes = to_class.shape[1]
    directed = np.empty((classes, classes))
    for number in range(classes):
        own = to_class[class_of == number]
        directed[number] = mean_of_largest(own * own[:, [number]], k)
    return directed


def mean_of_largest(values: FloatArray, k: int) -> FloatArray:
    """The mean of the k largest values of each column, or of all."""
    many = min(k, len(values))
    mean: FloatArray = np.partition(values, len(values) - many, axis=0)[len(values) - many :].mean(axis=0)
    return mean
