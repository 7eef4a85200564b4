"""Trees of pages for tests, given as nested lists or drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from qc4.inputs.view import Level
from qc4.measures.registry import REGISTRY
from qc4.model.case import Case
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from tests.qc4.small_cases import gold

Nested = Sequence["int | Nested"]
Sets = list[tuple[frozenset[int], int]]
"""The pages of each set, and the index of its parent, -1 for none."""


def sets_of(tree: Nested, parent: int = -1, found: Sets | None = None) -> Sets:
    """Return the sets of a tree given as nested lists, parents first: ``[[0, 1], [[2], 3]]`` has {0, 1}, {2, 3},
    {2}."""
    found = [] if found is None else found
    for part in tree:
        if not isinstance(part, int):
            found.append((frozenset(pages_in(part)), parent))
            sets_of(part, len(found) - 1, found)
    return found


def pages_in(tree: Nested) -> Iterable[int]:
    for part in tree:
        yield from [part] if isinstance(part, int) else pages_in(part)


def clusters(sets: Sets, *, closed: bool = True) -> Clustering:
    """Return clusters named "c0", "c1", ..; without ``closed`` they list only the pages in none of their children."""
    below = {number: frozenset().union(*(pages for pages, up in sets if up == number)) for number in range(len(sets))}
    own = [pages if closed else pages - below[number] for number, (pages, _) in enumerate(sets)]
    return Clustering(
        "",
        tuple(
            Cluster(f"c{number}", tuple(map(str, sorted(pages))), parent=None if up < 0 else f"c{up}")
            for number, (pages, (_, up)) in enumerate(zip(own, sets, strict=True))
        ),
    )


def tree_case(n_pages: int, topics: Nested, found: Nested, outliers: Iterable[int] = ()) -> Case:
    """Return a case from topics and clusters given as nested lists; each level must contain every page except
    outliers."""
    sets = sets_of(topics)
    standard = gold(n_pages, [pages for pages, _ in sets], outliers, [up for _, up in sets])
    return Case.build(standard, clusters(sets_of(found)))


def value(key: str, case: Case, level: Level = None, policies: Policies = Policies()) -> float:  # noqa: B008  # frozen
    return REGISTRY.get(key).compute(case, level, policies)


@st.composite
def nested_sets(draw, pages: Sequence[int], *, whole: bool = False, overlap: bool = False, most: int = 8) -> Sets:
    """Draw a tree. Siblings are disjoint unless ``overlap``; in ``whole`` trees children contain every page of a
    set."""
    found: Sets = []
    todo = [(-1, list(pages))]
    while todo and len(found) < most:
        parent, inside = todo.pop(0)
        labels = draw(st.lists(st.integers(0 if whole else -1, 2), min_size=len(inside), max_size=len(inside)))
        if parent >= 0 and draw(st.booleans()):
            continue
        for label in range(3):
            part = {page for page, own in zip(inside, labels, strict=True) if own == label}
            if overlap and inside:
                part |= draw(st.sets(st.sampled_from(inside), max_size=2))
            if part:
                found.append((frozenset(part), parent))
                todo.append((len(found) - 1, sorted(part)))
    return found


@st.composite
def tree_cases(draw, *, overlap: bool = False, most_pages: int = 9, most_sets: int = 8) -> Case:
    """Draw a gold standard of several levels with outliers, and nested clusters."""
    n = draw(st.integers(2, most_pages))
    outliers = draw(st.sets(st.integers(0, n - 1), max_size=1))
    inliers = [page for page in range(n) if page not in outliers]
    topics = draw(nested_sets(inliers, whole=True, overlap=overlap, most=most_sets))
    found = draw(nested_sets(range(n), overlap=overlap, most=most_sets))
    standard = gold(n, [pages for pages, _ in topics], outliers, [up for _, up in topics])
    return Case.build(standard, clusters(found, closed=draw(st.booleans())))
