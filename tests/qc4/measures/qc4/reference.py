"""QC4 written literally from the paper and the project's interpretation of it, with sets and fractions.

It is slow on purpose and independent of `qc4.measures.qc4`: each formula of section 3.2 is a function over all topics
and pages, and no count is reused. The tests compare the fast computation with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

OUTLIER = -1
"""The index of the outlier topic."""

Pages = frozenset[int]


@dataclass(frozen=True)
class Gold:
    """Pages are 0..n_pages-1. ``topics[t]``: (direct pages, parent or None, level or None), parents before children."""

    n_pages: int
    topics: tuple[tuple[Pages, int | None, int | None], ...]
    outliers: Pages = frozenset()

    def pages(self, t: int) -> Pages:
        """Return Dt; a page of a topic is also a page of its ancestors."""
        if t == OUTLIER:
            return self.outliers
        below = [self.pages(child) for child in self.children(t)]
        return self.topics[t][0].union(*below)

    def children(self, t: int) -> list[int]:
        return [child for child, (_, parent, _) in enumerate(self.topics) if parent == t]

    def first(self, t: int) -> int:
        _, parent, level = self.topics[t]
        if level is not None:
            return level
        return 1 if parent is None else self.first(parent) + 1

    def last(self, t: int) -> int:
        return min((self.first(child) - 1 for child in self.children(t)), default=self.l_max)

    @property
    def l_max(self) -> int:
        return max((self.first(t) for t in range(len(self.topics))), default=1)

    def on(self, level: int) -> list[int]:
        """Return T_l without the outlier topic."""
        return [t for t in range(len(self.topics)) if self.first(t) <= level <= self.last(t)]

    def on_with_outliers(self, level: int) -> list[int]:
        """Return T_l."""
        return self.on(level) + ([OUTLIER] if self.outliers else [])

    def sub(self, t: int) -> Iterator[int]:
        """Yield t and all its descendants."""
        yield t
        for child in self.children(t):
            yield from self.sub(child)


def f_measure(gold: Gold, c: Pages, t: int) -> Fraction:
    return Fraction(2 * len(c & gold.pages(t)), len(c) + len(gold.pages(t)))


def best_topic(gold: Gold, c: Pages) -> int:
    """Return the topic that maximises F; ties go to the smallest level number, then to the first."""
    return min(range(len(gold.topics)), key=lambda t: (-f_measure(gold, c, t), gold.first(t), t))


def cluster_level(gold: Gold, c: Pages) -> int:
    return gold.first(best_topic(gold, c))


def modified_precision(gold: Gold, c: Pages, t: int, tb: int) -> Fraction:
    """Return P'(c, t, tb)."""
    dct, dctb = c & gold.pages(t), c & gold.pages(tb)
    if t == tb:
        return Fraction(len(dct), len(c))
    others = [other for other in gold.on_with_outliers(cluster_level(gold, c)) if other != tb]
    denominator = len(c) * sum(len((c & gold.pages(other)) - dctb) for other in others)
    return Fraction((len(c) - len(dctb)) * len(dct - dctb), denominator) if denominator else Fraction(0)


def entropies(gold: Gold, c: Pages) -> dict[int, float]:
    """Return the values, by tb, of which E(c) is the minimum."""
    topics = gold.on_with_outliers(cluster_level(gold, c))
    if len(topics) == 1:
        return {topics[0]: 0.0}
    return {
        tb: -math.fsum(
            float(p) * math.log(p) / math.log(len(topics))
            for t in topics
            if (p := modified_precision(gold, c, t, tb)) > 0
        )
        for tb in topics
    }


def recalls(gold: Gold, c: Pages, standard: bool = False) -> dict[int, float]:
    """Return the values, by tb, of which S_recall(c) is the maximum; with ``standard``, the variant of section 4.3."""
    recall = standard_recall if standard else modified_recall
    topics = gold.on_with_outliers(cluster_level(gold, c))
    return {
        tb: math.fsum(float(modified_precision(gold, c, t, tb)) * recall(gold, c, t) for t in topics) for tb in topics
    }


def standard_recall(gold: Gold, c: Pages, t: int) -> float:
    """Return R(c, t)."""
    return float(Fraction(len(c & gold.pages(t)), len(gold.pages(t))))


