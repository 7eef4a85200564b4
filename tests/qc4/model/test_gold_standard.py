"""Gold standards built from arrays follow all rules, or the error names the broken rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import scipy.sparse as sp

from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.problems import InputError


def hierarchy(
    topics: Sequence[Sequence[int]],
    parents: Sequence[int],
    outliers: Sequence[int] = (),
    levels: Sequence[int | None] | None = None,
    n_pages: int = 6,
) -> Hierarchy:
    table = np.zeros((len(topics), n_pages), dtype=np.int32)
    for row, pages in enumerate(topics):
        table[row, list(pages)] = 1
    return Hierarchy.build(sp.csr_array(table), parents, levels, outliers)


@pytest.mark.parametrize(
    ("broken", "code", "rule"),
    [
        pytest.param(hierarchy([[0, 1, 2, 3, 4]], [-1]), "page-without-topic", "R1", id="a page in no topic"),
        pytest.param(hierarchy([range(6)], [-1], [5]), "outlier-in-topic", "R2", id="an outlier in a topic"),
        pytest.param(
            # Page 0 is in the root that stays on level 2, so it has a topic there: R1 holds, R3 does not.
            hierarchy([[0, 1, 2], [0, 3, 4, 5], [1, 2]], [-1, -1, 0]),
            "page-without-subtopic",
            "R3",
            id="a page lost on the way down",
        ),
        pytest.param(hierarchy([range(6), []], [-1, -1]), "empty-topic", "R4", id="an empty topic"),
        pytest.param(hierarchy([range(6)], [-1], levels=[2]), "root-level", "R5", id="a root on level 2"),
        pytest.param(
            hierarchy([range(6), range(6)], [-1, 0], levels=[1, 1]), "bad-level", "R5", id="child beside parent"
        ),
        pytest.param(
            hierarchy([range(6), range(6), range(6)], [-1, 0, 0], levels=[1, 2, 3]),
            "sibling-levels",
            "R5",
            id="siblings apart",
        ),
    ],
)
def test_the_error_names_the_broken_rule(broken: Hierarchy, code: str, rule: str) -> None:
    with pytest.raises(InputError, match=f"rule {rule}") as refusal:
        GoldStandard.from_hierarchy(broken)

    assert code in {problem.code for problem in refusal.value.problems}


def test_pages_of_children_are_added_to_their_ancestors() -> None:
    built = hierarchy([[], [], [0, 1], [2], [3, 4, 5]], [-1, 0, 1, 1, 0])

    assert [row.nonzero()[0].tolist() for row in built.pages.toarray()] == [
        [0, 1, 2, 3, 4, 5],
        [0, 1, 2],
        [0, 1],
        [2],
        [3, 4, 5],
    ]
    assert (built.first.tolist(), built.last.tolist(), built.n_levels) == ([1, 2, 3, 3, 2], [1, 2, 3, 3, 3], 3)


def test_building_does_not_change_the_input_matrix() -> None:
    given = sp.csr_array((np.array([3, 1, 0]), np.array([1, 0, 2]), np.array([0, 3])), shape=(1, 3))
    built = Hierarchy.build(given, [-1])

    assert built.pages.toarray().tolist() == [[1, 1, 0]]
    assert given.data.tolist() == [3, 1, 0]
    assert given.indices.tolist() == [1, 0, 2]
