"""The classes of a data set for CMM: their regions, and merging of connected classes.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
Definition 5 and section 5.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.streams.balls import Ball, smallest_enclosing_ball

if TYPE_CHECKING:
    from scipy.spatial import KDTree


# --- Connectivity of points to classes, and of classes to each other ---
# Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
# Definitions 6, 7 and 13.


def connectivity(points: FloatArray, members: IntArray, k: int) -> FloatArray:
    """Return (points,) the connectivity, 0 to 1, of every point to one class; the point may be outside the class.

    It is 1 if the mean distance to the k nearest other points of the class is at most the mean of its own points (0 in
    a class of one point), otherwise the ratio of the two. Classes with fewer points have fewer neighbours.

    Args:
        points: (points, dimensions).
        members: indices of the points of the class; at least one.
        k: the number of neighbours, 1 or more.
    """
    from scipy.spatial import KDTree  # imported here because it is slow to load

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
    """Return the mean distance to the nearest points of the tree, without the first ``skip``, the points themselves.

    If points coincide, the first may be a different point, at the same distance 0.
    """
    if neighbours == 0 or not len(points):
        return np.zeros(len(points))
    nearest = np.asarray(tree.query(points, k=list(range(1 + skip, neighbours + skip + 1)))[0])
    mean: FloatArray = nearest.mean(axis=1)
    return mean


def class_connections(to_class: FloatArray, class_of: IntArray, k: int) -> FloatArray:
    """Return (classes, classes) the connectivity from the row's class to the column's class (Definition 13).

    It is the mean of the k largest products of a point's connectivities to its own and the other class (of all products
    if the class has fewer points). The weaker direction decides whether two classes are merged.

    Args:
        to_class: (points, classes) the connectivity of each point to each class.
        class_of: (points,) the class of each point, -1 for noise.
    """
    classes = to_class.shape[1]
    directed = np.empty((classes, classes))
    for number in range(classes):
        own = to_class[class_of == number]
        directed[number] = mean_of_largest(own * own[:, [number]], k)
    return directed


def mean_of_largest(values: FloatArray, k: int) -> FloatArray:
    """Return the mean of the k largest values of each column, or of all if there are fewer."""
    many = min(k, len(values))
    mean: FloatArray = np.partition(values, len(values) - many, axis=0)[len(values) - many :].mean(axis=0)
    return mean


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Classes of points, before or after merging.

    Attributes:
        members: for each class, the labels that it consists of.
        class_of: (points,) the class of each point, -1 for noise.
        to_class: (points, classes) the connectivity of each point to each class.
        inside: (points, classes) True for points in the class's ground-truth cluster: its smallest enclosing ball and,
            after merging, the balls of its original classes. These may extend beyond the ball around all of them;
            without them the ground truth would be penalised for points that it correctly contains.
        balls: for each class, its smallest enclosing ball.
    """

    members: tuple[tuple[int, ...], ...]
    class_of: IntArray
    to_class: FloatArray
    inside: BoolArray
    balls: tuple[Ball, ...]

    @property
    def sizes(self) -> IntArray:
        """(classes,) the number of points in each class."""
        return np.bincount(self.class_of[self.class_of >= 0], minlength=len(self.members))

    @property
    def own(self) -> FloatArray:
        """(points,) the connectivity of each point to its own class; 1 for noise."""
        own = np.ones(self.class_of.size)
        held = np.flatnonzero(self.class_of >= 0)
        own[held] = self.to_class[held, self.class_of[held]]
        return own

    @property
    def distributions(self) -> IntArray:
        """(classes, classes) the number of points of each class (columns) in each class's ground-truth cluster
        (rows)."""
        counts = np.zeros((len(self.members), len(self.members)), dtype=np.int64)
        for number in range(len(self.members)):
            counts[:, number] = self.inside[self.class_of == number].sum(axis=0)
        return counts


def original_classes(points: FloatArray, labels: IntArray, k: int) -> Classes:
    """Return the classes as labelled, in the order of their labels; label -1 is noise."""
    names = np.unique(labels[labels >= 0])
    class_of = np.where(labels >= 0, np.searchsorted(names, labels), -1)
    to_class = np.empty((len(points), names.size))
    inside = np.empty((len(points), names.size), dtype=bool)
    balls = []
    for number in range(names.size):
        held = np.flatnonzero(class_of == number)
        to_class[:, number] = connectivity(points, held, k)
        balls.append(smallest_enclosing_ball(points[held]))
        inside[:, number] = balls[-1].holds(points)
    return Classes(tuple((int(name),) for name in names), class_of, to_class, inside, tuple(balls))


def merged_classes(points: FloatArray, classes: Classes, k: int, tau: float) -> Classes:
    """Merge pairs of classes, the most connected first, until no connectivity is above ``tau``."""
    directed = class_connections(classes.to_class, classes.class_of, k)
    while len(classes.members) > 1:
        links = np.minimum(directed, directed.T)
        np.fill_diagonal(links, -1)
        first, second = divmod(int(links.argmax()), len(links))  # the first maximum, so first < second
        if links[first, second] <= tau:
            break
        classes = _merge(points, classes, first, second, k)
        directed = _reconnect(np.delete(np.delete(directed, second, 0), second, 1), classes, first, k)
    return classes


def _reconnect(directed: FloatArray, classes: Classes, changed: int, k: int) -> FloatArray:
    """Return connections between classes, recomputed for those that begin or end in the changed class."""
    for number in range(len(directed)):
        members = np.flatnonzero(classes.class_of == number)
        own = classes.to_class[members, number][:, None]
        others = np.arange(len(directed)) if number == changed else np.array([changed])
        directed[number, others] = mean_of_largest(classes.to_class[np.ix_(members, others)] * own, k)
    return directed


def _merge(points: FloatArray, classes: Classes, first: int, second: int, k: int) -> Classes:
    """Merge the second class into the first; values that do not involve the two are unchanged."""
    class_of = np.where(classes.class_of == second, first, classes.class_of)
    class_of = np.where(class_of > second, class_of - 1, class_of)
    held = np.flatnonzero(class_of == first)
    ball = smallest_enclosing_ball(points[held])
    to_class, inside = np.delete(classes.to_class, second, axis=1), np.delete(classes.inside, second, axis=1)
    to_class[:, first] = connectivity(points, held, k)
    inside[:, first] = classes.inside[:, first] | classes.inside[:, second] | ball.holds(points)
    members, balls = list(classes.members), list(classes.balls)
    members[first] += members.pop(second)
    balls[first] = ball
    del balls[second]
    return Classes(tuple(members), class_of, to_class, inside, tuple(balls))
