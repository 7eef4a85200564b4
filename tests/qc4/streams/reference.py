"""CMM written literally from its definitions, point by point. Slow; only for small data."""

import math
from itertools import combinations

import numpy as np

NOISE = -1


def ball_of(points):
    """Return the smallest enclosing ball, by trying every support."""
    points = np.unique(np.asarray(points, dtype=float), axis=0)
    best = None
    for size in range(1, min(len(points), points.shape[1] + 1) + 1):
        for support in combinations(points, size):
            centre = centre_of(np.array(support))
            radius = max(np.linalg.norm(point - centre) for point in points)
            if best is None or radius < best[1] - 1e-12:
                best = centre, radius
    return best


def centre_of(support):
    sides = support[1:] - support[0]
    if not len(sides):
        return support[0]
    squares = (sides * sides).sum(axis=1)
    return support[0] + np.linalg.lstsq(2 * sides @ sides.T, squares, rcond=None)[0] @ sides


def inside(point, ball):
    return np.linalg.norm(point - ball[0]) <= ball[1] * (1 + 1e-9)


class Reference:
    def __init__(self, points, classes, k=2, tau=0.5):
        self.points = np.asarray(points, dtype=float)
        self.n, self.k = len(self.points), k
        self.classes = [{o for o in range(self.n) if classes[o] == c} for c in sorted(set(classes)) if c != NOISE]
        self.regions = [[self.ball(members)] for members in self.classes]
        self.before = len(self.classes)
        self.redundant = [o for o in range(self.n) if sum(self.holds(r, o) for r in self.regions) > 1]
        self.tau = tau

    def ball(self, members):
        return ball_of(self.points[sorted(members)])

    def holds(self, region, o):
        return any(inside(self.points[o], ball) for ball in region)

    def merge(self):
        while True:
            pairs = [(self.class_con(i, j), -i, -j) for i, j in combinations(range(len(self.classes)), 2)]
            if not pairs or max(pairs)[0] <= self.tau:
                return self
            _, i, j = max(pairs)
            i, j = -i, -j
            self.classes[i] |= self.classes.pop(j)
            self.regions[i] += self.regions.pop(j)
            self.regions[i].append(self.ball(self.classes[i]))

    def knh(self, o, members):
        nearest = sorted(np.linalg.norm(self.points[o] - self.points[p]) for p in members if p != o)[: self.k]
        return sum(nearest) / len(nearest) if nearest else 0.0

    def con(self, o, number):
        members = self.classes[number]
        usual = np.mean([self.knh(p, sorted(members)) for p in sorted(members)])
        mine = self.knh(o, members)
        return 1.0 if mine <= usual else usual / mine

    def class_con(self, i, j):
        def directed(a, b):
            products = sorted((self.con(p, a) * self.con(p, b) for p in self.classes[a]), reverse=True)[: self.k]
            return sum(products) / len(products)

        return min(directed(i, j), directed(j, i))

    def class_of(self, o):
        return next((i for i, members in enumerate(self.classes) if o in members), None)

    def own(self, o):
        return 1.0 if self.class_of(o) is None else self.con(o, self.class_of(o))

    def map(self, cluster):
        counts = [len(members & cluster) for members in self.classes]
        if not sum(counts):
            return None

        def surplus(j):
            return sum(
                max(0, count - sum(self.holds(self.regions[j], o) for o in members))
                for count, members in zip(counts, self.classes, strict=True)
            )

        def order(j):
            held = sum(self.holds(self.regions[j], o) for o in cluster) if surplus(j) == 0 else 0
            class_points = sum(self.holds(self.regions[j], o) for members in self.classes for o in members)
            return surplus(j), -held, -class_points, -len(self.classes[j]), j

        return min(range(len(self.classes)), key=order)

    def penalties(self, clusters, model_errors=True, refine=True):
        """Return (type, penalty) of each faulty point. ``clusters`` are pairs of a set of points and a ball or None."""
        maps = [self.map(members) for members, _ in clusters]
        found = {}
        for o in range(self.n):
            own = self.class_of(o)
            faults = [
                j for (members, _), j in zip(clusters, maps, strict=True) if o in members and (j is None or j != own)
            ]
            if model_errors:
                faults = [j for j in faults if j is None or not self.holds(self.regions[j], o)]
            if faults:
                worst = max(self.own(o) * (1 - (0 if j is None else self.con(o, j))) for j in faults)
                found[o] = ("noise" if own is None else "misplaced", worst)
            elif own is not None and not any(o in members for members, _ in clusters):
                factors = [1.0]
                for (members, ball), j in zip(clusters, maps, strict=True):
                    if refine and j == own:
                        centre, radius = ball or self.ball(members)
                        d = np.linalg.norm(self.points[o] - centre)
                        factors.append(1 - math.exp(-max(0, d - radius) / (d + radius)) if d + radius else 0)
                found[o] = ("missed", self.own(o) * min(factors))
        return found

    def value(self, clusters, weights, kinds=("missed", "misplaced", "noise"), **options):
        found = self.penalties(clusters, **options)
        lost = sum(weights[o] * penalty for o, (kind, penalty) in found.items() if kind in kinds)
        return 1 - lost / sum(weights[o] * self.own(o) for o in range(self.n)) if lost else 1.0