def modified_recall(gold: Gold, c: Pages, t: int) -> float:
    """Return R'(c, t)."""
    recall = Fraction(len(c & gold.pages(t)), len(gold.pages(t)))
    if recall in (0, 1):
        return float(recall)
    return 2.0 ** (float((recall - 1) / recall) / math.log2(len(gold.pages(t))))


def regions(gold: Gold, level: int) -> list[Pages]:
    """Return rho(l): pages grouped by their exact set of topics on the level."""
    groups: dict[Pages, set[int]] = {}
    topics = gold.on_with_outliers(level)
    for d in range(gold.n_pages):
        groups.setdefault(frozenset(t for t in topics if d in gold.pages(t)), set()).add(d)
    return [frozenset(pages) for pages in groups.values()]


def information(gold: Gold, pages: Pages, level: int) -> float:
    """Return the sum over rho(l) in S_random, for a cluster or a topic."""
    total = math.fsum(
        len(pages & r) * math.log(Fraction(len(pages & r) * gold.n_pages, len(pages) * len(r)))
        for r in regions(gold, level)
        if pages & r
    )
    return 0.0 if total < 1e-12 * gold.n_pages else total


def s_random(gold: Gold, c: Pages) -> float:
    level = cluster_level(gold, c)
    above = information(gold, c, level)
    below = 0.05 * min(information(gold, gold.pages(t), level) for t in gold.on(level))
    if below == 0:
        return math.inf if above else 0.0
    return above / below


@dataclass(frozen=True)
class ClusterParts:
    level: int
    best_topic: int
    f: float
    entropy: float
    s_recall: float
    s_random: float

    @property
    def quality(self) -> float:
        return (1 - self.entropy) * min(1.0, self.s_recall, self.s_random)


def cluster_parts(gold: Gold, c: Pages, standard: bool = False) -> ClusterParts:
    t = best_topic(gold, c)
    return ClusterParts(
        level=gold.first(t),
        best_topic=t,
        f=float(f_measure(gold, c, t)),
        entropy=min(entropies(gold, c).values()),
        s_recall=max(recalls(gold, c, standard).values()),
        s_random=s_random(gold, c),
    )


@dataclass(frozen=True)
class Reference:
    """QC4 of remaining ``clusters`` with their ``parts``; ``removed`` are positions among all clusters."""

    gold: Gold
    removed: tuple[int, ...]
    clusters: tuple[Pages, ...]
    parts: tuple[ClusterParts, ...]

    def page_reach(self, d: int, t: int, level: int) -> float:
        """Return PC'(d, t, l)."""
        return max(
            (
                len(c & self.gold.pages(t)) / len(c) * min(1.0, part.s_random)
                for c, part in zip(self.clusters, self.parts, strict=True)
                if d in c and part.level == level
            ),
            default=0.0,
        )

    def page_coverage(self, d: int, t: int, level: int) -> float:
        """Return PC(d, t, l)."""
        if level > self.gold.l_max:
            return 0.0
        below = set(self.gold.sub(t))
        topics = [other for other in self.gold.on(level) if other in below and d in self.gold.pages(other)]
        values = [max(self.page_reach(d, other, level), self.page_coverage(d, other, level + 1)) for other in topics]
        return math.fsum(values) / len(values) if values else 0.0

    def topic_coverage(self, t: int) -> float:
        """Return CV(t)."""
        pages = self.gold.pages(t)
        return math.fsum(self.page_coverage(d, t, 1) for d in pages) / len(pages)

    @property
    def aq(self) -> float:
        return mean([part.quality for part in self.parts], [1] * len(self.parts))

    @property
    def wq(self) -> float:
        return mean([part.quality for part in self.parts], [len(c) for c in self.clusters])

    @property
    def ac(self) -> float:
        topics = self.gold.on(1)
        return mean([self.topic_coverage(t) for t in topics], [1] * len(topics))

    @property
    def wc(self) -> float:
        topics = self.gold.on(1)
        return mean([self.topic_coverage(t) for t in topics], [len(self.gold.pages(t)) for t in topics])


def mean(values: Sequence[float], weights: Sequence[int]) -> float:
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights) if values else 0.0


def reference_qc4(gold: Gold, clusters: Sequence[Pages], standard: bool = False) -> Reference:
    removed = tuple(i for i, c in enumerate(clusters) if 2 * len(c & gold.outliers) > len(c))
    kept = tuple(c for i, c in enumerate(clusters) if i not in removed)
    return Reference(gold, removed, kept, tuple(cluster_parts(gold, c, standard) for c in kept))
