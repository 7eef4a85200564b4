"""Strategies for valid gold standards and clusterings of them, and their conversion to engine input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from tests.qc4.measures.qc4.reference import Gold, Pages

Topic = tuple[Pages, int | None, int | None]


@st.composite
def covers(draw: st.DrawFn, pages: Pages, parts: int) -> list[Pages]:
    """Draw at most ``parts`` non-empty sets that together contain all pages; they may overlap, nest or be equal."""
    ordered = sorted(pages)
    home = draw(st.lists(st.integers(0, parts - 1), min_size=len(ordered), max_size=len(ordered)))
    sets = [{d for d, part in zip(ordered, home, strict=True) if part == i} for i in range(parts)]
    extra = draw(st.lists(st.tuples(st.integers(0, parts - 1), st.sampled_from(ordered)), max_size=len(ordered)))
    for part, page in extra:
        sets[part].add(page)
    return [frozenset(found) for found in sets if found]


@st.composite
def golds(draw: st.DrawFn, max_pages: int = 14, allow_full_topics: bool = True) -> Gold:
    """Draw gold standards with overlap, several levels with gaps, topics on several levels, and outliers or none.

    ``allow_full_topics``: True if a topic may contain every page (an ideal clustering then does not score 1).
    """
    n_pages = draw(st.integers(2, max_pages))
    outliers = frozenset(draw(st.sets(st.integers(0, n_pages - 1), max_size=n_pages // 2)))
    topics: list[Topic] = []
    inside = frozenset(range(n_pages)) - outliers
    roots = draw(covers(inside, draw(st.integers(1, 4)))) if inside else []
    if not allow_full_topics:
        roots = [pages for pages in roots if len(pages) < n_pages] or _halves(inside)
        missing = inside - frozenset().union(*roots)
        roots += [missing] if missing else []
    level: int | None = draw(st.sampled_from([None, 1]))
    pending: list[tuple[Pages, int | None, int | None, int]] = [(pages, None, level, 1) for pages in roots]
    while pending:
        pages, parent, given, first = pending.pop(0)
        number = len(topics)
        splits = first < 4 and draw(st.booleans())
        # A parent need not list pages that its children contain.
        topics.append((frozenset() if splits and draw(st.booleans()) else pages, parent, given))
        if splits:
            step = draw(st.integers(1, 2))
            below = first + step if step > 1 or draw(st.booleans()) else None
            children = draw(covers(pages, draw(st.integers(1, 3))))
            pending += [(child, number, below, first + step) for child in children]
    return Gold(n_pages, tuple(topics), outliers)


def _halves(pages: Pages) -> list[Pages]:
    ordered = sorted(pages)
    middle = (len(ordered) + 1) // 2
    return [frozenset(half) for half in (ordered[:middle], ordered[middle:]) if half]


@st.composite
def clusterings(draw: st.DrawFn, gold: Gold, min_size: int = 0) -> list[Pages]:
    """Draw clusters that overlap, nest and repeat: singletons, topics, halves of topics and random sets."""
    everything = list(range(gold.n_pages))
    topics = [gold.pages(t) for t in range(len(gold.topics))] or [frozenset(everything)]
    random_sets = st.sets(st.sampled_from(everything), min_size=1).map(frozenset)
    near_topics = st.tuples(st.sampled_from(topics), st.sets(st.sampled_from(everything), max_size=3)).map(
        lambda pair: pair[0] ^ pair[1] or pair[0]
    )
    singletons = st.sampled_from(everything).map(lambda d: frozenset([d]))
    found = draw(
        st.lists(
            st.one_of(random_sets, near_topics, st.sampled_from(topics), singletons), min_size=min_size, max_size=6
        )
    )
    if found and draw(st.booleans()):
        found.append(draw(st.sampled_from(found)))
    return found


@st.composite
def cases(draw: st.DrawFn) -> tuple[Gold, list[Pages]]:
    gold = draw(golds())
    return gold, draw(clusterings(gold, min_size=draw(st.sampled_from([0, 1, 2, 4]))))


def gold_standard(gold: Gold) -> GoldStandard:
    """Return the same gold standard for the engine, with numbers as names of topics and pages."""
    return GoldStandard.from_hierarchy(
        Hierarchy.build(
            _incidence([topic[0] for topic in gold.topics], gold.n_pages),
            [-1 if topic[1] is None else topic[1] for topic in gold.topics],
            [topic[2] for topic in gold.topics],
            sorted(gold.outliers),
        )
    )


def engine_case(gold: Gold | GoldStandard, clusters: Sequence[Pages]) -> Case:
    """Return a case with clusters named "c0", "c1", .."""
    standard = gold_standard(gold) if isinstance(gold, Gold) else gold
    named = (Cluster(f"c{i}", tuple(map(str, sorted(c)))) for i, c in enumerate(clusters))
    return Case.build(standard, Clustering("", tuple(named)))


def _incidence(rows: Sequence[Pages], n_pages: int) -> sp.csr_array:
    table = np.zeros((len(rows), n_pages), dtype=np.int32)
    for row, pages in enumerate(rows):
        table[row, list(pages)] = 1
    return sp.csr_array(table)
