"""Textbook formulas written point by point: an independent reference for every internal measure."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np

MEASURES = {}


def reference(function):
    MEASURES[function.__name__] = function
    return function


def groups(x, labels):
    return [x[labels == label] for label in np.unique(labels)]


def split_pairs(x, labels):
    """Return the distances of pairs inside clusters and of pairs between clusters."""
    inside, between = [], []
    for i, j in combinations(range(len(x)), 2):
        (inside if labels[i] == labels[j] else between).append(math.dist(x[i], x[j]))
    return inside, between


def weight(s, r):
    """Return W(S, R) over every ordered pair, including each point with itself (distance 0)."""
    return sum(math.dist(a, b) for a in s for b in r)


@reference
def ssq(x, labels):
    return sum(math.dist(point, group.mean(axis=0)) ** 2 for group in groups(x, labels) for point in group)


@reference
def stdi(x, labels):
    clusters = groups(x, labels)
    above = sum(math.dist(group.mean(axis=0), x.mean(axis=0)) ** 2 for group in clusters) / len(clusters)
    return above / sum(sum(math.dist(p, g.mean(axis=0)) ** 2 for p in g) / len(g) for g in clusters)


@reference
def calinski_harabasz(x, labels):
    clusters, n = groups(x, labels), len(x)
    between = sum(len(g) * math.dist(g.mean(axis=0), x.mean(axis=0)) ** 2 for g in clusters)
    return (between / (len(clusters) - 1)) / (ssq(x, labels) / (n - len(clusters)))


@reference
def davies_bouldin(x, labels):
    clusters = groups(x, labels)
    centres = [g.mean(axis=0) for g in clusters]
    radii = [sum(math.dist(p, c) for p in g) / len(g) for g, c in zip(clusters, centres, strict=True)]
    k = range(len(clusters))
    return sum(max((radii[i] + radii[j]) / math.dist(centres[i], centres[j]) for j in k if j != i) for i in k) / len(k)


@reference
def silhouette(x, labels):
    total = 0.0
    for i, point in enumerate(x):
        own = [math.dist(point, x[j]) for j in range(len(x)) if labels[j] == labels[i] and j != i]
        others = [
            np.mean([math.dist(point, y) for y in x[labels == label]])
            for label in np.unique(labels)
            if label != labels[i]
        ]
        if own:
            a, b = np.mean(own), min(others)
            total += (b - a) / max(a, b) if max(a, b) else 0.0
    return total / len(x)


@reference
def dunn(x, labels):
    inside, between = split_pairs(x, labels)
    return min(between) / max(inside)


@reference
def beta_cv(x, labels):
    inside, between = split_pairs(x, labels)
    return np.mean(inside) / np.mean(between)


@reference
def normalized_cut(x, labels):
    return sum(weight(x[labels == c], x[labels != c]) / weight(x[labels == c], x) for c in np.unique(labels))


@reference
def modularity(x, labels):
    total = weight(x, x)
    return sum(weight(g, g) / total - (weight(g, x) / total) ** 2 for g in groups(x, labels))


@reference
def c_index(x, labels):
    inside, between = split_pairs(x, labels)
    ranked = sorted(inside + between)
    least, most = sum(ranked[: len(inside)]), sum(ranked[-len(inside) :])
    return (sum(inside) - least) / (most - least)


def won_and_lost(x, labels):
    inside, between = split_pairs(x, labels)
    return sum(a < b for a in inside for b in between), sum(a > b for a in inside for b in between)


@reference
def baker_hubert_gamma(x, labels):
    won, lost = won_and_lost(x, labels)
    return (won - lost) / (won + lost)


@reference
def tau(x, labels):
    won, lost = won_and_lost(x, labels)
    inside, between = map(len, split_pairs(x, labels))
    all_comparisons = math.comb(inside + between, 2)
    tied = math.comb(inside, 2) + math.comb(between, 2)
    return (won - lost) / math.sqrt((all_comparisons - tied) * all_comparisons)


@reference
def point_biserial(x, labels):
    inside, between = split_pairs(x, labels)
    return np.corrcoef(inside + between, [0] * len(inside) + [1] * len(between))[0, 1]


@reference
def cdbw(x, labels):
    clusters = [np.array(sorted(g.tolist())) for g in groups(x, labels)]
    k = len(clusters)
    centres = [g.mean(axis=0) for g in clusters]
    sigma = [math.sqrt(sum(math.dist(p, c) ** 2 for p in g) / len(g)) for g, c in zip(clusters, centres, strict=True)]
    chosen = [farthest_first(g, c) for g, c in zip(clusters, centres, strict=True)]
    radius = sum(sigma) / k
    intra = []
    for s in np.arange(1, 9) / 10:
        total = 0.0
        for group, centre, representatives in zip(clusters, centres, chosen, strict=True):
            moved = [v + s * (centre - v) for v in representatives]
            total += np.mean([sum(math.dist(p, v) <= radius for p in group) / len(group) for v in moved])
        intra.append(total / (k * radius))
    compactness = np.mean(intra)
    cohesion = compactness / (1 + np.mean([abs(b - a) for a, b in pairwise(intra)]))
    distances = [[0.0] * k for _ in range(k)]
    densities = [[0.0] * k for _ in range(k)]
    for i, j in combinations(range(k), 2):
        near = (sigma[i] + sigma[j]) / 2
        both = [*clusters[i], *clusters[j]]
        pairs = mutual_nearest(chosen[i], chosen[j])
        lengths = [math.dist(v, w) for v, w in pairs]
        shares = [sum(math.dist(p, (v + w) / 2) < near for p in both) / len(both) for v, w in pairs]
        distances[i][j] = distances[j][i] = np.mean(lengths)
        if near:
            density = np.mean([d / (2 * near) * share for d, share in zip(lengths, shares, strict=True)])
            densities[i][j] = densities[j][i] = density
    others = [[j for j in range(k) if j != i] for i in range(k)]
    nearest = np.mean([min(distances[i][j] for j in others[i]) for i in range(k)])
    densest = np.mean([max(densities[i][j] for j in others[i]) for i in range(k)])
    return cohesion * compactness * nearest / (1 + densest)


def farthest_first(group, centre):
    chosen = [max(group, key=lambda p: math.dist(p, centre))]
    while len(chosen) < 10:
        best = max(group, key=lambda p: min(math.dist(p, v) for v in chosen))
        if min(math.dist(best, v) for v in chosen) == 0:
            break
        chosen.append(best)
    return chosen


def mutual_nearest(one, other):
    return [
        (v, w)
        for v in one
        for w in other
        if math.dist(v, w) == min(math.dist(v, u) for u in other) == min(math.dist(u, w) for u in one)
    ]
